import type { Sql } from '../../platform/db/database.ts';
import { exactTime } from '../../platform/db/times.ts';
import { cutToPage } from '../../platform/http/pagination.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { RawJson } from '../../platform/json/json.ts';

/** Where a run's scores begin: before every record. */
export const firstScore = '0 00000000-0000-0000-0000-000000000000';

/**
 * One page of a run's scores in any state, in the order of its records. Walks score_pkey for their keys, and reads the scores
 * with what hangs on them for the page alone: one probe a score, as no statistics know of a new run.
 */
export const exportScores = (sql: Sql, scope: Scope, runId: bigint, after: string, count: number) => {
  const [n = '', configId = ''] = after.split(' ');
  const seesAll = scope.role === 'admin';
  return cutToPage(
    sql,
    sql`
    select json_build_object(
        'recordId', s.run_id || '-' || s.n, 'metricId', config.metric_id::text, 'metricConfigId', s.metric_config_id,
        'state', s.state, 'score', s.score, 'reason', s.reason, 'scoredByUserId', s.scored_by, 'evidence', s.evidence,
        'scoredAt', ${exactTime(sql, sql`s.updated_at`)}, 'lastError', s.last_error, 'attempts', s.attempts, 'costUsd', s.cost_usd,
        'inputTokens', s.input_tokens, 'outputTokens', s.output_tokens,
        'history', coalesce((
          select json_agg(json_build_object('metricConfigId', h.metric_config_id, 'state', h.state, 'score', h.score, 'reason', h.reason,
            'scoredByUserId', h.scored_by, 'evidence', h.evidence, 'scoredAt', ${exactTime(sql, sql`h.scored_at`)},
            'replacedAt', ${exactTime(sql, sql`h.replaced_at`)}) order by h.id)
          from score_history h
          where h.run_id = ${runId} and h.n = s.n and h.organization_id = ${scope.organizationId}
            and not exists (
              select from score first join metric_config earlier on earlier.id = first.metric_config_id
              where first.run_id = ${runId} and first.n = s.n and first.organization_id = ${scope.organizationId}
                and earlier.metric_id = config.metric_id and first.metric_config_id < s.metric_config_id)
            and h.metric_config_id in (
              select other.id from metric_config other
              where other.metric_id = config.metric_id and other.organization_id = ${scope.organizationId})), '[]'),
        'reviews', coalesce((
          select json_agg(json_build_object('userId', review.member_id, 'score', review.score, 'blind', review.blind,
            'stands', review.stands, 'undoneAt', ${exactTime(sql, sql`review.undone_at`)},
            'submittedAt', ${exactTime(sql, sql`review.submitted_at`)}) order by review.submitted_at, review.id)
          from review_score review
          where review.run_id = ${runId} and review.n = s.n and review.metric_config_id = s.metric_config_id
            and review.organization_id = ${scope.organizationId}
            and (s.state <> 'pending' or ${seesAll}::boolean or ${scope.memberId}::uuid = any(s.reviewed_by))), '[]')
      )::text as body,
      s.n || ' ' || s.metric_config_id as key,
      row_number() over (order by s.n, s.metric_config_id) as place
    from (
      select score.n, score.metric_config_id from score
      where score.run_id = ${runId} and score.organization_id = ${scope.organizationId}
        and (score.n, score.metric_config_id) > (${n}::integer, ${configId}::uuid)
      order by score.n, score.metric_config_id
      limit ${count}) found
    cross join lateral (
      select * from score
      where score.run_id = ${runId} and score.n = found.n and score.metric_config_id = found.metric_config_id
        and score.organization_id = ${scope.organizationId}
      limit 1) s
    join metric_config config on config.id = s.metric_config_id and config.organization_id = ${scope.organizationId}`,
  );
};

/** Names the score that a row is of. */
export type ScoreKey = { n: number; configId: string };

/** What both a score and one that was replaced hold. Times are texts for PostgreSQL to read: a Date has no microseconds. */
export type VerdictRow = ScoreKey & {
  state: string;
  score: RawJson | null;
  /** Null where the score has validation errors, or there is none. */
  value: number | null;
  validationErrors: RawJson | null;
  reason: string | null;
  scoredBy: string | null;
  evidence: RawJson | null;
  scoredAt: string;
};

export type ScoreRow = VerdictRow & {
  lastError: string | null;
  attempts: number;
  costUsd: number | null;
  inputTokens: number | null;
  outputTokens: number | null;
  /** Who reviewed it; null where nobody did. */
  reviewers: string[] | null;
};

/**
 * Stores scores where there are none yet, and returns which those were; in one order, against deadlocks. What is pending is
 * due at once. Without the hash of the input: by that a verdict would stand for others, and it is a file's word alone.
 */
export const insertImportedScores = (tx: Sql, scope: Scope, runId: bigint, rows: ScoreRow[]) => tx<
  (ScoreKey & { costUsd: number | null })[]
