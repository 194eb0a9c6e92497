import { type Labels, placeOfName, valueOfLabel } from '../../../../client/src/labels.ts';
import type { Fragment, Sql } from '../../platform/db/database.ts';
import type { Owner } from '../../platform/http/scope.ts';
import type { Range } from '../../platform/search/parse-search.ts';
import { maxDepth, maxPath, separator } from './record-fields.ts';
import { searchedText } from './search-text.ts';

/** Rows like those of `score`, in place of a record's own: those of one of its traces. */
export type ScoresOf = (sql: Sql) => Fragment;

/** A condition of a search on record `r`. */
export type Condition = {
  /** With `scores`, scores by metrics of spans are read there. */
  holds: (sql: Sql, scope: Owner, scores?: ScoresOf) => Fragment;
  /**
   * Whether it reads scores by metrics of spans, which the traces of a record do not share. `found`: a trace that fits has a record among
   * those of `find`, because the record's score is the lowest.
   */
  ofSpans?: { found: boolean };
  /** Selects the run_id and n of candidates (a superset) from an index. Omitted if no index helps. */
  find?: (sql: Sql, scope: Owner, projectId: bigint) => Fragment;
  /** Whether `find` reads the fields of records, which are indexed in the background in projects that are searched. */
  isOfField?: true;
  /** A text that all records of the condition have, so that the index of texts finds them; `alone`: no other record has it. */
  text?: { of: string; alone: boolean };
};

/**
 * It has the text. A subquery for each record: as a join, its rough estimate under row-level security could make the planner read
 * all texts first.
 */
export const hasText = (text: string): Condition => ({
  holds: (sql, { organizationId }) => sql`
    (select position(${searchedText(text)} in t.content) > 0 from record_text t
      where t.run_id = r.run_id and t.n = r.n and t.organization_id = ${organizationId})`,
  text: { of: text, alone: true },
});

/** A configuration of a metric, with the value from which a score passes, and the labels of a category. */
export type Config = { id: string; threshold: number; ofSpans: boolean; labels: Labels | null };

/** The columns of record_measure that records are filtered and sorted by. */
export type Measure = 'latency' | 'tokens' | 'cost';
export const measureColumn = (sql: Sql, measure: Measure): Fragment =>
  ({ latency: sql`latency_ms`, tokens: sql`tokens`, cost: sql`cost_usd` })[measure];

/** The negated condition; no index can find its records. */
export const negated = ({ holds, ofSpans }: Condition): Condition => ({
  holds: (sql, scope, scores) => sql`(${holds(sql, scope, scores)}) is not true`,
  ...(ofSpans && { ofSpans: { found: false } }),
});

/** Whether a number is in a range. */
export const inRange = (sql: Sql, column: Fragment, { low, high, lowOpen, highOpen }: Range): Fragment => {
  // Sent as text: the client would send a number that is whole as an integer.
  const number = (n: number) => sql`${String(n)}::text::double precision`;
  return sql`${column} is not null
    ${low === undefined ? sql`` : lowOpen ? sql`and ${column} > ${number(low)}` : sql`and ${column} >= ${number(low)}`}
    ${high === undefined ? sql`` : highOpen ? sql`and ${column} < ${number(high)}` : sql`and ${column} <= ${number(high)}`}`;
};

/** Latency, tokens or cost of the record. Reads record_measure_pkey or the index of the column. */
export const hasMeasure = (measure: Measure, range: Range): Condition => ({
  holds: (sql, { organizationId }) => sql`exists (
    select from record_measure m
    where m.run_id = r.run_id and m.n = r.n and m.organization_id = ${organizationId}
      and ${inRange(sql, measureColumn(sql, measure), range)} offset 0)`,
  find: (sql, { organizationId }, projectId) => sql`
    select m.run_id, m.n from record_measure m
    where m.project_id = ${projectId} and m.organization_id = ${organizationId}
      and ${inRange(sql, measureColumn(sql, measure), range)}`,
});

/** Its traces have failed spans. Reads record_measure_pkey or record_measure_errors. */
export const hasErrors: Condition = {
  holds: (sql, { organizationId }) => sql`exists (
    select from record_measure m
    where m.run_id = r.run_id and m.n = r.n and m.organization_id = ${organizationId} and m.num_errors > 0 offset 0)`,
  find: (sql, { organizationId }, projectId) => sql`
    select m.run_id, m.n from record_measure m
    where m.project_id = ${projectId} and m.organization_id = ${organizationId} and m.num_errors > 0`,
};

