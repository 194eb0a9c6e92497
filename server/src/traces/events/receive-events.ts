import { maskJson } from '../../engine/masking/mask-json.ts';
import type { Masking } from '../../evaluation/masking/masking.ts';
import type { Sql } from '../../platform/db/database.ts';
import { asJson } from '../../platform/db/text.ts';
import { insertAuditEvent } from '../../platform/http/audit.ts';
import { newUuid } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { RawJson } from '../../platform/json/json.ts';
import { evaluationEvent, evaluationOf, ownMetric, testOutcome } from '../conventions/evaluation.ts';
import { detailsEvent } from '../conventions/understand.ts';
import { unknownNames } from '../conventions/unknown-names.ts';
import { type ArrivedTrace, eachOnce, type OnTraces } from '../store/arrived.ts';
import { projectFinder, type SpansWithoutProject } from '../store/find-projects.ts';
import type { Placed, ProjectSpan } from '../store/find-sources.ts';
import { type Outcome, reasonCounter } from '../store/ingest.ts';
import { type Attributes, eventText, type LogEvent, maxSpanBytes, type Span } from '../store/span.ts';
import { applyEvents } from './apply-events.ts';
import { deleteOldEvents, type EventRow, findTracesOfEvents, insertEvents, maxWaitDays } from './queries.ts';

const isNone = (id: string) => /^0*$/.test(id);

/** What is kept of an event. */
type Kept = { name: string; responseId: string | null; content: RawJson };

const rowOf = (
  scope: Scope,
  { span: { traceId, spanId }, projectId, isNamed }: Placed<{ traceId: string; spanId: string }>,
  kept: Kept,
): EventRow => ({
  ...kept,
  id: newUuid(),
  projectId,
  anywhere: !isNamed && !scope.isLimited,
  traceId: isNone(traceId) ? null : traceId,
  spanId: isNone(spanId) ? null : spanId,
});

/** Stores events. Deletes those of the projects that have waited too long, with an entry in the audit log. */
const store = async (tx: Sql, scope: Scope, rows: EventRow[]): Promise<void> => {
  const projectIds = [...new Set(rows.map(({ projectId }) => projectId))];
  const old = await deleteOldEvents(tx, scope, projectIds);
  for (const [projectId, { length }] of Map.groupBy(old, (event) => event.projectId)) {
    const details = { eventsWithoutTrace: length };
    await insertAuditEvent(tx, scope, { operation: 'dropEvents', resource: 'Traces', projectId, details });
  }
  await insertEvents(tx, scope, rows);
};

/** Reads a result of an evaluation; a text says what is wrong with it. */
const readResult = (attributes: LogEvent['attributes']): Kept | string => {
  const evaluation = evaluationOf(attributes);
  if (typeof evaluation === 'string') return evaluation;
  const { responseId } = evaluation;
  return { name: evaluationEvent, responseId, content: asJson(evaluation) };
};

/** Returns the results in a span: its events, and the outcome of the test that it ran. */
const resultsOf = ({ attributes, events, statusMessage }: Span): Attributes[] => {
  const results = events.flatMap((event) => (event.name === evaluationEvent ? [event.attributes] : []));
  const outcome = attributes.get(testOutcome);
  if (outcome === undefined) return results;
  const test: Attributes = new Map([
    ['gen_ai.evaluation.name', 'Test passed'],
    ['gen_ai.evaluation.score.label', outcome],
  ]);
  // Plugins say "test failed" in the status, and why in the exception or the reason of a skip.
  const thrown = events.findLast(({ name }) => name === 'exception');
  const explanation =
    attributes.get('test.case.result.reason') ?? thrown?.attributes.get('exception.message') ?? statusMessage;
  if (explanation) test.set('gen_ai.evaluation.explanation', explanation);
  return [...results, test];
};

/** Stores the results of evaluations that are events of spans, and the outcomes of tests. They are applied when the spans are stored. */
export const receiveSpanEvents = async (
  tx: Sql,
  scope: Scope,
  items: ProjectSpan[],
  warn: (reason: string) => void,
): Promise<void> => {
  const rows = items.flatMap((item) =>
    resultsOf(item.span).flatMap((attributes) => {
      const result = readResult(attributes);
      if (typeof result !== 'string') return [rowOf(scope, item, result)];
      warn(`its evaluation has no score: ${result}`);
      return [];
    }),
  );
  if (rows.length > 0) await store(tx, scope, rows);
};

