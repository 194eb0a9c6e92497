import type { Sql } from '../../platform/db/database.ts';
import { one } from '../../platform/http/http.ts';
import type { RecordKey } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { findRunId } from '../runs/queries.ts';
import { findScore } from './queries.ts';

/** States that a machine may be asked to score anew. */
const retriedStates = ['failed', 'unscored'] as const;
export type RetriedState = (typeof retriedStates)[number];

/** Whether the score's metric is still there: of a deleted one no more scores are made. */
const metricIsThere = (tx: Sql, scope: Scope) => tx`
  exists (
    select from metric_config config join metric on metric.id = config.metric_id
    where config.id = score.metric_config_id and config.organization_id = ${scope.organizationId}
      and metric.organization_id = ${scope.organizationId} and metric.deleted_at is null)`;

/**
 * Puts scores of a run that machines failed to give, or were kept from giving, back into the queue; scores that are there stay.
 * Returns how many. Throws 404 when there is no such run.
 */
export const retryScores = async (
  tx: Sql,
  scope: Scope,
  runId: bigint,
  { states = [...retriedStates], metricId }: { states?: RetriedState[]; metricId?: bigint | undefined },
): Promise<number> => {
  one(await findRunId(tx, scope, runId), 'run', String(runId));
  const { count } = await tx`
    update score set state = 'pending', reason = null, attempts = 0, last_error = null, due_at = now(), updated_at = now()
    where organization_id = ${scope.organizationId} and run_id = ${runId} and lane is not null
      and state = any(${states}::text[]) and ${metricIsThere(tx, scope)}
      ${
        metricId === undefined
          ? tx``
          : tx`and metric_config_id in (
              select id from metric_config
              where organization_id = ${scope.organizationId} and metric_id = ${metricId})`
      }`;
  return count;
};

/** Why a score that was cancelled is unscored. */
export const cancelled = 'cancelled';

/** Keeps machines from giving the scores of a run that are still missing; what is under way is dropped. Can be undone by a retry. */
export const cancelScores = async (tx: Sql, scope: Scope, runId: bigint): Promise<number> => {
  one(await findRunId(tx, scope, runId), 'run', String(runId));
  const { count } = await tx`
    update score set state = 'unscored', reason = ${cancelled}, due_at = null, fence = fence + 1, updated_at = now()
    where organization_id = ${scope.organizationId} and run_id = ${runId} and lane is not null and state = 'pending'`;
  return count;
};

/** `retryScores` for one score. Throws 404 when it is not there. */
export const retryScore = async (
  tx: Sql,
  scope: Scope,
  { runId, n }: RecordKey,
  configId: string,
): Promise<number> => {
  one(await findScore(tx, scope, runId, n, configId), 'score', `${runId}-${n} ${configId}`);
  const { count } = await tx`
    update score set state = 'pending', reason = null, attempts = 0, last_error = null, due_at = now(), updated_at = now()
    where organization_id = ${scope.organizationId} and run_id = ${runId} and n = ${n}
      and metric_config_id = ${configId} and lane is not null and state = any(${[...retriedStates]}::text[])
      and ${metricIsThere(tx, scope)}`;
  return count;
};

/** `cancelScores` for one score. Throws 404 when it is not there. */
export const cancelScore = async (
  tx: Sql,
  scope: Scope,
  { runId, n }: RecordKey,
  configId: string,
): Promise<number> => {
  one(await findScore(tx, scope, runId, n, configId), 'score', `${runId}-${n} ${configId}`);
  const { count } = await tx`
    update score set state = 'unscored', reason = ${cancelled}, due_at = null, fence = fence + 1, updated_at = now()
    where organization_id = ${scope.organizationId} and run_id = ${runId} and n = ${n}
      and metric_config_id = ${configId} and lane is not null and state = 'pending'`;
  return count;
};