/** Its traces name this user; null: any. Reads record_measure_pkey or record_measure_user. */
export const isOfUser = (userId: string | null): Condition => ({
  holds: (sql, { organizationId }) => sql`exists (
    select from record_measure m
    where m.run_id = r.run_id and m.n = r.n and m.organization_id = ${organizationId}
      and ${userId === null ? sql`m.user_id is not null` : sql`m.user_id = ${userId}`} offset 0)`,
  find: (sql, { organizationId }, projectId) => sql`
    select m.run_id, m.n from record_measure m
    where m.project_id = ${projectId} and m.organization_id = ${organizationId}
      and ${userId === null ? sql`m.user_id is not null` : sql`m.user_id = ${userId}`}`,
});

/** It is in this session; null: in any. Reads record_session. */
export const isOfSession = (sessionId: string | null): Condition => ({
  holds: (sql) => (sessionId === null ? sql`r.session_id is not null` : sql`r.session_id = ${sessionId}`),
  find: (sql, { organizationId }, projectId) => sql`
    select s.run_id, s.n from record s
    where s.project_id = ${projectId} and s.organization_id = ${organizationId}
      and ${sessionId === null ? sql`s.session_id is not null` : sql`s.session_id = ${sessionId}`}`,
});

/** It was made from a testcase. */
export const isOfAnyTestcase: Condition = { holds: (sql) => sql`r.testset_id is not null` };

/** Reads record_testcase. */
export const isOfTestcase = (testsetId: bigint, n: number): Condition => ({
  holds: (sql) => sql`r.testset_id = ${testsetId} and r.testcase_n = ${n}`,
  find: (sql, { organizationId }, projectId) => sql`
    select made.run_id, made.n from record made
    where made.testset_id = ${testsetId} and made.testcase_n = ${n}
      and made.project_id = ${projectId} and made.organization_id = ${organizationId}`,
});

/** It is assigned to this member. Reads record_assignment_pkey or record_assignment_assignee. */
export const isAssignedTo = (memberId: string): Condition => ({
  holds: (sql, { organizationId }) => sql`exists (
    select from record_assignment a
    where a.run_id = r.run_id and a.n = r.n and a.organization_id = ${organizationId}
      and a.assignee_id = ${memberId}::text::uuid offset 0)`,
  find: (sql, { organizationId }, projectId) => sql`
    select a.run_id, a.n from record_assignment a
    join run on run.id = a.run_id and run.project_id = ${projectId} and run.organization_id = ${organizationId}
    where a.assignee_id = ${memberId}::text::uuid and a.organization_id = ${organizationId}`,
});

/** It has a tag. Reads record_tag_pkey. */
export const hasAnyTag: Condition = {
  holds: (sql, { organizationId }) => sql`exists (
    select from record_tag t
    where t.run_id = r.run_id and t.n = r.n and t.organization_id = ${organizationId} offset 0)`,
};

/** Reads record_tag_pkey, or record_tag_text for each run of the project. */
export const hasTag = (text: string): Condition => ({
  holds: (sql, { organizationId }) => sql`exists (
    select from record_tag t
    where t.run_id = r.run_id and t.n = r.n and t.organization_id = ${organizationId} and t.text = ${text} offset 0)`,
  find: (sql, { organizationId }, projectId) => sql`
    select t.run_id, t.n from run
    cross join lateral (
      select run_id, n from record_tag
      where record_tag.run_id = run.id and record_tag.text = ${text} and record_tag.organization_id = ${organizationId}
      offset 0) t
    where run.project_id = ${projectId} and run.organization_id = ${organizationId}`,
});

const annotationTests = {
  any: (sql: Sql) => sql`true`,
  up: (sql: Sql) => sql`a.rating`,
  down: (sql: Sql) => sql`not a.rating`,
  comment: (sql: Sql) => sql`a.comment <> ''`,
  open: (sql: Sql) => sql`a.resolved_at is null`,
};
export type AnnotationTest = keyof typeof annotationTests;
export const annotationTestNames = Object.keys(annotationTests) as AnnotationTest[];

