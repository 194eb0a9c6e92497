import { pinMetrics } from '../../evaluation/metrics/pin-metrics.ts';
import { requireProject } from '../../evaluation/projects/queries.ts';
import {
  countTestcases,
  findProjectVersion,
  findRun,
  insertRun,
  insertRunMetrics,
  keepRun,
} from '../../evaluation/runs/queries.ts';
import type { RunCreate } from '../../evaluation/runs/schema.ts';
import { findPresent, presentEdition } from '../../evaluation/testsets/snapshot-queries.ts';
import { takeFresh } from '../../evaluation/testsets/take-fresh.ts';
import { takeSnapshot } from '../../evaluation/testsets/take-snapshot.ts';
import { countWanted, requireNoTestcases } from '../../evaluation/testsets/wanted-testcases.ts';
import type { Sql } from '../../platform/db/database.ts';
import { invalid } from '../../platform/errors.ts';
import { bodyOf, requireOne } from '../../platform/http/http.ts';
import { numericId, uuidId } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { RawJson } from '../../platform/json/json.ts';
import { setJudgeBudget } from '../budgets/queries.ts';
import { insertExecutions, insertReplays, insertSimulation } from '../executions/queries.ts';
import { checkSimulation } from '../executions/simulation/check-simulation.ts';
import { readSystemConfig } from '../executions/system-config.ts';

type Parents = { testcases: number | undefined; config: RawJson | undefined };

/** Throws 400 when the run asks for executions that the service can't make. */
const requireExecutable = ({ execute, trials }: RunCreate, { testcases, config }: Parents): void => {
  if (!execute) {
    if (trials !== undefined && trials > 1) throw invalid('/trials', 'needs execute');
    return;
  }
  if (testcases === undefined) throw invalid('/testsetId', 'is required to execute a run');
  if (testcases === 0) throw invalid('/testsetId', 'must name a testset with testcases, to execute a run');
  if (config === undefined) throw invalid('/systemVersionId', 'is required to execute a run');
  const system = readSystemConfig(config);
  if ('problem' in system)
    throw invalid('/systemVersionId', `must name a system that can be called: ${system.problem}`);
};

/** Counts the testcases that a run is about. Throws if its testset, snapshot or split does not exist. */
const countTestcasesOf = async (
  tx: Sql,
  scope: Scope,
  projectId: bigint,
  testsetId: bigint | null,
  { snapshot, split, execute }: RunCreate,
): Promise<{ n: number; edition: number } | undefined> => {
  if (testsetId === null) {
    requireNoTestcases({ snapshot, split });
    return undefined;
  }
  const id = String(testsetId);
  const all = requireOne(await countTestcases(tx, scope, projectId, testsetId), 'testset', id);
  if (snapshot === undefined && split === undefined) return { ...all, edition: presentEdition };
  const wanted = await countWanted((statement) => statement(tx), scope, testsetId, { snapshot, split });
  const [present] = await findPresent(tx, scope, testsetId);
  // A record that a client sends notes the revision that its testcase has now.
  if (!execute && wanted.edition !== presentEdition && wanted.edition !== present!.edition)
    throw invalid('/snapshot', 'must be that of the testset as it is now, or come with execute');
  return wanted;
};

/** Returns the parts of a run. Throws if it can't be started. */
export const checkRun = async (tx: Sql, scope: Scope, projectId: bigint, body: RunCreate) => {
  const testsetId = body.testsetId == null ? null : numericId('testset', body.testsetId);
  const systemVersionId =
    body.systemVersionId == null ? null : uuidId('system version', body.systemVersionId);
  await requireProject(tx, scope, projectId);
  const metrics = await pinMetrics(tx, scope, projectId, body.metricIds);
  const testcases = await countTestcasesOf(tx, scope, projectId, testsetId, body);
  const version =
    systemVersionId === null
      ? undefined
      : requireOne(
          await findProjectVersion(tx, scope, projectId, systemVersionId),
          'system version',
          systemVersionId,
        );
  requireExecutable(body, { testcases: testcases?.n, config: version?.config });
  const simulation = body.simulation
    ? await checkSimulation(tx, scope, projectId, body.simulation, body)
    : null;
  return { testsetId, systemVersionId, metrics, testcases, simulation };
};

/** Takes fresh testcases into the testset of a run that is about to start. Returns what notes the run with them. */
const takeFreshOnes = async (
  tx: Sql,
  scope: Scope,
  { testsetId, snapshot, simulation, split, fresh = 0 }: RunCreate,
): Promise<((runId: bigint) => Promise<void>) | undefined> => {
  if (fresh === 0) return undefined;
  if (testsetId == null) throw invalid('/fresh', 'must be given with testsetId');
  if (snapshot !== undefined) throw invalid('/fresh', 'must be given without snapshot');
  if (simulation?.replayOf !== undefined)
    throw invalid('/fresh', 'must be given without simulation.replayOf');
  return takeFresh(tx, scope, numericId('testset', testsetId), { count: fresh, split });
};

/**
 * Starts a run with the current configurations of its metrics, and its executions if it has any. Throws notFound for a metric, testset or
 * version of another project.
 */
export const startRun = async (
  tx: Sql,
  scope: Scope,
  projectId: bigint,
  body: RunCreate,
): Promise<string> => {
  const noteFresh = await takeFreshOnes(tx, scope, body);
  const { testsetId, systemVersionId, metrics, testcases, simulation } = await checkRun(
    tx,
    scope,
    projectId,
    body,
  );
  const { name, tags, origin, split } = body;
  const snapshotN =
    testsetId === null || body.snapshot !== undefined
      ? body.snapshot
      : (await takeSnapshot(tx, scope, testsetId, { madeBy: 'run' })).n;
  const run = {
    testsetId,
    snapshotN,
    split,
    systemVersionId,
    name,
    tags,
    origin,
    numExpectedRecords: testcases?.n ?? null,
  };
  const [made] = await insertRun(tx, scope, projectId, run);
  await insertRunMetrics(tx, scope, made!.id, metrics);
  if (body.judgeBudgetUsd !== undefined) await setJudgeBudget(tx, scope, made!.id, body.judgeBudgetUsd);
  const runId = made!.id;
  await noteFresh?.(runId);
  // A run that is deleted now can't be named any more.
  if (simulation?.replayedRunId)
    requireOne(await keepRun(tx, scope, simulation.replayedRunId), 'run', String(simulation.replayedRunId));
  if (simulation) await insertSimulation(tx, scope, runId, simulation);
  if (simulation?.replayedRunId) await insertReplays(tx, scope, runId, simulation.replayedRunId);
  else if (body.execute && testsetId !== null)
    await insertExecutions(tx, scope, runId, testsetId, {
      edition: testcases!.edition,
      split,
      trials: body.trials ?? 1,
    });
  return bodyOf(await findRun(tx, scope, made!.id), 'run', String(made!.id));
};
