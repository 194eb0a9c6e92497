import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chainEvents } from '../src/accounts/audit/chain.ts';
import { removeDeletedBytes } from '../src/evaluation/attachments/remove-bytes.ts';
import { openStore } from '../src/evaluation/attachments/store.ts';
import { indexTexts } from '../src/evaluation/records/index-texts.ts';
import { type Sql, system } from '../src/platform/db/database.ts';
import { purgeRecords } from '../src/traces/retention/purge-records.ts';
import { purgeTraces } from '../src/traces/retention/purge-traces.ts';
import { exportLines } from './archive-lines.ts';
import { createMetric, createProject, createRun, createTestset, ok } from './fixtures.ts';
import type { Organization } from './harness.ts';
import { openOpenAiServer } from './model-server.ts';
import { openApp } from './opened.ts';
import { newTraceId, post, requestOf, spanId } from './otlp.ts';
import { textOfPack } from './rows.ts';

/** A marker is written wherever a client can write a text, and is looked for everywhere after each way of deleting. */

const logged: string[] = [];
const log = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) });
const models = await openOpenAiServer();
afterAll(() => models.close());
const { app } = await openApp(
  {
    DOKIMA_ALLOW_PRIVATE_ADDRESSES: 'true',
    DOKIMA_JUDGE_MODEL: 'gpt-4o-mini',
    OPENAI_API_KEY: 'sk-of-the-operator',
    OPENAI_BASE_URL: models.url,
  },
  { log },
);
let url: string;
beforeAll(async () => {
  url = await app.url();
});

let count = 0;
const keyed = () => ({ headers: { 'idempotency-key': `${++count}-of-a-test` } });

/** One marker for each resource that can be deleted with what is in it. */
type Markers = Record<'project' | 'testset' | 'run' | 'record' | 'trace', string>;

type Discussed = { projectId: string; record: { id: string }; traceId: string };

/** Writes what people say about a record, and about a span of it. */
const discuss = async (own: Organization, { projectId, record, traceId }: Discussed, marker: string) => {
  await ok(own.api('POST', `/records/${record.id}/tags`, { text: marker }, keyed()), 201);
  const annotations = `/records/${record.id}/annotations`;
  const { id } = await ok(own.api('POST', annotations, { rating: true, comment: marker }, keyed()), 201);
  const reply = { comment: `${marker} too` };
  await ok(own.api('POST', `${annotations}/${id}/replies`, reply, keyed()), 201);
  const metric = await createMetric(own.api, projectId, {
    evalType: 'human',
    outputType: 'boolean',
    spans: '-name:nothing',
  });
  const { recordId } = await ok(
    own.api('GET', `/projects/${projectId}/traces/${traceId}/spans/${spanId(1)}`),
  );
  const runId = recordId.split('-')[0];
  await ok(own.api('POST', `/runs/${runId}/metrics`, { metricIds: [metric.id] }));
  const { metricVersionIds } = await ok(own.api('GET', `/runs/${runId}`));
  const path = `/records/${recordId}/scores/${metricVersionIds.at(-1)}/spans/${spanId(1)}`;
  const score = { binaryScore: true, reasoning: marker };
  await ok(own.api('PUT', path, { score, traceId }, keyed()));
  await ok(
    own.api('PATCH', `/metrics/${metric.id}`, { evalType: 'human', outputType: 'boolean', spans: 'name:x' }),
  );
};

type Tried = { projectId: string; testsetId: string; recordIds: string[] };

/**
 * Lets models draft, try and answer, as on the pages of drafts, of a new metric, of the playground and of Ask; the models repeat the marker,
 * in answers and in errors. None of it is saved.
 */
