import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { strToU8, unzipSync, zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../client/src/main.ts';
import { collect, makeProject, makeSampled } from './archive-project.ts';
import { openTerminal, type Terminal } from './terminal.ts';

let terminal: Terminal;
/** Another reviewer than the terminal's own person; no admin. */
let reviewer: Awaited<ReturnType<Terminal['person']>>;

beforeAll(async () => {
  terminal = await openTerminal();
  reviewer = await terminal.person();
});
afterAll(() => terminal.close());

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
    await read('sample', `/runs/${id}/export/review-samples`);
    for (const { id: sampleId } of (await read('sample', `/runs/${id}/review-samples`)).data)
      await read('sampled', `/review-samples/${sampleId}/records`);
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
    const projectId = await makeProject(terminal, reviewer);
    const exported = await terminal.dokima(['export', '-p', projectId, 'all.zip', '--json']);
    expect(exported.json()).toMatchObject({
      ...{
        testsets: 1,
        testcases: 2,
        metrics: 9,
        systems: 1,
        runs: 5,
        records: 38,
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
    expect(restored).toMatchObject({ runs: 5, records: 38, scores: 50, spans: 4, notes: [] });
    const before = await stateOf(client, projectId);
    expect(before).toContain('"q":1.10,"a":12345678901234567890,"2":"two","1":"one","__proto__":{"x":null}');
    for (const state of ['pending', 'scored', 'unscored', 'failed'])
      expect(before).toContain(`"state" : "${state}"`);
    expect(await stateOf(client, restored.projectId)).toBe(before);
  });

  it('an archive of version 1 has scores in their states and no traces: annotations of spans stand on their records, quoting the passage', async () => {
    const { client, directory } = terminal;
    const projectId = await makeProject(terminal, reviewer);
    await terminal.dokima(['export', '-p', projectId, 'new.zip']);
    const files = Object.entries(unzipSync(await readFile(join(directory, 'new.zip'))));
    const old = files.filter(([path]) => !/^(spans|scores|samples|people)\b/.test(path));
    const manifest = strToU8(JSON.stringify({ format: 'dokima-project', version: 1 }));
    await writeFile(
      join(directory, 'old.zip'),
      zipSync({ ...Object.fromEntries(old), 'dokima.json': manifest }),
    );
    const restored = (await terminal.dokima(['import', 'old.zip', '--json'])).json();
    expect(restored).toMatchObject({ scores: 50, spans: 0 });
    expect(restored.notes).toEqual([expect.stringMatching(/^2 annotations were on spans/)]);
    const statesOf = async (id: string) => {
      const records = await collect(client.listProjectRecords(id));
      return records.map(({ scoreStates }) => scoreStates.map(({ state, reason }) => [state, reason]));
    };
    expect(await statesOf(restored.projectId)).toEqual(await statesOf(projectId));
    const linked = (await collect(client.listProjectRecords(restored.projectId))).find(
      ({ otelLinkId }) => otelLinkId === 'link-1',
    );
    const { data } = await client.listAnnotations(linked!.id);
    expect(data.every(({ spanId }) => spanId === null)).toBe(true);
    expect(data.map(({ comment }) => comment)).toEqual(
      expect.arrayContaining(['> two\n> lines\n\nNo.', 'Why?']),
    );
  });

  it('a judge is calibrated by the same numbers before and after, those of a stratified sample too', async () => {
    const { client } = terminal;
    const { id: projectId } = await client.createProject({ name: 'Calibrated', description: '' });
    const { judgeId, peopleId, runId } = await makeSampled(terminal, projectId);
    await terminal.dokima(['export', '-p', projectId, 'sampled.zip']);
    const restored = (await terminal.dokima(['import', 'sampled.zip', '--json'])).json();
    expect(restored.notes).toEqual([]);
    const metrics = await collect(client.listMetrics(restored.projectId));
    const idOf = (name: string) => metrics.find((metric) => metric.name === name)!.id;
    const [run] = await collect(client.listRuns(restored.projectId));
    // A label falls into dev or test by the hash of its record's id, which is new.
    const numbers = async (judge: string, query: { against: string; runId: string }) => {
      const { metricConfigId: _, ...answer } = await client.calibrateMetric(judge, query);
      const { dev, test, ...labels } = answer.labels;
      const { runId: __, ...corrected } = answer.corrected!;
      return { ...answer, corrected, labels, all: dev + test };
    };
    const before = await numbers(judgeId, { against: peopleId, runId });
    expect(before).toMatchObject({
      n: 14,
      corrected: { predictionPowered: { sampled: true, labelled: 14 } },
    });
    expect(await numbers(idOf('calibrated'), { against: idOf('labels'), runId: run!.id })).toEqual(before);
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
    const projectId = await makeProject(terminal, reviewer);
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
    const projectId = await makeProject(terminal, reviewer);
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
    const given = reviews.filter(({ score }) => 'intScore' in score);
    expect(given.map(({ userId, score }) => [userId, score.intScore])).toEqual([
      [id, 5],
      [other.memberId, 2],
      [id, 3],
    ]);
  });

  it('for one who is no admin, what others scored becomes theirs, and others’ reviews stay out', async () => {
    const projectId = await makeProject(terminal, reviewer);
    await terminal.dokima(['export', '-p', projectId, 'mine.zip']);
    const { notes } = await importAs(reviewer.key, 'mine.zip');
    expect(notes).toEqual([
      expect.stringMatching(/^\d+ verdicts of people who can't be named here are yours now/),
      expect.stringMatching(/^15 reviews by people/),
    ]);
  });

  it('the same project gives the same archive', async () => {
    const projectId = await makeProject(terminal, reviewer);
    for (const file of ['one.zip', 'two.zip']) await terminal.dokima(['export', '-p', projectId, file]);
    const imported = await terminal.dokima(['import', 'one.zip', '--json']);
    expect(imported.code).toBe(0);
    expect((await terminal.read('one.zip')) === (await terminal.read('two.zip'))).toBe(true);
  });

  it('imported twice it changes nothing; changed since, it is another', async () => {
    const { client } = terminal;
    const projectId = await makeProject(terminal, reviewer);
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
    const projectId = await makeProject(terminal, reviewer);
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
    expect(restored).toMatchObject({ projectId: made.id, wasThere: false, runs: 6, records: 98 });
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