/** Someone has annotated it, in this way. Reads annotation_pkey, of the record or of each run of the project. */
export const hasAnnotation = (test: AnnotationTest): Condition => ({
  holds: (sql, { organizationId }) => sql`exists (
    select from annotation a
    where a.run_id = r.run_id and a.n = r.n and a.organization_id = ${organizationId} and ${annotationTests[test](sql)} offset 0)`,
  find: (sql, { organizationId }, projectId) => sql`
    select distinct matched.run_id, matched.n from run
    cross join lateral (
      select a.run_id, a.n from annotation a
      where a.run_id = run.id and a.organization_id = ${organizationId} and ${annotationTests[test](sql)} offset 0) matched
    where run.project_id = ${projectId} and run.organization_id = ${organizationId}`,
});

export type ScoreTest =
  | Range
  | { label: string; op: LabelOp }
  | 'pass'
  | 'fail'
  | 'pending'
  | 'unscored'
  | 'failed'
  | 'any';

/** How a label is compared: as it is, or by its place among labels with an order. */
export type LabelOp = '=' | '<' | '<=' | '>' | '>=';

const comparesTo: Record<LabelOp, (place: number, to: number) => boolean> = {
  '=': (place, to) => place === to,
  '<': (place, to) => place < to,
  '<=': (place, to) => place <= to,
  '>': (place, to) => place > to,
  '>=': (place, to) => place >= to,
};

/** The numbers of the labels that fit. Labels of this configuration may be others than those of a later one. */
const valuesOfLabels = ({ labels }: Config, label: string, op: LabelOp): number[] => {
  const to = labels ? placeOfName(labels, label) : -1;
  if (!labels || to < 0 || (op !== '=' && !labels.ordered)) return [];
  return labels.items.flatMap((name, place) =>
    comparesTo[op](place, to) ? [valueOfLabel(labels, name)!] : [],
  );
};

/** Whether score `s` of this configuration fits. */
const scoreFits = (sql: Sql, config: Config, test: ScoreTest): Fragment => {
  const { threshold } = config;
  if (typeof test === 'object' && 'label' in test)
    return sql`s.value = any(${valuesOfLabels(config, test.label, test.op).map(String)}::text[]::double precision[])`;
  if (test === 'pass') return inRange(sql, sql`s.value`, { low: threshold });
  if (test === 'fail') return inRange(sql, sql`s.value`, { high: threshold, highOpen: true });
  if (test === 'unscored') return sql`(s.state = 'unscored' or s.validation_errors is not null)`;
  if (test === 'any') return sql`true`;
  if (typeof test === 'string') return sql`s.state = ${test}`;
  return inRange(sql, sql`s.value`, test);
};

/** Parts of a statement with a word between each two. */
export const joined = (sql: Sql, parts: Fragment[], by: Fragment): Fragment =>
  parts.reduce((all, part, i) => (i === 0 ? part : sql`${all} ${by} ${part}`), sql``);

/** The failed scores by these configurations. Reads score_failed for each run of the project. */
const findFailed =
  (configs: readonly Config[]): NonNullable<Condition['find']> =>
  (sql, { organizationId }, projectId) =>
    sql`
    select matched.run_id, matched.n from run
    cross join lateral (
      select s.run_id, s.n from score s
      where s.run_id = run.id and s.metric_config_id = any(${configs.map(({ id }) => id)}::text[]::uuid[])
        and s.state = 'failed' and s.organization_id = ${organizationId} offset 0) matched
    where run.project_id = ${projectId} and run.organization_id = ${organizationId}`;

/** One of its scores by these configurations fits. Reads score_pkey; or score_value, score_pending, score_unscored for each one. */
export const hasScoreOf = (configs: readonly Config[], test: ScoreTest): Condition => {
  if (configs.length === 0) return { holds: (sql) => sql`false` };
  const isFound = typeof test === 'object' || ['pass', 'fail', 'pending', 'unscored'].includes(test);
  const isLow = test === 'fail' || (typeof test === 'object' && !('label' in test) && test.low === undefined);
  const ofSpans = configs.some((config) => config.ofSpans);
  return {
    ...(test === 'failed' && { find: findFailed(configs) }),
    ...(ofSpans && { ofSpans: { found: isLow } }),
    holds: (sql, { organizationId }, scores) => sql`exists (
      select from ${ofSpans && scores ? scores(sql) : sql`score`} s
      where s.run_id = r.run_id and s.n = r.n and s.organization_id = ${organizationId} and (${joined(
        sql,
        configs.map(
          (config) =>
            sql`(s.metric_config_id = ${config.id}::text::uuid and ${scoreFits(sql, config, test)})`,
        ),
        sql`or`,
      )}) offset 0)`,
    ...(isFound && {
      find: (sql: Sql, { organizationId }: Owner) =>
        joined(
          sql,
          configs.map(
            (config) => sql`
              select s.run_id, s.n from score s
              where s.metric_config_id = ${config.id}::text::uuid and s.organization_id = ${organizationId}
                and ${scoreFits(sql, config, test)}`,
          ),
          sql`union all`,
        ),
    }),
  };
};

