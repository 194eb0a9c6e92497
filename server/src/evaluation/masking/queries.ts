import type { Sql } from '../../platform/db/database.ts';
import type { Owner, Scope } from '../../platform/http/scope.ts';
import { noMasking } from './schema.ts';

export const findMasking = (sql: Sql, scope: Scope, projectId: bigint) => sql<{ body: string }[]>`
  select coalesce(settings.masking::text, ${JSON.stringify(noMasking)}) as body
  from project left join project_settings settings on settings.project_id = project.id
  where project.organization_id = ${scope.organizationId} and project.id = ${projectId}`;

/** Destination of data: a project, a run or a testset. */
export type Into = { projectId: bigint } | { runId: bigint } | { testsetId: bigint };

/** Finds the rules of the project in which data arrives; no row if there are none. */
export const findRules = (sql: Sql, { organizationId }: Owner, into: Into) => sql<{ rules: string }[]>`
  select masking::text as rules from project_settings
  where organization_id = ${organizationId} and masking is not null and project_id = ${
    'projectId' in into
      ? sql`${into.projectId}`
      : 'runId' in into
        ? sql`(select project_id from run where id = ${into.runId} and organization_id = ${organizationId})`
        : sql`(select project_id from testset where id = ${into.testsetId} and organization_id = ${organizationId})`
  }`;
