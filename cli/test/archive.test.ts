import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { strToU8, unzipSync, zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collect, makeProject, makeSampled } from './archive-project.ts';
import { differences, type Get, leftOut, readState, reads } from './project-state.ts';
import { openTerminal, type Terminal } from './terminal.ts';

let terminal: Terminal;
/** Another reviewer than the terminal's own person; no admin. */
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
 * The project with everything, which the tests share: nobody changes more of it than its name, and each test that carries it
 * gives it another, so that its archive is not one that was imported before.
 */
const wholeProject = async (name: string): Promise<string> => {
  whole ??= makeProject(terminal, reviewer);
  const projectId = await whole;
  await terminal.client.updateProject(projectId, { name });
  return projectId;
};
/** A run of two records, of which the second has its score. */
const makeScored = async (client: Terminal['client']) => {
  const project = await client.createProject({ name: 'Scored', description: '' });
  const metric = await client.createMetric(project.id, {
    name: 'Right',
    evalType: 'heuristic',
    outputType: 'boolean',
  });
  const run = await client.createRun(project.id, { metricIds: [metric.id] });
  const content = { inputs: {}, expected: {}, outputs: {} };
  const recordIds = await client.createAllRecords(run.id, [content, content]);
  await client.upsertScore(recordIds[1]!, run.metricVersionIds[0]!, { score: { binaryScore: true } });
  return { project, run, recordIds };
};

