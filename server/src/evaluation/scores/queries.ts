import type { Fragment, Sql } from '../../platform/db/database.ts';
import { rowsOf } from '../../platform/db/rows.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { RawJson } from '../../platform/json/json.ts';
import type { EvalType, OutputType } from '../metrics/schema.ts';
import type { ScoreKey } from '../resources.ts';
import { madeBy, makerOf, replacedMadeBy, type Stated } from './made-by.ts';

/** The member who gave score `s`, or the contract's name for an automatic score. */
const scoredBy = (sql: Sql) => sql`coalesce(s.scored_by::text, 'background-job')`;

/** The end of a score as JSON text: who gave it, and our own addition, who made it, only where that was said. */
const authorText = (sql: Sql) => sql`
  ',"userId":"' || ${scoredBy(sql)} || '"' || coalesce(',"madeBy":"' || s.made_by || '"', '') || '}'`;

/** The scored scores of record `r` as a JSON array. `run` is the run's id or `r.run_id`. Reads score_pkey. */
/** `blind` leaves out what others than the member said; by default nothing is left out. */
export const scoresText = (sql: Sql, scope: Scope, run: Fragment, blind?: Fragment) => sql`
  '[' || coalesce((
    select string_agg(
      '{"recordId":"' || s.run_id || '-' || s.n || '","metricConfigId":"' || s.metric_config_id || '","score":'
        || s.score::text || coalesce(',"validationErrors":' || s.validation_errors::text, '')
        || ${authorText(sql)},
      ',' order by s.metric_config_id)
    from score s
    where s.run_id = ${run} and s.n = r.n and s.organization_id = ${scope.organizationId} and s.state = 'scored'
      ${blind ? sql`and ${isShown(sql, scope, blind)}` : sql``}), '') || ']'`;

/** The value of a score as JSON, for a category its label; null if it has none. */
export const valueOfScore = (sql: Sql, score: Fragment = sql`score`) =>
  sql`coalesce(${score} -> 'binaryScore', ${score} -> 'intScore', ${score} -> 'floatScore', ${score} -> 'categoryScore')`;

/** Whether a score's value reaches its metric's threshold. A boolean has no threshold and passes when true. */
export const passed = (sql: Sql, score: Fragment = sql`s`) =>
  sql`${score}.value >= coalesce(config.passing_threshold, 1)`;

/** Whether a member who reads blind sees what score `s` says: if it is their own. */
const isShown = (sql: Sql, scope: Scope, blind: Fragment) =>
  sql`(s.scored_by is not distinct from ${scope.memberId}::uuid or not ${blind})`;

/** Rows like those of `score`, in place of a record's own, with a column `whose` that says whose score each is. */
export type ScoreRows = { rows: Fragment };

/** All scores of record `r` with their states, as a JSON array. `blind` leaves out what others than the member said. */
export const scoreStatesText = (
  sql: Sql,
  scope: Scope,
  run: Fragment,
  blind?: Fragment,
  given?: ScoreRows,
) => {
  const said = (value: Fragment) =>
    blind ? sql`case when ${isShown(sql, scope, blind)} then ${value} end` : value;
  return sql`
  '[' || coalesce((
    select string_agg(
      left(json_build_object(
        'metricId', metric.id::text, 'metricName', metric.name, 'metricConfigId', s.metric_config_id, 'state', s.state,
        'passed', ${said(passed(sql))}, 'score', ${said(sql`s.score`)}, 'reason', ${said(sql`s.reason`)},
        'scoredByUserId', ${said(sql`s.scored_by`)}, 'madeBy', ${said(madeBy(sql))}, 'updatedAt', iso_time(s.updated_at)${given ? sql`, 'whose', s.whose` : sql``})::text, -1)
        || coalesce(',"validationErrors":' || ${said(sql`s.validation_errors::text`)}, '') || '}',
      ',' order by s.metric_config_id)
    from ${given?.rows ?? sql`score`} s
    join metric_config config on config.id = s.metric_config_id and config.organization_id = ${scope.organizationId}
    join metric on metric.id = config.metric_id and metric.organization_id = ${scope.organizationId}
    where s.run_id = ${run} and s.n = r.n and s.organization_id = ${scope.organizationId}), '') || ']'`;
};

