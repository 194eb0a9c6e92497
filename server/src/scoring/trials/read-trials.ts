import type { Database, Sql } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { type DescribedTrial, describeTrial } from './describe-trial.ts';
import {
  findGateBaselines,
  findReferenceCost,
  listCandidates,
  listRunVerdicts,
  listTrialLabels,
  listTrials,
} from './queries.ts';

/** Runs one statement: in a transaction, or on its own. */
type Read = Database['read'];

/** Reads in a transaction, so that it sees what was written there. */
export const within =
  (tx: Sql): Read =>
  async (_tenant, statement) =>
    statement(tx);

/** Reads trials of a metric, newest first, with what each found so far. */
export const readTrials = async (
  read: Read,
  scope: Scope,
  metricId: bigint,
  which: { n?: number | undefined; limit: number },
): Promise<DescribedTrial[]> => {
  const rows = await read(scope, (sql) => listTrials(sql, scope, metricId, which));
  const numbers = rows.map(({ n }) => n);
  const candidates = await read(scope, (sql) => listCandidates(sql, scope, metricId, numbers));
  const described: DescribedTrial[] = [];
  for (const row of rows) {
    const { seed, configId } = row;
    const own = candidates.filter(({ trial }) => trial === row.n);
    const runIds = row.runIds.map(BigInt);
    // Without candidates the pinned set is another one by now.
    const labels =
      own.length > 0 ? await read(scope, (sql) => listTrialLabels(sql, scope, metricId, seed)) : [];
    const [reference] = await read(scope, (sql) => findReferenceCost(sql, scope, metricId, configId));
    const tried = { trial: row, lastPlace: labels.at(-1)?.place ?? 0 };
    const hasRuns = runIds.length > 0;
    const runVerdicts = hasRuns
      ? await read(scope, (sql) => listRunVerdicts(sql, scope, metricId, tried))
      : [];
    const baselines = hasRuns ? await read(scope, (sql) => findGateBaselines(sql, scope, runIds)) : [];
    described.push(
      describeTrial({
        row,
        labels,
        candidates: own,
        reference: reference ?? { costUsd: null, latencyMs: null },
        runVerdicts,
        baselines: new Map(baselines.map(({ runId, baseline }) => [runId, baseline])),
      }),
    );
  }
  return described;
};