/** Whether an answer is there, and says something. */
const tells = (answer: string): boolean =>
  answer.startsWith('200 ') && !/^200 \{ ?"(data|buckets)" ?: ?\[\]/.test(answer);

/** What another's import of an archive says. */
const importAs = async (key: string, file: string) => {
  const own = terminal.environment.DOKIMA_API_KEY;
  terminal.environment.DOKIMA_API_KEY = key;
  const said = await terminal.dokima(['import', file, '--json']);
  terminal.environment.DOKIMA_API_KEY = own;
  return said.json();
};

/** Each test carries and reads whole projects, in a thousand requests. */
describe('export and import', { timeout: 900_000 }, () => {
  it('a project exported and imported is the same to every GET of the API, but for ids', async () => {
    const projectId = await wholeProject('Compared');
    const exported = await terminal.dokima(['export', '-p', projectId, 'all.zip', '--json']);
    expect(exported.json()).toMatchObject({
      ...{
        testsets: 2,
        testcases: 4,
        metrics: 13,
        systems: 2,
        runs: 12,
        records: 56,
        spans: 4,
        annotations: 4,
        replies: 3,
        rescorings: 3,
        monitors: 1,
        views: 2,
        attachments: 1,
      },
    });
    const imported = await terminal.dokima(['import', 'all.zip', '--json']);
    expect([imported.code, imported.err]).toEqual([0, '']);
    const restored = imported.json();
    expect(restored).toMatchObject({ runs: 12, records: 56, scores: 64, spans: 4, notes: [] });
    const before = await stateOf(projectId);
    const text = JSON.stringify([...before.values()].flat());
    expect(text).toContain(
      JSON.stringify('"q":1.10,"a":12345678901234567890,"2":"two","1":"one"').slice(1, -1),
    );
    for (const state of ['pending', 'scored', 'unscored', 'failed'])
      expect(text).toContain(JSON.stringify(`"state" : "${state}"`).slice(1, -1));
    const after = await stateOf(restored.projectId);
    expect(differences(before, after)).toEqual([]);
    // What is empty is the same before and after, whatever is lost.
    expect([...before].filter(([, answers]) => !answers.some(tells)).map(([name]) => name)).toEqual([]);
    expect(new Set([...before.keys(), ...Object.keys(leftOut)])).toEqual(
      new Set(reads.map(({ operationId }) => operationId)),
    );
  });

  it('an archive of version 2 has all that it had: scores with their history, reviews, samples, traces, annotations', async () => {
    const { client } = terminal;
    const archive = new URL('./archives/version-2.zip', import.meta.url).pathname;
    const restored = (await terminal.dokima(['import', archive, '--json'])).json();
    expect(restored).toMatchObject({ runs: 5, records: 38, scores: 50, spans: 4 });
    expect(restored.notes).toEqual([
      expect.stringMatching(/^Assignments to/),
      expect.stringMatching(/^2 reviews by people/),
    ]);
    const { projectId } = restored;
    const [runId] = (await collect(client.listRuns(projectId))).map(({ id }) => id).reverse();
    const scores = await collect(client.exportScores(runId!));
    const states = new Set(scores.map(({ state }) => state));
    expect(states).toEqual(new Set(['pending', 'scored']));
    const annotated = await Promise.all(
      (await collect(client.listProjectRecords(projectId))).map(({ id }) => client.listThreads(id)),
    );
    expect(annotated.flatMap(({ data }) => data.flatMap(({ replies }) => replies))).toHaveLength(3);
    const again = await terminal.dokima(['import', archive]);
    expect(again.out).toBe(`Project ${projectId}: nothing: it was all there.\n`);
  });

  it('an archive of version 1 has scores in their states and no traces: annotations of spans stand on their records, quoting the passage', async () => {
    const { client, directory } = terminal;
    const archive = await readFile(new URL('./archives/version-2.zip', import.meta.url));
    const files = Object.entries(unzipSync(archive));
    const old = files.filter(([path]) => !/^(spans|scores|samples|people)\b/.test(path));
    const manifest = strToU8(JSON.stringify({ format: 'dokima-project', version: 1 }));
    await writeFile(
      join(directory, 'old.zip'),
      zipSync({ ...Object.fromEntries(old), 'dokima.json': manifest }),
    );
    const restored = (await terminal.dokima(['import', 'old.zip', '--json'])).json();
    expect(restored).toMatchObject({ scores: 50, spans: 0 });
    expect(restored.notes).toContainEqual(
      expect.stringMatching(/^2 annotations on spans that are not there: on the record now/),
    );
    const text = new TextDecoder().decode(Object.fromEntries(old)['runs.jsonl']);
    const before = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).numScores);
    const after = (await collect(client.listRuns(restored.projectId))).map(({ numScores }) => numScores);
    expect(after.reverse()).toEqual(before);
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
    const projectId = await wholeProject('Moved');
    await terminal.dokima(['export', '-p', projectId, 'moved.zip']);
    const other = await terminal.app.organization();
    const said = await importAs(other.key, 'moved.zip');
    expect(said.notes).toEqual([
      expect.stringMatching(/^3 reviews by people who can't be named here: left out\./),
      expect.stringMatching(/^1 verdict of people who can't be named here: yours now/),
      expect.stringMatching(/^1 mark of people who can't be named here: yours now/),
    ]);
    const { body } = await other.api('GET', '/sessions/session-1/attachments');
    expect(body.data).toMatchObject([
      { filename: 'a.bin', metadata: { step: 3 }, sizeBytes: 5_000, status: 'uploaded' },
    ]);
  });

  it('into another organization it puts scores and reviews down to whoever has the same address there', async () => {
    const projectId = await wholeProject('Known');
    await terminal.dokima(['export', '-p', projectId, 'known.zip']);
    const other = await terminal.app.organization();
    const there = { name: 'R', email: `${reviewer.id.toUpperCase()}@example.org`, role: 'viewer' };
    const { id } = (await other.api('POST', '/members', there)).body;
    const { notes, projectId: restoredId } = await importAs(other.key, 'known.zip');
    expect(notes).toEqual([]);
    const { data: runs } = (await other.api('GET', `/projects/${restoredId}/runs?limit=100`)).body;
    const reviews = [];
    for (const run of runs)
      for (const score of (await other.api('GET', `/runs/${run.id}/export/scores?limit=100`)).body.data)
        reviews.push(...score.reviews);
    const given = reviews.filter(({ score, stands }) => stands && 'intScore' in score);
    expect(given.map(({ userId, score }) => [userId, score.intScore])).toEqual([
      [other.memberId, 2],
      [id, 5],
      [id, 5],
      [other.memberId, 2],
      [id, 3],
    ]);
  });

  it('for one who is no admin, what others scored becomes theirs, and others’ reviews stay out', async () => {
    const projectId = await wholeProject('Mine');
    await terminal.dokima(['export', '-p', projectId, 'mine.zip']);
    const { notes } = await importAs(reviewer.key, 'mine.zip');
    expect(notes).toEqual([
      expect.stringMatching(/^\d+ marks of people who can't be named here: yours now/),
      expect.stringMatching(/^\d+ verdicts of people who can't be named here: yours now/),
      expect.stringMatching(/^18 reviews by people/),
      expect.stringMatching(/^1 review skipped by people/),
    ]);
  });

  it('the same project gives the same archive', async () => {
    const projectId = await wholeProject('Same');
    for (const file of ['one.zip', 'two.zip']) await terminal.dokima(['export', '-p', projectId, file]);
    const imported = await terminal.dokima(['import', 'one.zip', '--json']);
    expect(imported.code).toBe(0);
    expect((await terminal.read('one.zip')) === (await terminal.read('two.zip'))).toBe(true);
  });

  it('imported twice it changes nothing; changed since, it is another', async () => {
    const { client } = terminal;
    const projectId = await wholeProject('Twice');
    await terminal.dokima(['export', '-p', projectId, 'twice.zip']);
    const first = (await terminal.dokima(['import', 'twice.zip', '--json'])).json();
    const before = await stateOf(first.projectId);
    const projects = (await collect(client.listProjects())).length;
    const again = await terminal.dokima(['import', 'twice.zip']);
    expect([again.code, again.out]).toEqual([0, `Project ${first.projectId}: nothing: it was all there.\n`]);
    expect(differences(before, await stateOf(first.projectId))).toEqual([]);
    expect(await collect(client.listProjects())).toHaveLength(projects);
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
    await expect.poll(halfway, { timeout: 60_000, interval: 1 }).toBe(1);
    child.kill('SIGKILL');
    await exited;
    const made = (await collect(client.listProjects())).find(({ id }) => !known.has(id))!;
    expect((await client.getProjectImport(made.id)).completedAt).toBeNull();
    const restored = (await terminal.dokima(['import', 'killed.zip', '--json'])).json();
    expect(restored).toMatchObject({ projectId: made.id, wasThere: false, runs: 13, records: 116 });
    expect(differences(await stateOf(projectId), await stateOf(made.id))).toEqual([]);
    expect((await client.getProjectImport(made.id)).completedAt).not.toBeNull();
  });

  it('a score whose history makes it larger than a request may be stays out, and is named', async () => {
    const { client } = terminal;
    const { project, run, recordIds } = await makeScored(client);
    const reasoning = 'x'.repeat(6_000_000);
    for (const binaryScore of [true, false, true])
      await client.upsertScore(recordIds[0]!, run.metricVersionIds[0]!, {
        score: { binaryScore, reasoning },
      });
    await terminal.dokima(['export', '-p', project.id, 'large.zip']);
    const imported = await terminal.dokima(['import', 'large.zip', '--json']);
    expect(imported.code).toBe(0);
    expect(imported.json()).toMatchObject({ records: 2, scores: 1 });
    expect(imported.json().notes).toEqual([
      `The score of record ${recordIds[0]} by metric ${run.metricIds[0]} is larger than a request may be; it stays out.`,
    ]);
  });

  it('refuses an archive of a later version', async () => {
    const manifest = { format: 'dokima-project', version: 99 };
    const archive = zipSync({ 'dokima.json': new TextEncoder().encode(JSON.stringify(manifest)) });
    await writeFile(join(terminal.directory, 'later.zip'), archive);
    const { code, err } = await terminal.dokima(['import', 'later.zip']);
    expect([code, err]).toEqual([4, expect.stringContaining('The archive is of version 99')]);
  });
});
