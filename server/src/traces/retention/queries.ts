import type { Fragment, Sql } from '../../platform/db/database.ts';
import { rowsOf } from '../../platform/db/rows.ts';
import type { RecordKey } from '../../platform/http/ids.ts';
import type { Owner, Scope } from '../../platform/http/scope.ts';
import type { RetentionQuery } from './schema.ts';

/** Most rows that a preview counts. */
const mostCounted = 100_000;

/**
 * The time `days` days ago. Compute it in a subquery with `offset 0`: under row-level security an index is searched by a column, not by
 * an expression. Otherwise each purge would read every trace of the project.
 */
export const daysAgo = (sql: Sql, days: Fragment): Fragment => sql`now() - ${days} * interval '1 day'`;

/**
 * The reasons for which a record `r` is kept however old it is. A person gave a score of a metric that people score, or any score while
 * signed in. A client that sends scores of other metrics with a key is not a person.
 */
const reasons = (sql: Sql) => ({
  annotated: sql`exists (select from annotation a where a.run_id = r.run_id and a.n = r.n)`,
  assigned: sql`exists (select from record_assignment a where a.run_id = r.run_id and a.n = r.n)`,
  tagged: sql`exists (select from record_tag t where t.run_id = r.run_id and t.n = r.n and t.source = 'user')`,
  reviewed: sql`exists (select from review_score v where v.run_id = r.run_id and v.n = r.n and v.stands)`,
  scored: sql`exists (
    select from score s where s.run_id = r.run_id and s.n = r.n and s.scored_by is not null and (s.in_session or exists (
      select from metric_config config where config.id = s.metric_config_id and config.eval_type = 'human')))`,
  pinned: sql`exists (select from pinned_label p where p.run_id = r.run_id and p.n = r.n)`,
});

/** Whether one of the reasons to keep a record `r` holds. */
const isKept = (sql: Sql): Fragment =>
  sql`(${Object.values(reasons(sql)).reduce((before, reason) => sql`${before} or ${reason}`)})`;

/**
 * Runs of a project that are kept: the newest with each mark on each testset, which is the baseline of later runs, and trials of judges.
 * Reads run_mark_project and run_project.
 */
const keptRuns = (sql: Sql, projectId: Fragment): Fragment => sql`array(
  select max(run.id) from run_mark marked join run on run.id = marked.run_id
  where marked.project_id = ${projectId}
  group by run.testset_id, marked.mark
  union all
  select run.id from run
  where run.project_id = ${projectId} and run.kind = 'trial')`;

/**
 * Counts what the next purge of a project would find, with its settings or with those that are asked about. Walks the oldest first, by
 * record_newest and trace_created, and without a setting reads nothing. Looks for kept records among the `mostCounted` oldest.
 */
export const findDue = (sql: Sql, scope: Scope, projectId: bigint, asked: RetentionQuery) => {
  const oldRecords = sql`
    record r where r.project_id = project.id and r.created_at < ask.records_before`;
  const isOfKeptRun = sql`r.run_id = any (${keptRuns(sql, sql`project.id`)})`;
  const why = reasons(sql);
  return sql<{ body: string }[]>`
  select json_build_object(
    'numRecords', (
      select count(*) from (
        select from ${oldRecords} and not ${isOfKeptRun} and not ${isKept(sql)}
        order by r.created_at limit ${mostCounted}) due),
    'numKeptRecords', kept.kept, 'keptBecause', json_build_object(
      'annotated', kept.annotated, 'assigned', kept.assigned, 'tagged', kept.tagged, 'reviewed', kept.reviewed,
      'scored', kept.scored, 'pinned', kept.pinned, 'inKeptRun', kept.in_kept_run),
    'numTraces', (
      select count(*) from (
        select from trace
        where trace.project_id = project.id and trace.created_at < ask.traces_before
        order by trace.created_at limit ${mostCounted}) due))::text as body
  from project left join project_settings settings on settings.project_id = project.id
  cross join lateral (
    select ${daysAgo(sql, sql`coalesce(${asked.recordDays ?? null}::integer, settings.record_days)`)} as records_before,
      ${daysAgo(sql, sql`coalesce(${asked.traceDays ?? null}::integer, settings.trace_days)`)} as traces_before offset 0) ask
  cross join lateral (
    select count(*) filter (where annotated or assigned or tagged or reviewed or scored or pinned or in_kept_run) as kept,
      count(*) filter (where annotated) as annotated, count(*) filter (where assigned) as assigned,
      count(*) filter (where tagged) as tagged, count(*) filter (where reviewed) as reviewed,
      count(*) filter (where scored) as scored, count(*) filter (where pinned) as pinned,
      count(*) filter (where in_kept_run) as in_kept_run
    from (
      select ${why.annotated} as annotated, ${why.assigned} as assigned, ${why.tagged} as tagged,
        ${why.reviewed} as reviewed, ${why.scored} as scored, ${why.pinned} as pinned, ${isOfKeptRun} as in_kept_run
      from (select * from ${oldRecords} order by r.created_at limit ${mostCounted}) r) found) kept
  where project.organization_id = ${scope.organizationId} and project.id = ${projectId}`;
};

