import type { OutputType } from '../../evaluation/metrics/schema.ts';
import { recordFields } from '../../evaluation/records/queries.ts';
import type { Stated } from '../../evaluation/scores/made-by.ts';
import type { Sql } from '../../platform/db/database.ts';
import type { RecordKey } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { RawJson } from '../../platform/json/json.ts';
import type { QueueFilter } from './queue-filter.ts';
import type { ReviewRule } from './schema.ts';

/** The key of a score that reviewers give: a record and a configuration of a human metric. */
export type ReviewKey = RecordKey & { configId: string };

/** What a reviewer needs of a metric to score by it, as arguments of json_build_object. */
export const askedMetric = (sql: Sql) => sql`
  'metricId', metric.id::text, 'metricConfigId', config.id,
  'metricName', metric.name, 'guidelines', config.guidelines, 'outputType', config.output_type, 'criteria', config.criteria,
  'labels', config.labels, 'numReviewers', metric.reviewers`;

/** When the member's claim on a record by `config` ends, as an argument of json_build_object. */
export const claimedUntil = (sql: Sql, scope: Scope, { runId, n }: RecordKey) => sql`
  'claimedUntil', (
    select iso_time(claim.expires_at) from review_claim claim
    where claim.run_id = ${runId} and claim.n = ${n} and claim.metric_config_id = config.id
      and claim.member_id = ${scope.memberId} and claim.organization_id = ${scope.organizationId}
      and claim.expires_at > now())`;

/** The member's last score of a record by `config`, as JSON text. */
export const previousScore = (sql: Sql, scope: Scope, { runId, n }: RecordKey) => sql`
  coalesce((
    select review.score::text from review_score review
    where review.run_id = ${runId} and review.n = ${n} and review.metric_config_id = config.id
      and review.member_id = ${scope.memberId} and review.organization_id = ${scope.organizationId}
    order by review.submitted_at desc limit 1), 'null')`;

/** Returns a ReviewTask as JSON text. The record's free-form parts are as they were sent. */
export const findTask = (sql: Sql, scope: Scope, { runId, n, configId }: ReviewKey) => sql<
  { body: string }[]
>`
  select left(json_build_object(
      'recordId', r.run_id || '-' || r.n, ${askedMetric(sql)},
      'assigned', exists (
        select from record_assignment assignment
        where assignment.run_id = ${runId} and assignment.n = ${n} and assignment.assignee_id = ${scope.memberId}
          and assignment.organization_id = ${scope.organizationId}),
      'hasSpans', exists (
        select from trace
        where trace.run_id = r.run_id and trace.n = r.n and trace.organization_id = ${scope.organizationId})
      or r.otel_link_id is not null and exists (
        select from trace_link link
        where link.project_id = r.project_id and link.link = r.otel_link_id
          and link.organization_id = ${scope.organizationId}),
      ${claimedUntil(sql, scope, { runId, n })})::text, -1)
    || ',"previousScore":' || ${previousScore(sql, scope, { runId, n })}
    || ',"record":' || ${recordFields(sql)} || '}}' as body
  from record r
  join metric_config config on config.id = ${configId} and config.organization_id = ${scope.organizationId}
  join metric on metric.id = config.metric_id and metric.organization_id = ${scope.organizationId}
  where r.run_id = ${runId} and r.n = ${n} and r.organization_id = ${scope.organizationId}`;

export type ReviewedScore = {
  state: string;
  /** Whether reviews made the current score. It may also come from the score endpoint. */
  byReviews: boolean;
  outputType: OutputType;
  /** JSON text of the labels of a category. */
  labels: string | null;
  numReviewers: number;
  reviewRule: ReviewRule;
  hasCriteria: boolean;
};

