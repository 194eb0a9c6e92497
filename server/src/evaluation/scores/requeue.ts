import type { Sql } from '../../platform/db/database.ts';
import { one } from '../../platform/http/http.ts';
import type { RecordKey } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { reset, withdrawn } from '../../platform/jobs/settle.ts';
import { findRunId } from '../runs/queries.ts';
import { findScore } from './queries.ts';

/** States from which a score can be retried. */
const retriedStates = ['failed', 'unscored'] as const;
type RetriedState = (typeof retriedStates)[number];

/** The reason of a score that was cancelled. */
export const cancelled = 'cancelled';

/** The scores of a run, or one score. */
export type Target = { runId: bigint } | (RecordKey & { configId: string });

/** Throws 404 when there is no such run or score. */
const requireTarget = async (tx: Sql, scope: Scope, target: Target): Promise<void> => {
  const { runId } = target;
  if ('n' in target) {
    const { n, configId } = target;
    one(await findScore(tx, scope, runId, n, configId), 'score', `${runId}-${n} ${configId}`);
  } else {
    one(await findRunId(tx, scope, runId), 'run', String(runId));
  }
};

/** Selects the target's scores that the code or judge queue makes. */
const machineScores = (tx: Sql, scope: Scope, target: Target) => tx`
  organization_id = ${scope.organizationId} and run_id = ${target.runId} and lane is not null
  ${'n' in target ? tx`and n = ${target.n} and metric_config_id = ${target.configId}` : tx``}`;

/**
 * Puts failed and unscored scores back into the queue, unless their metric was deleted. Scores that are there stay. Returns how
 * many. Throws 404 when there is no such run or score.
 */
export const retryScores = async (
  tx: Sql,
  scope: Scope,
  target: Target,
  { states = [...retriedStates], metricId }: { states?: RetriedState[]; metricId?: bigint | undefined } = {},
): Promise<number> => {
  await requireTarget(tx, scope, target);
  const { count } = await tx`
    update score set ${reset(tx, 'score')}, reason = null, updated_at = now()
    where ${machineScores(tx, scope, target)} and state = any(${states}::text[])
      and metric_config_id in (
        select config.id from metric_config config join metric on metric.id = config.metric_id
        where config.organization_id = ${scope.organizationId} and metric.organization_id = ${scope.organizationId}
          and metric.deleted_at is null and (${metricId ?? null}::bigint is null or metric.id = ${metricId ?? null}))`;
  return count;
};

/**
 * Takes pending scores out of the queue; a score that a worker is making is dropped. They can be retried. Returns how many. Throws
 * 404 when there is no such run or score.
 */
export const cancelScores = async (tx: Sql, scope: Scope, target: Target): Promise<number> => {
  await requireTarget(tx, scope, target);
  const { count } = await tx`
    update score set state = 'unscored', reason = ${cancelled}, ${withdrawn(tx, 'score')}, updated_at = now()
    where ${machineScores(tx, scope, target)} and state = 'pending'`;
  return count;
};