/** The readers of the log records that are stored, by the name of the event. A text says what is wrong with one. */
const readers: Record<string, ((event: LogEvent) => Kept | string) | undefined> = {
  [evaluationEvent]: ({ traceId, attributes }) => {
    const result = readResult(attributes);
    return typeof result !== 'string' && result.responseId === null && isNone(traceId)
      ? 'an evaluation must have the id of a trace, or gen_ai.response.id'
      : result;
  },
  [detailsEvent]: ({ traceId, spanId, name, time, attributes }) =>
    isNone(traceId) || isNone(spanId)
      ? 'the details of a call must have the ids of its trace and span'
      : { name, responseId: null, content: eventText({ name, time, attributes, dropped: 0 }) },
};
const storedNames = Object.keys(readers).join(' and ');

/** Returns why no event can be read from a record, whatever it is about. */
const problemOf = ({ traceId, spanId, bytes }: LogEvent): string | undefined => {
  if (bytes > maxSpanBytes) return `a log record may have at most ${maxSpanBytes} bytes`;
  if (!isNone(traceId) && !/^[0-9a-f]{32}$/.test(traceId)) return 'the trace id must be 16 bytes';
  if (!isNone(spanId) && !/^[0-9a-f]{16}$/.test(spanId)) return 'the span id must be 8 bytes';
  return undefined;
};

export type EventOptions = {
  now: Date;
  withoutProject: SpansWithoutProject;
  masking: Masking;
  /** Called with the traces whose spans got details. */
  onTraces: OnTraces;
};

/** Outcome of a request of log records, with the reasons for which records are not stored although nothing is wrong with them. */
export type LogOutcome = Omit<Outcome, 'traces'> & { ignored: Map<string, number> };

/** Events that are stored at a time, and their bytes: more would only hold more memory. */
const chunkSize = 500;
const chunkBytes = 4 * 1024 * 1024;

type Chunk = (LogEvent & { kept: Kept })[];

/** Stores the events among log records, and applies those whose traces have arrived. The others wait. */
export const receiveEvents = async (
  tx: Sql,
  scope: Scope,
  records: Iterable<LogEvent>,
  { now, withoutProject, masking, onTraces }: EventOptions,
): Promise<LogOutcome> => {
  const outcome: LogOutcome = { accepted: 0, rejected: new Map(), warned: new Map(), ignored: new Map() };
  const [reject, warn] = [reasonCounter(outcome.rejected), reasonCounter(outcome.warned)];
  const ignore = reasonCounter(outcome.ignored);
  const findProjects = projectFinder(tx, scope, withoutProject, { reject, warn });
  const withDetails: ArrivedTrace[] = [];
  let chunk: Chunk = [];
  let bytes = 0;
  const flush = async () => {
    const rows: EventRow[] = [];
    for (const item of await findProjects(chunk)) {
      const row = rowOf(scope, item, item.span.kept);
      const masker = await masking.of(scope, item, tx);
      rows.push(masker ? { ...row, content: maskJson(row.content, masker) } : row);
    }
    [chunk, bytes] = [[], 0];
    if (rows.length === 0) return;
    outcome.accepted += rows.length;
    await store(tx, scope, rows);
    const traces = await findTracesOfEvents(tx, scope, rows);
    const { applied, changed } = await applyEvents(tx, scope, traces, { now, masking });
    withDetails.push(...changed);
    for (const { id } of rows)
      if (!applied.has(id)) warn(`its trace or span is not here: it waits for it for ${maxWaitDays} days`);
  };
  for (const record of records) {
    const problem = problemOf(record);
    const kept = problem ?? readers[record.name]?.(record);
    if (record.attributes.has(ownMetric)) ignore('it is a score that Dokima sent');
    else if (kept === undefined) ignore(`only the events ${storedNames} are stored`);
    else if (typeof kept === 'string') reject(kept);
    else {
      for (const hint of unknownNames(record)) warn(hint);
      bytes += record.bytes;
      if (chunk.push({ ...record, kept }) === chunkSize || bytes > chunkBytes) await flush();
    }
  }
  await flush();
  await onTraces(tx, scope, eachOnce(withDetails));
  return outcome;
};
