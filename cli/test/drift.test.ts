import { afterAll, beforeAll, expect, it } from 'vitest';
import { databaseTime } from '../../server/src/platform/db/time.ts';
import { startDueSchedules } from '../../server/src/signals/schedules/start-due.ts';
import { asPinned } from '../src/trials.ts';
import { openTerminal, type Terminal } from './terminal.ts';

let terminal: Terminal;

beforeAll(async () => {
  terminal = await openTerminal();
});
afterAll(() => terminal.close());

const records = 20;

/** Creates a judge whose scores a client sends, and which passed the same records as people: the first half. */
const pinned = async (): Promise<{ metricId: string; projectId: string }> => {
  const { client } = terminal;
  const project = await client.createProject({ name: 'Judged', description: '' });
  const [judge, people] = await Promise.all(
    (['heuristic', 'human'] as const).map((evalType) =>
      client.createMetric(project.id, { name: evalType, evalType, outputType: 'boolean' }),
    ),
  );
  const run = await client.createRun(project.id, { metricIds: [judge!.id, people!.id] });
  const items = Array.from({ length: records }, (_, i) => ({ inputs: { i }, expected: {}, outputs: {} }));
  await client.createAllRecords(run.id, items);
  for await (const { id, inputs } of client.listRecords(run.id)) {
    const score = { binaryScore: Number(inputs.i) < records / 2 };
    for (const configId of run.metricVersionIds) await client.upsertScore(id, configId, { score });
  }
  await client.upsertPinnedSet(judge!.id, { against: people!.id });
  return { metricId: judge!.id, projectId: project.id };
};

/** Runs a drift trial and uploads its verdicts. `line` is the first record that does not pass. */
const check = async (metricId: string, line: number, words: string[]) => {
  const { client } = terminal;
  const trials = async () => (await client.listTrials({ metricId })).data.map(asPinned);
  const known = (await trials()).length;
  const said = terminal.dokima(words);
  const made = async () => {
    // The service of tests starts no schedules by itself.
    await startDueSchedules(terminal.app.db, await databaseTime(terminal.app.db));
    return (await trials()).length;
  };
  await expect.poll(made, { timeout: 20_000 }).toBe(known + 1);
  const { runId, metricConfigId } = (await trials())[0]!.candidates[0]!;
  for await (const { id, inputs } of client.listRecords(runId!))
    await client.upsertScore(id, metricConfigId, { score: { binaryScore: Number(inputs.i) < line } });
  return said;
};

it('drift ends with 3 before a trial, 0 for a steady judge, 1 for a drifted one, and says why a trial is due', async () => {
  const { metricId, projectId } = await pinned();
  const before = await terminal.dokima(['drift', metricId]);
  expect([before.code, before.out]).toEqual([3, expect.stringContaining('There is no drift trial yet.')]);

  const steady = await check(metricId, records / 2, ['drift', metricId, '--check']);
  expect([steady.code, steady.out]).toEqual([
    0,
    expect.stringContaining('no drift seen: 0 of 20 verdicts changed'),
  ]);

  await terminal.client.updateMetric(metricId, {
    evalType: 'heuristic',
    outputType: 'boolean',
    guidelines: 'Be strict.',
  });
  expect((await terminal.dokima(['drift', metricId])).out).toContain(
    'A drift trial is due: its current configuration has not been checked.',
  );
  const strict = await check(metricId, 0, ['drift', metricId, '--if-due', '--json']);
  expect(strict.code).toBe(1);
  expect(strict.json()).toMatchObject({
    pinnedSet: { due: null },
    trials: [{ candidates: [{ drift: { verdict: 'drifted', leniency: { nowFail: 10 } } }] }, {}],
  });

  const again = await terminal.dokima(['drift', metricId, '--if-due', '--json']);
  expect([again.code, again.json().trials.length]).toEqual([1, 2]);

  const task = { kind: 'drift' as const, metricId };
  const body = { name: 'Steady?', task, cron: '0 2 1 1 *', timeZone: 'UTC' };
  const { id } = await terminal.client.createSchedule(projectId, body);
  const nightly = await check(metricId, 0, ['schedule', 'run', id, '--wait']);
  expect([nightly.code, nightly.out]).toEqual([1, expect.stringContaining('drifted')]);

  // A run whose testset is gone does not start.
  const fieldMapping = { inputs: ['q'], expected: [], metadata: [] };
  const described = { name: 'Gone', description: '', jsonSchema: { type: 'object' }, fieldMapping };
  const { id: testsetId } = await terminal.client.createTestset(projectId, described);
  await terminal.client.createAllTestcases(testsetId, [{ jsonData: { q: 1 } }]);
  const config = { endpoint: 'https://example.com/answer' };
  const { id: systemId } = await terminal.client.upsertSystem(projectId, { name: 'Bot', config });
  const run = { kind: 'run' as const, systemId, testsetId, metricIds: [metricId] };
  const other = await terminal.client.createSchedule(projectId, { ...body, name: 'Nightly', task: run });
  await terminal.client.deleteTestset(testsetId);
  const following = terminal.dokima(['schedule', 'run', other.id, '--wait']);
  await expect
    .poll(async () => {
      await startDueSchedules(terminal.app.db, await databaseTime(terminal.app.db));
      const { data } = await terminal.client.listSchedules(projectId);
      return data.find((one) => one.id === other.id)?.lastError ?? '';
    })
    .not.toBe('');
  expect(await following).toMatchObject({
    code: 4,
    err: expect.stringContaining("'Nightly' did not start."),
  });
});

it('drift ends with 4 if nothing is pinned', async () => {
  expect((await terminal.dokima(['drift', '999999'])).code).toBe(4);
});
