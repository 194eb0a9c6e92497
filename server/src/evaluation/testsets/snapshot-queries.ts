import type { Fragment, Sql } from '../../platform/db/database.ts';
import { cutToPage } from '../../platform/http/pagination.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { dataOf, keepPast, membersAt, rowsAt } from './past-queries.ts';

/** A snapshot by its number within a testset. */
export type SnapshotKey = { testsetId: bigint; n: number };
export type MadeBy = 'member' | 'run' | 'restore';

const snapshotJson = (sql: Sql, scope: Scope) => sql`
  json_build_object('number', snapshot.n, 'testsetId', snapshot.testset_id::text, 'name', snapshot.name,
    'hash', encode(snapshot.hash, 'hex'), 'current', snapshot.edition = testset.edition,
    'numTestcases', snapshot.num_testcases, 'numAdded', snapshot.num_added, 'numChanged', snapshot.num_changed,
    'numRemoved', snapshot.num_removed, 'numErased', snapshot.num_erased, 'numRuns', (
      select count(*)::int from run
      where run.testset_id = snapshot.testset_id and run.snapshot_n = snapshot.n
        and run.organization_id = ${scope.organizationId}),
    'madeBy', snapshot.made_by, 'createdByUserId', snapshot.created_by, 'createdAt', iso_time(snapshot.created_at))::text`;

/** The snapshot of `run` as JSON; null without one. */
export const snapshotOfRun = (sql: Sql, scope: Scope) => sql`(
  select json_build_object('number', snapshot.n, 'hash', encode(snapshot.hash, 'hex'), 'name', snapshot.name)
  from testset_snapshot snapshot
  where snapshot.testset_id = run.testset_id and snapshot.n = run.snapshot_n
    and snapshot.organization_id = ${scope.organizationId})`;

export const listSnapshots = (sql: Sql, scope: Scope, testsetId: bigint, before: string, count: number) =>
  cutToPage(
    sql,
    sql`
    select ${snapshotJson(sql, scope)} as body, snapshot.n::text as key, -snapshot.n as place
    from testset_snapshot snapshot
    join testset on testset.id = snapshot.testset_id and testset.organization_id = ${scope.organizationId}
    where snapshot.organization_id = ${scope.organizationId} and snapshot.testset_id = ${testsetId} and snapshot.n < ${before}
    order by snapshot.n desc
    limit ${count}`,
  );

export const findSnapshot = (sql: Sql, scope: Scope, { testsetId, n }: SnapshotKey) => sql<
  { body: string }[]
>`
  select ${snapshotJson(sql, scope)} as body
  from testset_snapshot snapshot
  join testset on testset.id = snapshot.testset_id and testset.organization_id = ${scope.organizationId}
  where snapshot.organization_id = ${scope.organizationId} and snapshot.testset_id = ${testsetId} and snapshot.n = ${n}`;

export const renameSnapshot = (tx: Sql, scope: Scope, { testsetId, n }: SnapshotKey, name: string) => tx`
  update testset_snapshot set name = ${name}
  where organization_id = ${scope.organizationId} and testset_id = ${testsetId} and n = ${n}`;

/** As an edition of membersAt: the testcases as they are now. */
export const presentEdition = 2 ** 31 - 1;

/** The edition of a snapshot. */
export const findEdition = (sql: Sql, scope: Scope, { testsetId, n }: SnapshotKey) => sql<
  { edition: number; numTestcases: number }[]
>`
  select edition, num_testcases as "numTestcases" from testset_snapshot
  where organization_id = ${scope.organizationId} and testset_id = ${testsetId} and n = ${n}`;

/** Numbers the testcases of a split at an edition; without a split, all of them. */
export const countMembers = (
  sql: Sql,
  scope: Scope,
  testsetId: bigint,
  { edition, split }: { edition: number; split: string | undefined },
) => sql<{ n: number }[]>`
  select count(*)::int as n from ${membersAt(sql, scope, testsetId, edition)} member
  where ${split === undefined ? sql`true` : sql`member.split = ${split}`}`;

/** The present edition of a testset, and its snapshot if there is one. */
export const findPresent = (sql: Sql, scope: Scope, testsetId: bigint) => sql<
  { edition: number; n: number | null; numTestcases: number | null }[]
>`
  select testset.edition, snapshot.n, snapshot.num_testcases as "numTestcases"
  from testset
  left join testset_snapshot snapshot on snapshot.testset_id = testset.id and snapshot.edition = testset.edition
    and snapshot.organization_id = ${scope.organizationId}
  where testset.organization_id = ${scope.organizationId} and testset.id = ${testsetId}`;