const draftAndTry = async (own: Organization, { projectId, testsetId, recordIds }: Tried, marker: string) => {
  const project = `/projects/${projectId}`;
  const judge = { evalType: 'ai', outputType: 'boolean', promptTemplate: `${marker} {{ outputs.text }}?` };
  const code = `const score = () => { throw new Error('${marker}'); };`;
  const config = { promptTemplate: `${marker} {{ inputs.text }}`, modelName: 'openai/m', [marker]: marker };
  const questions: [string, object, object][] = [
    [
      `/testsets/${testsetId}/drafts`,
      { description: marker, recordIds, numTestcases: 1 },
      { testcases: [`{"text":"${marker}"}`] },
    ],
    [
      `${project}/metrics/preview`,
      { ...judge, record: { outputs: { text: marker } } },
      { reasoning: marker, binaryScore: true },
    ],
    [`${project}/systems/try`, { config, inputs: { text: marker } }, { [marker]: marker }],
    [
      `${project}/ask`,
      { question: marker },
      { tool: '', arguments: '', claims: [{ text: marker, runIds: [], recordIds: [], n: 0 }] },
    ],
  ];
  for (const [path, body, reply] of questions)
    for (const behaviour of [
      { reply },
      { status: 400, body: JSON.stringify({ error: { message: marker } }) },
    ]) {
      models.answer(behaviour);
      const { status, text } = await own.api('POST', path, body);
      expect([path, status, text]).toEqual([path, 200, expect.any(String)]);
      if ('reply' in behaviour && !path.endsWith('/ask')) expect(text).toContain(marker);
    }
  const record = { outputs: { text: marker } };
  const tried = { evalType: 'heuristic', outputType: 'boolean', guidelines: code, record };
  await ok(own.api('POST', `${project}/metrics/preview`, tried));
};

/**
 * Creates a project whose resources hold their markers, each created with an Idempotency-Key. `byPeople`: also what retention keeps.
 */
const write = async (own: Organization, markers: Markers, byPeople: boolean) => {
  const marker = markers.record;
  const create = (path: string, body: object) =>
    own.api('POST', path, body, { headers: { 'idempotency-key': `${++count}-of-a-test` } });
  const made = (path: string, body: object, status: 200 | 201 = 201) => ok(create(path, body), status);
  const project = await made('/projects', { name: markers.project, description: markers.project });
  const metric = await createMetric(own.api, project.id, {
    evalType: 'heuristic',
    outputType: 'boolean',
    guidelines: '',
  });
  const testset = await made(`/projects/${project.id}/testsets`, {
    name: markers.testset,
    description: markers.testset,
    jsonSchema: {},
    fieldMapping: { inputs: [], expected: [], metadata: [] },
  });
  await made(`/testsets/${testset.id}/testcases`, {
    items: [{ jsonData: { text: markers.testset } }],
  });
  const judge = await createMetric(own.api, project.id, {
    evalType: 'ai',
    outputType: 'boolean',
    promptTemplate: 'Is {{ outputs.text }} right?',
    evalModelName: 'none/judge',
  });
  const people = await createMetric(own.api, project.id, { evalType: 'human', outputType: 'boolean' });
  const metricIds = [metric.id, judge.id, people.id];
  const run = await made(`/projects/${project.id}/runs`, { metricIds, notes: markers.run });
  await ok(
    own.api('PATCH', `/runs/${run.id}/details`, {
      notes: `${markers.run} again`,
      name: markers.run,
      tags: [markers.run],
    }),
  );
  const content = {
    inputs: { [marker]: 1, text: marker },
    outputs: { text: marker },
    expected: { text: marker },
  };
  const other = await made(`/projects/${project.id}/runs`, { metricIds });
  await ok(own.api('PATCH', '/organization', { reportLinks: true }));
  await ok(
    own.api('POST', `/projects/${project.id}/report-links`, {
      name: markers.run,
      runs: [run.id, other.id],
      measure: 'pass',
      shares: JSON.stringify({ [markers.run]: 1 }),
      weightBy: markers.run,
    }),
    201,
  );
  const sessionId = `session ${marker}`;
  const recordBody = {
    ...content,
    sessionId,
    otelLinkId: `link ${marker}`,
  };
  const keyOfRecord = `${count + 1}-of-a-test`;
  const record = await made(`/runs/${run.id}/records`, recordBody);
  if (byPeople) {
    // A second record, because a judge is tried on two at least, and a trial, which has copies of both.
    const second = await made(`/runs/${run.id}/records`, { ...content, inputs: { [marker]: 2 } });
    const items = [record.id, second.id].flatMap((recordId) =>
      run.metricVersionIds.slice(1).map((metricConfigId: string) => ({
        recordId,
        metricConfigId,
        score: { binaryScore: recordId === record.id, reasoning: marker },
      })),
    );
    await ok(own.api('POST', `/runs/${run.id}/scores/bulk-upsert`, { items }));
    await ok(own.api('PUT', `/metrics/${judge.id}/pinned-set`, { against: people.id }));
    await made(`/metrics/${judge.id}/trials`, { kind: 'drift' });
    const { data } = await ok(own.api('GET', `/projects/${project.id}/records?limit=100`));
    const origins = data.map(({ originRecordId }: { originRecordId: string | null }) => originRecordId);
    expect(origins).toEqual(expect.arrayContaining([record.id, second.id]));
  }
  const score = { score: { binaryScore: true, reasoning: marker } };
  for (const reasoning of [marker, `${marker} again`])
    await ok(
      own.api('PUT', `/records/${record.id}/scores/${run.metricVersionIds[0]}`, {
        score: { ...score.score, reasoning },
      }),
    );
  const send = async (text: string, session: string): Promise<string> => {
    const attributes = {
      'session.id': session,
      'user.id': text,
      'gen_ai.request.model': text,
      'input.value': text,
      [text]: text,
    };
    const resource = { 'dokima.project_id': project.id, 'service.name': text, 'host.name': text };
    const events = [{ name: text, attributes: { [text]: text } }];
    const traceId = newTraceId();
    const spans = [{ traceId, n: 1, name: text, attributes, events }];
    expect((await post(app, own.key, requestOf(spans, resource))).status).toBe(200);
    return traceId;
  };
  const ofRecord = await send(marker, sessionId);
  if (byPeople) await discuss(own, { projectId: project.id, record, traceId: ofRecord }, marker);
  const traceId = await send(markers.trace, `session ${markers.trace}`);
  const upload = async (text: string, session: string): Promise<void> => {
    const file = await made('/attachments', {
      sessionId: session,
      filePath: text,
      filename: text,
      metadata: { text },
      sha256: createHash('sha256').update(text).digest('hex'),
      sizeBytes: text.length,
      contentType: 'text/plain',
    });
    const link = `${url}${file.uploadUrl.slice(file.uploadUrl.indexOf('/api/v2'))}`;
    expect((await fetch(link, { method: 'PUT', body: text })).status).toBe(200);
  };
  const tried = { projectId: project.id, testsetId: testset.id, recordIds: [record.id] };
  await draftAndTry(own, tried, marker);
  await upload(marker, sessionId);
  await upload(markers.trace, `session ${markers.trace}`);
  const repeat = () =>
    own.api('POST', `/runs/${run.id}/records`, recordBody, {
      headers: { 'idempotency-key': keyOfRecord },
    });
  return { project, testset, run, record, judge, traceId, repeat };
};
type Written = Awaited<ReturnType<typeof write>>;