/** Finds which of these numbers are records of the run, and locks the records against deletion. */
export const lockRecords = (tx: Sql, scope: Scope, runId: bigint, numbers: number[]) => tx<{ n: number }[]>`
  select n from record
  where organization_id = ${scope.organizationId} and run_id = ${runId} and n = any(${numbers}::integer[])
  for key share`;

export type ScoringConfig = {
  id: string;
  evalType: EvalType;
  outputType: OutputType;
  isDeleted: boolean;
  /** Which spans of a record it scores; null if it scores records. */
  spans: string | null;
  /** JSON text of the criteria that it scores one by one; null without any. */
  criteria: string | null;
  /** JSON text of the labels that it gives; null for a metric that is no category. */
  labels: string | null;
};

/** Finds which of these configurations belong to the run's project. */
export const findConfigsOfRun = (tx: Sql, scope: Scope, runId: bigint, configIds: string[]) => tx<
  ScoringConfig[]
>`
  select config.id, config.eval_type as "evalType", config.output_type as "outputType",
    metric.deleted_at is not null as "isDeleted", config.span_search as spans, config.criteria::text as criteria,
    config.labels::text as labels
  from run
  join metric on metric.project_id = run.project_id and metric.organization_id = ${scope.organizationId}
  join metric_config config on config.metric_id = metric.id and config.organization_id = ${scope.organizationId}
  where run.organization_id = ${scope.organizationId} and run.id = ${runId} and config.id = any(${configIds}::uuid[])`;

export type StoredScore = {
  n: number;
  configId: string;
  score: RawJson;
  /** Null when the score has validation errors. */
  value: number | null;
  validationErrors: RawJson | null;
  /** Who made it, if the sender says so. */
  madeBy?: Stated | undefined;
};

/** That a record has no score, and why. `evidence`: the verdicts on some of its criteria, if there are any. */
export type StoredReason = { n: number; configId: string; reason: string; evidence: RawJson | null };

/** The expected outputs of records of a run, as text. */
export const findExpected = (tx: Sql, scope: Scope, runId: bigint, numbers: number[]) => tx<
  { n: number; expected: RawJson }[]
>`
  select n, expected::text as expected from record
  where organization_id = ${scope.organizationId} and run_id = ${runId} and n = any(${numbers}::integer[])`;

/** Update of an existing score of the same record and configuration. */
export const replaceScore = (tx: Sql) => tx`
  on conflict (run_id, n, metric_config_id) do update set
    state = excluded.state, score = excluded.score, value = excluded.value, validation_errors = excluded.validation_errors,
    reason = excluded.reason, scored_by = excluded.scored_by, in_session = excluded.in_session, made_by = excluded.made_by, sent = false, evidence = excluded.evidence, input_hash = null, last_error = null, updated_at = now()`;

/** The columns of a StoredScore. */
export const storedColumns = {
  n: 'integer',
  config_id: 'uuid',
  score: 'json text',
  value: 'double precision',
  validation_errors: 'text',
  made_by: 'text',
} as const;

/** The row of a score: its maker is null where it follows from the member who gave it. */
export const storedRow = (scope: Scope, { madeBy, ...score }: StoredScore) => ({
  ...score,
  madeBy: makerOf(scope, madeBy) === makerOf(scope, undefined) ? null : madeBy,
});

/** Stores scores and replaces existing ones of the same record and configuration. Writes them in one order, against deadlocks. */
export const upsertScoreRows = (tx: Sql, scope: Scope, runId: bigint, scores: StoredScore[]) => tx`
  insert into score (organization_id, run_id, n, metric_config_id, state, score, value, validation_errors, scored_by,
    in_session, made_by)
  select ${scope.organizationId}, ${runId}, item.n, item.config_id, 'scored', item.score::json, item.value,
    item.validation_errors::json, ${scope.memberId}, ${scope.signInId !== null}, item.made_by
  from ${rowsOf(
    tx,
    scores.map((score) => storedRow(scope, score)),
    storedColumns,
    { as: 'item' },
  )}
  order by item.n, item.config_id
  ${replaceScore(tx)}`;