/**
 * It has no score by these configurations. Finds the runs in which no configuration has a score for each record by run_tally_run, and tests
 * their records by score_pkey.
 */
export const hasNoScoreOf = (configs: readonly Config[]): Condition => {
  const { holds, ofSpans } = negated(hasScoreOf(configs, 'any'));
  return {
    holds,
    ...(ofSpans && { ofSpans }),
    find: (sql, scope, projectId) => sql`
      select matched.run_id, matched.n from run
      cross join lateral (
        select r.run_id, r.n from record r
        where r.run_id = run.id and r.organization_id = ${scope.organizationId} and ${holds(sql, scope)} offset 0) matched
      where run.project_id = ${projectId} and run.organization_id = ${scope.organizationId}
        and (
          select sum(tally.n) from run_tally tally
          where tally.run_id = run.id and tally.organization_id = ${scope.organizationId} and tally.metric_config_id is null)
        > coalesce((
          select max(scored.n) from (
            select sum(tally.n) as n from run_tally tally
            where tally.run_id = run.id and tally.organization_id = ${scope.organizationId}
              and tally.metric_config_id = any(${configs.map(({ id }) => id)}::text[]::uuid[])
            group by tally.metric_config_id) scored), 0)`,
  };
};

export type FieldGroup = 'inputs' | 'outputs' | 'expected';
/** Value with which a field is compared. */
export type FieldTest = { is: string } | { contains: string } | { range: Range } | 'any';

// The first is ten times faster than one pattern for both.
const plainNumber = String.raw`^-?[0-9]+\.?[0-9]*$`;
const scientificNumber = String.raw`^-?[0-9]+\.?[0-9]*[eE][-+]?[0-9][0-9]?$`;

/** The text of a field of a JSON column; null without it. */
export const fieldText = (sql: Sql, column: Fragment, path: readonly string[]): Fragment => {
  const steps = [...path];
  // Most texts need not be parsed: a text without \\u has the field only if the key occurs in it. The function is only for texts with such
  // escapes: it handles those that PostgreSQL cannot hold, and takes ten times as long.
  const key = JSON.stringify(path.findLast((step) => !/^\d+$/.test(step)) ?? '');
  return sql`case
    when position('\\u' in ${column}::text) > 0 then path_text(${column}, ${steps}::text[])
    when position(${key} in ${column}::text) > 0 then ${column} #>> ${steps}::text[] end`;
};

/** Whether the value of a field is a number in the range. The column is JSON. */
const fieldFits = (sql: Sql, column: Fragment, path: readonly string[], test: FieldTest): Fragment => {
  const found = fieldText(sql, column, path);
  if (test === 'any') return sql`${found} is not null`;
  if ('is' in test) return sql`lower(${found}) = lower(${test.is})`;
  if ('contains' in test) return sql`position(lower(${test.contains}) in lower(${found})) > 0`;
  // `offset 0` keeps the planner from finding the field again for each mention of it.
  return sql`(
    select ${inRange(sql, sql`number.value`, test.range)}
    from (
      select case
        when length(field.text) > 200 then null
        when field.text ~ ${plainNumber} then field.text::double precision
        when field.text ~ '[eE]' and field.text ~ ${scientificNumber} then field.text::double precision end as value
      from (select ${found} as text offset 0) field offset 0) number)`;
};

/** Whether record_shape and record_number index a field. */
const isIndexed = (path: readonly string[]) =>
  path.length <= maxDepth && !path.some((step) => /^\s*[-+]?\d+$/.test(step));

/** The run_id and n of records that pass the test and are not indexed, or cannot be. */
const unindexed = (
  sql: Sql,
  { organizationId }: Owner,
  projectId: bigint,
  which: Fragment,
  holds: Fragment,
): Fragment => sql`
  select t.run_id, t.n from record_text t
  cross join lateral (
    select * from record where record.run_id = t.run_id and record.n = t.n offset 0) r
  where t.project_id = ${projectId} and t.organization_id = ${organizationId} and ${which}
    and r.organization_id = ${organizationId} and ${holds}`;

