import { requireImport } from '../../evaluation/projects/queries.ts';
import type { Sql } from '../../platform/db/database.ts';
import { invalid, notFound } from '../../platform/errors.ts';
import { type RecordKey, recordKey } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { elements, members, type RawJson } from '../../platform/json/json.ts';
import { readContent, readSource } from '../../traces/store/decode-stored.ts';
import { sourceFinder } from '../../traces/store/find-sources.ts';
import {
  insertLinks,
  insertSpans,
  lockTraces,
  type TraceRow,
  updateTraces,
} from '../../traces/store/queries.ts';
import { Malformed, type Source, type Span } from '../../traces/store/span.ts';
import { distinctSpans, problemOf, spanRow } from '../../traces/store/span-row.ts';
import { linkRows, traceUpdateOf, updatedTrace } from '../../traces/store/trace-update.ts';
import { lockProjectRecords, markTraceTags } from './transfer-queries.ts';
import type { ExportedSpan, SpansImport } from './transfer-schema.ts';

/** A span to be stored as it was elsewhere. `record` is the one that was made for its trace, if there is one. */
type ImportedSpan = { span: Span; record: RecordKey | null; path: string };

const readMember = <T>(path: string, read: () => T): T => {
  try {
    return read();
  } catch (error) {
    if (error instanceof Malformed) throw invalid(path, `is not what a span is stored as: ${error.message}`);
    throw error;
  }
};

/** The spans of a body. Throws 400 for what can't have been stored, 404 for an ill-formed id of a record. */
export const readImportedSpans = (body: SpansImport, rawBody: RawJson): ImportedSpan[] => {
  const texts = elements(members(rawBody).get('items')!);
  // Spans of one source share it, as they do when they arrive.
  const sources = new Map<RawJson, Source>();
  const sourceOf = (path: string, text: RawJson): Source => {
    const source = sources.get(text) ?? readMember(path, () => readSource(text));
    sources.set(text, source);
    return source;
  };
  return body.items.map((item: ExportedSpan, i) => {
    const path = `/items/${i}`;
    const raw = members(texts[i]!);
    const span: Span = {
      ...readMember(`${path}/content`, () => readContent(raw.get('content')!)),
      source: sourceOf(`${path}/source`, raw.get('source')!),
      traceId: item.traceId,
      spanId: item.spanId,
      parentSpanId: item.parentSpanId ?? '',
      name: item.name,
      kind: item.kind,
      start: BigInt(item.startTimeUnixNano),
      end: BigInt(item.endTimeUnixNano),
    };
    const problem = problemOf(span);
    if (problem) throw invalid(path, `can't be stored: ${problem}`);
    return { span, record: item.recordId === null ? null : recordKey(item.recordId), path };
  });
};

const nameOf = ({ runId, n }: RecordKey) => `${runId}-${n}`;

/** Throws notFound for a record that is not the project's. */
const requireRecords = async (tx: Sql, scope: Scope, projectId: bigint, items: ImportedSpan[]) => {
  const wanted = new Map(items.flatMap(({ record }) => (record ? [[nameOf(record), record] as const] : [])));
  if (wanted.size === 0) return;
  const found = await lockProjectRecords(tx, scope, projectId, [...wanted.values()]);
  const names = new Set(found.map(nameOf));
  for (const name of wanted.keys()) if (!names.has(name)) throw notFound('record', name);
};

/** The record of a trace: the one that it has, or that its spans name, which must be the same. A linked trace has none. */
const recordOf = (trace: TraceRow, items: ImportedSpan[]): RecordKey | null => {
  let record = trace.runId === null || trace.n === null ? null : { runId: trace.runId, n: trace.n };
  for (const item of items) {
    if (item.record && record && nameOf(item.record) !== nameOf(record))
      throw invalid(
        `${item.path}/recordId`,
        `must be ${nameOf(record)}, as for the other spans of its trace`,
      );
    record ??= item.record;
  }
  return trace.linked ? null : record;
};

/**
 * Stores spans as they were elsewhere, while their project is being imported. Their traces get the records that they had: none
 * is made or written, and what the spans say of links, sessions and content is noted as when they arrive. Spans that are there
 * stay. Returns the answer. Throws notFound for a project or record that is not there, conflict for a project that is imported.
 */
export const importSpans = async (
  tx: Sql,
  scope: Scope,
  projectId: bigint,
  items: ImportedSpan[],
  now: Date,
): Promise<string> => {
  await requireImport(tx, scope, projectId);
  await requireRecords(tx, scope, projectId, items);
  const byTrace = Map.groupBy(items, ({ span }) => span.traceId);
  const locked = await lockTraces(
    tx,
    scope,
    [...byTrace.keys()].map((otelId) => ({ projectId, otelId })),
  );
  const sourceOf = await sourceFinder(tx, scope)(items.map(({ span }) => ({ span, projectId })));
  const traces = new Map(locked.map((trace) => [trace.otelId, trace]));
  const rows = items.map(({ span }) =>
    spanRow(span, projectId, traces.get(span.traceId)!.id, sourceOf({ span, projectId })),
  );
  await insertSpans(tx, scope, distinctSpans(rows));

  const all = locked.map((trace) => {
    const ofTrace = byTrace.get(trace.otelId)!;
    const spans = ofTrace.map(({ span }) => span);
    const update = traceUpdateOf(trace, spans, now);
    const after = updatedTrace(update);
    const { runId, n } = recordOf(after, ofTrace) ?? { runId: null, n: null };
    return { after: { ...after, runId, n }, update };
  });
  const links = linkRows(all.map(({ update }) => update));
  if (links.length > 0) await insertLinks(tx, scope, links);
  await updateTraces(
    tx,
    scope,
    all.map(({ after }) => after),
  );
  const tags = all.flatMap(({ after: { runId, n }, update }) =>
    runId === null || n === null ? [] : [...update.tags].map((text) => ({ runId, n, text })),
  );
  if (tags.length > 0) await markTraceTags(tx, scope, tags);
  return JSON.stringify({ imported: items.length });
};
