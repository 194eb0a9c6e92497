import { isSameAddress } from '../accounts/email-address.ts';
import type { OutputType } from '../evaluation/metrics/schema.ts';
import { requireProject } from '../evaluation/projects/queries.ts';
import { searchText } from '../evaluation/records/search-text.ts';
import type { Sql } from '../platform/db/database.ts';
import { rowsOf } from '../platform/db/rows.ts';
import { ApiError, conflict, invalid } from '../platform/errors.ts';
import type { Scope } from '../platform/http/scope.ts';
import { dueNow } from '../platform/jobs/settle.ts';
import type { Texts } from './part.ts';

/** Numbers of rows by table: all imported, those under the importer's name, those left out, those changed. */
export type Counts = Record<'rows' | 'yours' | 'leftOut' | 'changed', Record<string, number>>;
/** Number of stored lines, and their hash, which identifies the same archive. */
export type Position = { lines: number; digest: Buffer };

/** The state of a project's import as JSON; no row for a project that was not imported. */
export const findImport = (sql: Sql, scope: Scope, projectId: bigint) => sql<{ body: string }[]>`
  select left(json_build_object('projectId', project_id::text, 'startedAt', iso_time(started_at),
    'completedAt', iso_time(completed_at), 'numLines', lines)::text, -1) || ',' || substr(counts::text, 2) as body
  from project_import
  where organization_id = ${scope.organizationId} and project_id = ${projectId}`;

const lockImport = (tx: Sql, scope: Scope, projectId: bigint) => tx<
  (Position & { counts: string; isComplete: boolean })[]
>`
  select lines, digest, counts::text as counts, completed_at is not null as "isComplete" from project_import
  where organization_id = ${scope.organizationId} and project_id = ${projectId}
  for update`;

/** Begins or continues the import of a project. Throws notFound; conflict if the project is neither empty nor imported. */
export const beginImport = async (tx: Sql, scope: Scope, projectId: bigint) => {
  await requireProject(tx, scope, projectId);
  const counts: Counts = { rows: {}, yours: {}, leftOut: {}, changed: {} };
  const begun = await tx`
    insert into project_import (project_id, organization_id, digest, counts)
    values (${projectId}, ${scope.organizationId}, ''::bytea, ${JSON.stringify(counts)}::text::json)
    on conflict do nothing`;
  const tables = ['testset', 'metric', 'metric_group', 'system', 'run', 'trace', 'monitor', 'saved_view'];
  for (const table of begun.count === 1 ? tables : []) {
    const found = await tx`
      select from ${tx(table)} where organization_id = ${scope.organizationId} and project_id = ${projectId} limit 1`;
    if (found.count > 0)
      throw conflict('The project is not empty. Import into a new project.', {
        projectId: String(projectId),
      });
  }
  const [state] = await lockImport(tx, scope, projectId);
  return { ...state!, counts: JSON.parse(state!.counts) as Counts };
};

/** Locks the import at a position until the commit. Throws notFound; conflict if another request has stored lines. */
export const requirePosition = async (
  tx: Sql,
  scope: Scope,
  projectId: bigint,
  at: Position,
): Promise<void> => {
  await requireProject(tx, scope, projectId);
  const [state] = await lockImport(tx, scope, projectId);
  if (state?.lines !== at.lines || state.isComplete)
    throw new ApiError('CONFLICT', 'Another request imports into this project.', {
      details: { projectId: String(projectId) },
      retryAfterSeconds: 1,
    });
};

export const updateImport = (
  tx: Sql,
  scope: Scope,
  projectId: bigint,
  { lines, digest }: Position,
  counts: Counts,
) => tx`
  update project_import set lines = ${lines}, digest = ${digest}, counts = ${JSON.stringify(counts)}::text::json
  where organization_id = ${scope.organizationId} and project_id = ${projectId}`;

/** The new id of an id in the archive. */
export type IdRow = { kind: string; given: string; id: string };

