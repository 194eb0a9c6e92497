import { lockRunMetrics } from '../../evaluation/runs/queries.ts';
import { queueScores } from '../../evaluation/runs/queue-scores.ts';
import { cancelled } from '../../evaluation/scores/requeue.ts';
import type { Sql } from '../../platform/db/database.ts';
import { rowsOf } from '../../platform/db/rows.ts';
import { reset } from '../../platform/jobs/settle.ts';

type Place = { organizationId: bigint; runId: bigint; n: number; monitorId: string };

/** A record that waits for the decision of a monitor. */
export type DueRecord = Place & {
  /** False while its monitor is paused, and once it was deleted. */
  active: boolean;
  samplingRate: number;
  /** Id of its session, else of its trace. */
  key: string;
  fits: boolean;
  spans: bigint;
  ends: string;
  /** The earlier decision, if there is one. */
  before: { drawn: boolean; inclusionProbability: number; spans: bigint; ends: string } | null;
};

export type Decision = DueRecord & { drawn: boolean; inclusionProbability: number };

type DueRow = Omit<DueRecord, 'before'> & {
  drawn: boolean | null;
  inclusionProbability: number | null;
  spansBefore: bigint | null;
  endsBefore: string | null;
};

/** Whether a record may be due. Reads monitor_record_due. */
export const findDue = (sql: Sql) => sql<{ runId: bigint }[]>`
  select run_id as "runId" from monitor_record where due_at <= now() limit 1`;

/**
 * Takes due records until the transaction ends. Skips those that another transaction takes, and those of a monitor that is being changed or
 * deleted, so that the change sees every decision made before it. A record fits when it has the tag, and a span that matches
 * the rest of the filter; with `error` true such a span failed, with false none did. Reads monitor_record_due, and the spans of
 * each record once.
 */
export const claimDue = async (tx: Sql, count: number): Promise<DueRecord[]> => {
  const rows = await tx<DueRow[]>`
    with due as materialized (
      select monitor_record.*, monitor.paused_at is null and monitor.deleted_at is null as active, monitor.sampling_rate,
        monitor.service, monitor.span_name, monitor.model, monitor.error, monitor.tag, monitor.min_duration_ms
      from monitor_record
      join monitor on monitor.id = monitor_record.monitor_id
      where due_at <= now()
      order by due_at
      limit ${count}
      for update of monitor_record skip locked
      for share of monitor skip locked)
    select due.organization_id as "organizationId", due.run_id as "runId", due.n, due.monitor_id as "monitorId",
      due.active, due.sampling_rate as "samplingRate",
      coalesce(r.session_id, had.otel_id, '') as key,
      had.fitting > 0 and (due.error is null or due.error = (had.failed > 0))
        and (due.tag is null or exists (
          select from record_tag tag where tag.run_id = due.run_id and tag.n = due.n and tag.text = due.tag)) as fits,
      had.spans, had.ends::text as ends, due.drawn, due.inclusion_probability as "inclusionProbability",
      due.spans as "spansBefore", due.ends::text as "endsBefore"
    from due
    join record r on r.run_id = due.run_id and r.n = due.n
    cross join lateral (
      select count(*) as spans, coalesce(sum(span.end_ns), 0) as ends, min(encode(trace.otel_id, 'hex')) as otel_id,
        count(*) filter (where fitting.it) as fitting, count(*) filter (where fitting.it and span.failed) as failed
      from trace join span on span.trace_id = trace.id
      cross join lateral (
        select (due.service is null or span.service = due.service)
          and (due.span_name is null or span.name = due.span_name)
          and (due.model is null or span.model = due.model)
          and (due.min_duration_ms is null
            or span.end_ns - span.start_ns >= due.min_duration_ms * 1000000::numeric) as it) fitting
      where trace.run_id = due.run_id and trace.n = due.n) had`;
  return rows.map(({ drawn, inclusionProbability, spansBefore, endsBefore, ...row }) => ({
    ...row,
    before:
      drawn === null
        ? null
        : {
            drawn,
            inclusionProbability: inclusionProbability!,
            spans: spansBefore!,
            ends: endsBefore!,
          },
  }));
};

