import type { Database, Sql } from '../../platform/db/database.ts';
import { system } from '../../platform/db/database.ts';
import { countedRecords, measuresOf, scoresOf } from './count.ts';

type Hour = { organizationId: bigint; projectId: bigint; hour: Date };

/** Values of models, versions and tags that are kept of an hour, those with most records. */
const maxValues = 100;

const findDueHour = (tx: Sql) => tx<Hour[]>`
  select organization_id as "organizationId", project_id as "projectId", hour from series_hour
  where due_at <= now() order by hour desc limit 1`;

/** Locks the project, then the hour; no row when one is gone or another process counts the hour. */
const claimHour = async (tx: Sql, { organizationId, projectId, hour }: Hour): Promise<boolean> => {
  await tx`select from project where id = ${projectId} and organization_id = ${organizationId} for key share`;
  const claimed = await tx`
    select from series_hour
    where project_id = ${projectId} and organization_id = ${organizationId} and hour = ${hour} and due_at <= now()
    for update skip locked`;
  return claimed.length > 0;
};

const dropCounts = async (tx: Sql, { organizationId, projectId, hour }: Hour): Promise<void> => {
  const all = tx`array['all', 'model', 'version', 'tag', 'monitor']`;
  await tx`
    delete from series_measure
    where project_id = ${projectId} and organization_id = ${organizationId} and hour = ${hour} and dimension = any(${all})`;
  await tx`
    delete from series_score
    where project_id = ${projectId} and organization_id = ${organizationId} and hour = ${hour} and dimension = any(${all})`;
  await tx`
    delete from series_run where project_id = ${projectId} and organization_id = ${organizationId} and hour = ${hour}`;
};

/** Counts the records of an hour, in one statement. The lists of counts are materialized, so that each is made once. */
export const insertCounts = (tx: Sql, { organizationId, projectId, hour }: Hour) =>
  tx<{ n: number }[]>`
    with counted as materialized (${countedRecords(tx, { organizationId, projectId, hours: [hour] })}),
    measures as materialized (
      select * from (
        select *, row_number() over (partition by dimension, source order by records desc, value) as place
        from (${measuresOf(tx, organizationId)}) counted) ranked
      where place <= ${maxValues} or dimension = 'monitor'),
    score_counts as materialized (${scoresOf(tx, organizationId)}),
    kept as (
      insert into series_measure (organization_id, project_id, hour, source, dimension, value, records, measured, failed, input_tokens,
        output_tokens, tokens_n, tokens_sum, tokens_squares, tokens_cubes, cost_n, cost_sum, cost_squares, cost_cubes, latency_bins, latency_counts,
        user_groups, user_measured, user_failed)
      select ${organizationId}, ${projectId}, hour, source, dimension, value, records, measured, failed, input_tokens,
        output_tokens, tokens_n, tokens_sum, tokens_squares, tokens_cubes, cost_n, cost_sum, cost_squares, cost_cubes, latency_bins, latency_counts,
        user_groups, user_measured, user_failed
      from measures),
    scores as (
      insert into series_score (organization_id, project_id, hour, source, dimension, value, metric_config_id, label, scored, counted, passed,
        pending, unscored, failed, score_sum, score_squares, user_groups, user_scored, user_passed, user_sums, user_squares)
      select ${organizationId}, ${projectId}, hour, source, dimension, value, metric_config_id, label, scored, counted, passed,
        pending, unscored, failed, score_sum, score_squares, user_groups, user_scored, user_passed, user_sums, user_squares
      from score_counts
      where (source, dimension, value) in (select source, dimension, value from measures)),
    runs as (
      insert into series_run (organization_id, project_id, hour, run_id)
      select distinct ${organizationId}::bigint, ${projectId}::bigint, hour, run_id from counted)
    select count(*)::int as n from counted`;

/**
 * Notes that an hour was counted. It is counted again a quarter of an hour after its end, and a day later: spans that arrive
 * after their record note no change.
 */
const settleHour = (tx: Sql, { organizationId, projectId, hour }: Hour, tookMs: number) => tx`
  update series_hour set changed = false, counted_at = now(), took_ms = ${tookMs},
    due_at = (
      select min(at) from unnest(array[hour + interval '75 minutes', hour + interval '25 hours']) at where at > now())
  where project_id = ${projectId} and organization_id = ${organizationId} and hour = ${hour}`;

const dropHour = (tx: Sql, { organizationId, projectId, hour }: Hour) => tx`
  delete from series_hour where project_id = ${projectId} and organization_id = ${organizationId} and hour = ${hour}`;

/** Counts the latest hour that is due, in one transaction. Returns whether there was one. */
export const countDueHour = async (db: Database): Promise<boolean> => {
  const [due] = await db.read(system, findDueHour);
  if (!due) return false;
  await db.transaction(system, async (tx) => {
    if (!(await claimHour(tx, due))) return;
    const begun = performance.now();
    await dropCounts(tx, due);
    const [counted] = await insertCounts(tx, due);
    if (counted!.n === 0) await dropHour(tx, due);
    else await settleHour(tx, due, performance.now() - begun);
  });
  return true;
};
