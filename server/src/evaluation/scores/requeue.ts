import type { Sql } from '../../platform/db/database.ts';
import type { RecordKey } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { reset, withdrawn } from '../../platform/jobs/settle.ts';

/** States from which a score can be retried. */
export const retriedStates = ['failed', 'unscored'] as const;

/** The reason of a score that was cancelled. */
export const cancelled = 'cancelled';

/** The reason of a record without a span that its metric scores: it is not missing from a rate over spans. */
export const noSpan = 'no_span';

/** Which scores of a run: all, those of a metric, or one. */
export type Which = {
  metricId?: bigint | undefined;
  one?: (RecordKey & { configId: string }) | undefined;
  states?: readonly (typeof retriedStates)[number][] | undefined;
};

/** Selects scores of a run that the code or judge queue makes. */
const machineScores = (tx: Sql, { organizationId }: Scope, runId: bigint, { one, metricId }: Which) => tx`
  organization_id = ${organizationId} and run_id = ${runId} and lane is not null
  ${one ? tx`and n = ${one.n} and metric_config_id = ${one.configId}` : tx``}
  ${metricId === undefined ? tx`` : tx`and metric_config_id in (select id from metric_config where metric_id = ${metricId} and organization_id = ${organizationId})`}`;

/** Puts failed and unscored scores back into the queue, unless their metric was deleted. Returns their number. */
export const retryScores = async (tx: Sql, scope: Scope, runId: bigint, which: Which): Promise<number> => {
  const { count } = await tx`
    update score set ${reset(tx, 'score')}, reason = null, updated_at = now()
    where ${machineScores(tx, scope, runId, which)} and state = any(${[...(which.states ?? retriedStates)]}::text[])
      and metric_config_id in (
        select config.id from metric_config config join metric on metric.id = config.metric_id
        where config.organization_id = ${scope.organizationId} and metric.organization_id = ${scope.organizationId}
          and metric.deleted_at is null)`;
  return count;
};

/** Takes pending scores out of the queue; a score that a worker is making is dropped. They can be retried. Returns their number. */
export const cancelScores = async (
  tx: Sql,
  scope: Scope,
  runId: bigint,
  which: Which = {},
): Promise<number> => {
  const { count } = await tx`
    update score set state = 'unscored', reason = ${cancelled}, ${withdrawn(tx, 'score')}, updated_at = now()
    where ${machineScores(tx, scope, runId, which)} and state = 'pending'`;
  return count;
};