const allTables = (sql: Sql) => sql<{ name: string }[]>`
  select table_name as name from information_schema.tables
  where table_schema = 'public' and table_type = 'BASE TABLE' order by table_name`;

/** Names of the tables and files that hold a text; the log of the process is one. */
const placesOf = async (own: Organization, marker: string): Promise<string[]> => {
  const tables = await app.db.read(system, allTables);
  const holding = await app.db.transaction(system, (tx) =>
    Promise.all(
      tables.map(async ({ name }) => {
        const [found] = await tx.unsafe<{ n: number }[]>(
          `select count(*)::int as n from "${name}" t where t::text ilike $1 or t::text ilike $2`,
          [`%${marker}%`, `%${Buffer.from(marker).toString('hex')}%`],
        );
        return found!.n > 0 ? [name] : [];
      }),
    ),
  );
  const packs = await app.db.read(
    system,
    (sql) => sql<{ packed: Buffer }[]>`select packed from span_content`,
  );
  const packed = packs.some((row) => textOfPack(row.packed).toLowerCase().includes(marker.toLowerCase()))
    ? ['span_content']
    : [];
  const directory = join(app.config.DOKIMA_DATA_DIR, 'attachments');
  const names = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = await Promise.all(
    names
      .filter((entry) => entry.isFile())
      .map(async (entry) =>
        (await readFile(join(entry.parentPath, entry.name))).includes(marker) ? [`file ${entry.name}`] : [],
      ),
  );
  // Without its organization, a key lists nothing.
  const { data = [] } = (await own.api('GET', '/projects?limit=100')).body;
  const archives = await Promise.all(
    data.map(async ({ id }: { id: string }) =>
      (await exportLines(own.api, id)).includes(marker) ? ['archive'] : [],
    ),
  );
  const log = logged.some((line) => line.includes(marker)) ? ['log'] : [];
  return [...holding, ...packed, ...files, ...archives, ...log].flat().sort();
};

/** Does what background jobs do: retention, and the bytes of deleted attachments. */
const finishJobs = async () => {
  await app.db.transaction(system, async (tx) => void (await purgeTraces(tx)));
  for (let done = 1; done > 0; ) done = await app.db.transaction(system, (tx) => purgeRecords(tx));
  await removeDeletedBytes(app.db, await openStore(app.config));
};

