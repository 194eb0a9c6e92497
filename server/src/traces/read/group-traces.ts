import type { ValueGroups } from '../../evaluation/groups/schema.ts';
import { sumGroups } from '../../evaluation/groups/sum-groups.ts';
import { readGroupRates } from '../../evaluation/records/group-records.ts';
import { type Grouping, readGrouping } from '../../evaluation/records/grouping.ts';
import { listSearchNames } from '../../evaluation/records/names.ts';
import type { Database, Fragment, Sql } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { countValues, mostNewest, wordsOf } from '../../platform/search/value-groups.ts';
import { all } from './list-traces.ts';
import { scoresOfTrace } from './trace-scores.ts';
import type { TraceSearch } from './trace-search.ts';

type Entries = (sql: Sql, scope: Scope) => Fragment;

/** Groupings by what the trace itself has, under the names of the filters. */
const own: Readonly<Record<string, Entries>> = {
  service: (sql) => sql`select trace.service as value`,
  name: (sql) => sql`select trace.name as value`,
  model: (sql) => sql`select trace.model as value`,
  session: (sql) => sql`select trace.session_id as value`,
  user: (sql) => sql`select trace.user_id as value`,
  error: (sql) => sql`select case when trace.num_errors > 0 then 'yes' else 'no' end as value`,
};

/** The values of the trace's records: of the one that was made for it, or of those with its link. */
const ofRecords =
  ({ entries }: Grouping): Entries =>
  (sql, scope) =>
    sql`
    select entry.value from (
      select record.* from record
      where record.run_id = trace.run_id and record.n = trace.n and record.organization_id = ${scope.organizationId}
      union all
      select record.* from trace_link link
      join record on record.project_id = link.project_id and record.otel_link_id = link.link
        and record.organization_id = ${scope.organizationId}
      where trace.linked and link.trace_id = trace.id and link.organization_id = ${scope.organizationId}) r
    ${entries(sql, scope, (of) => scoresOfTrace(of, scope))}
    where entry.value is not null`;

/** Returns the values by which traces are grouped. Throws 400 for an unknown field. */
const readEntries = async (db: Database, scope: Scope, projectId: bigint, by: string): Promise<Entries> => {
  if (Object.hasOwn(own, by)) return own[by]!;
  return ofRecords(readGrouping(by, await listSearchNames(db, scope, projectId, { members: false })));
};

/** The values of the traces of record `r` that fit the search, each once, with its traces. Reads trace_record and record_project_link. */
const entriesOfRecord =
  (scope: Scope, entries: Entries, { conditions }: TraceSearch): Grouping['entries'] =>
  (sql) =>
    sql`
    join lateral (
      select entry.value, array_agg(trace.otel_id) as traces
      from (
        select trace.* from trace
        where trace.run_id = r.run_id and trace.n = r.n and trace.organization_id = ${scope.organizationId}
        union all
        select trace.* from trace_link link
        join trace on trace.id = link.trace_id and trace.organization_id = ${scope.organizationId}
        where r.otel_link_id is not null and link.project_id = r.project_id and link.link = r.otel_link_id
          and link.organization_id = ${scope.organizationId}) trace
      left join lateral (${entries(sql, scope)}) entry on true
      where true ${all(sql, scope, conditions)}
      group by entry.value) entry on true`;

export type TraceGroupsAsked = {
  by: string;
  rateOf?: string | undefined;
  most?: number | undefined;
  newest?: number | undefined;
  /** Number of traces that one statement reads; other requests run in between. */
  sliceSize?: number;
};

/** Counts the newest traces of a project that fit a search by their value of a field. Reads trace_start, slice by slice. */
export const groupTraces = async (
  db: Database,
  scope: Scope,
  projectId: bigint,
  search: TraceSearch,
  { by, rateOf, most = 20, newest = mostNewest, sliceSize = 10_000 }: TraceGroupsAsked,
  signal: AbortSignal,
): Promise<ValueGroups> => {
  const { conditions } = search;
  const entries = await readEntries(db, scope, projectId, by);
  const isExact = Object.hasOwn(own, by);
  const read = await readGroupRates(db, scope, projectId, { rateOf, newest, ofTraces: true }, signal);
  const rates =
    read &&
    ((keys: readonly (string | null)[]) => read(entriesOfRecord(scope, entries, search), keys, isExact));
  const parts = [];
  let [left, before] = [newest, ''];
  /** The traces before the one that was read last, newest first. */
  const next = (sql: Sql, count: number) => {
    const [start = '', id = ''] = before.split(' ');
    return sql`
    select * from trace
    where project_id = ${projectId} and organization_id = ${scope.organizationId} and start_us is not null
      ${before === '' ? sql`` : sql`and (start_us, id) < (${start}::text::bigint, ${id}::text::bigint)`}
    order by start_us desc, id desc limit ${count}`;
  };
  while (left > 0 && !signal.aborted) {
    const count = Math.min(left, sliceSize);
    const rows = await db.read(scope, (sql) =>
      countValues(sql, {
        found: sql`
        select trace.*, (true ${all(sql, scope, conditions)}) as fits,
          row_number() over (order by trace.start_us desc, trace.id desc) as nth, trace.start_us::text || ' ' || trace.id as place
        from (${next(sql, count)}) trace`,
        as: 'trace',
        values: entries(sql, scope),
        isExact,
      }),
    );
    parts.push(rows);
    const [first] = rows;
    left -= count;
    if (!first?.last || first.read < count)
      return sumGroups(by, parts, { most, partial: false, words, rates });
    before = first.last;
  }
  const older = await db.read(scope, (sql) => sql`select id from (${next(sql, 1)}) trace`);
  return sumGroups(by, parts, { most, partial: older.length > 0, words, rates });
};

/** No filter finds an empty name, or traces without a record by its scores. */
const words: typeof wordsOf = (by, value) =>
  value === '' || (value === null && by.startsWith('score.')) ? null : wordsOf(by, value);
