import type { Fragment, Sql } from '../../platform/db/database.ts';
import { invalid } from '../../platform/errors.ts';
import { numericId } from '../../platform/http/ids.ts';
import type { Owner } from '../../platform/http/scope.ts';
import { isLike } from '../../platform/search/is-like.ts';
import { closest, parseSearch, type Term, unknownKey } from '../../platform/search/parse-search.ts';
import { Problem, readEach, timeOf } from '../../platform/search/read-terms.ts';
import { haystackOf, type RunFilters, statusOf } from './queries.ts';
import { isRunKey, type RunSearchKey, runKeys } from './run-keys.ts';
import type { RunListQuery } from './schema.ts';

type Values = (sql: Sql, owner: Owner) => Fragment;

const versionOf: Values = (sql, { organizationId }) => sql`
  from system_version version
  join system on system.id = version.system_id and system.organization_id = ${organizationId}
  where version.id = run.system_version_id and version.organization_id = ${organizationId}`;

/** What a run has under each key: the values that a filter compares, and that runs are grouped by. */
const valuesOf: Readonly<Record<Exclude<RunSearchKey, 'after' | 'before'>, Values>> = {
  testset: (sql, { organizationId }) => sql`
    select testset.name as value from testset
    where testset.id = run.testset_id and testset.organization_id = ${organizationId}`,
  system: (sql, owner) => sql`select system.name as value ${versionOf(sql, owner)}`,
  version: (sql, owner) => sql`
    select coalesce(nullif(version.name, ''), right(version.id::text, 8)) as value ${versionOf(sql, owner)}`,
  metric: (sql, { organizationId }) => sql`
    select metric.name as value from run_metric used
    join metric on metric.id = used.metric_id and metric.organization_id = ${organizationId}
    where used.run_id = run.id and used.organization_id = ${organizationId}`,
  tag: (sql) => sql`select unnest(run.tags) as value`,
  mark: (sql, { organizationId }) => sql`
    select marked.mark as value from run_mark marked
    where marked.run_id = run.id and marked.organization_id = ${organizationId}`,
  gate: (sql, { organizationId }) => sql`
    select verdict.gate as value from run_verdict verdict
    where verdict.run_id = run.id and verdict.organization_id = ${organizationId}`,
  outcome: (sql, { organizationId }) => sql`
    select distinct verdict.outcome as value from run_verdict verdict
    where verdict.run_id = run.id and verdict.organization_id = ${organizationId}`,
  status: statusOf,
  kind: (sql) => sql`select run.kind as value`,
  origin: (sql) => sql`select run.origin as value where run.origin is not null`,
};

/** Ids that a filter takes in place of a name. */
const idsOf: Partial<Record<RunSearchKey, Values>> = {
  testset: (sql) => sql`select run.testset_id::text as value`,
  version: (sql) => sql`select run.system_version_id::text as value`,
  metric: (sql, { organizationId }) => sql`
    select used.metric_id::text as value from run_metric used
    where used.run_id = run.id and used.organization_id = ${organizationId}`,
};

const testOf = (sql: Sql, { op, value }: Term): Fragment => {
  if (op === 'has') return sql`entry.value is not null`;
  if (op === '~') return sql`entry.value ilike ${isLike(sql, value)}`;
  return sql`lower(entry.value) = lower(${value})`;
};

const readTerm = (term: Term): Values => {
  const { key, value, op, path } = term;
  if (!isRunKey(key) || path.length > 0) throw new Problem(unknownKey(term, Object.keys(runKeys)));
  if (key === 'after' || key === 'before') {
    const time = timeOf(term);
    return (sql) => (key === 'after' ? sql`run.created_at >= ${time}` : sql`run.created_at < ${time}`);
  }
  if (value === '' && op === '=') throw new Problem(`needs a value after ${term.text}`);
  if (!['=', '~', 'has'].includes(op)) throw new Problem(`has ${term.text}: ${key} is not a number`);
  return (sql, owner) => {
    const ids = idsOf[key]?.(sql, owner);
    return sql`exists (
      select from (${valuesOf[key](sql, owner)}${ids && op === '=' ? sql` union all ${ids}` : sql``}) entry
      where ${testOf(sql, term)})`;
  };
};

/** Reads a search of runs. Throws 400 with each of its problems. */
export const readRunSearch = (q: string): Values => {
  const { terms, text, without } = parseSearch(q);
  const conditions: Values[] = [];
  readEach(terms, (term) => {
    const condition = readTerm(term);
    conditions.push(term.negated ? (sql, owner) => sql`not (${condition(sql, owner)})` : condition);
  });
  for (const word of text.split(/\s+/).filter(Boolean))
    conditions.push((sql, owner) => sql`(${haystackOf(sql, owner)}) ilike ${isLike(sql, word)}`);
  for (const word of without)
    conditions.push((sql, owner) => sql`(${haystackOf(sql, owner)}) not ilike ${isLike(sql, word)}`);
  return (sql, owner) =>
    conditions.reduce((all, condition) => sql`${all} and ${condition(sql, owner)}`, sql``);
};

/** Reads the filters. Throws 404 when an id is ill-formed, and 400 with each problem of the search. */
export const filtersOf = ({ testsetId, metricId, q = '' }: Partial<RunListQuery>): RunFilters => ({
  testsetId: testsetId === undefined ? undefined : numericId('testset', testsetId),
  metricId: metricId === undefined ? undefined : numericId('metric', metricId),
  search: readRunSearch(q),
});

const groupings = Object.keys(valuesOf);

/** Returns the values by which runs are grouped. Throws 400 for an unknown key. */
export const runGrouping = (by: string): Values => {
  if (Object.hasOwn(valuesOf, by)) return valuesOf[by as keyof typeof valuesOf];
  const meant = closest(by, groupings);
  const hint = meant ? `Did you mean ${meant}?` : `It is one of ${groupings.join(', ')}`;
  throw invalid('/by', `cannot be ${JSON.stringify(by)}. ${hint}`);
};
