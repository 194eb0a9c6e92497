import { followChanges, type Unread } from '../../evaluation/changes/follow.ts';
import type { Database, Sql } from '../../platform/db/database.ts';

/** Locks the projects before their hours, as a deletion does, so that the two never wait for each other. */
const lockProjects = (tx: Sql, unread: Unread) => tx`
  select id from project
  where id in (select project_id from change where run_id is not null and ${unread(tx)})
  order by id for key share`;

/**
 * Marks the hours of changed records as due: at once where records are named and where a run has its newest records, and minutes later
 * where any record of the run may have changed, because a run of traces changes all day. A large hour waits in proportion to the time
 * that its last count took: 50 × at most for what is certain, 1,000 × for what is possible. An hour's end is a separate column, as in
 * count.ts.
 */
export const markHours = (tx: Sql, unread: Unread, firstAfterMs = 0) => tx`
  with changed as materialized (
    select distinct organization_id, project_id, run_id, n from change
    where run_id is not null and ${unread(tx)}),
  whole as materialized (
    select changed.organization_id, changed.project_id, changed.run_id, first.at as first, last.at as last
    from changed
    left join lateral (
      select date_trunc('hour', created_at, 'UTC') as at from record where record.run_id = changed.run_id order by n limit 1) first on true
    left join lateral (
      select date_trunc('hour', created_at, 'UTC') as at from record where record.run_id = changed.run_id order by n desc limit 1) last
      on true
    where changed.n is null),
  hours as (
    select changed.organization_id, changed.project_id, date_trunc('hour', r.created_at, 'UTC') as hour, true as certain
    from changed join record r on r.run_id = changed.run_id and r.n = changed.n
    union
    select organization_id, project_id, last, true from whole where last is not null
    union
    select whole.organization_id, whole.project_id, hour, false
    from whole cross join lateral (
      select hour from series_run where series_run.run_id = whole.run_id
      union
      select slot.hour
      from (
        select hour, hour + interval '1 hour' as until from generate_series(whole.first, whole.last, interval '1 hour') hour
        offset 0) slot
      where exists (
        select from record
        where record.project_id = whole.project_id and record.created_at >= slot.hour and record.created_at < slot.until)) possible),
  wanted as (
    select organization_id, project_id, hour, bool_or(certain) as certain from hours group by organization_id, project_id, hour)
  insert into series_hour as known (organization_id, project_id, hour, due_at)
  select wanted.organization_id, wanted.project_id, wanted.hour,
    case when certain or known.counted_at is null
      then greatest(now() + case when known.counted_at is null then ${firstAfterMs} else 0 end * interval '1 millisecond',
        known.counted_at + greatest(interval '5 seconds', 50 * known.took_ms * interval '1 millisecond'))
      else now() + greatest(interval '10 minutes', 1000 * known.took_ms * interval '1 millisecond') end
  from wanted
  join project on project.id = wanted.project_id
  left join series_hour known on known.project_id = wanted.project_id and known.hour = wanted.hour
  order by wanted.project_id, wanted.hour
  on conflict (project_id, hour) do update set changed = true, due_at = least(known.due_at, excluded.due_at)`;

/**
 * Marks the hours of the records that changed since the last call. An hour that was never counted is due after `firstAfterMs`. Returns
 * whether there were any.
 */
export const markChangedHours = (db: Database, firstAfterMs = 0): Promise<boolean> =>
  followChanges(db, {
    name: 'series',
    holds: true,
    concerns: (sql, unread) => sql`select from change where change.run_id is not null and ${unread(sql)}`,
    read: async (unread) => async (tx) => {
      await lockProjects(tx, unread);
      await markHours(tx, unread, firstAfterMs);
    },
  });
