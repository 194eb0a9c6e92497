import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { strToU8, unzipSync, zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../client/src/main.ts';
import { system } from '../../server/src/db/database.ts';
import { newTraceId, post, requestOf, spanId } from '../../server/test/otlp.ts';
import { openTerminal, type Terminal } from './terminal.ts';

let terminal: Terminal;
/** Another reviewer than the terminal's own person; no admin. */
let reviewer: Awaited<ReturnType<Terminal['person']>>;

beforeAll(async () => {
  terminal = await openTerminal();
  reviewer = await terminal.person();
});
afterAll(() => terminal.close());

const collect = async <Item>(items: AsyncIterable<Item>): Promise<Item[]> => {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
};

/** Traces of a session, which make a record with a tag, and one that is linked to `recordId`, with annotations on its spans. */
const makeTraces = async (client: Client, projectId: string, recordId: string): Promise<void> => {
  const chat = {
    'gen_ai.operation.name': 'chat',
    'input.value': 'Why?',
    'output.value': 'So.',
    whole: 2n ** 60n,
  };
  const session = { 'session.id': 'traced', 'dokima.tags': ['live'] };
  const [first, second, linked] = [newTraceId(), newTraceId(), newTraceId()];
  const spans = [
    { traceId: first, n: 1, attributes: { ...session, ['__proto__']: 1.5 } },
    {
      traceId: first,
      n: 2,
      parent: 1,
      attributes: chat,
      events: [{ name: 'x', attributes: { b: 1, a: 2 } }],
    },
    { traceId: second, n: 3, attributes: session, status: { code: 2, message: 'broken' } },
    { traceId: linked, n: 4, attributes: { 'dokima.otel_link_id': 'link-1', prompt: 'two\nlines' } },
  ];
  const request = requestOf(spans, { 'dokima.project_id': projectId });
  expect((await post(terminal.app, terminal.key, request)).status).toBe(200);
  const passage = { path: '/attributes/prompt', start: 0, text: 'two\nlines' };
  const onSpan = { spanId: spanId(4), rating: false };
  await client.createAnnotation(recordId, { ...onSpan, comment: 'No.', passage });
  await client.createAnnotation(recordId, { ...onSpan, comment: 'Why?' });
};

/** A run with a judge's scores in every state, one of them replaced by a person's. */
const makeJudged = async (client: Client, projectId: string, metricId: string): Promise<void> => {
  const run = await client.createRun(projectId, { metricIds: [metricId] });
  const items = [1, 2, 3, 4, 5].map((i) => ({ inputs: { i }, expected: {}, outputs: {} }));
  await client.createAllRecords(run.id, items);
  await terminal.app.db.transaction(system, async (tx) => {
    const of = (n: number) => tx`run_id = ${run.id} and n = ${n}`;
    const evidence = '{"prompt":"\\u0000 x","10":1.10,"9":12345678901234567890}';
    const scored = tx`state = 'scored', score = '{"intScore":4,"reasoning":"so","x":1.0}'::json, value = 4, attempts = 1,
      evidence = ${evidence}::text::json, cost_usd = 0.25, input_tokens = 70, output_tokens = 30, due_at = null`;
    await tx`update score set state = 'failed', reason = 'broke', last_error = 'broke', due_at = null where ${of(1)}`;
    await tx`update score set state = 'unscored', reason = 'no_majority', due_at = null where ${of(2)}`;
    await tx`update score set ${scored} where ${of(3)}`;
    await tx`update score set ${scored} where ${of(4)}`;
    await tx`insert into run_judging (run_id, organization_id, spent_usd) select id, organization_id, 0.5 from run where id = ${run.id}`;
  });
  const records = await collect(client.listRecords(run.id));
  const corrected = { intScore: 1, reasoning: 'A person knows better.' };
  await client.upsertScore(records[3]!.id, run.metricVersionIds[0]!, { score: corrected });
};

/** Two reviewers, of whom one is the terminal's own: of the first record both have spoken, of the second the other. */
const makeReviewed = async (client: Client, metricId: string, configId: string, recordIds: string[]) => {
  await client.updateReviewSettings(metricId, { reviewers: 2, rule: 'latest' });
  for (const [i, intScore] of [5, 3].entries()) {
    const { status } = await reviewer.api('POST', `/records/${recordIds[i]}/reviews/${configId}`, {
      score: { intScore },
    });
    expect(status).toBe(201);
  }
  await client.submitReview(recordIds[0]!, configId, { score: { intScore: 2 } });
};

/** A project with everything in it that a project can have. */
const makeProject = async (client: Client): Promise<string> => {
  const { id: projectId } = await client.createProject({ name: 'Everything', description: 'All of it.' });
  const testset = await client.createTestset(projectId, {
    name: 'Cases',
    description: 'Some.',
    jsonSchema: { type: 'object', required: ['q'] },
    fieldMapping: { inputs: ['q'], expected: ['a'], metadata: ['topic'] },
  });
  // Digits, key order and odd keys that a parser would change.
  const jsonData =
    '{"q":1.10,"a":12345678901234567890,"2":"two","1":"one","__proto__":{"x":null},"topic":"\\u0000ü"}';
  await client.send({
    method: 'POST',
    path: `/api/v2/testsets/${testset.id}/testcases`,
    rawBody: `{"items":[{"jsonData":${jsonData}},{"jsonData":{"no":"question"}}]}`,
  });
  const testcases = await collect(client.listTestcases(testset.id));

  const metrics = [];
  for (const outputType of ['boolean', 'int', 'float'] as const) {
    metrics.push(
      await client.createMetric(projectId, { name: outputType, evalType: 'heuristic', outputType }),
    );
    metrics.push(
      await client.createMetric(projectId, {
        name: `by people ${outputType}`,
        evalType: 'human',
        outputType,
      }),
    );
  }
  const judge = await client.createMetric(projectId, {
    name: 'judge',
    description: 'By a model.',
    evalType: 'ai',
    outputType: 'int',
    temperature: 0.5,
    ...{
      promptTemplate: 'Is {{outputs.a}} right?',
      guidelines: 'Be fair.',
      passingThreshold: 3,
      evalModelName: 'm',
    },
  });
  await client.updateJudgeSettings(judge.id, { judgeRepeats: 3 });
  const system = await client.upsertSystem(projectId, {
    name: 'Bot',
    description: 'A bot.',
    config: { model: 'a' },
  });
  const second = await client.upsertSystemVersion(system.id, { config: { model: 'b' }, name: 'second' });
  await client.updateSystem(system.id, { productionVersionId: system.productionVersion.id });

  const metricIds = metrics.map(({ id }) => id);
  const run = await client.createRun(projectId, {
    testsetId: testset.id,
    systemVersionId: second.id,
    metricIds,
  });
  await client.updateRunNotes(run.id, { notes: '# The first\nIt went well.' });
  await client.createRun(projectId, { metricIds: [] });
  const content = '"inputs":{"q":1.10},"expected":{"2":1,"1":2},"outputs":{"a":1e-7}';
  await client.send({
    method: 'POST',
    path: `/api/v2/runs/${run.id}/records/bulk-create`,
    rawBody: `{"items":[
      {${content},"testcaseId":"${testcases[0]!.id}","otelLinkId":"link-1","sessionId":"session-1"},
      {${content}},{${content}}]}`,
  });
  const records = await collect(client.listRecords(run.id));
  const [boolean, people, int, , float] = run.metricVersionIds as [string, string, string, string, string];
  const score = async (record: number, configId: string, value: object) =>
    client.upsertScore(records[record]!.id, configId, { score: { ...value } });
  await score(0, boolean, { binaryScore: false, reasoning: 'No.' });
  await score(0, int, { intScore: 4 });
  await score(1, float, { floatScore: 0.25, extra: [1, 2] });
  await score(1, people, { binaryScore: 'perhaps' });
  await client.createRecordTag(records[0]!.id, { text: 'money' });
  await client.createRecordTag(records[0]!.id, { text: 'hard' });
  await client.assignRecordUser(records[1]!.id, { assigneeUserId: (await client.getMe()).user.id });
  const annotation = await client.createAnnotation(records[0]!.id, { rating: true, comment: 'Good.' });
  for (const comment of ['Is it?', 'It is.'])
    await client.createReply(records[0]!.id, annotation.id, { comment });
  await client.resolveAnnotation(records[0]!.id, annotation.id, { resolved: true });
  const passage = { path: '/outputs/answer', start: 0, text: 'a' };
  const open = await client.createAnnotation(records[0]!.id, { rating: false, passage });
  await client.createReply(records[0]!.id, open.id, { comment: 'Not yet.' });
  await makeTraces(client, projectId, records[0]!.id);
  await makeJudged(client, projectId, judge.id);
  await makeReviewed(
    client,
    metrics[3]!.id,
    run.metricVersionIds[3]!,
    records.map(({ id }) => id),
  );
  await client.updateTestsetGrouping(testset.id, { field: 'topic' });
  await client.updateReviewSettings(metrics[1]!.id, { reviewers: 3, rule: 'majority' });
  await client.updateJudgeBudget(run.id, { budgetUsd: 1.5 });
  await client.updateTraceSettings(projectId, { retentionDays: 9 });
  const filter = { service: 'bot', minDurationMs: 5 };
  const rare = { samplingRate: 0.25, settleSeconds: 60, paused: true };
  await client.createMonitor(projectId, { name: 'Live', metricIds: [metrics[0]!.id], filter, ...rare });
  await client.uploadFile({
    ...{
      sessionId: 'session-1',
      filePath: 'out/a.bin',
      contentType: 'application/octet-stream',
      filename: 'a.bin',
    },
    metadata: { step: 3 },
    bytes: Uint8Array.from({ length: 5_000 }, (_, i) => i % 251),
  });
  return projectId;
};

/** Of what an id is, by the key that it stands under; a UUID is one thing wherever it stands. */
const kindOf = (noun: string, key: string, id: string): string =>
  id.length === 36 ? 'uuid' : key === 'id' ? noun : key.replace(/Ids?$/, '');

/**
 * Everything that the API says of a project, as text so that digits and order count. Ids are replaced by the order in which
 * they first come, so that what refers to what counts too; times are left out.
 */
const stateOf = async (client: Client, projectId: string): Promise<string> => {
  const names = new Map<string, string>();
  const nameOf = (noun: string, key: string, id: string): string => {
    const known = `${kindOf(noun, key, id)} ${id}`;
    if (!names.has(known)) names.set(known, `#${names.size}`);
    return `"${names.get(known)}"`;
  };
  const texts: string[] = [];
  const read = async (noun: string, path: string) => {
    const text = await client.send({ method: 'GET', path: `/api/v2${path}`, query: { limit: 100 } });
    const named = text
      .replaceAll(/"(createdAt|updatedAt|definedAt|resolvedAt|since)" ?: ?"[^"]*"/g, '"$1":"time"')
      .replaceAll(
        /"(id|runId|\w+(?<!Link|session)Id)" ?: ?"([^"]+)"/g,
        (_, key, id) => `"${key}":${nameOf(noun, key, id)}`,
      )
      .replaceAll(/"(\w+Ids)" ?: ?\[([^\]]*)\]/g, (_, key, list: string) => {
        return `"${key}":[${list.replaceAll(/"([^"]+)"/g, (_whole, id) => nameOf(noun, key, id))}]`;
      });
    texts.push(named);
    return JSON.parse(text);
  };
  await read('project', `/projects/${projectId}`);
  await read('project', `/projects/${projectId}/trace-settings`);
  await read('monitor', `/projects/${projectId}/monitors`);
  for (const { id } of (await read('testset', `/projects/${projectId}/testsets`)).data) {
    await read('testcase', `/testsets/${id}/testcases`);
    await read('testset', `/testsets/${id}/grouping`);
  }
  for (const { id } of (await read('metric', `/projects/${projectId}/metrics`)).data) {
    await read('metric', `/metrics/${id}/judge-settings`);
    await read('metric', `/metrics/${id}/review-settings`);
  }
  for (const { versions } of (await read('system', `/projects/${projectId}/systems`)).data) {
    for (const { id } of versions) await read('version', `/systems/versions/${id}`);
  }
  for (const { id } of (await read('run', `/projects/${projectId}/runs`)).data) {
    await read('run', `/runs/${id}/notes`);
    await read('run', `/runs/${id}/judge-budget`);
    await read('record', `/runs/${id}/records`);
    await read('score', `/runs/${id}/export/scores`);
  }
  for (const { id } of (await read('record', `/projects/${projectId}/records`)).data) {
    await read('tag', `/records/${id}/tags`);
    await read('span', `/records/${id}/spans`);
    await read('message', `/records/${id}/conversation`);
    await read('annotation', `/records/${id}/annotations`);
    await read('thread', `/records/${id}/threads`);
  }
  await read('span', `/projects/${projectId}/export/spans`);
  for (const { traceId, spanId } of (await read('span', `/projects/${projectId}/spans`)).data)
    await read('span', `/projects/${projectId}/traces/${traceId}/spans/${spanId}`);
  return texts.join('\n');
};