/** Reads the key of import_id. */
export const findIds = (
  tx: Sql,
  scope: Scope,
  projectId: bigint,
  wanted: { kind: string; given: string }[],
) => tx<IdRow[]>`
  select known.kind, known.given, known.id
  from ${rowsOf(tx, wanted, { kind: 'text', given: 'text' }, { as: 'item' })}
  join import_id known on known.project_id = ${projectId} and known.kind = item.kind and known.given = item.given
    and known.organization_id = ${scope.organizationId}`;

export const insertIds = (tx: Sql, scope: Scope, projectId: bigint, rows: IdRow[]) => tx`
  insert into import_id (organization_id, project_id, kind, given, id)
  select ${scope.organizationId}, ${projectId}, kind, given, id
  from ${rowsOf(tx, rows, { kind: 'text', given: 'text', id: 'text' }, { as: 'item' })}
  on conflict do nothing`;

/** Finds the members for people in an archive: by id, else by e-mail address. */
export const findMembers = (tx: Sql, scope: Scope, people: { id: string; email: string }[]) => tx<
  { given: string; id: string }[]
>`
  select distinct on (item.id) item.id as given, member.id
  from ${rowsOf(tx, people, { id: 'text', email: 'text' }, { as: 'item' })}
  join member on member.organization_id = ${scope.organizationId}
    and (member.id::text = item.id or ${isSameAddress(tx, tx`member.email`, tx`item.email`)})
  order by item.id, member.id::text = item.id desc`;

/** Inserts the texts of records, for search. */
export const insertTexts = (tx: Sql, scope: Scope, projectId: bigint, records: Texts[]) => tx`
  insert into record_text (organization_id, project_id, run_id, n, content)
  select ${scope.organizationId}, ${projectId}, run_id, n::integer, content
  from ${rowsOf(
    tx,
    records.map(({ run_id, n, inputs, expected, outputs }) => ({
      runId: run_id,
      n,
      content: searchText(inputs!, expected!, outputs!),
    })),
    { run_id: 'bigint', n: 'bigint', content: 'json text' },
  )}`;

export const findOutputTypes = (tx: Sql, scope: Scope, configIds: string[]) => tx<
  { id: string; outputType: OutputType; labels: string | null }[]
>`
  select id, output_type as "outputType", labels::text as labels from metric_config
  where organization_id = ${scope.organizationId} and id = any(${configIds}::uuid[])`;

/**
 * Completes an import. New records and testcases get numbers after the highest. Pending scores become due. Throws 400 if two records of a stratum have the same place.
 */
export const completeImport = async (tx: Sql, scope: Scope, projectId: bigint): Promise<void> => {
  const { organizationId } = scope;
  const ofProject = tx`organization_id = ${organizationId} and project_id = ${projectId}`;
  const runs = tx`(select id from run where ${ofProject})`;
  const twice = await tx`
    select from review_sample_record where organization_id = ${organizationId} and run_id in ${runs}
    group by sample_id, stratum, place having count(*) > 1 limit 1`;
  if (twice.count > 0) throw invalid('', 'must give each record of a stratum a different place');
  await tx`
    update run set last_record_n = greatest(last_record_n, (select max(n) from record where record.run_id = run.id))
    where ${ofProject}`;
  await tx`
    update testset
    set last_testcase_n = greatest(last_testcase_n, (select max(n) from testcase where testcase.testset_id = testset.id)),
      edition = greatest(edition, (select max(edition) from testcase where testcase.testset_id = testset.id),
        (select max(until_edition) from testcase_past where testcase_past.testset_id = testset.id),
        (select max(edition) from testset_snapshot where testset_snapshot.testset_id = testset.id))
    where ${ofProject}`;
  for (const table of ['score', 'proposed_score'])
    await tx`
      update ${tx(table)} set ${dueNow(tx)}
      where organization_id = ${organizationId} and run_id in ${runs} and state = 'pending' and lane is not null`;
  await tx`delete from import_id where ${ofProject}`;
  await tx`update project_import set completed_at = now() where ${ofProject}`;
};
