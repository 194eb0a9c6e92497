import type { Sql } from '../../platform/db/database.ts';
import { notFound } from '../../platform/errors.ts';
import { numericId } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { QueueQuery } from './schema.ts';

/** What of a project's queues is meant; null is all. */
export type Narrowing = { metricId: bigint | null; runId: bigint | null };

export const readNarrowing = ({ metricId, runId }: QueueQuery): Narrowing => ({
  metricId: metricId === undefined ? null : numericId('metric', metricId),
  runId: runId === undefined ? null : numericId('run', runId),
});

type Found = { metric: boolean; run: boolean };

/** Whether the metric and the run that are named are there, in the project when one is given. */
export const findNarrowing = (
  sql: Sql,
  scope: Scope,
  projectId: bigint | null,
  { metricId, runId }: Narrowing,
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

/** Throws 404 for a metric or a run that is not there; an empty queue would hide the mistake. */
export const requireNarrowing = async (
  { metricId, runId }: Narrowing,
  finding: PromiseLike<readonly Found[]>,
): Promise<void> => {
  const [found] = await finding;
  if (!found?.metric) throw notFound('metric', String(metricId));
  if (!found.run) throw notFound('run', String(runId));
};
