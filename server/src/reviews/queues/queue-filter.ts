import type { Sql } from '../../platform/db/database.ts';
import { notFound } from '../../platform/errors.ts';
import { numericId } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { QueueQuery } from './schema.ts';

/** Filter of a project's queues; null means all metrics, or all runs. */
export type QueueFilter = { metricId: bigint | null; runId: bigint | null };

export const readFilter = ({ metricId, runId }: QueueQuery): QueueFilter => ({
  metricId: metricId === undefined ? null : numericId('metric', metricId),
  runId: runId === undefined ? null : numericId('run', runId),
});

type Found = { metric: boolean; run: boolean };

/** Finds whether the metric and the run of a filter exist, within the project if one is given. */
export const findFilter = (
  sql: Sql,
  scope: Scope,
  projectId: bigint | null,
  { metricId, runId }: QueueFilter,
) => sql<Found[]>`
  select
    ${metricId}::bigint is null or exists (
      select from metric
      where organization_id = ${scope.organizationId} and id = ${metricId} and deleted_at is null
        and (${projectId}::bigint is null or project_id = ${projectId})) as metric,
    ${runId}::bigint is null or exists (
      select from run
      where organization_id = ${scope.organizationId} and id = ${runId}
        and (${projectId}::bigint is null or project_id = ${projectId})) as run`;

/** Throws 404 for a metric or run that does not exist: an empty queue would hide the mistake. */
export const requireFound = ({ metricId, runId }: QueueFilter, [found]: readonly Found[]): void => {
  if (!found?.metric) throw notFound('metric', String(metricId));
  if (!found.run) throw notFound('run', String(runId));
};
