import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import type { Database, Fragment, Sql } from '../../platform/db/database.ts';
import { type App, requireOne } from '../../platform/http/http.ts';
import type { Authenticate, Scope } from '../../platform/http/scope.ts';

/**
 * Why a score of the tallied configuration is tried again later. Reads the pending scores that are not due: the few that are leased, and
 * the postponed ones, which have an error.
 */
const whyPutOff = (sql: Sql, scope: Scope, runId: bigint) => sql`
  case when lane = 'judge' and pending > 0 then (
    select last_error from score
    where run_id = ${runId} and lane = 'judge' and state = 'pending' and due_at > now()
      and metric_config_id = config_id and last_error is not null and organization_id = ${scope.organizationId}
    order by due_at desc
    limit 1) end`;

/** Why one of the failed scores failed. */
const whyFailed = (sql: Sql, scope: Scope, runId: bigint) => sql`
  case when failed > 0 then (
    select reason from score
    where run_id = ${runId} and metric_config_id = config_id and state = 'failed'
      and organization_id = ${scope.organizationId}
    limit 1) end`;

/** How many scores of the tallied configuration do not fit its metric. Reads score_unscored. */
const countInvalid = (sql: Sql, scope: Scope, runId: bigint) => sql`
  (select count(*)::int from score
    where metric_config_id = config_id and run_id = ${runId} and organization_id = ${scope.organizationId}
      and (state = 'unscored' or validation_errors is not null) and validation_errors is not null)`;

/** Says how many scores do not fit their metric, and the fault of one of them; null if all fit. */
export const misfitText = (sql: Sql, numInvalid: Fragment, validationErrors: Fragment) => sql`
  ${numInvalid} || case when ${numInvalid} = 1 then ' score does' else ' scores do' end || ' not fit the metric: '
    || ltrim(${validationErrors}->0->>'path', '/') || ' ' || (${validationErrors}->0->>'message')`;

/** That scores do not fit the metric, and the first fault of one of them. */
const whyInvalid = (sql: Sql, scope: Scope, runId: bigint) => sql`
  case when invalid > 0 then (
    select ${misfitText(sql, sql`invalid`, sql`validation_errors`)}
    from score
    where metric_config_id = config_id and run_id = ${runId} and organization_id = ${scope.organizationId}
      and (state = 'unscored' or validation_errors is not null) and validation_errors is not null
    limit 1) end`;

/** Reasons that are compared: a run of a million records may have as many unscored ones. */
const comparedReasons = 1_000;

/** Why scores are unscored: the reason that most of them have, with its count if there are others. Reads score_unscored. */
const whyUnscored = (sql: Sql, scope: Scope, runId: bigint) => sql`
  case when unscored > 0 then (
    select case when count(*) over () > 1 then n || ' of ' || unscored || ': ' else '' end || reason
    from (
      select reason, count(*) as n
      from (
        select reason from score
        where metric_config_id = config_id and run_id = ${runId} and organization_id = ${scope.organizationId}
          and (state = 'unscored' or validation_errors is not null) and state = 'unscored'
        limit ${comparedReasons}) compared
      group by reason) reasons
    order by n desc, reason
    limit 1) end`;

/** Advice if no process scores. */
const noWorker =
  'No process scores. Start one: npm run worker, or a service with DOKIMA_WORKERS of 1 or more.';

/**
 * Progress of a run's scores, metric by metric, and what blocks those of machines. Judges whose budget is used up do not count as working.
 * Reads run_tally_run, score_due and, where scores failed, score_pkey.
 */
export const findRunProgress = (sql: Sql, scope: Scope, runId: bigint) => sql<
  { body: string; working: boolean }[]
