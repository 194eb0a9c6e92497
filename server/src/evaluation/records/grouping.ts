import type { Fragment, Sql } from '../../platform/db/database.ts';
import { invalid } from '../../platform/errors.ts';
import type { Owner } from '../../platform/http/scope.ts';
import { closest, parseSearch, type Term } from '../../platform/search/parse-search.ts';
import { Problem } from '../../platform/search/read-terms.ts';
import { wordsOf } from '../../platform/search/value-groups.ts';
import { type Config, type FieldGroup, fieldText, joined, type ScoresOf } from './condition.ts';
import type { SearchNames } from './names.ts';
import { configsOf } from './read-search.ts';

/** What records are grouped by, in the words of the search. */
export type Grouping = {
  /** As it was written. */
  by: string;
  /** Joins each value of record `r` as `entry (value)`; a null value when it has none. Scores by metrics of spans are read in `scores`. */
  entries: (sql: Sql, scope: Owner, scores?: ScoresOf) => Fragment;
  /** Whether a record can have several values. */
  isSeveral: boolean;
  /** Whether values that differ only in case are different. */
  isExact?: boolean;
  /** The filter that finds the records of a value; null if none does. */
  wordsOf: (value: string | null) => string | null;
};

/** A name as it is written within a key, such as `outputs."order number"`. */
export const quoteName = (name: string): string =>
  /[\s".:]/.test(name) || name === '' ? `"${name.replace(/["\\]/g, '\\$&')}"` : name;

type One = Grouping['entries'];
const one =
  (value: One): Grouping['entries'] =>
  (sql, scope, scores) =>
    sql`cross join lateral (select ${value(sql, scope, scores)} as value offset 0) entry`;

/** Groupings by one value of the record, of its run or of its traces, under the names of the filters. */
const ofRecord: Readonly<Record<string, One>> = {
  run: (sql) => sql`r.run_id::text`,
  session: (sql) => sql`r.session_id`,
  testcase: (sql) => sql`r.testset_id || '-' || r.testcase_n`,
  user: (sql, { organizationId }) => sql`(
    select m.user_id from record_measure m
    where m.run_id = r.run_id and m.n = r.n and m.organization_id = ${organizationId})`,
  error: (sql, { organizationId }) => sql`case when exists (
    select from record_measure m
    where m.run_id = r.run_id and m.n = r.n and m.organization_id = ${organizationId} and m.num_errors > 0)
    then 'yes' else 'no' end`,
  source: (sql, { organizationId }) => sql`(
    select case when run.kind = 'traces' then 'traces' else 'runs' end from run
    where run.id = r.run_id and run.organization_id = ${organizationId})`,
  version: (sql, { organizationId }) => sql`(
    select version.name from run
    join system_version version on version.id = run.system_version_id and version.organization_id = ${organizationId}
    where run.id = r.run_id and run.organization_id = ${organizationId})`,
};

const tags: Grouping['entries'] = (sql, { organizationId }) => sql`
  left join lateral (
    select t.text as value from record_tag t
    where t.run_id = r.run_id and t.n = r.n and t.organization_id = ${organizationId} offset 0) entry on true`;

/** The models of its traces, those with its link included. Reads trace_record and record_project_link. */
const models: Grouping['entries'] = (sql, { organizationId }) => sql`
  left join lateral (
    select model as value from (
      select trace.model from trace
      where trace.run_id = r.run_id and trace.n = r.n and trace.organization_id = ${organizationId} and trace.model is not null
      union
      select trace.model from trace_link link
      join trace on trace.id = link.trace_id and trace.organization_id = ${organizationId}
      where r.otel_link_id is not null and link.project_id = r.project_id and link.link = r.otel_link_id
        and link.organization_id = ${organizationId} and trace.model is not null) used) entry on true`;

const several: Readonly<Record<string, Grouping['entries']>> = { tag: tags, model: models };

/** The result of the newest score by these configurations, as the search names it; of a category its label. Reads score_pkey. */
const resultOf =
  (configs: readonly Config[]): One =>
  (sql, { organizationId }, scores) =>
    configs.length === 0
      ? sql`'none'::text`
      : sql`coalesce((
    select case
      when s.state = 'unscored' or s.validation_errors is not null then 'unscored'
      when s.state <> 'scored' then s.state
      when s.metric_config_id = any(${configs.flatMap(({ id, labels }) => (labels ? [id] : []))}::text[]::uuid[])
        then s.score ->> 'categoryScore'
      when ${joined(
        sql,
        configs.map(
          ({ id, threshold }) =>
            sql`s.metric_config_id = ${id}::text::uuid and s.value >= ${String(threshold)}::text::double precision`,
        ),
        sql`or`,
      )} then 'pass' else 'fail' end
    from ${scores && configs.some(({ ofSpans }) => ofSpans) ? scores(sql) : sql`score`} s
    where s.run_id = r.run_id and s.n = r.n and s.organization_id = ${organizationId}
      and s.metric_config_id = any(${configs.map(({ id }) => id)}::text[]::uuid[])
    order by s.metric_config_id desc limit 1), 'none')`;

const fieldGroups: readonly string[] = ['inputs', 'outputs', 'expected'];

const testcaseField =
  (path: readonly string[]): One =>
  (sql, { organizationId }) =>
    sql`(
    select ${fieldText(sql, sql`t.json_data`, path)} from testcase t
    where t.testset_id = r.testset_id and t.n = r.testcase_n and t.organization_id = ${organizationId})`;

const entriesOf = ({ key, path }: Term, names: SearchNames): Grouping['entries'] | undefined => {
  if (path.length > 0) {
    if (key === 'score') return one(resultOf(configsOf(names, path.join('.'))));
    if (key === 'metadata') return one(testcaseField(path));
    if (!fieldGroups.includes(key)) return undefined;
    const column = (sql: Sql) =>
      ({ inputs: sql`r.inputs`, outputs: sql`r.outputs`, expected: sql`r.expected` })[key as FieldGroup];
    return one((sql) => fieldText(sql, column(sql), path));
  }
  return several[key] ?? (Object.hasOwn(ofRecord, key) ? one(ofRecord[key]!) : undefined);
};

const known = [...Object.keys(several), ...Object.keys(ofRecord)];

/**
 * Reads what records are grouped by: a field such as `outputs.answer`, a score such as `score.Accuracy`, or a filter with one value.
 * Throws 400 for anything else.
 */
export const readGrouping = (by: string, names: SearchNames): Grouping => {
  const { terms } = parseSearch(`${by}:*`);
  const [term] = terms;
  const refuse = (hint: string) => invalid('/by', `cannot be ${JSON.stringify(by)}. ${hint}`);
  try {
    const entries = term && terms.length === 1 && !term.negated ? entriesOf(term, names) : undefined;
    if (entries)
      return {
        by,
        entries,
        isSeveral: Object.hasOwn(several, term!.key) && term!.path.length === 0,
        wordsOf: (value) => wordsOf(by, value),
      };
  } catch (error) {
    throw error instanceof Problem ? invalid('/by', error.message) : error;
  }
  const meant = term && closest(term.key, known);
  throw refuse(
    meant
      ? `Did you mean ${meant}?`
      : `It is a field such as outputs.answer, a score such as score.Accuracy, or one of ${known.join(', ')}`,
  );
};
