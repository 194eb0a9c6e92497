import { passed } from '../../evaluation/scores/queries.ts';
import type { Database, Sql } from '../../platform/db/database.ts';
import { rowsOf } from '../../platform/db/rows.ts';
import type { Owner } from '../../platform/http/scope.ts';
import { evaluationEvent, ownMetric, ownRecord } from '../../traces/conventions/evaluation.ts';
import { ExportLogsServiceRequest } from '../../traces/otlp/messages.ts';
import type { ScoreRef } from './note-scores.ts';

type SentScore = {
  recordId: string;
  metricId: string;
  metricName: string;
  value: number | null;
  /** The label of a category. */
  label: string | null;
  passed: boolean | null;
  explanation: string | null;
  /** Why there is no value. */
  problem: string | null;
  state: string;
  atNano: string;
  traceId: string | null;
  spanId: string | null;
};

/** The first trace of record `r`: the one that it was made for, or one with its link. */
const firstTrace = (sql: Sql, { organizationId }: Owner) => sql`
  select encode(trace.otel_id, 'hex') as trace_id, right(trace.root_order, 16) as span_id from trace
  where trace.organization_id = ${organizationId} and (trace.run_id = r.run_id and trace.n = r.n
    or trace.id in (select link.trace_id from trace_link link
      where link.project_id = r.project_id and link.link = r.otel_link_id and link.organization_id = ${organizationId}))
  order by trace.start_ns, trace.id limit 1`;

const listScores = (sql: Sql, owner: Owner, runId: string, scores: ScoreRef[]) => sql<SentScore[]>`
  select r.run_id || '-' || r.n as "recordId", metric.id::text as "metricId", metric.name as "metricName",
    case when config.labels is null then s.value else floor(s.value) end as value,
    case when s.value is not null then s.score ->> 'categoryScore' end as label, ${passed(sql)} as passed, s.score ->> 'reasoning' as explanation, coalesce(s.reason, s.last_error) as problem, s.state,
    (extract(epoch from s.updated_at) * 1000000)::bigint || '000' as "atNano", trace.trace_id as "traceId", trace.span_id as "spanId"
  from ${rowsOf(
    sql,
    scores.map(([n, configId]) => ({ n, configId })),
    { n: 'integer', config_id: 'uuid' },
  )}
  join score s on s.run_id = ${runId}::bigint and s.n = given.n and s.metric_config_id = given.config_id
    and s.organization_id = ${owner.organizationId} and s.state <> 'pending'
  join record r on r.run_id = s.run_id and r.n = s.n and r.organization_id = ${owner.organizationId}
  join metric_config config on config.id = s.metric_config_id and config.organization_id = ${owner.organizationId}
  join metric on metric.id = config.metric_id and metric.organization_id = ${owner.organizationId}
  left join lateral (${firstTrace(sql, owner)}) trace on true
  order by s.n, metric.id`;

type OtlpValue = { stringValue: string } | { doubleValue: number };
const attributesOf = (values: Record<string, string | number | null>) =>
  Object.entries(values).flatMap(([key, value]) => {
    if (value === null) return [];
    const typed: OtlpValue = typeof value === 'number' ? { doubleValue: value } : { stringValue: value };
    return [{ key, value: typed }];
  });

const labelOf = ({ label, passed: isPassed }: SentScore) =>
  label ?? (isPassed === null ? null : isPassed ? 'pass' : 'fail');

const eventOf = (score: SentScore) => ({
  timeUnixNano: score.atNano,
  observedTimeUnixNano: score.atNano,
  eventName: evaluationEvent,
  traceId: Buffer.from(score.traceId ?? '', 'hex'),
  spanId: Buffer.from(score.spanId ?? '', 'hex'),
  attributes: attributesOf({
    'gen_ai.evaluation.name': score.metricName,
    'gen_ai.evaluation.score.value': score.value,
    'gen_ai.evaluation.score.label': labelOf(score),
    'gen_ai.evaluation.explanation': score.explanation ?? score.problem,
    'error.type': score.value === null ? score.state : null,
    [ownRecord]: score.recordId,
    [ownMetric]: score.metricId,
  }),
});

/** Returns the request of OTLP that has these events, in protocol buffers. */
const requestOf = (logRecords: ReturnType<typeof eventOf>[]): Buffer<ArrayBuffer> => {
  const resource = { attributes: attributesOf({ 'service.name': 'dokima' }) };
  const scopeLogs = [{ scope: { name: 'dokima' }, logRecords }];
  const message = ExportLogsServiceRequest.fromObject({ resourceLogs: [{ resource, scopeLogs }] });
  return Buffer.from(ExportLogsServiceRequest.encode(message).finish());
};

/** The scores of a delivery, which its message names. */
export type ScoresOfRun = { runId: string; scores: ScoreRef[] };

/** A request without events, which shows whether a receiver is there and takes the key. */
export const emptyRequest = (): Buffer<ArrayBuffer> => requestOf([]);

/** Returns the request that sends the scores as they are now; undefined if they were all deleted. */
export const scoresRequest = async (
  db: Database,
  owner: Owner,
  { runId, scores }: ScoresOfRun,
): Promise<Buffer<ArrayBuffer> | undefined> => {
  const found = await db.read(owner, (sql) => listScores(sql, owner, runId, scores));
  return found.length > 0 ? requestOf(found.map(eventOf)) : undefined;
};
