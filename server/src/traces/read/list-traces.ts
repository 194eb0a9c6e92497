import { type Config, joined } from '../../evaluation/records/condition.ts';
import { keys } from '../../evaluation/records/sorted-queries.ts';
import { scoreStatesText } from '../../evaluation/scores/queries.ts';
import type { Database, Fragment, Sql } from '../../platform/db/database.ts';
import type { PageRow } from '../../platform/http/pagination.ts';
import type { ReadRows } from '../../platform/http/read-texts.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { isoTime } from './format.ts';
import type { TracesOf } from './read-queries.ts';
import { scoresOfTrace } from './trace-scores.ts';
import type { TraceCondition, TraceSearch, TraceSort } from './trace-search.ts';

type TraceListRow = {
  key: string;
  traceId: string;
  name: string | null;
  service: string | null;
  modelName: string | null;
  start: string;
  durationMs: number | null;
  numSpans: number;
  numErrors: number;
  inputTokens: number | null;
  outputTokens: number | null;
  costUsd: number | null;
  input: string | null;
  output: string | null;
  sessionId: string | null;
  userId: string | null;
  recordId: string | null;
  scores: string;
};

/** The conditions on a row of `trace`, each with its `and`. */
export const all = (sql: Sql, scope: Scope, conditions: readonly TraceCondition[]): Fragment =>
  conditions.reduce((some, condition) => sql`${some} and ${condition(sql, scope)}`, sql``);

const columnOf = (sql: Sql, by: TraceSort['by']): Fragment => {
  if (by === 'latency') return sql`trace.duration_ms`;
  if (by === 'cost') return sql`trace.cost_usd`;
  if (by === 'tokens') return sql`trace.tokens`;
  return sql`trace.start_us`;
};

/**
 * The traces (id, key) of a page in the order of a column. Walks trace_start, trace_duration, trace_cost or trace_tokens and tests
 * each row, so the cost of a page grows with the rows that it skips.
 */
const byColumn = (
  sql: Sql,
  scope: Scope,
  projectId: bigint,
  { conditions, sort: { by, descending } }: TraceSearch,
  after: string,
  count: number,
): Fragment => {
  const column = columnOf(sql, by);
  const [value = '', id = ''] = after.split(' ');
  const beyond = descending ? sql`<` : sql`>`;
  // It has the type of the column: under row-level security an index is not entered with another.
  const place = by === 'started' ? sql`${value}::text::bigint` : sql`${value}::text::double precision`;
  const direction = descending ? sql`desc` : sql``;
  return sql`
    select trace.id, ${column}::text || ' ' || trace.id as key,
      row_number() over (order by ${column} ${direction}, trace.id ${direction}) as place
    from trace
    where trace.project_id = ${projectId} and trace.organization_id = ${scope.organizationId} and ${column} is not null
      ${after === '' ? sql`` : sql`and (${column}, trace.id) ${beyond} (${place}, ${id}::text::bigint)`}
      ${all(sql, scope, conditions)}
    order by ${column} ${direction}, trace.id ${direction}
    limit ${count}`;
};

/** The value of a trace by which it is sorted: that of `key`, or what its own spans got. */
const ownValue = (sql: Sql, scope: Scope, configs: readonly Config[]): Fragment =>
  configs.some(({ ofSpans }) => ofSpans)
    ? sql`
      cross join lateral (
        select s.value from (select key.run_id, key.n) r cross join lateral ${scoresOfTrace(sql, scope)} s
        where s.metric_config_id = any(${configs.map(({ id }) => id)}::text[]::uuid[]) and s.value is not null
        order by s.metric_config_id desc limit 1) own`
    : sql`cross join lateral (select key.value) own`;

/**
 * The same in the order of a score of the record that was made for the trace. Walks score_value for each configuration of the metric,
 * then trace_record. Turns of a session have other values than their record by a metric of spans: then each of its traces is read.
 */
const byScore = (
  sql: Sql,
  scope: Scope,
  projectId: bigint,
  { conditions, sort: { by, descending } }: TraceSearch,
  after: string,
  count: number,
): Fragment => {
  const [value = '', runId = '', n = '', id = ''] = after.split(' ');
  const at = after === '' ? undefined : { value, runId, n, inclusive: true };
  const { configs } = by as { configs: Config[] };
  const ofSpans = configs.some((config) => config.ofSpans);
  const order = { by: { configs }, descending };
  const beyond = descending ? sql`<` : sql`>`;
  const direction = descending ? sql`desc` : sql``;
  const parts = keys(sql, scope, projectId, { conditions: [] }, order, ofSpans ? undefined : at).map(
    (key) => sql`
      (select trace.id, own.value, key.run_id, key.n
      from ${key}
      cross join lateral (
        select * from trace where trace.run_id = key.run_id and trace.n = key.n offset 0) trace
      ${ownValue(sql, scope, configs)}
      where trace.project_id = ${projectId} and trace.organization_id = ${scope.organizationId}
        ${
          at === undefined
            ? sql``
            : sql`and (own.value, key.run_id, key.n, trace.id) ${beyond}
                (${value}::text::double precision, ${runId}::text::bigint, ${n}::text::integer, ${id}::text::bigint)`
        }
        ${all(sql, scope, conditions)}
      order by own.value ${direction}, key.run_id ${direction}, key.n ${direction}, trace.id ${direction}
      limit ${count})`,
  );
  return sql`
    select id, value::text || ' ' || run_id || ' ' || n || ' ' || id as key,
      row_number() over (order by value ${direction}, run_id ${direction}, n ${direction}, id ${direction}) as place
    from (${joined(sql, parts, sql`union all`)}) parts
    order by value ${direction}, run_id ${direction}, n ${direction}, id ${direction}
    limit ${count}`;
};

