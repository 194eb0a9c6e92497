import type { Sql } from '../../platform/db/database.ts';
import type { Owner, Scope } from '../../platform/http/scope.ts';

/** The project of a testset. */
export const findSealable = (sql: Sql, { organizationId }: Owner, testsetId: bigint) => sql<
  { projectId: bigint }[]
>`
  select project_id as "projectId" from testset where id = ${testsetId} and organization_id = ${organizationId}`;

/** The fields of a testset that a system gets. */
export const findInputFields = (sql: Sql, { organizationId }: Owner, testsetId: bigint) => sql<
  { fields: string[] }[]
>`
  select input_fields as fields from testset where id = ${testsetId} and organization_id = ${organizationId}`;

/** Most records that a draw chooses from: the newest. */
const maxTraffic = 100_000;

/** Keys of the traced records of the last days, the newest first. Reads record_newest. */
export const listTrafficKeys = (sql: Sql, { organizationId }: Owner, projectId: bigint, days: number) => sql<
  { runId: bigint; n: number }[]
>`
  select record.run_id as "runId", record.n
  from record join run on run.id = record.run_id and run.organization_id = ${organizationId}
  where record.project_id = ${projectId} and record.organization_id = ${organizationId} and run.kind = 'traces'
    and record.created_at > now() - make_interval(days => ${days})
  order by record.created_at desc, record.run_id desc, record.n desc
  limit ${maxTraffic}`;

/** Inserts a project into the vault, which masks as the project of the testset does. Its runs have no other settings. */
export const insertVaultProject = (tx: Sql, vault: Scope, projectId: bigint) => tx<{ id: bigint }[]>`
  with made as (
    insert into project (organization_id, name, description)
    select ${vault.organizationId}, name, '' from project where id = ${projectId}
    returning id),
  masked as (
    insert into project_settings (project_id, organization_id, masking, search_index)
    select made.id, ${vault.organizationId}, (select masking from project_settings where project_id = ${projectId}), false
    from made)
  select id from made`;

/** Copies a testset without its testcases. They keep their numbers, so no other may take these. */
export const copyTestset = (tx: Sql, vault: Scope, vaultProjectId: bigint, testsetId: bigint) => tx<
  { id: bigint }[]
>`
  insert into testset (organization_id, project_id, name, description, json_schema, input_fields, expected_fields,
    metadata_fields, grouping_field, last_testcase_n, edition)
  select ${vault.organizationId}, ${vaultProjectId}, name, description, json_schema, input_fields, expected_fields,
    metadata_fields, grouping_field, last_testcase_n, 1
  from testset where id = ${testsetId}
  returning id`;

type Moved = { from: bigint; to: { organizationId: bigint; testsetId: bigint } };

/** Copies testcases (null: all) to a testset of another organization, under their numbers. `split`: the one that they get; default: their own. */
export const moveTestcases = (
  tx: Sql,
  { from, to }: Moved,
  numbers: number[] | null,
  { edition = 1, split = null }: { edition?: number; split?: string | null } = {},
) => tx`
  insert into testcase (organization_id, testset_id, n, revision, last_revision, json_data, validation_errors, split, tags,
    edition, data_edition, created_at)
  select ${to.organizationId}, ${to.testsetId}, n, revision, last_revision, json_data, validation_errors,
    coalesce(${split}::text, split), tags, ${edition}::integer, ${edition}::integer, created_at
  from testcase where testset_id = ${from} ${numbers === null ? tx`` : tx`and n = any(${numbers}::integer[])`}`;

/** Erases the stored answers of requests about a testset: they may have texts of sealed testcases. */
export const forgetAnswers = (tx: Sql, { organizationId }: Owner, testsetId: bigint) => tx`
  update idempotency_key set body = null where organization_id = ${organizationId} and testset_id = ${testsetId}`;

/** Inserts the project that gets the runs of a seal, in place of one that was begun. Who sees the project of the testset sees it too. */
export const insertOpenedProject = async (
  tx: Sql,
  { organizationId }: Owner,
  { id, projectId, split }: { id: string; projectId: bigint; split: string },
): Promise<{ id: bigint }[]> => {
  await tx`delete from project where organization_id = ${organizationId} and import_key = ${`seal ${id}`}`;
  return tx<{ id: bigint }[]>`
    with made as (
      insert into project (organization_id, name, description, restricted, import_key)
      select organization_id, name || ' · ' || ${split}::text, 'Looks at a sealed split', restricted, ${`seal ${id}`}
      from project where id = ${projectId} and organization_id = ${organizationId}
      returning id),
    members as (
      insert into project_member (project_id, member_id, organization_id, role)
      select made.id, member_id, organization_id, role from project_member, made
      where project_member.project_id = ${projectId} and organization_id = ${organizationId})
    select id from made`;
};

export const deleteVaultProject = (
  tx: Sql,
  { vaultId, vaultProjectId }: { vaultId: bigint; vaultProjectId: bigint },
) => tx`delete from project where id = ${vaultProjectId} and organization_id = ${vaultId}`;
