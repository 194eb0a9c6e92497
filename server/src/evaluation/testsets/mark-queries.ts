import type { Fragment, Sql } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { drawSql } from '../samples/draw.ts';
import { keepPast } from './past-queries.ts';
import type { SplitRule } from './schema.ts';
import { readTestcaseSearch, type TestcaseSearch } from './search-testcases.ts';

/** What testcases are chosen by. */
export type Chosen = {
  ids: number[] | undefined;
  search: TestcaseSearch;
  share: number | undefined;
  seed: number;
};

/** What a draw goes by: the group of the testcase, so that no group is in two splits, or else its number. */
const unitOf = (sql: Sql, scope: Scope, testsetId: bigint): Fragment => sql`
  'split ' || coalesce(field_text(testcase.json_data, (
    select grouping_field from testset where id = ${testsetId} and organization_id = ${scope.organizationId})), testcase.n::text)`;

const within = (sql: Sql, scope: Scope, testsetId: bigint): Fragment =>
  sql`testcase.testset_id = ${testsetId} and testcase.organization_id = ${scope.organizationId}`;

const isChosen = (sql: Sql, scope: Scope, testsetId: bigint, { ids, search, share, seed }: Chosen) => sql`
  ${within(sql, scope, testsetId)} ${search(sql)}
  ${ids === undefined ? sql`` : sql`and testcase.n = any(${ids}::integer[])`}
  ${share === undefined ? sql`` : sql`and ${drawSql(sql, seed, unitOf(sql, scope, testsetId))} < ${share}`}`;

export const countChosen = (sql: Sql, scope: Scope, testsetId: bigint, chosen: Chosen) => sql<
  { n: number }[]
>`
  select count(*)::int as n from testcase where ${isChosen(sql, scope, testsetId, chosen)}`;

/** Gives the rows of `marks (n, split, tags)` that differ a split and tags. Copies no text. The count is their number. */
const writeMarks = (tx: Sql, scope: Scope, testsetId: bigint, edition: number, marks: Fragment) => tx`
  with given as (${marks}),
  kept as (${keepPast(tx, scope, testsetId, edition, tx`old.n in (select n from given)`, { isMarked: true })})
  update testcase set split = given.split, tags = given.tags, edition = ${edition}::integer, updated_at = now()
  from given
  where ${within(tx, scope, testsetId)} and testcase.n = given.n`;

/** The chosen testcases in their order: whether a record has them, and their text if it names an attachment. */
export const listChosen = (sql: Sql, scope: Scope, testsetId: bigint, chosen: Chosen, most: number) => sql<
  { n: number; isSeen: boolean; attaching: string | null }[]
>`
  select testcase.n, exists (
      select from record where record.testset_id = ${testsetId} and record.testcase_n = testcase.n
        and record.organization_id = ${scope.organizationId}) as "isSeen",
    case when testcase.json_data::text like '%"attachment:%' then testcase.json_data::text end as attaching
  from testcase where ${isChosen(sql, scope, testsetId, chosen)}
  order by testcase.n limit ${most}`;

export type Marks = { split?: string | null | undefined; addTags: string[]; removeTags: string[] };

/** Sets the split and tags of chosen testcases. */
export const markTestcases = (
  tx: Sql,
  scope: Scope,
  testsetId: bigint,
  { chosen, marks, edition }: { chosen: Chosen; marks: Marks; edition: number },
) => {
  const { split, addTags, removeTags } = marks;
  return writeMarks(
    tx,
    scope,
    testsetId,
    edition,
    tx`
    select * from (
      select testcase.n, testcase.split as old_split, testcase.tags as old_tags,
        ${split === undefined ? tx`testcase.split` : tx`${split}::text`} as split, array(
          select distinct tag collate "C" from unnest(testcase.tags || ${addTags}::text[]) tag
          where tag <> all(${removeTags}::text[]) order by 1) as tags
      from testcase where ${isChosen(tx, scope, testsetId, chosen)}) next
    where (next.split, next.tags) is distinct from (next.old_split, next.old_tags)`,
  );
};

/** The split that rules give to `testcase`; null if none does. Shares of the rules add up, so that their draws do not overlap. */
const splitBy = (sql: Sql, scope: Scope, testsetId: bigint, rules: readonly SplitRule[]): Fragment => {
  let from = 0;
  const drawn = sql`${drawSql(sql, null, sql`${testsetId}::text || ' ' || ${unitOf(sql, scope, testsetId)}`)}`;
  const cases = rules.map(({ split, q, share }) => {
    const searched = sql`true ${readTestcaseSearch(q)(sql)}`;
    if (share === undefined) return sql`when ${searched} then ${split}`;
    const to = from + share;
    const part = sql`when ${searched} and ${drawn} >= ${from}::double precision and ${drawn} < ${to}::double precision then ${split}`;
    from = to;
    return part;
  });
  return sql`case ${cases.reduce((all, one) => sql`${all} ${one}`)} end`;
};

/** Gives testcases without a split the one that the rules say; `after`: only those with a higher number. */
export const splitTestcases = (
  tx: Sql,
  scope: Scope,
  testsetId: bigint,
  { rules, edition, after }: { rules: readonly SplitRule[]; edition: number; after: number },
) =>
  writeMarks(
    tx,
    scope,
    testsetId,
    edition,
    tx`
    select * from (
      select testcase.n, testcase.tags, ${splitBy(tx, scope, testsetId, rules)} as split
      from testcase where ${within(tx, scope, testsetId)} and testcase.n > ${after} and testcase.split is null) next
    where next.split is not null`,
  );

export const findSplitRules = (sql: Sql, scope: Scope, testsetId: bigint) => sql<{ rules: SplitRule[] }[]>`
  select split_rules as rules from testset
  where id = ${testsetId} and organization_id = ${scope.organizationId} and split_rules::text <> '[]'`;

/** What a testset has: numbers of testcases, and of those in each split and with each tag. */
export const findTestsetCounts = (sql: Sql, scope: Scope, testsetId: bigint) => sql<{ body: string }[]>`
  select json_build_object('numTestcases', (
      select count(*)::int from testcase where ${within(sql, scope, testsetId)}), 'numInvalid', (
      select count(*)::int from testcase where ${within(sql, scope, testsetId)} and testcase.validation_errors is not null),
    'splits', coalesce((
      select json_agg(json_build_object('split', split, 'numTestcases', n) order by n desc, split) from (
        select testcase.split, count(*)::int as n from testcase where ${within(sql, scope, testsetId)}
        group by testcase.split) counted where split is not null), '[]'),
    'tags', coalesce((
      select json_agg(json_build_object('tag', tag, 'numTestcases', n) order by n desc, tag) from (
        select tag, count(*)::int as n from testcase cross join unnest(testcase.tags) tag where ${within(sql, scope, testsetId)}
        group by tag order by n desc, tag limit 100) counted), '[]'))::text as body
  from testset where id = ${testsetId} and organization_id = ${scope.organizationId}`;