const placeColumns = { run_id: 'bigint', n: 'integer', monitor_id: 'uuid' } as const;

/** A record that does not fit cannot be drawn; more spans may change that. */
export const deleteRecords = async (tx: Sql, places: Place[]): Promise<void> => {
  if (places.length === 0) return;
  await tx`
    delete from monitor_record using ${rowsOf(tx, places, placeColumns, { as: 'item' })}
    where monitor_record.run_id = item.run_id and monitor_record.n = item.n
      and monitor_record.monitor_id = item.monitor_id`;
};

const decisionColumns = {
  ...placeColumns,
  drawn: 'boolean',
  inclusion_probability: 'double precision',
  spans: 'bigint',
  ends: 'numeric',
} as const;

export const writeDecisions = async (tx: Sql, decisions: Decision[]): Promise<void> => {
  if (decisions.length === 0) return;
  await tx`
    update monitor_record set due_at = null, decided_at = coalesce(decided_at, clock_timestamp()), drawn = item.drawn,
      inclusion_probability = item.inclusion_probability, spans = item.spans, ends = item.ends
    from ${rowsOf(tx, decisions, decisionColumns, { as: 'item' })}
    where monitor_record.run_id = item.run_id and monitor_record.n = item.n
      and monitor_record.monitor_id = item.monitor_id`;
};

/** The configurations, current now, that records are to be scored by: those of their monitors' metrics. */
export const wanted = (tx: Sql, places: Place[]) => tx`
  select distinct monitored.organization_id, item.run_id, item.n, metric.id as metric_id, config.id as config_id, config.lane
  from ${rowsOf(tx, places, placeColumns, { as: 'item' })}
  join monitor_metric monitored on monitored.monitor_id = item.monitor_id
  join metric on metric.id = monitored.metric_id and metric.deleted_at is null
  join metric_config config on config.id = metric.current_config_id`;

/**
 * Adds the metrics that score these records to their runs, each with its first configuration, as in other runs.
 */
export const addToRuns = async (tx: Sql, places: Place[]): Promise<void> => {
  const missing = await tx<{ runId: bigint }[]>`
    select distinct run_id as "runId" from (${wanted(tx, places)}) wanted
    where not exists (
      select from run_metric where run_metric.run_id = wanted.run_id and run_metric.metric_id = wanted.metric_id)
    order by run_id`;
  for (const { runId } of missing) {
    await lockRunMetrics(tx, runId);
    await tx`
      insert into run_metric (organization_id, run_id, position, metric_id, metric_config_id, sampled)
      select organization_id, run_id, last.position + row_number() over (order by metric_id), metric_id, config_id, true
      from (select distinct organization_id, run_id, metric_id, config_id from (${wanted(tx, places)}) wanted
        where run_id = ${runId}) added
      cross join (select coalesce(max(position), 0) as position from run_metric where run_id = ${runId}) last
      on conflict (run_id, metric_id) do nothing`;
  }
};

/** Queues missing scores. */
export const queueDrawn = async (tx: Sql, places: Place[]): Promise<void> => {
  if (places.length === 0) return;
  await tx`
    ${queueScores(tx, tx`${wanted(tx, places)} order by item.run_id, item.n, config.id`)}
    on conflict (run_id, n, metric_config_id) do nothing`;
};

/**
 * Puts scores by machines back into the queue; outcomes under way are dropped. Scores that people or clients gave stay, and so do
 * cancelled ones.
 */
export const requeueDrawn = (tx: Sql, places: Place[]) => tx`
  update score set ${reset(tx, 'score')}, score = null, value = null, validation_errors = null, reason = null,
    evidence = null, input_hash = null, updated_at = now()
  from (${wanted(tx, places)}) wanted
  where score.run_id = wanted.run_id and score.n = wanted.n and score.metric_config_id = wanted.config_id
    and score.lane is not null and score.scored_by is null and score.reason is distinct from ${cancelled}`;
