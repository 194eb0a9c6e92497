import { setImmediate as turn } from 'node:timers/promises';
import type { PriceTable } from '../../engine/models/provider.ts';
import type { Masking } from '../../evaluation/masking/masking.ts';
import type { Sql } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { addEvents, lostDetails } from './add-events.ts';
import { type ArrivedTrace, eachOnce } from './arrived.ts';
import { assignRecords } from './assign-records.ts';
import { projectFinder, type SpansWithoutProject } from './find-projects.ts';
import { type ProjectSpan, sourceFinder } from './find-sources.ts';
import { refreshTests } from './late-test-spans.ts';
import { spansMasker } from './mask-spans.ts';
import { insertLinks, lockTraces } from './queries.ts';
import { storeSpans } from './replace-spans.ts';
import type { Span } from './span.ts';
import { lossesOf, problemOf, spanRow } from './span-row.ts';
import { correctTimes } from './span-times.ts';
import { maxTags } from './trace-update.ts';
import { ageWarner } from './warn-of-age.ts';

/** Outcome of a request. */
export type Outcome = {
  accepted: number;
  /** Numbers of refused spans, by reason. */
  rejected: Map<string, number>;
  /** Numbers of spans that were stored otherwise than they were sent, by reason. */
  warned: Map<string, number>;
  /** The traces that got spans. */
  traces: ArrivedTrace[];
};

export type IngestOptions = {
  now: Date;
  withoutProject: SpansWithoutProject;
  masking: Masking;
  /** Prices by which the cost of calls is computed for which none was sent. */
  prices: PriceTable;
  /** Called with the spans of each chunk before they are stored. `warn` counts what the answer says of them. */
  onSpans: (tx: Sql, scope: Scope, items: ProjectSpan[], warn: (reason: string) => void) => Promise<void>;
};

/** Most reasons that an answer names: senders choose the names in them. */
const maxReasons = 20;

/** Returns the function that counts a reason, for the answer. */
export const reasonCounter = (counts: Map<string, number>) => (reason: string) => {
  const name = counts.has(reason) || counts.size < maxReasons ? reason : 'further reasons';
  counts.set(name, (counts.get(name) ?? 0) + 1);
};

/** Spans written by one statement: more would only hold more memory. */
const chunkSize = 500;
/** Bytes of spans after which a statement writes them: large spans would take many times that. */
const chunkBytes = 4 * 1024 * 1024;

/** Returns the function that stores spans with their traces, links and records. It returns the traces, locked until the commit. */
const chunkWriter = (
  tx: Sql,
  scope: Scope,
  { now, prices }: Pick<IngestOptions, 'now' | 'prices'>,
  warn: (reason: string) => void,
) => {
  const findSources = sourceFinder(tx, scope);
  const traceName = ({ span, projectId }: ProjectSpan) => `${projectId} ${span.traceId}`;

  return async (chunk: ProjectSpan[]): Promise<ArrivedTrace[]> => {
    const byTrace = Map.groupBy(chunk, traceName);
    const keys = [...byTrace.values()].map((items) => ({
      projectId: items[0]!.projectId,
      otelId: items[0]!.span.traceId,
      provisional: !items.some(({ isNamed }) => isNamed),
    }));
    const sourceOf = await findSources(chunk);
    const locked = await lockTraces(tx, scope, keys);
    const traces = new Map(locked.map((trace) => [`${trace.projectId} ${trace.otelId}`, trace]));

    const items = chunk.map((item) => {
      const traceId = traces.get(traceName(item))!.id;
      return { span: item.span, row: spanRow(item.span, item.projectId, traceId, sourceOf(item), prices) };
    });
    const byId = new Map(locked.map((trace) => [trace.id, trace]));
    const { updates, numOutdated, replaced } = await storeSpans(tx, scope, items, byId, now);
    for (let i = 0; i < numOutdated; i++)
      warn('a version of it that ended later is stored, so this one was left out');
    for (const { numSpansWithMoreTags } of updates)
      for (let i = 0; i < numSpansWithMoreTags; i++)
        warn(`more than ${maxTags} tags of a trace in one request, so the others were left out`);
    const links = updates.flatMap(({ before: { id, projectId }, links }) =>
      [...links].map((link) => ({ projectId, traceId: id, link })),
    );
    if (links.length > 0) await insertLinks(tx, scope, links);
    await assignRecords(tx, scope, updates);
    const withSpans = await refreshTests(tx, scope, updates, replaced);
    const withDetails = await addEvents(tx, scope, lostDetails(replaced, items), now);
    const all = locked.map(({ id, projectId }) => ({ id, projectId, tests: [] }));
    return [...all, ...withSpans, ...withDetails];
  };
};

/**
 * Stores the spans of a request in the transaction `tx`, chunk by chunk as they are decoded. Spans that can't be stored are
 * counted by reason and do not keep the others out. Throws what the decoder throws.
 */
export const ingest = async (
  tx: Sql,
  scope: Scope,
  spans: Iterable<Span>,
  { now, withoutProject, masking, prices, onSpans }: IngestOptions,
): Promise<Outcome> => {
  let accepted = 0;
  const rejected = new Map<string, number>();
  const warned = new Map<string, number>();
  const traces: ArrivedTrace[] = [];
  const [reject, warn] = [reasonCounter(rejected), reasonCounter(warned)];
  const findProjects = projectFinder(tx, scope, withoutProject, { reject, warn });
  const maskSpans = spansMasker(tx, scope, masking);
  const warnOfAge = ageWarner(tx, scope, now, warn);
  const writeChunk = chunkWriter(tx, scope, { now, prices }, warn);
  let chunk: Span[] = [];
  let bytes = 0;
  const flush = async () => {
    const items = await maskSpans(await findProjects(chunk));
    await warnOfAge(items);
    [chunk, bytes] = [[], 0];
    accepted += items.length;
    if (items.length === 0) return;
    await onSpans(tx, scope, items, warn);
    traces.push(...(await writeChunk(items)));
  };
  let seen = 0;
  for (const sent of spans) {
    const problem = problemOf(sent);
    bytes += sent.bytes;
    if (problem) reject(problem);
    else {
      const { span, warnings } = correctTimes(sent, now);
      for (const warning of [...warnings, ...lossesOf(span)]) warn(warning);
      if (chunk.push(span) === chunkSize || bytes > chunkBytes) await flush();
    }
    // Other requests get their turn even while nothing of this one is stored.
    if (++seen % chunkSize === 0) await turn();
  }
  if (chunk.length > 0) await flush();
  return { accepted, rejected, warned, traces: eachOnce(traces) };
};