/** Prevents changes of the testcases until the commit. */
export const lockTestset = (tx: Sql, scope: Scope, testsetId: bigint) => tx`
  select from testset where organization_id = ${scope.organizationId} and id = ${testsetId} for no key update`;

/** The line of a testcase in what the hash is computed of: compact JSON of its number, hash, split and tags. */
const lineOf = (sql: Sql) => sql`
  '[' || testcase.n || ',"' || encode(testcase.hash, 'hex') || '",' || coalesce(to_json(testcase.split)::text, 'null')
    || ',' || array_to_json(testcase.tags)::text || ']'`;

/**
 * Inserts a snapshot of the testset at its present edition, which the caller has locked. Copies no testcase. Differences from the snapshot
 * before are rows that are younger than it, and rows of the past that it has.
 */
export const insertSnapshot = (
  tx: Sql,
  scope: Scope,
  testsetId: bigint,
  { edition, name, madeBy }: { edition: number; name: string; madeBy: MadeBy },
) => tx<{ n: number; numTestcases: number }[]>`
  with previous as (
    select n, edition from testset_snapshot
    where organization_id = ${scope.organizationId} and testset_id = ${testsetId}
    order by n desc limit 1),
  whole as (
    select count(*)::int as n, sha256(convert_to(coalesce(string_agg(${lineOf(tx)}, E'\n' order by testcase.n), ''), 'UTF8')) as hash
    from testcase where testcase.organization_id = ${scope.organizationId} and testcase.testset_id = ${testsetId}),
  counted as (
    select count(*) filter (where past.n is null) as added, count(*) filter (where young.n is null) as removed,
      count(*) filter (where (young.hash, young.split, young.tags) is distinct from (past.hash, past.split, past.tags)
        and young.n = past.n) as changed
    from (
      select n, hash, split, tags from testcase
      where organization_id = ${scope.organizationId} and testset_id = ${testsetId}
        and edition > coalesce((select edition from previous), -1)) young
    full join (
      select past.n, past.hash, past.split, past.tags from testcase_past past join previous
        on past.edition <= previous.edition and past.until_edition > previous.edition
      where past.organization_id = ${scope.organizationId} and past.testset_id = ${testsetId}) past on past.n = young.n)
  insert into testset_snapshot (organization_id, testset_id, n, edition, hash, num_testcases, num_added, num_changed,
    num_removed, name, made_by, created_by)
  select ${scope.organizationId}, ${testsetId}, coalesce((select n from previous), 0) + 1, ${edition}::integer, whole.hash,
    whole.n, counted.added, counted.changed, counted.removed, ${name}, ${madeBy}, ${scope.memberId}::uuid
  from whole, counted
  returning n, num_testcases as "numTestcases"`;

const membersOf = (sql: Sql, scope: Scope, testsetId: bigint, edition: Fragment, split: string | null) => sql`
  select member.n, member.hash from ${membersAt(sql, scope, testsetId, edition)} member
  where ${split === null ? sql`true` : sql`member.split = ${split}`}`;

const sideJson = (sql: Sql, scope: Scope, testsetId: bigint, side: ReturnType<typeof membersAt>) => sql`
  case when ${side}.n is not null then json_build_object('revision', ${side}.revision, 'split', ${side}.split,
    'tags', ${side}.tags, 'jsonData', ${dataOf(sql, scope, testsetId, side)}) end`;

/** Lists the testcases that differ between two editions, in the order of their numbers. */
export const listDifferences = (
  sql: Sql,
  scope: Scope,
  testsetId: bigint,
  { from, to, only }: { from: number; to: number; only: number | undefined },
  after: string,
  count: number,
) =>
  cutToPage(
    sql,
    sql`
    select json_build_object('testcaseId', ${testsetId}::text || '-' || n, 'change',
        case when before.n is null then 'added' when after.n is null then 'removed' else 'changed' end,
        'before', ${sideJson(sql, scope, testsetId, sql`before`)},
        'after', ${sideJson(sql, scope, testsetId, sql`after`)})::text as body,
      n::text as key, n as place
    from ${membersAt(sql, scope, testsetId, from)} before
    full join ${membersAt(sql, scope, testsetId, to)} after using (n)
    where n > ${after}::integer ${only === undefined ? sql`` : sql`and n = ${only}::integer`}
      and (before.hash, before.split, before.tags) is distinct from (after.hash, after.split, after.tags)
    order by n
    limit ${count}`,
  );

