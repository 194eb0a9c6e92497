import type { Sql } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { ProjectSpan } from './find-sources.ts';

const dayNs = 86_400_000_000_000n;

/** Finds after how many days projects delete their records. */
const listRecordDays = (tx: Sql, scope: Scope, projectIds: bigint[]) => tx<
  { projectId: bigint; recordDays: number }[]
>`
  select project_id as "projectId", record_days as "recordDays" from project_settings
  where organization_id = ${scope.organizationId} and project_id = any(${projectIds.map(String)}::bigint[])
    and record_days is not null`;

/** Returns the function that warns of each span that is older than its project keeps records. Asks once for each project. */
export const ageWarner = (tx: Sql, scope: Scope, now: Date, warn: (reason: string) => void) => {
  const known = new Map<bigint, number | undefined>();
  return async (items: ProjectSpan[]): Promise<void> => {
    const unknown = [...new Set(items.map(({ projectId }) => projectId))].filter((id) => !known.has(id));
    for (const id of unknown) known.set(id, undefined);
    if (unknown.length > 0)
      for (const { projectId, recordDays } of await listRecordDays(tx, scope, unknown))
        known.set(projectId, recordDays);
    for (const { span, projectId } of items) {
      const days = known.get(projectId);
      if (days === undefined || span.start >= BigInt(now.getTime()) * 1_000_000n - BigInt(days) * dayNs)
        continue;
      warn(
        `older than the ${days} days for which project ${projectId} keeps records, so its record may soon be deleted`,
      );
    }
  };
};