/** Finds a score with its metric's review settings, and locks it until the commit: reviews of one score take turns. */
export const lockScore = (tx: Sql, scope: Scope, { runId, n, configId }: ReviewKey) => tx<ReviewedScore[]>`
  select s.state, field_text(s.evidence, 'rule') is not null and s.state = 'scored' as "byReviews", config.output_type as "outputType",
      config.labels::text as labels, metric.reviewers as "numReviewers", metric.review_rule as "reviewRule", config.criteria is not null as "hasCriteria"
  from score s
  join metric_config config on config.id = s.metric_config_id and config.organization_id = ${scope.organizationId}
  join metric on metric.id = config.metric_id and metric.organization_id = ${scope.organizationId}
  where s.run_id = ${runId} and s.n = ${n} and s.metric_config_id = ${configId}
    and s.organization_id = ${scope.organizationId} and config.eval_type = 'human' and metric.deleted_at is null
  for no key update of s`;

export const reviewJson = (sql: Sql) => sql`
  left(json_build_object('id', review.id, 'recordId', review.run_id || '-' || review.n,
    'metricConfigId', review.metric_config_id, 'userId', review.member_id, 'madeBy', review.made_by, 'blind', review.blind,
    'submittedAt', iso_time(review.submitted_at))::text, -1) || ',"score":' || review.score::text || '}'`;

/** Marks the member's own review as replaced. */
export const replaceOwnReview = (tx: Sql, scope: Scope, { runId, n, configId }: ReviewKey) => tx`
  update review_score set stands = false
  where member_id = ${scope.memberId} and metric_config_id = ${configId} and run_id = ${runId} and n = ${n}
    and organization_id = ${scope.organizationId} and stands`;

/** Finds the member's last current review, in the filtered queues of a project. Reads review_score_last backwards. */
export const findLastReview = (
  tx: Sql,
  scope: Scope,
  projectId: bigint,
  { metricId, runId }: QueueFilter,
) => tx<(ReviewKey & { id: string })[]>`
  select review.id, review.run_id as "runId", review.n, review.metric_config_id as "configId"
  from review_score review
  join metric_config config on config.id = review.metric_config_id and config.organization_id = ${scope.organizationId}
  join metric on metric.id = config.metric_id and metric.organization_id = ${scope.organizationId}
  where review.member_id = ${scope.memberId} and review.organization_id = ${scope.organizationId} and review.stands
    and metric.project_id = ${projectId} and metric.deleted_at is null
    and (${metricId}::bigint is null or metric.id = ${metricId})
    and (${runId}::bigint is null or review.run_id = ${runId})
  order by review.submitted_at desc
  limit 1`;

/** Finds the member's other current reviews of a record that were submitted together with this one: they have its time. */
export const findSubmittedWith = (tx: Sql, scope: Scope, { runId, n }: ReviewKey, id: string) => tx<
  (ReviewKey & { id: string })[]
>`
  select review.id, review.run_id as "runId", review.n, review.metric_config_id as "configId"
  from review_score review
  where review.run_id = ${runId} and review.n = ${n} and review.member_id = ${scope.memberId}
    and review.organization_id = ${scope.organizationId} and review.stands and review.id <> ${id}
    and review.submitted_at = (
      select this.submitted_at from review_score this
      where this.run_id = ${runId} and this.n = ${n} and this.id = ${id} and this.organization_id = ${scope.organizationId})
  order by review.metric_config_id`;

/** Finds by which of these configurations the member has reviewed the record. */
export const findOwnReviews = (
  tx: Sql,
  scope: Scope,
  { runId, n }: RecordKey,
  configIds: readonly string[],
) => tx<{ configId: string }[]>`
  select metric_config_id as "configId" from review_score
  where run_id = ${runId} and n = ${n} and metric_config_id = any(${configIds as string[]}::uuid[])
    and member_id = ${scope.memberId} and organization_id = ${scope.organizationId} and stands
  order by metric_config_id`;

export const undoReview = (tx: Sql, scope: Scope, { runId, n, configId }: ReviewKey, id: string) => tx`
  update review_score set stands = false, undone_at = now()
  where run_id = ${runId} and n = ${n} and metric_config_id = ${configId} and id = ${id}
    and organization_id = ${scope.organizationId} and stands`;

