import type { Fragment, Sql } from '../../platform/db/database.ts';
import type { Owner } from '../../platform/http/scope.ts';

/** The edition of the newest snapshot of a testset; null without one. Reads the index of editions. */
const newestEdition = (sql: Sql, scope: Owner, testsetId: bigint): Fragment => sql`
  (select max(newest.edition) from testset_snapshot newest
   where newest.testset_id = ${testsetId} and newest.organization_id = ${scope.organizationId})`;

/**
 * Copies the rows `old` of testcase that a write is about to replace, if a snapshot may have them. `isMarked`: only split and tags
 * change, so the text stays where it is.
 */
export const keepPast = (
  tx: Sql,
  scope: Owner,
  testsetId: bigint,
  edition: number,
  which: Fragment,
  { isMarked = false } = {},
): Fragment => tx`
  insert into testcase_past (organization_id, testset_id, n, edition, until_edition, data_edition, revision, last_revision,
    json_data, hash, validation_errors, split, tags, created_at)
  select old.organization_id, old.testset_id, old.n, old.edition, ${edition}::integer, old.data_edition, old.revision,
    old.last_revision, ${isMarked ? tx`null` : tx`old.json_data`}, old.hash, old.validation_errors, old.split, old.tags,
    old.created_at
  from testcase old
  where old.organization_id = ${scope.organizationId} and old.testset_id = ${testsetId} and ${which}
    and ${isMarked ? tx`old.edition` : tx`old.data_edition`} <= ${newestEdition(tx, scope, testsetId)}`;

/** The testcases of a testset at an edition, without their texts. */
export const membersAt = (
  sql: Sql,
  scope: Owner,
  testsetId: bigint,
  edition: number | Fragment,
): Fragment => sql`(
  select n, edition, data_edition, revision, hash, split, tags from testcase
  where testset_id = ${testsetId} and organization_id = ${scope.organizationId} and edition <= ${edition}::integer
  union all
  select n, edition, data_edition, revision, hash, split, tags from testcase_past
  where testset_id = ${testsetId} and organization_id = ${scope.organizationId} and edition <= ${edition}::integer
    and until_edition > ${edition}::integer)`;

/** The testcases of a testset at an edition, with their texts where their rows have them. In the order of n, two index scans. */
export const rowsAt = (sql: Sql, scope: Owner, testsetId: bigint, edition: number): Fragment => sql`(
  select organization_id, testset_id, n, edition, data_edition, revision, last_revision, json_data, hash, validation_errors,
    split, tags, created_at
  from testcase
  where testset_id = ${testsetId} and organization_id = ${scope.organizationId} and edition <= ${edition}::integer
  union all
  select organization_id, testset_id, n, edition, data_edition, revision, last_revision, json_data, hash, validation_errors,
    split, tags, created_at
  from testcase_past
  where testset_id = ${testsetId} and organization_id = ${scope.organizationId} and edition <= ${edition}::integer
    and until_edition > ${edition}::integer)`;

/** The text of a row `member`, which another row of the same data_edition may have. */
export const dataOf = (
  sql: Sql,
  scope: Owner,
  testsetId: bigint,
  member: Fragment,
  own = sql`null::json`,
): Fragment => sql`coalesce(${own}, (
  select testcase.json_data from testcase
  where testcase.testset_id = ${testsetId} and testcase.organization_id = ${scope.organizationId}
    and testcase.n = ${member}.n and testcase.data_edition = ${member}.data_edition), (
  select past.json_data from testcase_past past
  where past.testset_id = ${testsetId} and past.organization_id = ${scope.organizationId}
    and past.n = ${member}.n and past.data_edition = ${member}.data_edition and past.json_data is not null limit 1))`;

/** Erases what snapshots keep of deleted testcases, and counts it in each of them. */
export const eraseFromSnapshots = (tx: Sql, scope: Owner, testsetId: bigint, numbers: number[]) => tx`
  with gone as (
    delete from testcase_past
    where testset_id = ${testsetId} and organization_id = ${scope.organizationId} and n = any(${numbers}::integer[])
    returning edition, until_edition)
  update testset_snapshot snapshot set num_erased = num_erased + lost.n
  from (
    select at.n as snapshot_n, count(*) as n
    from testset_snapshot at join gone on gone.edition <= at.edition and gone.until_edition > at.edition
    where at.testset_id = ${testsetId} and at.organization_id = ${scope.organizationId}
    group by at.n) lost
  where snapshot.testset_id = ${testsetId} and snapshot.organization_id = ${scope.organizationId}
    and snapshot.n = lost.snapshot_n`;
