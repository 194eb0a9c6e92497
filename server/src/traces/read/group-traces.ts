import { type Grouping, readGrouping } from '../../evaluation/records/grouping.ts';
import { listSearchNames } from '../../evaluation/records/names.ts';
import type { Database, Fragment, Sql } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import {
  countValues,
  mostNewest,
  sumGroups,
  type ValueGroups,
  wordsOf,
} from '../../platform/search/value-groups.ts';
import { all } from './list-traces.ts';
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
    ${entries(sql, scope)}
    where entry.value is not null`;

/** Returns the values by which traces are grouped. Throws 400 for an unknown field. */
const readEntries = async (db: Database, scope: Scope, projectId: bigint, by: string): Promise<Entries> => {
  if (Object.hasOwn(own, by)) return own[by]!;
  return ofRecords(readGrouping(by, await listSearchNames(db, scope, projectId, { members: false })));
};

export type TraceGroupsAsked = {
  by: string;
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
  { conditions }: TraceSearch,
  { by, most = 20, newest = mostNewest, sliceSize = 10_000 }: TraceGroupsAsked,
  signal: AbortSignal,
): Promise<ValueGroups> => {
  const entries = await readEntries(db, scope, projectId, by);
  const parts = [];
  let [left, before] = [newest, ''];
  while (left > 0 && !signal.aborted) {
    const count = Math.min(left, sliceSize);
    const [start = '', id = ''] = before.split(' ');
    const rows = await db.read(scope, (sql) =>
      countValues(sql, {
        found: sql`
        select trace.*, (true ${all(sql, scope, conditions)}) as fits,
          row_number() over (order by trace.start_us desc, trace.id desc) as nth, trace.start_us::text || ' ' || trace.id as place
        from (
          select * from trace
          where project_id = ${projectId} and organization_id = ${scope.organizationId} and start_us is not null
            ${before === '' ? sql`` : sql`and (start_us, id) < (${start}::text::bigint, ${id}::text::bigint)`}
          order by start_us desc, id desc limit ${count}) trace`,
        as: 'trace',
        values: entries(sql, scope),
        isExact: Object.hasOwn(own, by),
      }),
    );
    parts.push(rows);
    const [first] = rows;
    left -= count;
    if (!first?.last || first.read < count) return sumGroups(by, parts, { most, partial: false, words });
    before = first.last;
  }
  return sumGroups(by, parts, { most, partial: true, words });
};

/** No filter finds an empty name, or traces without a record by its scores. */
const words: typeof wordsOf = (by, value) =>
  value === '' || (value === null && by.startsWith('score.')) ? null : wordsOf(by, value);