/** What another's import of an archive says. */
const importAs = async (key: string, file: string) => {
  const own = terminal.environment.DOKIMA_API_KEY;
  terminal.environment.DOKIMA_API_KEY = key;
  const said = await terminal.dokima(['import', file, '--json']);
  terminal.environment.DOKIMA_API_KEY = own;
  return said.json();
};

describe('export and import', () => {
  it('a project exported and imported is the same to the API, but for ids and times', async () => {
    const { client } = terminal;
    const projectId = await makeProject(client);
    const exported = await terminal.dokima(['export', '-p', projectId, 'all.zip', '--json']);
    expect(exported.json()).toMatchObject({
      ...{
        testsets: 1,
        testcases: 2,
        metrics: 7,
        systems: 1,
        runs: 4,
        records: 9,
        spans: 4,
        annotations: 4,
        replies: 3,
        monitors: 1,
        attachments: 1,
      },
    });
    const imported = await terminal.dokima(['import', 'all.zip', '--json']);
    expect([imported.code, imported.err]).toEqual([0, '']);
    const restored = imported.json();
    expect(restored).toMatchObject({ runs: 4, records: 9, scores: 7, spans: 4, notes: [] });
    const before = await stateOf(client, projectId);
    expect(before).toContain('"q":1.10,"a":12345678901234567890,"2":"two","1":"one","__proto__":{"x":null}');
    for (const state of ['pending', 'scored', 'unscored', 'failed'])
      expect(before).toContain(`"state" : "${state}"`);
    expect(await stateOf(client, restored.projectId)).toBe(before);
  });

  it('an archive of version 1 has no traces: an annotation of a span comes to stand on its record, with its passage quoted', async () => {
    const { client, directory } = terminal;
    const projectId = await makeProject(client);
    await terminal.dokima(['export', '-p', projectId, 'new.zip']);
    const files = Object.entries(unzipSync(await readFile(join(directory, 'new.zip'))));
    const old = files.filter(([path]) => !path.startsWith('spans/'));
    const manifest = strToU8(JSON.stringify({ format: 'dokima-project', version: 1 }));
    await writeFile(
      join(directory, 'old.zip'),
      zipSync({ ...Object.fromEntries(old), 'dokima.json': manifest }),
    );
    const restored = (await terminal.dokima(['import', 'old.zip', '--json'])).json();
    expect(restored.notes).toEqual([expect.stringMatching(/^2 annotations were on spans/)]);
    const linked = (await collect(client.listProjectRecords(restored.projectId))).find(
      ({ otelLinkId }) => otelLinkId === 'link-1',
    );
    const { data } = await client.listAnnotations(linked!.id);
    expect(data.every(({ spanId }) => spanId === null)).toBe(true);
    expect(data.map(({ comment }) => comment)).toEqual(
      expect.arrayContaining(['> two\n> lines\n\nNo.', 'Why?']),
    );
  });

  it('a monitor that was at work is paused, and that is said', async () => {
    const { client } = terminal;
    const { id: projectId } = await client.createProject({ name: 'Watched', description: '' });
    const metric = await client.createMetric(projectId, { name: 'M', evalType: 'human', outputType: 'int' });
    await client.createMonitor(projectId, { name: 'Live', metricIds: [metric.id], samplingRate: 1 });
    await terminal.dokima(['export', '-p', projectId, 'watched.zip']);
    const restored = (await terminal.dokima(['import', 'watched.zip', '--json'])).json();
    expect(restored.notes).toEqual(['Monitor Live is paused: see first what it would score.']);
    expect((await collect(client.listMonitors(restored.projectId)))[0]).toMatchObject({ paused: true });
  });

  it('into another organization it carries the attachments, and says whose assignments stay out', async () => {
    const projectId = await makeProject(terminal.client);
    await terminal.dokima(['export', '-p', projectId, 'moved.zip']);
    const other = await terminal.app.organization();
    const said = await importAs(other.key, 'moved.zip');
    expect(said.notes).toEqual([
      expect.stringMatching(/^Assignments to .* stay out/),
      expect.stringMatching(/^2 reviews by people who can't be named here stay out/),
    ]);
    const { body } = await other.api('GET', '/sessions/session-1/attachments');
    expect(body.data).toMatchObject([
      { filename: 'a.bin', metadata: { step: 3 }, sizeBytes: 5_000, status: 'uploaded' },
    ]);
  });

  it('into another organization it puts scores and reviews down to whoever has the same address there', async () => {
    const projectId = await makeProject(terminal.client);
    await terminal.dokima(['export', '-p', projectId, 'known.zip']);
    const other = await terminal.app.organization();
    const there = { name: 'R', email: `${reviewer.id.toUpperCase()}@example.org`, role: 'viewer' };
    const { id } = (await other.api('POST', '/members', there)).body;
    const { notes, projectId: restoredId } = await importAs(other.key, 'known.zip');
    expect(notes).toEqual([expect.stringMatching(/^Assignments to/)]);
    const { data: runs } = (await other.api('GET', `/projects/${restoredId}/runs?limit=100`)).body;
    const reviews = [];
    for (const run of runs)
      for (const score of (await other.api('GET', `/runs/${run.id}/export/scores?limit=100`)).body.data)
        reviews.push(...score.reviews);
    expect(reviews.map(({ userId, score }) => [userId, score.intScore])).toEqual([
      [id, 5],
      [other.memberId, 2],
      [id, 3],
    ]);
  });

  it('for one who is no admin, what others scored becomes theirs, and others’ reviews stay out', async () => {
    const projectId = await makeProject(terminal.client);
    await terminal.dokima(['export', '-p', projectId, 'mine.zip']);
    const { notes } = await importAs(reviewer.key, 'mine.zip');
    expect(notes).toEqual([
      expect.stringMatching(/^\d+ verdicts of people who can't be named here are yours now/),
      expect.stringMatching(/^1 reviews by people/),
    ]);
  });

  it('the same project gives the same archive', async () => {
    const projectId = await makeProject(terminal.client);
    for (const file of ['one.zip', 'two.zip']) await terminal.dokima(['export', '-p', projectId, file]);
    const imported = await terminal.dokima(['import', 'one.zip', '--json']);
    expect(imported.code).toBe(0);
    expect((await terminal.read('one.zip')) === (await terminal.read('two.zip'))).toBe(true);
  });

  it('imported twice it changes nothing; changed since, it is another', async () => {
    const { client } = terminal;
    const projectId = await makeProject(client);
    await terminal.dokima(['export', '-p', projectId, 'twice.zip']);
    const first = (await terminal.dokima(['import', 'twice.zip', '--json'])).json();
    const before = [await stateOf(client, first.projectId), (await collect(client.listProjects())).length];
    const again = await terminal.dokima(['import', 'twice.zip']);
    expect([again.code, again.out]).toEqual([0, `Project ${first.projectId}: nothing: it was all there.\n`]);
    expect([await stateOf(client, first.projectId), (await collect(client.listProjects())).length]).toEqual(
      before,
    );
    await client.updateProject(projectId, { name: 'Renamed' });
    await terminal.dokima(['export', '-p', projectId, 'renamed.zip']);
    const other = (await terminal.dokima(['import', 'renamed.zip', '--json'])).json();
    expect(other.projectId).not.toBe(first.projectId);
  });

  it('an import that was killed is completed by the next, and nothing of it is there twice', async () => {
    const { client, directory, environment } = terminal;
    const projectId = await makeProject(client);
    const run = await client.createRun(projectId, { metricIds: [] });
    const items = Array.from({ length: 60 }, (_, i) => ({ inputs: { i }, expected: {}, outputs: {} }));
    await client.createAllRecords(run.id, items);
    const tags = ['a', 'b', 'c'];
    for await (const { id } of client.listRecords(run.id))
      await Promise.all(tags.map((text) => client.createRecordTag(id, { text })));
    await terminal.dokima(['export', '-p', projectId, 'killed.zip']);
    const known = new Set((await collect(client.listProjects())).map(({ id }) => id));
    const program = new URL('../bin/dokima.js', import.meta.url).pathname;
    const child = spawn(process.execPath, [program, 'import', 'killed.zip'], {
      env: environment,
      cwd: directory,
    });
    const exited = once(child, 'exit');
    const halfway = async () => {
      const made = (await collect(client.listProjects())).find(({ id }) => !known.has(id));
      return made ? (await client.listProjectRecords(made.id, { tags: ['a'], limit: 1 })).data.length : 0;
    };
    await expect.poll(halfway, { timeout: 20_000, interval: 1 }).toBe(1);
    child.kill('SIGKILL');
    await exited;
    const made = (await collect(client.listProjects())).find(({ id }) => !known.has(id))!;
    expect((await client.getProjectImport(made.id)).completedAt).toBeNull();
    const restored = (await terminal.dokima(['import', 'killed.zip', '--json'])).json();
    expect(restored).toMatchObject({ projectId: made.id, wasThere: false, runs: 5, records: 69 });
    expect(await stateOf(client, made.id)).toBe(await stateOf(client, projectId));
    expect((await client.getProjectImport(made.id)).completedAt).not.toBeNull();
  });

  it('refuses an archive of a later version', async () => {
    const manifest = { format: 'dokima-project', version: 99 };
    const archive = zipSync({ 'dokima.json': new TextEncoder().encode(JSON.stringify(manifest)) });
    await writeFile(join(terminal.directory, 'later.zip'), archive);
    const { code, err } = await terminal.dokima(['import', 'later.zip']);
    expect([code, err]).toEqual([4, expect.stringContaining('The archive is of version 99')]);
  });
});
