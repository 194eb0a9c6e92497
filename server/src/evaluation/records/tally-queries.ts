import type { Sql } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { fits, type RecordFilter } from './filter.ts';

/** Whole minutes, from `from` on and before `to`. */
export type Minutes = { from: Date; to: Date };

const inMinutes = (sql: Sql, scope: Scope, projectId: bigint, { from, to }: Minutes) => sql`
  organization_id = ${scope.organizationId} and project_id = ${projectId}
  and minute >= ${from.toISOString()}::text::timestamptz and minute < ${to.toISOString()}::text::timestamptz`;

const stretch = (sql: Sql, start: Date, millis: number) => sql`
  date_bin(${millis}::double precision * interval '1 millisecond', minute, ${start.toISOString()}::text::timestamptz)`;

/** Counts the records of a project in each interval of `millis` from `start` on, without empty ones. Reads only record_tally_minute. */
export const sumTallies = (
  sql: Sql,
  scope: Scope,
  projectId: bigint,
  minutes: Minutes,
  start: Date,
  millis: number,
) => sql<{ since: Date; n: number }[]>`
  select ${stretch(sql, start, millis)} as since, sum(n)::int as n
  from record_tally
  where ${inMinutes(sql, scope, projectId, minutes)}
  group by since`;

/** Number of minutes of each interval from which records are read, and of records that are read for each minute. */
const [drawn, readEach] = [10, 30];

/**
 * Estimates the number of records that fit the filter in each interval: its number of records, times the share that fits among up to 300 of
 * them. Draws minutes with a chance in proportion to their records, at even distances, so that the same query gets the same answer. Reads
 * record_tally_minute, and of each drawn minute the first records by record_newest. A minute's end is a column: under row-level security an
 * index is not searched by a sum.
 */
export const estimateFitting = (
  sql: Sql,
  scope: Scope,
  projectId: bigint,
  filter: RecordFilter,
  minutes: Minutes,
  start: Date,
  millis: number,
) => sql<{ since: Date; n: number }[]>`
  with counted as (
    select ${stretch(sql, start, millis)} as since, minute, sum(n) as n
    from record_tally
    where ${inMinutes(sql, scope, projectId, minutes)}
    group by since, minute having sum(n) > 0),
  placed as (
    select since, minute, n, sum(n) over (partition by since order by minute) as upto, sum(n) over (partition by since) as whole
    from counted),
  chosen as materialized (
    select since, minute, minute + interval '1 minute' as until, whole,
      floor(upto * ${drawn} / whole) - floor((upto - n) * ${drawn} / whole) as draws from placed)
  select since, round(whole * sum(draws * sampled.share) / sum(draws))::int as n
  from chosen
  cross join lateral (
    select avg(case when ${fits(sql, scope, projectId, filter)} then 1 else 0 end) as share
    from (
      select * from record
      where record.project_id = ${projectId} and record.organization_id = ${scope.organizationId}
        and record.created_at >= chosen.minute and record.created_at < chosen.until
      order by record.created_at limit ${readEach} * draws) r) sampled
  where draws > 0 and sampled.share is not null
  group by since, whole`;