/** The ids of the records of a project that clients wrote: of its run and of its traces, without the copies. */
const recordsOf = async (own: Organization, { project }: Written): Promise<string[]> => {
  const { data } = await ok(own.api('GET', `/projects/${project.id}/records?limit=100`));
  const written = data.filter((record: { originRecordId: string | null }) => record.originRecordId === null);
  return written.map(({ id }: { id: string }) => id);
};

type Deletion = {
  /** The resources whose markers must be gone. */
  ofMarkers: (keyof Markers)[];
  remove: (own: Organization, written: Written) => Promise<unknown>;
};
const deletions: Record<string, Deletion> = {
  'the project': {
    ofMarkers: ['project', 'testset', 'run', 'record', 'trace'],
    remove: (own, { project }) => ok(own.api('DELETE', `/projects/${project.id}`)),
  },
  'the testset': {
    ofMarkers: ['testset'],
    remove: (own, { testset }) => ok(own.api('DELETE', `/testsets/${testset.id}`)),
  },
  'the runs': {
    ofMarkers: ['run', 'record', 'trace'],
    remove: async (own, written) => {
      const runIds = new Set((await recordsOf(own, written)).map((id) => id.split('-')[0]));
      for (const id of runIds) await ok(own.api('DELETE', `/runs/${id}`));
    },
  },
  'the records': {
    ofMarkers: ['record', 'trace'],
    remove: async (own, written) => {
      for (const id of await recordsOf(own, written)) await ok(own.api('DELETE', `/records/${id}`));
    },
  },
  'a trace': {
    ofMarkers: ['trace'],
    remove: (own, { project, traceId }) => ok(own.api('DELETE', `/projects/${project.id}/traces/${traceId}`)),
  },
  'the organization': {
    ofMarkers: ['project', 'testset', 'run', 'record', 'trace'],
    remove: (own) =>
      app.db.transaction(
        system,
        (tx) => tx`delete from organization where id = ${String(own.organizationId)}::text::bigint`,
      ),
  },
  'what is older than the retention': {
    ofMarkers: ['run', 'record', 'trace'],
    remove: async (own, { project }) => {
      await app.db.transaction(system, async (tx) => {
        for (const table of ['record', 'run', 'trace'])
          await tx`
            update ${tx(table)} set created_at = now() - interval '40 days'
            where project_id = ${project.id}::text::bigint`;
      });
      await ok(own.api('PATCH', `/projects/${project.id}/settings`, { recordDays: 30, traceDays: 30 }));
    },
  },
};

describe('a marker is nowhere after the deletion of', () => {
  it.each(Object.keys(deletions))('%s', async (name) => {
    const { ofMarkers, remove } = deletions[name]!;
    const own = await app.organization();
    const markerOf = (resource: string) =>
      `zqx${createHash('sha256').update(`${name} ${resource}`).digest('hex').slice(0, 12)}`;
    const markers: Markers = {
      project: markerOf('project'),
      testset: markerOf('testset'),
      run: markerOf('run'),
      record: markerOf('record'),
      trace: markerOf('trace'),
    };
    const written = await write(own, markers, !name.includes('retention'));
    await app.db.transaction(system, (tx) => indexTexts(tx, 100));
    while ((await app.db.transaction(system, (tx) => chainEvents(tx))) > 0);
    for (const resource of ofMarkers)
      expect(await placesOf(own, markers[resource])).toEqual(expect.arrayContaining(['archive', resource]));
    await remove(own, written);
    await finishJobs();
    for (const resource of ofMarkers)
      expect([resource, await placesOf(own, markers[resource])]).toEqual([resource, []]);
    if (name === 'the organization') return;
    while ((await app.db.transaction(system, (tx) => chainEvents(tx))) > 0);
    expect(await ok(own.api('GET', '/audit-events/verify'))).toMatchObject({ intact: true });
    // A trial without its records can be read.
    if (name === 'the records') await ok(own.api('GET', `/metrics/${written.judge.id}/trials/1`));
    // Requests that are repeated learn that what they wrote is gone.
    if (ofMarkers.includes('record')) expect((await written.repeat()).status).toBe(404);
  });
});

it('what models draft, try and answer is stored nowhere, nor what was asked', async () => {
  const own = await app.organization();
  const marker = `zqx${createHash('sha256').update('unsaved').digest('hex').slice(0, 12)}`;
  const { id: projectId } = await createProject(own.api);
  const { id: testsetId } = await createTestset(own.api, projectId);
  await draftAndTry(own, { projectId, testsetId, recordIds: [] }, marker);
  expect(models.received.some(({ messages }) => messages.join().includes(marker))).toBe(true);
  expect(await placesOf(own, marker)).toEqual([]);
});