>`
  select json_build_object(
      'numRecords', counted.records, 'numExpectedRecords', run.num_expected_records,
      'working', still.working,
      'stoppedBy', case when stopped.it and counted.judges > 0 then 'judgeBudget' end,
      'reason', case when still.automatic and not exists (select from worker where seen_at > now() - interval '1 minute')
        then ${noWorker}::text end,
      'numFailedCalls', lost.failed, 'numRetriedCalls', retried.n, 'numErrors', lost.failed + counted.errors + counted.invalid,
      'metrics', coalesce(counted.metrics, '[]'))::text as body,
    still.working
  from run
  cross join lateral (
    select coalesce(sum(n) filter (where state is null), 0)::int as records,
      coalesce(sum(pending) filter (where lane = 'code'), 0)::int as code,
      coalesce(sum(pending) filter (where lane = 'judge'), 0)::int as judges,
      coalesce(sum(failed), 0)::int as errors,
      coalesce(sum(invalid), 0)::int as invalid,
      json_agg(json_build_object(
        'metricId', metric_id::text, 'metricName', metric_name, 'evalType', eval_type, 'automatic', lane is not null, 'metricConfigId', config_id, 'pending', pending, 'scored', scored,
        'unscored', unscored, 'failed', failed, 'invalid', invalid,
        'reason', coalesce(${whyPutOff(sql, scope, runId)}, ${whyFailed(sql, scope, runId)}, ${whyInvalid(sql, scope, runId)}, ${whyUnscored(sql, scope, runId)}))
        order by metric_id, config_id) filter (where config_id is not null and n > 0) as metrics
    from (
      select tally.*, case when scored > 0 then ${countInvalid(sql, scope, runId)} else 0 end as invalid
      from (
      select config.id as config_id, config.metric_id, config.lane, config.eval_type, metric.name as metric_name, min(tally.state) as state, sum(tally.n) as n,
        coalesce(sum(tally.n) filter (where tally.state = 'pending'), 0)::int as pending,
        coalesce(sum(tally.n) filter (where tally.state = 'scored'), 0)::int as scored,
        coalesce(sum(tally.n) filter (where tally.state = 'unscored'), 0)::int as unscored,
        coalesce(sum(tally.n) filter (where tally.state = 'failed'), 0)::int as failed
      from run_tally tally
      left join metric_config config
        on config.id = tally.metric_config_id and config.organization_id = ${scope.organizationId}
      left join metric on metric.id = config.metric_id and metric.organization_id = ${scope.organizationId}
      where tally.run_id = run.id and tally.organization_id = ${scope.organizationId}
      group by config.id, config.metric_id, config.lane, config.eval_type, metric.name) tally) tallied) counted
  cross join lateral (
    select count(*)::int as n, count(*) filter (where state = 'failed')::int as failed from execution
    where execution.run_id = run.id and execution.organization_id = ${scope.organizationId}
      and execution.state in ('failed', 'cancelled')) lost
  cross join lateral (
    select count(*)::int as n from execution
    where execution.run_id = run.id and execution.organization_id = ${scope.organizationId}
      and execution.state = 'pending' and execution.last_error is not null) retried
  cross join lateral (select judges_stopped(run.id) as it) stopped
  cross join lateral (
    select counted.records < coalesce(run.num_expected_records, 0) - lost.n or scoring.it as working,
      scoring.it or exists (
        select from execution
        where execution.run_id = run.id and execution.organization_id = ${scope.organizationId}
          and execution.state = 'pending') as automatic
    from (select counted.code > 0 or (counted.judges > 0 and not stopped.it) as it) scoring) still
  where run.organization_id = ${scope.organizationId} and run.id = ${runId}`;

const pollMs = 500;
/** Polls between two keep-alive comments: proxies end a stream that is silent for a minute. */
const quietPolls = 30;
/** After this time the client reconnects and is authenticated again. */
const longestMs = 600_000;

type Progress = { body: string; working: boolean };

/**
 * Server-sent events: the progress each time that it changes, until machines have nothing left to do or the run is deleted. `read` returns
 * the current progress, undefined without the run. Ends without an event, so that the client reconnects, when the service stops
 * (`stopping`) and when `mayWatch` rejects its key.
 */
async function* progressEvents(
  read: () => Promise<Progress | undefined>,
  mayWatch: () => Promise<boolean>,
  stopping: AbortSignal,
): AsyncGenerator<string> {
  const endsAt = performance.now() + longestMs;
  let last = '';
  let quiet = 0;
  while (performance.now() < endsAt && !stopping.aborted && (await mayWatch())) {
    const now = await read();
    if (!now) {
      yield 'event: deleted\ndata: {}\n\n';
      return;
    }
    if (now.body !== last) {
      yield `event: progress\ndata: ${now.body}\n\n`;
      last = now.body;
      quiet = 0;
    } else if (++quiet % quietPolls === 0) yield ': still here\n\n';
    if (!now.working) {
      yield 'event: done\ndata: {}\n\n';
      return;
    }
    await delay(pollMs, undefined, { signal: stopping }).catch(() => {});
  }
}

/** Returns a function that streams the progress of a run to a request, as long as it may read the run and the service runs. */
export const progressStreams = (app: App, db: Database, authenticate: Authenticate) => {
  const stopping = new AbortController();
  app.addHook('preClose', async () => stopping.abort());
  return async (request: FastifyRequest, runId: bigint): Promise<Readable> => {
    const { scope } = request;
    const mayWatch = async () => {
      try {
        await authenticate(request);
        return true;
      } catch {
        return false;
      }
    };
    const read = () => db.read(scope, (sql) => findRunProgress(sql, scope, runId));
    requireOne(await read(), 'run', String(runId));
    return Readable.from(progressEvents(async () => (await read())[0], mayWatch, stopping.signal));
  };
};