/** The records that have the field, or lack it, by record_text_shape. */
const findByShape =
  (field: readonly string[], has: boolean, holds: Condition['holds']): NonNullable<Condition['find']> =>
  (sql, scope, projectId) =>
    sql`
    select matched.run_id, matched.n from record_shape s
    cross join lateral (
      select t.run_id, t.n from record_text t
      where t.project_id = s.project_id and t.shape = s.shape and t.organization_id = ${scope.organizationId} offset 0) matched
    where s.project_id = ${projectId} and s.organization_id = ${scope.organizationId}
      and (s.fields @> array[${field.join(separator)}::text]) = ${has}
    union all
    ${unindexed(sql, scope, projectId, sql`t.shape = 0`, holds(sql, scope))}
    union all
    ${unindexed(sql, scope, projectId, sql`not t.indexed`, holds(sql, scope))}`;

/**
 * Returns a value that the text of a record with this field contains unchanged, for the index of texts to find. The text of an object
 * differs from the JSON that a condition compares.
 */
const textOf = (test: FieldTest): string | undefined => {
  if (typeof test !== 'object') return undefined;
  if ('is' in test) return /^\s*[[{]/.test(test.is) ? undefined : test.is;
  if ('contains' in test) return /[[\]{}":,]/.test(test.contains) ? undefined : test.contains;
  return undefined;
};

/**
 * A field of its inputs, outputs or expected output. Reads the record itself. Records that have the field are found by their shape,
 * a number by record_number_value; those that are not indexed yet are tested.
 */
export const hasField = (group: FieldGroup, path: readonly string[], test: FieldTest): Condition => {
  const holds: Condition['holds'] = (sql) =>
    fieldFits(
      sql,
      { inputs: sql`r.inputs`, outputs: sql`r.outputs`, expected: sql`r.expected` }[group],
      path,
      test,
    );
  const text = textOf(test);
  const condition = { holds, ...(text !== undefined && { text: { of: text, alone: false } }) };
  if (!isIndexed(path)) return condition;
  if (typeof test !== 'object' || !('range' in test))
    return { ...condition, isOfField: true, find: findByShape([group, ...path], true, holds) };
  const field = [group, ...path].join('.').slice(0, maxPath);
  return {
    holds,
    isOfField: true,
    find: (sql, scope, projectId) => sql`
      select number.run_id, number.n from record_number number
      where number.project_id = ${projectId} and number.organization_id = ${scope.organizationId} and number.field = ${field}
        and ${inRange(sql, sql`number.value`, test.range)}
      union all
      select number.run_id, number.n from record_number number
      where number.project_id = ${projectId} and number.organization_id = ${scope.organizationId} and number.field = ''
      union all
      ${unindexed(sql, scope, projectId, sql`not t.indexed`, holds(sql, scope))}`,
  };
};

/** It has no such field, or a null in it. */
export const lacksField = (group: FieldGroup, path: readonly string[]): Condition => {
  const { holds } = negated(hasField(group, path, 'any'));
  return isIndexed(path)
    ? { holds, isOfField: true, find: findByShape([group, ...path], false, holds) }
    : { holds };
};

/** A field of the testcase that it was made from, as the testcase is now. Reads the testcases of the project first. */
export const hasTestcaseField = (path: readonly string[], test: FieldTest): Condition => ({
  holds: (sql, { organizationId }) => sql`exists (
    select from testcase t
    where t.testset_id = r.testset_id and t.n = r.testcase_n and t.organization_id = ${organizationId}
      and ${fieldFits(sql, sql`t.json_data`, path, test)} offset 0)`,
  find: (sql, { organizationId }, projectId) => sql`
    select made.run_id, made.n
    from (
      select t.testset_id, t.n from testset
      join testcase t on t.testset_id = testset.id and t.organization_id = ${organizationId}
      where testset.project_id = ${projectId} and testset.organization_id = ${organizationId}
        and ${fieldFits(sql, sql`t.json_data`, path, test)} offset 0) known
    join record made on made.testset_id = known.testset_id and made.testcase_n = known.n
    where made.project_id = ${projectId} and made.organization_id = ${organizationId}`,
});