describe('a link to a report', () => {
  it.each(['itself', 'one of its runs'])('leaves nothing when %s is deleted', async (what) => {
    const own = await app.organization();
    const marker = `zqx${createHash('sha256').update(`link ${what}`).digest('hex').slice(0, 12)}`;
    const { id: projectId } = await createProject(own.api);
    const runs = [await createRun(own.api, projectId, []), await createRun(own.api, projectId, [])];
    await ok(own.api('PATCH', '/organization', { reportLinks: true }));
    const body = { name: marker, runs: runs.map(({ id }) => id), measure: 'pass', weightBy: marker };
    const { id, url } = await ok(own.api('POST', `/projects/${projectId}/report-links`, body), 201);
    const token = url.slice(url.indexOf('#') + 1);
    expect(await placesOf(own, marker)).toEqual(['report_link']);
    await ok(own.api('DELETE', what === 'itself' ? `/report-links/${id}` : `/runs/${runs[1]!.id}`));
    expect(await placesOf(own, marker)).toEqual([]);
    expect((await own.api('POST', '/report-links/read', { token })).status).toBe(401);
    expect((await own.api('GET', `/runs/${runs[0]!.id}`)).status).toBe(200);
  });
});

describe('guidelines that quote records', () => {
  it('lose the quotes with the records, also in versions that people edited, in answers and in the audit log', async () => {
    const own = await app.organization();
    const marker = `zqx${createHash('sha256').update('quotes').digest('hex').slice(0, 12)}`;
    const project = await ok(own.api('POST', '/projects', { name: 'P', description: '' }), 201);
    const judge = await createMetric(own.api, project.id, {
      evalType: 'ai',
      outputType: 'boolean',
      promptTemplate: 'Is {{ outputs.text }} right? {{ guidelines }}',
      guidelines: 'Be fair.',
      evalModelName: 'none/judge',
    });
    const people = await createMetric(own.api, project.id, { evalType: 'human', outputType: 'boolean' });
    const run = await ok(
      own.api('POST', `/projects/${project.id}/runs`, { metricIds: [judge.id, people.id] }),
      201,
    );
    const items = Array.from({ length: 6 }, (_, i) => ({
      inputs: { text: `“${marker}”\n${i}` },
      outputs: { text: `${marker} \\ ${i}` },
      expected: {},
    }));
    await ok(own.api('POST', `/runs/${run.id}/records/bulk-create`, { items }), 201);
    const scores = items.flatMap((_, i) =>
      run.metricVersionIds.map((metricConfigId: string, of: number) => ({
        recordId: `${run.id}-${i + 1}`,
        metricConfigId,
        score: { binaryScore: (i + of) % 2 === 0, reasoning: 'R' },
      })),
    );
    await ok(own.api('POST', `/runs/${run.id}/scores/bulk-upsert`, { items: scores }));
    await ok(own.api('PUT', `/metrics/${judge.id}/pinned-set`, { against: people.id }));
    await ok(own.api('POST', `/metrics/${judge.id}/trials`, { kind: 'alignment' }, keyed()), 201);
    const [{ guidelines }] = (await app.db.read(
      system,
      (sql) => sql<{ guidelines: string }[]>`
        select guidelines from metric_config where metric_id = ${judge.id} and guidelines like ${`%${marker}%`}`,
    )) as [{ guidelines: string }];
    await ok(
      own.api('PATCH', `/metrics/${judge.id}`, {
        evalType: 'ai',
        outputType: 'boolean',
        guidelines: `Mine.\n${guidelines}\nMore.`,
      }),
    );
    expect(await placesOf(own, marker)).toEqual(
      expect.arrayContaining(['archive', 'audit_event', 'metric_config', 'record_quote']),
    );
    for (let n = 1; n <= items.length; n++) await ok(own.api('DELETE', `/records/${run.id}-${n}`));
    await finishJobs();
    expect(await placesOf(own, marker)).toEqual([]);
    const edited = await ok(own.api('GET', `/metrics/${judge.id}`));
    expect(edited.guidelines).toMatch(/^Mine\.[\s\S]*\(deleted with its record\)[\s\S]*More\.$/);
    while ((await app.db.transaction(system, (tx) => chainEvents(tx))) > 0);
    expect(await ok(own.api('GET', '/audit-events/verify'))).toMatchObject({ intact: true });
  });
});
