import { beforeEach, expect, it } from 'vitest';
import { createProject, createRun, createTestcases, createTestset, ok } from '../../../test/fixtures.ts';
import { openApp } from '../../../test/opened.ts';
import {
  type ClaimedExecution,
  claimExecutions,
  executions,
  failExecution,
  findHeld,
} from '../../scoring/executions/queries.ts';
import { type Sql, system } from '../db/database.ts';
import { findDueParent, takeTurns } from './claim.ts';
import { releaseJobs, renewJobs } from './keep.ts';

const leaseMs = 60_000;
const { app, own } = await openApp({});
const projectId: string = (await createProject(own.api)).id;
let runId: bigint;

const startRun = async (testcases: number): Promise<bigint> => {
  const testset = await createTestset(own.api, projectId);
  await createTestcases(own.api, testset.id, testcases);
  const config = { endpoint: 'https://example.com/' };
  const { productionVersion } = await ok(own.api('POST', `/projects/${projectId}/systems`, { config }), 201);
  const run = await createRun(own.api, projectId, [], {
    testsetId: testset.id,
    systemVersionId: productionVersion.id,
    execute: true,
  });
  return BigInt(run.id);
};

beforeEach(async () => {
  runId = await startRun(3);
});

const write = <T>(work: (tx: Sql) => Promise<T>) => app.db.transaction(system, work);
const claim = (limit = 10) => write((tx) => claimExecutions(tx, runId, { limit, leaseMs }));
const numbers = (jobs: ClaimedExecution[]) => jobs.map(({ n }) => n);
const renew = async (jobs: ClaimedExecution[], inMs = leaseMs) =>
  (await write((tx) => renewJobs(tx, executions, runId, jobs, inMs))).count;
const settle = async (job: ClaimedExecution) =>
  (
    await write((tx) =>
      failExecution(tx, job, { state: 'pending', attempts: 1, error: 'down', retryInMs: 3_600_000 }),
    )
  ).count;
const expire = () =>
  write((tx) => tx`update execution set due_at = now() where run_id = ${runId} and state = 'pending'`);

it('those that are held are taken by no one else, until they are given back or their lease ends', async () => {
  const first = await claim(2);
  expect([numbers(first), numbers(await claim())]).toEqual([[1, 2], [3]]);
  expect(await renew([first[0]!], 0)).toBe(1);
  expect(numbers(await claim())).toEqual([1]);
  await expire();
  expect(numbers(await claim())).toEqual([1, 2, 3]);
});

it('one whose lease was lost is neither renewed, settled nor given back by the worker that had it', async () => {
  const [lost] = await claim(1);
  await expire();
  const [taken] = await claim(1);
  expect(taken!.n).toBe(lost!.n);
  expect([await renew([lost!]), await settle(lost!), await renew([lost!], 0)]).toEqual([0, 0, 0]);
  expect(await settle(taken!)).toBe(1);
});

it('one that was settled for a later attempt is not made due again by what gives back the others', async () => {
  const jobs = await claim();
  await settle(jobs[0]!);
  expect(await renew(jobs, 0)).toBe(2);
  expect(numbers(await claim())).toEqual([2, 3]);
});

it.each(['cancel', 'cancel and retry'])('after %s the worker that has them writes nothing', async (what) => {
  const jobs = await claim();
  for (const verb of what.split(' and '))
    await ok(own.api('POST', `/runs/${runId}/${verb}`, { of: 'executions' }));
  expect(await app.db.read(system, (sql) => findHeld(sql, jobs[0]!))).toEqual([]);
  expect([await renew(jobs), await settle(jobs[0]!)]).toEqual([0, 0]);
});

it('what may be held is released at the start of the only process, and what waits for longer is not', async () => {
  const jobs = await claim();
  await settle(jobs[0]!);
  await write((tx) => releaseJobs(tx, executions, leaseMs));
  expect(await renew(jobs)).toBe(0);
  expect(numbers(await claim())).toEqual([2, 3]);
});

it('parents take turns, and begin again after the last', async () => {
  const before = runId;
  const after = await startRun(1);
  const next = takeTurns<bigint>(async (last = before - 1n) => {
    const [found] = await app.db.read(system, (sql) => findDueParent(sql, executions, last));
    return found?.id;
  });
  expect([await next(), await next(), await next()]).toEqual([before, after, before]);
});