>`
  insert into score (organization_id, run_id, n, metric_config_id, state, score, value, validation_errors, reason, scored_by,
    evidence, updated_at, last_error, attempts, cost_usd, input_tokens, output_tokens, reviewed_by, lane, due_at)
  select ${scope.organizationId}, ${runId}, item.n, item.config_id, item.state, item.score::json, item.value, item.errors::json,
    item.reason, item.scored_by, item.evidence::json, item.scored_at::timestamptz, item.last_error, item.attempts, item.cost_usd,
    item.input_tokens, item.output_tokens, string_to_array(item.reviewers, ' ')::uuid[], config.lane,
    case when item.state = 'pending' and config.lane is not null then now() end
  from unnest(${rows.map((row) => row.n)}::integer[], ${rows.map((row) => row.configId)}::uuid[],
    ${rows.map((row) => row.state)}::text[], ${rows.map((row) => row.score)}::text[],
    ${rows.map((row) => row.value)}::double precision[], ${rows.map((row) => row.validationErrors)}::text[],
    ${rows.map((row) => row.reason)}::text[], ${rows.map((row) => row.scoredBy)}::uuid[],
    ${rows.map((row) => row.evidence)}::text[], ${rows.map((row) => row.scoredAt)}::text[],
    ${rows.map((row) => row.lastError)}::text[], ${rows.map((row) => row.attempts)}::integer[],
    ${rows.map((row) => row.costUsd)}::double precision[], ${rows.map((row) => row.inputTokens)}::integer[],
    ${rows.map((row) => row.outputTokens)}::integer[], ${rows.map((row) => row.reviewers?.join(' ') ?? null)}::text[])
    as item (n, config_id, state, score, value, errors, reason, scored_by, evidence, scored_at, last_error, attempts, cost_usd,
      input_tokens, output_tokens, reviewers)
  join metric_config config on config.id = item.config_id and config.organization_id = ${scope.organizationId}
  order by item.n, item.config_id
  on conflict (run_id, n, metric_config_id) do nothing
  returning n, metric_config_id as "configId", cost_usd as "costUsd"`;

export type ReplacedRow = VerdictRow & { replacedAt: string };

/** Stores verdicts that were replaced, in the order given. */
export const insertHistory = (tx: Sql, scope: Scope, runId: bigint, rows: ReplacedRow[]) => tx`
  insert into score_history (organization_id, run_id, n, metric_config_id, state, score, value, validation_errors, reason,
    scored_by, evidence, scored_at, replaced_at)
  select ${scope.organizationId}, ${runId}, n, config_id, state, score::json, value, errors::json, reason, scored_by,
    evidence::json, scored_at::timestamptz, replaced_at::timestamptz
  from unnest(${rows.map((row) => row.n)}::integer[], ${rows.map((row) => row.configId)}::uuid[],
    ${rows.map((row) => row.state)}::text[], ${rows.map((row) => row.score)}::text[],
    ${rows.map((row) => row.value)}::double precision[], ${rows.map((row) => row.validationErrors)}::text[],
    ${rows.map((row) => row.reason)}::text[], ${rows.map((row) => row.scoredBy)}::uuid[],
    ${rows.map((row) => row.evidence)}::text[], ${rows.map((row) => row.scoredAt)}::text[],
    ${rows.map((row) => row.replacedAt)}::text[])
    with ordinality as item (n, config_id, state, score, value, errors, reason, scored_by, evidence, scored_at, replaced_at, place)
  order by place`;

export type ReviewRow = ScoreKey & {
  id: string;
  stands: boolean;
  undoneAt: string | null;
  memberId: string;
  score: RawJson;
  value: number;
  blind: boolean;
  submittedAt: string;
};

export const insertReviews = (tx: Sql, scope: Scope, runId: bigint, rows: ReviewRow[]) => tx`
  insert into review_score (id, organization_id, run_id, n, metric_config_id, member_id, score, value, blind, stands, undone_at,
    submitted_at)
  select id, ${scope.organizationId}, ${runId}, n, config_id, member_id, score::json, value, blind::boolean,
    stands::boolean, undone_at::timestamptz, submitted_at::timestamptz
  from unnest(${rows.map((row) => row.id)}::uuid[], ${rows.map((row) => row.n)}::integer[],
    ${rows.map((row) => row.configId)}::uuid[], ${rows.map((row) => row.memberId)}::uuid[],
    ${rows.map((row) => row.score)}::text[], ${rows.map((row) => row.value)}::double precision[],
    ${rows.map((row) => String(row.blind))}::text[], ${rows.map((row) => String(row.stands))}::text[],
    ${rows.map((row) => row.undoneAt)}::text[], ${rows.map((row) => row.submittedAt)}::text[])
    as item (id, n, config_id, member_id, score, value, blind, stands, undone_at, submitted_at)`;
