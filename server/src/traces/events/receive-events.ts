import type { Masking } from '../../evaluation/masking/masking.ts';
import type { Sql } from '../../platform/db/database.ts';
import { insertAuditEvent } from '../../platform/http/audit.ts';
import { newUuid } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { type Evaluation, evaluationEvent, evaluationOf } from '../conventions/evaluation.ts';
import { projectFinder, type SpansWithoutProject } from '../store/find-projects.ts';
import type { Placed, ProjectSpan } from '../store/find-sources.ts';
import { type Outcome, reasonCounter } from '../store/ingest.ts';
import { type LogEvent, maxSpanBytes } from '../store/span.ts';
import { applyResults } from './apply-results.ts';
import { deleteOldEvents, type EventRow, findTracesOfEvents, insertEvents, maxWaitDays } from './queries.ts';

const isNone = (id: string) => /^0*$/.test(id);

const rowOf = (
  scope: Scope,
  { span: { traceId, spanId }, projectId, isNamed }: Placed<{ traceId: string; spanId: string }>,
  evaluation: Evaluation,
): EventRow => ({
  id: newUuid(),
  projectId,
  anywhere: !isNamed && !scope.isLimited,
  traceId: isNone(traceId) ? null : traceId,
  spanId: isNone(spanId) ? null : spanId,
  responseId: evaluation.responseId,
  content: JSON.stringify(evaluation),
});

/** Stores events. Deletes those of the projects that have waited too long, with an entry in the audit log. */
const store = async (tx: Sql, scope: Scope, rows: EventRow[]): Promise<void> => {
  const projectIds = [...new Set(rows.map(({ projectId }) => projectId))];
  const old = await deleteOldEvents(tx, scope, projectIds);
  for (const [projectId, { length }] of Map.groupBy(old, (event) => event.projectId)) {
    const details = { evaluationsWithoutTrace: length };
    await insertAuditEvent(tx, scope, {
      operation: 'dropEvaluations',
      resource: 'Traces',
      projectId,
      details,
    });
  }
  await insertEvents(tx, scope, rows);
};

/** Stores the results of evaluations that are events of spans. They are applied when the spans are stored. */
export const receiveSpanEvents = async (
  tx: Sql,
  scope: Scope,
  items: ProjectSpan[],
  warn: (reason: string) => void,
): Promise<void> => {
  const rows = items.flatMap((item) =>
    item.span.events.flatMap(({ name, attributes }) => {
      if (name !== evaluationEvent) return [];
      const evaluation = evaluationOf(attributes);
      if (typeof evaluation !== 'string') return [rowOf(scope, item, evaluation)];
      warn(`its evaluation has no score: ${evaluation}`);
      return [];
    }),
  );
  if (rows.length > 0) await store(tx, scope, rows);
};

/** Returns why a record can't become a score; undefined if it can. */
const problemOf = ({ traceId, spanId, bytes, attributes }: LogEvent): string | undefined => {
  if (bytes > maxSpanBytes) return `a log record may have at most ${maxSpanBytes} bytes`;
  if (!isNone(traceId) && !/^[0-9a-f]{32}$/.test(traceId)) return 'the trace id must be 16 bytes';
  if (!isNone(spanId) && !/^[0-9a-f]{16}$/.test(spanId)) return 'the span id must be 8 bytes';
  const evaluation = evaluationOf(attributes);
  if (typeof evaluation === 'string') return evaluation;
  if (isNone(traceId) && evaluation.responseId === null)
    return 'an evaluation must have the id of a trace, or gen_ai.response.id';
  return undefined;
};

/** Returns the function that masks what people wrote of a result. */
const masker = (tx: Sql, scope: Scope, masking: Masking) => async (projectId: bigint, of: Evaluation) => {
  const found = await masking.of(scope, { projectId }, tx);
  if (!found) return of;
  const masked = (text: string | null) => text && found.text(text);
  const { label, explanation, error } = of;
  return { ...of, label: masked(label), explanation: masked(explanation), error: masked(error) };
};

export type EventOptions = { withoutProject: SpansWithoutProject; masking: Masking };

/** Outcome of a request of log records. */
type LogOutcome = Outcome & {
  /** Records that are no events which the service stores. */
  ignored: number;
};

/** Events that are placed and stored at a time, and their bytes: more would only hold more memory. */
const chunkSize = 500;
const chunkBytes = 4 * 1024 * 1024;

/** Stores the results of evaluations among log records as scores. Those whose traces have not arrived wait. */
export const receiveEvents = async (
  tx: Sql,
  scope: Scope,
  records: Iterable<LogEvent>,
  { withoutProject, masking }: EventOptions,
): Promise<LogOutcome> => {
  const outcome = { rejected: new Map(), warned: new Map(), accepted: 0, ignored: 0, traces: [] };
  const [reject, warn] = [reasonCounter(outcome.rejected), reasonCounter(outcome.warned)];
  const findProjects = projectFinder(tx, scope, withoutProject, { reject, warn });
  const mask = masker(tx, scope, masking);
  let chunk: LogEvent[] = [];
  let bytes = 0;
  const flush = async () => {
    const rows: EventRow[] = [];
    for (const item of await findProjects(chunk)) {
      const evaluation = evaluationOf(item.span.attributes) as Evaluation;
      rows.push(rowOf(scope, item, await mask(item.projectId, evaluation)));
    }
    [chunk, bytes] = [[], 0];
    if (rows.length === 0) return;
    outcome.accepted += rows.length;
    await store(tx, scope, rows);
    const applied = await applyResults(tx, scope, await findTracesOfEvents(tx, scope, rows));
    for (const { id } of rows)
      if (!applied.has(id)) warn(`its trace is not here: the result waits for it for ${maxWaitDays} days`);
  };
  for (const record of records) {
    const isResult = record.name === evaluationEvent;
    const problem = isResult ? problemOf(record) : undefined;
    bytes += record.bytes;
    if (!isResult) outcome.ignored++;
    else if (problem !== undefined) reject(problem);
    else chunk.push(record);
    if (chunk.length === chunkSize || bytes > chunkBytes) await flush();
  }
  await flush();
  return outcome;
};
