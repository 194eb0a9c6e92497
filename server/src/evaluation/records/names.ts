import type { Database } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { Config } from './condition.ts';

/** Metrics and members that names in a search can refer to. */
export type SearchNames = {
  metrics: { id: string; name: string; configs: Config[] }[];
  members: { id: string; name: string; email: string }[];
};

/** What names a search refers to. */
type Wanted = {
  /** The only metric; default all of the project. */
  metricId?: bigint | undefined;
  /** Whether members too. */
  members: boolean;
};

/** Returns the project's metrics with their configurations, newest first, and the members of the organization. */
export const listSearchNames = async (
  db: Database,
  scope: Scope,
  projectId: bigint,
  { metricId, members }: Wanted,
): Promise<SearchNames> => {
  const { organizationId } = scope;
  const [row] = await db.read(
    scope,
    (sql) => sql<{ body: string }[]>`
    select json_build_object(
      'metrics', (
        select coalesce(json_agg(json_build_object('id', metric.id::text, 'name', metric.name, 'configs', (
          select coalesce(json_agg(json_build_object('id', config.id, 'threshold', coalesce(config.passing_threshold, 1),
              'ofSpans', config.span_search is not null, 'labels', config.labels)
            order by config.id desc), '[]')
          from metric_config config
          where config.metric_id = metric.id and config.organization_id = ${organizationId}))
          order by metric.deleted_at is not null, metric.id), '[]')
        from metric
        where metric.project_id = ${projectId} and metric.organization_id = ${organizationId}
          ${metricId === undefined ? sql`` : sql`and metric.id = ${metricId}`}),
      'members', (
        select coalesce(json_agg(json_build_object('id', member.id, 'name', member.name, 'email', member.email)), '[]')
        from member where member.organization_id = ${organizationId} and ${members}::boolean))::text as body`,
  );
  return JSON.parse(row!.body) as SearchNames;
};