/** Counts the testcases that differ between two snapshots of a testset, or between splits of them. No row without both. */
export const countDifferences = (
  sql: Sql,
  scope: Scope,
  testsetId: bigint,
  from: { n: number; split: string | null },
  to: { n: number; split: string | null },
) => sql<{ numAdded: number; numChanged: number; numRemoved: number }[]>`
  with editions as (
    select max(edition) filter (where n = ${from.n}::integer) as before, max(edition) filter (where n = ${to.n}::integer) as after
    from testset_snapshot
    where testset_id = ${testsetId} and organization_id = ${scope.organizationId} and n in (${from.n}::integer, ${to.n}::integer)),
  before as (${membersOf(sql, scope, testsetId, sql`(select before from editions)`, from.split)}),
  after as (${membersOf(sql, scope, testsetId, sql`(select after from editions)`, to.split)})
  select count(*) filter (where before.n is null)::int as "numAdded", count(*) filter (where after.n is null)::int as "numRemoved",
    count(*) filter (where before.n = after.n and before.hash <> after.hash)::int as "numChanged"
  from before full join after using (n)`;

/** Deletes the testcases that an edition does not have. Returns no rows; the count is their number. */
export const deleteAllBut = (tx: Sql, scope: Scope, testsetId: bigint, from: number, edition: number) => {
  const others = (row: ReturnType<typeof membersAt>) =>
    tx`not exists (select from ${membersAt(tx, scope, testsetId, from)} member where member.n = ${row}.n)`;
  return tx`
    with kept as (${keepPast(tx, scope, testsetId, edition, others(tx`old`))})
    delete from testcase
    where testcase.organization_id = ${scope.organizationId} and testcase.testset_id = ${testsetId} and ${others(tx`testcase`)}`;
};

/** Gives testcases back the text, revision, split and tags that they had at an edition. The count is their number. */
export const revertTestcases = (tx: Sql, scope: Scope, testsetId: bigint, from: number, edition: number) => {
  const differ = (row: ReturnType<typeof membersAt>) => tx`exists (
    select from ${membersAt(tx, scope, testsetId, from)} member
    where member.n = ${row}.n
      and (member.hash, member.split, member.tags) is distinct from (${row}.hash, ${row}.split, ${row}.tags))`;
  return tx`
    with kept as (${keepPast(tx, scope, testsetId, edition, differ(tx`old`))})
    update testcase set json_data = former.data, validation_errors = former.validation_errors, revision = former.revision,
      split = former.split, tags = former.tags, edition = ${edition}::integer, data_edition = ${edition}::integer,
      updated_at = now()
    from (
      select member.n, member.revision, member.split, member.tags, member.hash, member.validation_errors,
        ${dataOf(tx, scope, testsetId, tx`member`, tx`member.json_data`)} as data
      from ${rowsAt(tx, scope, testsetId, from)} member) former
    where testcase.organization_id = ${scope.organizationId} and testcase.testset_id = ${testsetId}
      and testcase.n = former.n
      and (former.hash, former.split, former.tags) is distinct from (testcase.hash, testcase.split, testcase.tags)`;
};

/**
 * Inserts the testcases of an edition that are no longer there. The next change of one gets a revision that no record and no snapshot has
 * seen. The count is their number.
 */
export const reviveTestcases = (
  tx: Sql,
  scope: Scope,
  testsetId: bigint,
  from: number,
  edition: number,
) => tx`
  insert into testcase (organization_id, testset_id, n, revision, last_revision, json_data, validation_errors, split, tags,
    edition, data_edition, created_at)
  select ${scope.organizationId}, ${testsetId}, member.n, member.revision, greatest(member.last_revision, (
      select max(past.last_revision) from testcase_past past
      where past.testset_id = ${testsetId} and past.organization_id = ${scope.organizationId} and past.n = member.n), (
      select max(r.testcase_revision) from record r
      where r.testset_id = ${testsetId} and r.organization_id = ${scope.organizationId} and r.testcase_n = member.n)),
    ${dataOf(tx, scope, testsetId, tx`member`, tx`member.json_data`)}, member.validation_errors, member.split, member.tags,
    ${edition}::integer, ${edition}::integer, member.created_at
  from ${rowsAt(tx, scope, testsetId, from)} member
  where not exists (
    select from testcase
    where testcase.organization_id = ${scope.organizationId} and testcase.testset_id = ${testsetId} and testcase.n = member.n)`;
