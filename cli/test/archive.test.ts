import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { system } from '../../server/src/platform/db/database.ts';
import { collect, makeProject, makeSampled } from './archive-project.ts';
import { differences, type Get, leftOut, readState, reads } from './project-state.ts';
import { openTerminal, type Terminal } from './terminal.ts';

let terminal: Terminal;
/** A second reviewer, who is not an admin. */
let reviewer: Awaited<ReturnType<Terminal['person']>>;

beforeAll(async () => {
  terminal = await openTerminal();
  reviewer = await terminal.person();
});
afterAll(() => terminal.close());

const getAs =
  (key: string): Get =>
  async (path) => {
    const response = await fetch(`${terminal.url}/api/v2${path}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    return { status: response.status, text: await response.text() };
  };
const stateOf = (projectId: string) => readState(getAs(terminal.key), projectId);

let whole: Promise<string> | undefined;
/**
 * Returns the project with everything, which the tests share. Each test gives it another name, so that its archive was not
 * imported before. No test changes anything else.
 */
const wholeProject = async (name: string): Promise<string> => {
  whole ??= makeProject(terminal, reviewer);
  const projectId = await whole;
  await terminal.client.updateProject(projectId, { name });
  return projectId;
};
/** Whether an answer is a 200 with content. */
const hasContent = (answer: string): boolean =>
  answer.startsWith('200 ') && !/^200 \{ ?"(data|buckets)" ?: ?\[\]/.test(answer);

/** Imports an archive with another key and returns the result. */
const importAs = async (key: string, file: string) => {
  const own = terminal.environment.DOKIMA_API_KEY;
  terminal.environment.DOKIMA_API_KEY = key;
  const said = await terminal.dokima(['import', file, '--json']);
  terminal.environment.DOKIMA_API_KEY = own;
  return said.json();
};

/** Each test exports, imports and reads whole projects, with a thousand requests. */
describe('export and import', { timeout: 900_000 }, () => {
  it('an imported project gives the same answer to every GET of the API, except ids', async () => {
    const projectId = await wholeProject('Compared');
    const exported = await terminal.dokima(['export', '-p', projectId, 'all.ndjson', '--json']);
    const { rows } = exported.json();
    expect(rows).toMatchObject({
      testset: 2,
      testcase: 4,
      metric: 16,
      span_score: 1,
      system: 2,
      run: 15,
      record: 104,
      span: 4,
      annotation: 4,
      annotation_reply: 3,
      trial_rescoring: 3,
      monitor: 1,
      saved_view: 2,
      attachment: 1,
    });
    const imported = await terminal.dokima(['import', 'all.ndjson', '--json']);
    expect([imported.code, imported.err]).toEqual([0, '']);
    const restored = imported.json();
    expect(restored).toMatchObject({ rows, yours: {}, leftOut: {}, changed: {}, notes: [] });
    expect(restored.completedAt).not.toBeNull();
    const before = await stateOf(projectId);
    const text = JSON.stringify([...before.values()].flat());
    expect(text).toContain(
      JSON.stringify('"q":1.10,"a":12345678901234567890,"2":"two","1":"one"').slice(1, -1),
    );
    for (const state of ['pending', 'scored', 'unscored', 'failed'])
      expect(text).toContain(JSON.stringify(`"state" : "${state}"`).slice(1, -1));
    const after = await stateOf(restored.projectId);
    expect(differences(before, after)).toEqual([]);
    // Every operation has an answer with content. An empty answer would be the same even if the import lost rows.
    expect([...before].filter(([, answers]) => !answers.some(hasContent)).map(([name]) => name)).toEqual([]);
    expect(new Set([...before.keys(), ...Object.keys(leftOut)])).toEqual(
      new Set(reads.map(({ operationId }) => operationId)),
    );
  });

  it('a calibration gives the same numbers before and after, also with a stratified sample', async () => {
    const { client } = terminal;
    const { id: projectId } = await client.createProject({ name: 'Calibrated', description: '' });
    const { judgeId, peopleId, runId } = await makeSampled(terminal, projectId);
    await terminal.dokima(['export', '-p', projectId, 'sampled.ndjson']);
    const restored = (await terminal.dokima(['import', 'sampled.ndjson', '--json'])).json();
    expect(restored.notes).toEqual([]);
    const metrics = await collect(client.listMetrics(restored.projectId));
    const idOf = (name: string) => metrics.find((metric) => metric.name === name)!.id;
    const [run] = await collect(client.listRuns(restored.projectId));
    // A label falls into dev or test by the hash of its record's id, which is new.
    const numbers = async (judge: string, query: { against: string; runId: string }) => {
      const { metricConfigId: _, ...answer } = await client.calibrateMetric(judge, query);
      const { dev, test, ...labels } = answer.labels;
      const { runId: __, ...corrected } = answer.corrected!;
      const { metricConfigId: ___, peopleMetricId: ____, ...known } = answer.judge;
      return { ...answer, judge: known, corrected, labels, all: dev + test };
    };
    const before = await numbers(judgeId, { against: peopleId, runId });
    expect(before).toMatchObject({
      n: 14,
      corrected: { predictionPowered: { sampled: true, numLabels: 14 } },
    });
    expect(await numbers(idOf('calibrated'), { against: idOf('labels'), runId: run!.id })).toEqual(before);
  });

  it('a running monitor is paused, and the import says so', async () => {
    const { client } = terminal;
    const { id: projectId } = await client.createProject({ name: 'Watched', description: '' });
    const metric = await client.createMetric(projectId, { name: 'M', evalType: 'human', outputType: 'int' });
    await client.createMonitor(projectId, { name: 'Live', metricIds: [metric.id], samplingRate: 1 });
    await terminal.dokima(['export', '-p', projectId, 'watched.ndjson']);
    const restored = (await terminal.dokima(['import', 'watched.ndjson', '--json'])).json();
    expect(restored.notes).toEqual(['1 monitor paused. Check what it will score before you resume it.']);
    expect((await collect(client.listMonitors(restored.projectId)))[0]).toMatchObject({ paused: true });
  });

  it('an import into another organization has the attachments, and says what is left out or under another name', async () => {
    const projectId = await wholeProject('Moved');
    await terminal.dokima(['export', '-p', projectId, 'moved.ndjson']);
    const other = await terminal.app.organization();
    const said = await importAs(other.key, 'moved.ndjson');
    expect(said.notes).toEqual([
      expect.stringMatching(/^1 verdict of people .*: imported under your name\.$/),
      expect.stringMatching(/^1 other row of people .*: imported under your name\.$/),
      expect.stringMatching(/^3 reviews of people .*: left out\.$/),
    ]);
    const { body } = await other.api('GET', '/sessions/session-1/attachments');
    expect(body.data).toMatchObject([
      { filename: 'a.bin', metadata: { step: 3 }, sizeBytes: 5_000, status: 'uploaded' },
    ]);
  });

  it('an import into another organization finds authors by their e-mail address', async () => {
    const projectId = await wholeProject('Known');
    await terminal.dokima(['export', '-p', projectId, 'known.ndjson']);
    const other = await terminal.app.organization();
    const there = { name: 'R', email: `${reviewer.id.toUpperCase()}@example.org`, role: 'viewer' };
    const { id } = (await other.api('POST', '/members', there)).body;
    const { notes, projectId: restoredId } = await importAs(other.key, 'known.ndjson');
    expect(notes).toEqual([]);
    const { text } = await other.api('GET', `/projects/${restoredId}/archive`);
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const given = lines.filter(
      ({ part, score, stands }) => part === 'review_score' && stands && 'intScore' in score,
    );
    expect(given.map(({ member_id, score }) => [member_id, score.intScore])).toEqual([
      [id, 5],
      [other.memberId, 2],
      [id, 3],
      [other.memberId, 2],
      [id, 5],
    ]);
  });

  it('for an importer who is not an admin, others’ scores come under their name and others’ reviews are left out', async () => {
    const projectId = await wholeProject('Mine');
    await terminal.dokima(['export', '-p', projectId, 'mine.ndjson']);
    const { notes } = await importAs(reviewer.key, 'mine.ndjson');
    expect(notes).toEqual([
      expect.stringMatching(/^\d+ verdicts of people .*: imported under your name\.$/),
      expect.stringMatching(/^\d+ other rows of people .*: imported under your name\.$/),
      expect.stringMatching(/^18 reviews of people .*: left out\.$/),
      expect.stringMatching(/^1 skipped review of people .*: left out\.$/),
    ]);
  });

  it('exporting the same project twice gives the same archive', async () => {
    const projectId = await wholeProject('Same');
    for (const file of ['one.ndjson', 'two.ndjson']) await terminal.dokima(['export', '-p', projectId, file]);
    const imported = await terminal.dokima(['import', 'one.ndjson', '--json']);
    expect(imported.code).toBe(0);
    expect((await terminal.read('one.ndjson')) === (await terminal.read('two.ndjson'))).toBe(true);
  });

  it('importing the same archive again changes nothing; a changed archive becomes another project', async () => {
    const { client } = terminal;
    const projectId = await wholeProject('Twice');
    await terminal.dokima(['export', '-p', projectId, 'twice.ndjson']);
    const first = (await terminal.dokima(['import', 'twice.ndjson', '--json'])).json();
    const before = await stateOf(first.projectId);
    const projects = (await collect(client.listProjects())).length;
    const again = await terminal.dokima(['import', 'twice.ndjson']);
    expect([again.code, again.out]).toEqual([0, `Project ${first.projectId}: no changes.\n`]);
    expect(differences(before, await stateOf(first.projectId))).toEqual([]);
    expect(await collect(client.listProjects())).toHaveLength(projects);
    await client.updateProject(projectId, { name: 'Renamed' });
    await terminal.dokima(['export', '-p', projectId, 'renamed.ndjson']);
    const other = (await terminal.dokima(['import', 'renamed.ndjson', '--json'])).json();
    expect(other.projectId).not.toBe(first.projectId);
  });

  it('importing again completes an import that was killed, without duplicates', async () => {
    const { client, directory, environment } = terminal;
    const projectId = await makeProject(terminal, reviewer);
    const run = await client.createRun(projectId, { metricIds: [] });
    const items = Array.from({ length: 60 }, (_, i) => ({ inputs: { i }, expected: {}, outputs: {} }));
    await client.createAllRecords(run.id, items);
    // More rows than one transaction stores.
    await terminal.app.db.transaction(
      system,
      (tx) => tx`
        insert into record_tag (id, organization_id, run_id, n, text, source)
        select gen_random_uuid(), organization_id, run_id, n, 'tag ' || i, 'otel'
        from record, generate_series(1, 200) i where run_id = ${run.id}`,
    );
    await terminal.dokima(['export', '-p', projectId, 'killed.ndjson']);
    const known = new Set((await collect(client.listProjects())).map(({ id }) => id));
    const program = new URL('../bin/dokima.js', import.meta.url).pathname;
    const child = spawn(process.execPath, [program, 'import', 'killed.ndjson'], {
      env: environment,
      cwd: directory,
    });
    const exited = once(child, 'exit');
    const halfway = async () => {
      const made = (await collect(client.listProjects())).find(({ id }) => !known.has(id));
      return made ? (await client.getProjectImport(made.id).catch(() => ({ numLines: 0 }))).numLines : 0;
    };
    await expect.poll(halfway, { timeout: 60_000, interval: 1 }).toBeGreaterThan(0);
    child.kill('SIGKILL');
    await exited;
    const made = (await collect(client.listProjects())).find(({ id }) => !known.has(id))!;
    expect((await client.getProjectImport(made.id)).completedAt).toBeNull();
    // The service may still be storing what the killed one sent; the command waits for that.
    const restored = (await terminal.dokima(['import', 'killed.ndjson', '--json'])).json();
    expect(restored).toMatchObject({
      projectId: made.id,
      wasThere: false,
      rows: { run: 16, record: 164 },
    });
    expect(differences(await stateOf(projectId), await stateOf(made.id))).toEqual([]);
    expect((await client.getProjectImport(made.id)).completedAt).not.toBeNull();
  });

  it('two imports of the same archive at once fill one project; the second waits and says so', async () => {
    const projectId = await wholeProject('At once');
    await terminal.dokima(['export', '-p', projectId, 'at-once.ndjson']);
    const both = await Promise.all([1, 2].map(() => terminal.dokima(['import', 'at-once.ndjson', '--json'])));
    expect(both.map(({ code, err }) => (code === 0 ? code : err))).toEqual([0, 0]);
    const [one, two] = both.map((said) => said.json());
    expect(one.projectId).toBe(two.projectId);
    expect(differences(await stateOf(projectId), await stateOf(one.projectId))).toEqual([]);
    const waited = both.filter(({ err }) =>
      err.includes('Another request imports into this project. Waiting'),
    );
    expect(waited).toHaveLength(1);
  });

  it('an import that another request never lets go of fails in the end, and says what to do', async () => {
    await terminal.write('held.ndjson', '{"part":"archive","version":1,"projectId":"1","name":"Held"}\n');
    let imports = 0;
    const service = createServer((request, response) => {
      const answer = (status: number, body: object, headers = {}) =>
        response.writeHead(status, headers).end(JSON.stringify(body));
      if (request.method === 'POST') answer(201, { id: '7' });
      else if (request.method === 'GET') answer(404, { code: 'NOT_FOUND', message: 'There is no import.' });
      else {
        imports++;
        const conflict = { code: 'CONFLICT', message: 'Another request imports into this project.' };
        request.resume().on('end', () => answer(409, conflict, { 'retry-after': '0' }));
      }
    }).listen(0, '127.0.0.1');
    await once(service, 'listening');
    const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
    const { code, err } = await terminal.dokima(['import', 'held.ndjson', '--url', url]);
    service.close();
    expect([code, imports]).toEqual([4, 61]);
    expect(err.match(/Waiting/g)).toHaveLength(1);
    expect(err).toContain('Project 7 is incomplete.');
    expect(err).toContain('Import the archive again to complete it');
  });

  it('an export that breaks off leaves no file, and the file of an earlier one as it was', async () => {
    const { directory } = terminal;
    const service = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/x-ndjson' });
      response.write('{"part":"archive"}\n{"part":"run"');
      setImmediate(() => response.destroy());
    }).listen(0, '127.0.0.1');
    await once(service, 'listening');
    const { port } = service.address() as AddressInfo;
    await terminal.write('earlier.ndjson', 'whole');
    const { code, err } = await terminal.dokima([
      'export',
      '-p',
      '1',
      'earlier.ndjson',
      '--url',
      `http://127.0.0.1:${port}`,
    ]);
    service.close();
    expect([code, err]).toEqual([4, expect.stringContaining('The export of project 1 was interrupted.')]);
    expect(await terminal.read('earlier.ndjson')).toBe('whole');
    expect((await readdir(directory)).filter((name) => name.endsWith('.partial'))).toEqual([]);
  });

  it('refuses an archive of a newer version', async () => {
    const header = { part: 'archive', version: 99, projectId: '1', name: 'Later', description: null };
    await terminal.write('later.ndjson', `${JSON.stringify(header)}\n`);
    const { code, err } = await terminal.dokima(['import', 'later.ndjson']);
    expect([code, err]).toEqual([4, expect.stringContaining('a newer Dokima wrote this archive')]);
  });
});