export type OldRecord = RecordKey & { projectId: bigint; organizationId: bigint };

/** Finds records that are older than their projects keep them, oldest first. Reads record_newest of each project. */
export const findOldRecords = (tx: Sql, most: number) => tx<OldRecord[]>`
  select old.organization_id as "organizationId", old.project_id as "projectId", old.run_id as "runId", old.n
  from (
    select project_id, ${daysAgo(tx, tx`record_days`)} as records_before from project_settings
    where record_days is not null offset 0) settings
  cross join lateral (
    select r.organization_id, r.project_id, r.run_id, r.n from record r
    where r.project_id = settings.project_id and r.created_at < settings.records_before
      and r.run_id <> all (${keptRuns(tx, tx`settings.project_id`)}) and not ${isKept(tx)}
    order by r.created_at
    limit ${most}) old
  limit ${most}`;

const given = (tx: Sql, records: RecordKey[]): Fragment =>
  rowsOf(tx, records, { run_id: 'bigint', n: 'integer' });

/** Locks the traces of records before the records, as everything does. Returns those that someone else holds. */
export const findBusyTraces = async (tx: Sql, records: RecordKey[]): Promise<RecordKey[]> => {
  const all = await tx<(RecordKey & { id: bigint })[]>`
    select trace.id, trace.run_id as "runId", trace.n from trace join ${given(tx, records)}
      on trace.run_id = given.run_id and trace.n = given.n`;
  if (all.length === 0) return [];
  const locked = await tx<{ id: bigint }[]>`
    select id from trace where id = any(${all.map(({ id }) => String(id))}::bigint[]) order by id for update skip locked`;
  const held = new Set(locked.map(({ id }) => id));
  return all.filter(({ id }) => !held.has(id));
};

/** Deletes those of the records that are still to be purged and that no one else holds. */
export const deleteOldRecords = (tx: Sql, { organizationId }: Owner, records: RecordKey[]) => tx<
  (RecordKey & { projectId: bigint })[]
>`
  delete from record using (
    select r.run_id, r.n from record r join ${given(tx, records)} on r.run_id = given.run_id and r.n = given.n
    where r.organization_id = ${organizationId} and not ${isKept(tx)}
    for update of r skip locked) free
  where record.run_id = free.run_id and record.n = free.n and record.organization_id = ${organizationId}
  returning record.project_id as "projectId", record.run_id as "runId", record.n`;

/** Deletes runs that have lost all of their records and are older than their project keeps records. */
export const deleteEmptyRuns = (tx: Sql, { organizationId }: Owner, runIds: bigint[]) => tx`
  delete from run using project_settings settings
  where run.id = any(${runIds.map(String)}::bigint[]) and run.organization_id = ${organizationId}
    and settings.project_id = run.project_id and run.created_at < now() - settings.record_days * interval '1 day'
    and not exists (select from record where record.run_id = run.id)
    and not exists (select from execution where execution.run_id = run.id and execution.state = 'pending')`;

/**
 * Deletes simulations older than their project keeps records in which every conversation broke off: what was said in them is kept without
 * a record.
 */
export const deleteBrokenSimulations = (tx: Sql, most: number) => tx`
  delete from run where id in (
    select run.id from project_settings settings
    join run on run.project_id = settings.project_id and run.created_at < now() - settings.record_days * interval '1 day'
    where run.id <> all (${keptRuns(tx, tx`settings.project_id`)})
      and not exists (select from record where record.run_id = run.id)
      and exists (select from execution where execution.run_id = run.id and execution.evidence is not null)
      and not exists (select from execution where execution.run_id = run.id and execution.state = 'pending')
    limit ${most})`;
