import { findSnapshot } from '../../evaluation/changes/queries.ts';
import type { Database, Sql } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { missingCodes, type ScoreColumns } from './queries.ts';

/** Whether a judge has pending scores: the cost of its failed attempts is not noted as a change. */
export const mayCostMore = ({ evalType, values }: ScoreColumns): boolean =>
  evalType === 'ai' && values !== null && values.includes(String(missingCodes.pending));

/** A summary, with the resources whose changes make it outdated. */
export type Summary = {
  body: string;
  runId: bigint;
  projectId: bigint;
  /** Whether it depends on other runs of the project, by people's labels of its judges. */
  ofOtherRuns: boolean;
  /** Whether it may change without an entry in the change table. */
  isPassing: boolean;
};

/** A snapshot that the summary includes, and the time of that snapshot. */
type Kept = Summary & { snapshot: string; madeAt: number; seenAt: number };

/** Changes are deleted two minutes after their commit at the earliest: until then, a change is missing only if there was none. */
const trustedMs = 100_000;
/** Labels and batteries of judges expire without a change. */
const longestMs = 3_600_000;
const maxKept = 500;
/** A summary names up to 100 flaky testcases of each metric, so few are large. */
const maxLength = 100_000;

/** Whether the summary is outdated: its run or a resource of the project has changed since. Reads change_project. */
const findIsOld = (sql: Sql, scope: Scope, { projectId, runId, ofOtherRuns, snapshot }: Kept) => sql<
  { snapshot: string; isOld: boolean }[]
>`
  select pg_current_snapshot()::text as snapshot, exists (
    select from change
    where organization_id = ${scope.organizationId} and (project_id = ${projectId} or project_id is null)
      and (run_id is null or run_id = ${runId} or ${ofOtherRuns}::boolean)
      and xact >= pg_snapshot_xmin(${snapshot}::text::pg_snapshot)
      and not pg_visible_in_snapshot(xact, ${snapshot}::text::pg_snapshot)) as "isOld"`;

/**
 * Keeps the summaries of runs, and returns them again while their run does not change: the scores of 10,000 records take
 * 30 ms to read and to count. Any process may write, so the database is asked each time whether there was a change.
 */
export const keepSummaries = (db: Database, clock: () => number = () => performance.now()) => {
  const summaries = new Map<string, Kept>();
  return async (scope: Scope, name: string, make: () => Promise<Summary>): Promise<string> => {
    const key = `${scope.organizationId}/${name}`;
    const kept = summaries.get(key);
    summaries.delete(key);
    const seenAt = clock();
    let snapshot: string;
    if (kept && seenAt - kept.seenAt < trustedMs && seenAt - kept.madeAt < longestMs) {
      const [found] = await db.lookUp(scope, (sql) => findIsOld(sql, scope, kept));
      if (!found!.isOld) {
        // Moved to the end, so that the ones that are not requested come first.
        summaries.set(key, { ...kept, snapshot: found!.snapshot, seenAt });
        return kept.body;
      }
      snapshot = found!.snapshot;
    } else {
      const [found] = await db.lookUp(scope, findSnapshot);
      snapshot = found!.snapshot;
    }
    const summary = await make();
    if (!summary.isPassing && summary.body.length <= maxLength)
      summaries.set(key, { ...summary, snapshot, madeAt: seenAt, seenAt });
    if (summaries.size > maxKept) summaries.delete(summaries.keys().next().value!);
    return summary.body;
  };
};

export type KeepSummary = ReturnType<typeof keepSummaries>;
