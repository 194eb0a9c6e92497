import { describe, expect, it } from 'vitest';
import {
  createMetric,
  createProject,
  createRecord,
  createRescoring,
  createRun,
  ok,
} from '../../../../test/fixtures.ts';
import { engine } from '../../../../test/harness.ts';
import { openApp } from '../../../../test/opened.ts';
import { type Sql, system } from '../../../platform/db/database.ts';
import { newUuid } from '../../../platform/http/ids.ts';

/** What comes while a rescoring is being adopted. The embedded database has one session: there nothing can come in between. */

const { app, own } = await openApp({ DOKIMA_WORKERS: '1' });
const patient = { timeout: 30_000, interval: 20 };

const code = (value: boolean) => ({
  evalType: 'heuristic',
  outputType: 'boolean',
  guidelines: `function score() { return ${value}; }`,
});

/** Three records that passed, and a rescoring ready to be adopted by which they fail. */
const readyToKeep = async () => {
  const project = await createProject(own.api);
  const metric = await createMetric(own.api, project.id, code(true));
  const run = await createRun(own.api, project.id, [metric.id]);
  for (let i = 0; i < 3; i++) await createRecord(own.api, run.id);
  await expect
    .poll(async () => (await ok(own.api('GET', `/runs/${run.id}`))).status, patient)
    .toBe('completed');
  await ok(own.api('PATCH', `/metrics/${metric.id}`, code(false)));
  const path = await createRescoring(own.api, run.id, metric.id);
  const state = async () => (await ok(own.api('GET', path))).state;
  await expect.poll(state, patient).toBe('ready');
  const { proposedConfigId } = await ok(own.api('GET', path));
  return { runId: run.id as string, path, configId: proposedConfigId as string };
};

/** Keeps the rescoring while a transaction holds what `hold` took; `onceWaiting` runs as soon as the request waits for it. */
const adoptedAgainst = async (
  path: string,
  hold: (tx: Sql) => PromiseLike<unknown>,
  onceWaiting: () => Promise<unknown> = async () => {},
) => {
  let adopting: Promise<unknown> | undefined;
  await app.db.transaction(system, async (tx) => {
    await hold(tx);
    adopting = ok(own.api('POST', `${path}/decide`, { decision: 'adopted' }));
    const waiting = () => tx`
      select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))`;
    await expect.poll(async () => (await waiting()).length, patient).toBe(1);
    await onceWaiting();
  });
  return adopting;
};

it('rescorings of a metric that begin at the same time each get a number', async () => {
  const project = await createProject(own.api);
  const metric = await createMetric(own.api, project.id, code(true));
  const runs = await Promise.all([1, 2, 3, 4, 5].map(() => createRun(own.api, project.id, [metric.id])));
  const paths = await Promise.all(runs.map(({ id }) => createRescoring(own.api, id, metric.id)));
  expect(paths.sort()).toEqual([1, 2, 3, 4, 5].map((n) => `/metrics/${metric.id}/trials/${n}`));
});

describe.runIf(engine === 'server')('a rescoring that is being adopted', () => {
  it('keeps no record from coming to its run', async () => {
    const { runId, path } = await readyToKeep();
    const holdOne = (tx: Sql) => tx`select from score where run_id = ${runId} and n = 2 for update`;
    let late: { id: string } | undefined;
    const adopted = await adoptedAgainst(path, holdOne, async () => {
      late = await createRecord(own.api, runId);
    });
    expect(adopted).toMatchObject({ state: 'adopted', changes: { passToFail: 3 } });
    expect(late!.id).toBe(`${runId}-4`);
  });

  it('counts a score that a client gave by the same configuration at that moment as given, and leaves it', async () => {
    const { runId, path, configId } = await readyToKeep();
    const score = { binaryScore: true, reasoning: 'I looked.' };
    const giveOne = (tx: Sql) => tx`
      insert into score (organization_id, run_id, n, metric_config_id, state, score, value, scored_by)
      select organization_id, run_id, n, ${configId}, 'scored', ${JSON.stringify(score)}::text::json, 1, ${newUuid()}
      from record where run_id = ${runId} and n = 2`;
    const adopted = await adoptedAgainst(path, giveOne);
    expect(adopted).toMatchObject({ changes: { passToFail: 2, givenSince: 1 } });
    const { data } = await ok(own.api('GET', `${path}/changes?change=givenSince`));
    expect(data).toMatchObject([{ recordId: `${runId}-2`, applied: false, before: { score } }]);
    const { scores } = await ok(own.api('GET', `/records/${runId}-2`));
    expect(scores).toMatchObject([{ metricConfigId: configId, score }]);
  });
});