/** Restores the member's last review that was replaced and not undone. */
export const restoreOwnReview = (tx: Sql, scope: Scope, { runId, n, configId }: ReviewKey) => tx`
  update review_score set stands = true
  where run_id = ${runId} and n = ${n} and metric_config_id = ${configId} and organization_id = ${scope.organizationId}
    and id = (
      select before.id from review_score before
      where before.run_id = ${runId} and before.n = ${n} and before.metric_config_id = ${configId}
        and before.organization_id = ${scope.organizationId} and before.member_id = ${scope.memberId}
        and before.undone_at is null
      order by before.submitted_at desc
      limit 1)`;

/**
 * Inserts a review. It is blind unless its author could have read another's before: once the score is there, or once the
 * author had submitted a review, even one that was undone since.
 */
export const insertReview = (
  tx: Sql,
  scope: Scope,
  { runId, n, configId }: ReviewKey,
  review: { id: string; score: RawJson; value: number; state: string; madeBy: Stated; at?: string | null },
) => tx<{ body: string }[]>`
  insert into review_score as review (id, organization_id, run_id, n, metric_config_id, member_id, score, made_by, value, blind,
    submitted_at)
  select ${review.id}, ${scope.organizationId}, ${runId}, ${n}, ${configId}, ${scope.memberId}, ${review.score}::text::json,
    ${review.madeBy}, ${review.value}, ${review.state} = 'pending' and (count(*) filter (where before.member_id = ${scope.memberId}) = 0
      or count(*) filter (where before.member_id <> ${scope.memberId}) = 0),
    coalesce(${review.at ?? null}::text::timestamptz, clock_timestamp())
  from review_score before
  where before.run_id = ${runId} and before.n = ${n} and before.metric_config_id = ${configId}
    and before.organization_id = ${scope.organizationId}
  returning ${reviewJson(tx)} as body`;

/** Updates the score's list of the reviewers with current reviews. */
export const copyReviewers = (tx: Sql, scope: Scope, { runId, n, configId }: ReviewKey) => tx`
  update score set reviewed_by = (
    select array_agg(review.member_id) from review_score review
    where review.run_id = ${runId} and review.n = ${n} and review.metric_config_id = ${configId}
      and review.organization_id = ${scope.organizationId} and review.stands)
  where run_id = ${runId} and n = ${n} and metric_config_id = ${configId} and organization_id = ${scope.organizationId}`;

/** The state of score `s` and its number of reviews, as JSON text without the closing brace. */
const reviewState = (sql: Sql) => sql`
  left(json_build_object('state', s.state, 'numReviewers', metric.reviewers,
    'numReviews', coalesce(cardinality(s.reviewed_by), 0))::text, -1)`;

const scoreToReview = (sql: Sql, scope: Scope, { runId, n, configId }: ReviewKey) => sql`
  from score s
  join metric_config config on config.id = s.metric_config_id and config.organization_id = ${scope.organizationId}
  join metric on metric.id = config.metric_id and metric.organization_id = ${scope.organizationId}
  where s.run_id = ${runId} and s.n = ${n} and s.metric_config_id = ${configId}
    and s.organization_id = ${scope.organizationId} and config.eval_type = 'human'`;

export const findReviewState = (sql: Sql, scope: Scope, key: ReviewKey) => sql<{ body: string }[]>`
  select ${reviewState(sql)} as body ${scoreToReview(sql, scope, key)}`;

/**
 * Returns a score's reviews as JSON text, oldest first. While the score is pending, a member sees none before submitting a
 * review. It is one statement, so that state and reviews come from the same snapshot.
 */
export const findReviews = (sql: Sql, scope: Scope, key: ReviewKey) => sql<{ body: string }[]>`
  with stand as (
    select review.* from review_score review
    where review.run_id = ${key.runId} and review.n = ${key.n} and review.metric_config_id = ${key.configId}
      and review.organization_id = ${scope.organizationId} and review.stands)
  select ${reviewState(sql)} || ',"data":[' || coalesce((
      select string_agg(${reviewJson(sql)}, ',' order by review.submitted_at, review.id)
      from stand review
      where s.state <> 'pending' or exists (select from stand own where own.member_id = ${scope.memberId})), '') || ']}' as body
  ${scoreToReview(sql, scope, key)}`;
