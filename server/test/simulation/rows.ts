import { laneOf } from '../../src/evaluation/metrics/queries.ts';
import type { Pool } from '../../src/platform/db/database.ts';
import { newUuid } from '../../src/platform/http/ids.ts';
import { serviceScope } from '../../src/platform/http/scope.ts';

/** Makes a project of a new organization. */
export const insertProject = async (sql: Pool) => {
  const [{ organizationId }] = await sql<[{ organizationId: bigint }]>`
    insert into organization (name) values ('O') returning id as "organizationId"`;
  const [{ projectId }] = await sql<[{ projectId: bigint }]>`
    insert into project (organization_id, name) values (${organizationId}, 'P') returning id as "projectId"`;
  return { organizationId, projectId, scope: serviceScope(organizationId) };
};

/** Runs statements that insert rows in the order in which people read them, and not in that of their foreign keys. */
const inAnyOrder = async (sql: Pool, insert: () => Promise<void>): Promise<void> => {
  await sql`set session_replication_role = replica`;
  await insert();
  await sql`set session_replication_role = origin`;
};

/** Makes a testset with testcases, and a system in production, whose endpoint is never asked. */
export const insertSystem = async (sql: Pool, testcases: number) => {
  const project = await insertProject(sql);
  const { organizationId, projectId } = project;
  const [{ testsetId }] = await sql<[{ testsetId: bigint }]>`
    insert into testset (organization_id, project_id, name, description, json_schema, input_fields, expected_fields, metadata_fields)
    values (${organizationId}, ${projectId}, 'T', '', '{}', '{q}', '{}', '{}') returning id as "testsetId"`;
  await sql`
    insert into testcase (organization_id, testset_id, n, json_data)
    select ${organizationId}, ${testsetId}, n, json_build_object('q', n) from generate_series(1, ${testcases}::integer) n`;
  const [systemId, versionId] = [newUuid(), newUuid()];
  await inAnyOrder(sql, async () => {
    await sql`
      insert into system (id, organization_id, project_id, name, description, production_version_id)
      values (${systemId}, ${organizationId}, ${projectId}, 'S', '', ${versionId})`;
    await sql`
      insert into system_version (id, organization_id, system_id, name, config)
      values (${versionId}, ${organizationId}, ${systemId}, 'v1', '{"endpoint": "https://system.example/"}')`;
  });
  return { ...project, testsetId, systemId, versionId };
};

/** Makes a project with metrics that a model scores. */
export const insertJudges = async (sql: Pool, count: number) => {
  const project = await insertProject(sql);
  const { organizationId, projectId } = project;
  const metricIds: string[] = [];
  for (let i = 0; i < count; i++) {
    const configId = newUuid();
    const lane = laneOf({ evalType: 'ai', guidelines: 'g' } as Parameters<typeof laneOf>[0]);
    await inAnyOrder(sql, async () => {
      const [{ metricId }] = await sql<[{ metricId: bigint }]>`
        insert into metric (organization_id, project_id, name, current_config_id)
        values (${organizationId}, ${projectId}, ${`M${i}`}, ${configId}) returning id as "metricId"`;
      await sql`
        insert into metric_config (id, organization_id, metric_id, eval_type, output_type, guidelines, prompt_template,
          eval_model_name, temperature, passing_threshold, lane)
        values (${configId}, ${organizationId}, ${metricId}, 'ai', 'int', 'g', '{{ outputs.n }}', 'local/judge', 0, 4, ${lane})`;
      metricIds.push(String(metricId));
    });
  }
  return { ...project, metricIds };
};