/** Marks records as unscored, with the reasons, and replaces existing scores of the same record and configuration. */
export const upsertReasonRows = (tx: Sql, scope: Scope, runId: bigint, reasons: StoredReason[]) => tx`
  insert into score (organization_id, run_id, n, metric_config_id, state, reason, evidence)
  select ${scope.organizationId}, ${runId}, item.n, item.config_id, 'unscored', item.reason, item.evidence::json
  from ${rowsOf(tx, reasons, { n: 'integer', config_id: 'uuid', reason: 'text', evidence: 'text' }, { as: 'item' })}
  order by item.n, item.config_id
  ${replaceScore(tx)}`;

/** Finds the records whose scores have more than `maxBytes` together. */
export const findOverfull = (tx: Sql, scope: Scope, runId: bigint, numbers: number[], maxBytes: number) => tx<
  { n: number }[]
>`
  select n from score
  where organization_id = ${scope.organizationId} and run_id = ${runId} and n = any(${numbers}::integer[])
  group by n
  having sum(octet_length(score::text)) > ${maxBytes}
  order by n`;

/** Queues a score for a person. An existing score stays. */
export const queueScore = (tx: Sql, scope: Scope, runId: bigint, n: number, configId: string) => tx`
  insert into score (organization_id, run_id, n, metric_config_id, state)
  values (${scope.organizationId}, ${runId}, ${n}, ${configId}, 'pending')
  on conflict (run_id, n, metric_config_id) do update set state = 'pending', reason = null, evidence = null, updated_at = now()
  where score.state <> 'scored'`;

/**
 * Returns a score in any state as JSON text, with its evidence and all verdicts of its metric that it replaced, newest first:
 * after a rescoring also those of another configuration.
 */
export const findScoreDetail = (sql: Sql, scope: Scope, { runId, n, configId }: ScoreKey) => sql<
  { body: string }[]
>`
  select json_build_object(
    'recordId', s.run_id || '-' || s.n, 'metricConfigId', s.metric_config_id, 'state', s.state, 'score', s.score,
    'reason', s.reason, 'lastError', s.last_error, 'numAttempts', s.attempts, 'scoredByUserId', s.scored_by,
    'madeBy', ${madeBy(sql)}, 'evidence', s.evidence, 'updatedAt', iso_time(s.updated_at),
    'history', coalesce((
      select json_agg(json_build_object(
        'metricConfigId', h.metric_config_id, 'state', h.state, 'score', h.score, 'reason', h.reason, 'scoredByUserId', h.scored_by, 'madeBy', ${replacedMadeBy(sql)},
        'evidence', h.evidence, 'scoredAt', iso_time(h.scored_at), 'replacedAt', iso_time(h.replaced_at)) order by h.id desc)
      from score_history h
      where h.organization_id = ${scope.organizationId} and h.run_id = ${runId} and h.n = ${n}
        and h.metric_config_id in (
          select other.id from metric_config other
          where other.organization_id = ${scope.organizationId} and other.metric_id = config.metric_id)), '[]'))::text as body
  from score s
  join metric_config config on config.id = s.metric_config_id and config.organization_id = ${scope.organizationId}
  where s.organization_id = ${scope.organizationId} and s.run_id = ${runId} and s.n = ${n}
    and s.metric_config_id = ${configId}`;

/** Returns a score as JSON text. A pending score has an empty `score`. */
export const findScore = (tx: Sql, scope: Scope, runId: bigint, n: number, configId: string) => tx<
  { body: string }[]
>`
  select '{"recordId":"' || s.run_id || '-' || s.n || '","metricConfigId":"' || s.metric_config_id || '","score":'
    || coalesce(s.score::text, '{}') || coalesce(',"validationErrors":' || s.validation_errors::text, '')
    || ${authorText(tx)} as body
  from score s
  where s.organization_id = ${scope.organizationId} and s.run_id = ${runId} and s.n = ${n}
    and s.metric_config_id = ${configId}`;
