import type { Sql } from '../../../platform/db/database.ts';
import { rowsOf } from '../../../platform/db/rows.ts';
import type { Scope } from '../../../platform/http/scope.ts';
import { type Side, splitSql } from '../../labels/split.ts';
import type { SavedVerdicts } from '../queries.ts';
import type { Change } from '../rescoring/schema.ts';

/** Mean length of the pinned records of a split in bytes, as a judge reads them. */
export const measurePinned = (sql: Sql, scope: Scope, metricId: bigint, split: Side) => sql<
  { bytes: number | null }[]
>`
  select avg(octet_length(r.inputs::text) + octet_length(r.expected::text) + octet_length(r.outputs::text))::float8 as bytes
  from pinned_label p
  join record r on r.run_id = p.run_id and r.n = p.n and r.organization_id = ${scope.organizationId}
  where p.metric_id = ${metricId} and p.organization_id = ${scope.organizationId} and ${splitSql(sql)} = ${split}`;

/** Number of alignments of a metric that were tested on the labels for testing. Reads trial_metric. */
export const countChecks = (sql: Sql, scope: Scope, metricId: bigint) => sql<{ count: number }[]>`
  select count(*)::int as count from trial
  where metric_id = ${metricId} and organization_id = ${scope.organizationId} and split = 'test'`;

export type Written = {
  metricId: bigint;
  /** The candidate whose verdicts are listed. */
  candidate: { runId: string; metricConfigId: string };
  savedConfigId: string;
  /** Verdicts of the saved prompt in trials; null if it gave the pinned ones. */
  saved: SavedVerdicts | null;
};

/**
 * Lists the labels for tuning with the verdicts of people, of the saved prompt and of a candidate, as JSON text, by their places. Reads
 * pinned_label_metric and the run's range of score.
 */
export const listWritten = (
  sql: Sql,
  scope: Scope,
  { metricId, candidate, savedConfigId, saved }: Written,
  { change, disagreements }: { change?: Change | undefined; disagreements?: boolean | undefined },
  after: string,
  count: number,
) => {
  const rows = (saved?.places ?? []).map((place, i) => ({
    place,
    passed: saved!.passed[i]!,
    reasoning: saved!.reasonings[i]!,
  }));
  return sql<{ body: string; key: string }[]>`
  with given as (
    select place, passed, reasoning
    from ${rowsOf(sql, rows, { place: 'integer', passed: 'boolean', reasoning: 'text' }, { as: 'item' })}),
  compared as (
    select p.run_id, p.n, p.place, p.human_passed, s.run_id as judged_run_id, s.state, s.score, s.reason, s.value,
      s.value >= coalesce(config.passing_threshold, 1) as passed, before.passed as before_passed, before.reasoning as before_reasoning
    from pinned_label p
    join record r on r.run_id = p.run_id and r.n = p.n and r.organization_id = ${scope.organizationId}
    join metric_config config on config.id = ${candidate.metricConfigId}::uuid and config.organization_id = ${scope.organizationId}
    join score s on s.run_id = ${candidate.runId}::bigint and s.n = p.place and s.metric_config_id = config.id
      and s.organization_id = ${scope.organizationId}
    left join lateral (
      ${
        saved
          ? sql`select given.passed, given.reasoning from given where given.place = p.place`
          : sql`
            select p.judge_passed as passed, (
              select own.score ->> 'reasoning' from score own
              where own.run_id = p.run_id and own.n = p.n and own.metric_config_id = ${savedConfigId}::uuid and own.scored_by is null
                and own.organization_id = ${scope.organizationId}) as reasoning`
      }) before on true
    where p.metric_id = ${metricId} and p.organization_id = ${scope.organizationId} and ${splitSql(sql)} = 'dev'),
  changed as (
    select *, case
        when state <> 'scored' then state
        when before_passed is null then 'newlyScored'
        when before_passed > passed then 'passToFail'
        when before_passed < passed then 'failToPass'
        else 'same'
      end as change
    from compared)
  select json_build_object(
      'recordId', run_id || '-' || n, 'change', change, 'applied', null, 'people', human_passed,
      'judgedRecordId', judged_run_id || '-' || place,
      'before', case when before_passed is not null then json_build_object(
        'metricConfigId', ${savedConfigId}::text, 'state', 'scored', 'passed', before_passed,
        'score', case when before_reasoning is not null then json_build_object('reasoning', before_reasoning) end, 'reason', null) end,
      'after', json_build_object(
        'metricConfigId', ${candidate.metricConfigId}::text, 'state', state, 'passed', passed, 'score', score,
        'reason', reason))::text as body,
    place::text as key
  from changed
  where place > ${after}::integer
    ${change === undefined ? sql`` : sql`and change = ${change}`}
    ${disagreements ? sql`and (passed is distinct from human_passed or before_passed <> human_passed)` : sql``}
  order by place
  limit ${count}`;
};