/** The traces of a page with what a list shows of them. The record of a linked trace is the newest with its link. */
const readPage = (sql: Sql, scope: Scope, found: Fragment) => sql<TraceListRow[]>`
  select found.key, encode(trace.otel_id, 'hex') as "traceId", trace.name, trace.service, trace.model as "modelName",
    trace.start_ns::text as start, trace.duration_ms as "durationMs", trace.num_spans as "numSpans",
    trace.num_errors as "numErrors", trace.input_tokens::double precision as "inputTokens",
    trace.output_tokens::double precision as "outputTokens", trace.cost_usd as "costUsd", trace.input, trace.output,
    trace.session_id as "sessionId", trace.user_id as "userId", r.run_id || '-' || r.n as "recordId",
    ${scoreStatesText(sql, scope, sql`r.run_id`, undefined, { rows: scoresOfTrace(sql, scope) })} as scores
  from (${found}) found
  -- \`offset 0\` keeps the planner to the key: its estimate under row-level security made it read every trace for a page.
  cross join lateral (
    select * from trace where trace.id = found.id and trace.organization_id = ${scope.organizationId} offset 0) trace
  left join lateral (
    select trace.run_id, trace.n where trace.run_id is not null
    union all
    (select record.run_id, record.n from trace_link link
      join record on record.project_id = link.project_id and record.otel_link_id = link.link
        and record.organization_id = ${scope.organizationId}
      where trace.run_id is null and link.trace_id = trace.id and link.organization_id = ${scope.organizationId}
      order by record.created_at desc limit 1)
    limit 1) r on true
  order by found.place`;

const itemOf = ({ key, start, scores, ...fields }: TraceListRow): PageRow => ({
  key,
  body: `${JSON.stringify({ ...fields, startTime: isoTime(BigInt(start)) }).slice(0, -1)},"scoreStates":${scores}}`,
});

/** The condition that a trace has nothing in the column of the order. */
const without =
  ({ by }: TraceSort): TraceCondition =>
  (sql, scope) => {
    if (typeof by !== 'object') return sql`${columnOf(sql, by)} is null`;
    const ids = by.configs.map(({ id }) => id);
    return sql`not exists (
      select from score s
      where s.run_id = trace.run_id and s.n = trace.n and s.organization_id = ${scope.organizationId}
        and s.metric_config_id = any(${ids}::text[]::uuid[]) and s.value is not null offset 0)`;
  };

/** Marks the keys of traces without a value, which come after those with one, latest start first. */
const unmeasured = '- ';

/** One page of a project's traces in the order of the search, after a key; '' is before the first. */
export const listTraces = async (
  read: ReadRows,
  scope: Scope,
  projectId: bigint,
  search: TraceSearch,
  after: string,
  count: number,
): Promise<PageRow[]> => {
  const { conditions, sort } = search;
  const isPast = after.startsWith(unmeasured);
  const source = typeof sort.by === 'object' ? byScore : byColumn;
  const rows = isPast
    ? []
    : await read((sql) => readPage(sql, scope, source(sql, scope, projectId, search, after, count)));
  if (rows.length >= count || sort.by === 'started') return rows.map(itemOf);
  const others: TraceSearch = {
    conditions: [...conditions, without(sort)],
    sort: { by: 'started', descending: true },
  };
  const from = isPast ? after.slice(unmeasured.length) : '';
  const rest = await read((sql) =>
    readPage(sql, scope, byColumn(sql, scope, projectId, others, from, count - rows.length)),
  );
  return [...rows, ...rest.map((row) => ({ ...row, key: unmeasured + row.key }))].map(itemOf);
};

/** One trace as the list has it; no row when there is no such trace. */
export const findTrace = async (db: Database, scope: Scope, trace: TracesOf): Promise<PageRow[]> => {
  const rows = await db.read(scope, (sql) =>
    readPage(sql, scope, sql`select id, '' as key, 1 as place from ${trace(sql, scope)} one`),
  );
  return rows.map(itemOf);
};
