import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import type { Sql } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { firstText } from '../conventions/attribute.ts';
import { fields } from '../conventions/fields.ts';
import { isFailed, modelOf, operationOf } from '../conventions/understand.ts';
import { groupTraces, type TraceNews } from './group-traces.ts';
import {
  ensureSources,
  findDefaultProject,
  findProjects,
  insertLinks,
  insertSpans,
  lockTraces,
  type SpanRow,
  sendAhead,
  type TraceRow,
} from './queries.ts';
import { contentOrder, sides } from './record-content.ts';
import { contentText, type Source, type Span, sourceText } from './span.ts';
import { tagsOf } from './trace-tags.ts';

/** What became of a batch: how many spans were taken, and how many were not, by reason. */
export type Outcome = {
  accepted: number;
  /** How many spans were refused, by reason. */
  rejected: Map<string, number>;
  /** The traces that got spans. */
  traces: ArrivedTrace[];
};

export type ArrivedTrace = { id: bigint; projectId: bigint };
/** Called last in the transaction that stores spans, with the traces that got some. */
export type OnTraces = (tx: Sql, scope: Scope, traces: ArrivedTrace[]) => Promise<void>;

/** Spans written by one statement: more would only hold more memory. */
const chunkSize = 500;
/** Longest link and session id, as in the API. */
const maxIdLength = 256;
const maxTags = 50;

/** A span and the project that it goes to. */
export type Accepted = { span: Span; projectId: bigint };

/** The span's own attribute, else its resource's. */
const attributeOf = ({ attributes, source }: Span, keys: readonly string[]): string | undefined =>
  firstText(attributes, keys) ?? firstText(source.resource, keys);

/** An id to the letter, as the API takes it of records and attachments; one that the API would not take is no id. */
const idOf = (span: Span, keys: readonly string[]): string | null => {
  const id = attributeOf(span, keys);
  return id?.trim() && id.length <= maxIdLength && !id.includes('\0') && id.isWellFormed() ? id : null;
};

const isId = (id: string, bytes: number): boolean => id.length === bytes * 2 && /^(?!0+$)[0-9a-f]+$/.test(id);
const isTime = (time: bigint): boolean => time >= -(2n ** 63n) && time < 2n ** 64n;

/** Why a span can't be stored whatever its project; undefined when it can. */
export const problemOf = (span: Span): string | undefined => {
  if (!isId(span.traceId, 16)) return 'the trace id must be 16 bytes, not all of them zero';
  if (!isId(span.spanId, 8)) return 'the span id must be 8 bytes, not all of them zero';
  if (span.parentSpanId !== '' && !isId(span.parentSpanId, 8) && !/^0*$/.test(span.parentSpanId))
    return 'the parent span id must be 8 bytes or none';
  if (!isTime(span.start) || !isTime(span.end)) return 'times must be nanoseconds in 64 bits';
  return undefined;
};

const noProject =
  'no project: set the resource attribute dokima.project_id (or scorecard.project_id), or use a key with a default project';

/** Finds out which project each span belongs to; asks the database once for each project of the request. */
const projectFinder = (tx: Sql, scope: Scope) => {
  const known = new Map<string, bigint | undefined>();
  let byDefault: { id: bigint | undefined } | undefined;

  const ask = async (names: string[]) => {
    const ids = names.filter((name) => /^[1-9]\d{0,17}$/.test(name)).map(BigInt);
    const found = ids.length > 0 ? await findProjects(tx, scope, ids) : [];
    for (const name of names) known.set(name, undefined);
    for (const { id } of found) known.set(String(id), id);
  };

  return async (spans: Span[], reject: (reason: string) => void): Promise<Accepted[]> => {
    const names = spans.map((span) => attributeOf(span, fields.projectId)?.trim());
    const unasked = new Set(names.filter((name) => name !== undefined && !known.has(name)) as string[]);
    if (unasked.size > 0) await ask([...unasked]);
    if (names.includes(undefined)) byDefault ??= { id: (await findDefaultProject(tx, scope))[0]?.id };
    return spans.flatMap((span, i) => {
      const name = names[i];
      const projectId = name === undefined ? byDefault?.id : known.get(name);
      if (projectId === undefined)
        reject(name === undefined ? noProject : `there is no project ${JSON.stringify(name.slice(0, 40))}`);
      return projectId === undefined ? [] : [{ span, projectId }];
    });
  };
};

const dayOf = (time: bigint, now: Date): string => {
  const ms = Number(time / 1_000_000n);
  // A clock that is years off must not make runs of days that nobody looks at.
  const isPlausible = ms > 0 && ms < now.getTime() + 86_400_000;
  return (isPlausible ? new Date(ms) : now).toISOString().slice(0, 10);
};

const smaller = (a: string | null, b: string | null | undefined): string | null =>
  a === null ? (b ?? null) : b == null || a < b ? a : b;

/** What spans say of their trace. */
export const newsOf = (trace: TraceRow, spans: Span[], links: Set<string>, now: Date): TraceNews => {
  const news: TraceNews = {
    trace,
    linked: links.size > 0,
    sessionId: null,
    tags: new Set(),
    inputOrder: null,
    outputOrder: null,
    inputSpan: null,
    outputSpan: null,
    day: '',
  };
  let start: bigint | undefined;
  for (const span of spans) {
    news.sessionId = smaller(news.sessionId, idOf(span, fields.sessionId));
    for (const tag of tagsOf(span)) if (news.tags.size < maxTags) news.tags.add(tag);
    for (const side of sides) {
      const order = contentOrder(span, side);
      if (order === undefined || (news[`${side}Order`] ?? order) < order) continue;
      news[`${side}Order`] = order;
      news[`${side}Span`] = span;
    }
    if (start === undefined || span.start < start) start = span.start;
  }
  news.day = dayOf(start ?? 0n, now);
  return news;
};

/** Of spans with one key, the one that stays: see insertSpans. */
export const unique = (rows: SpanRow[]): SpanRow[] => {
  const kept = new Map<string, SpanRow>();
  for (const row of rows) {
    const name = `${row.traceId} ${row.spanId}`;
    const other = kept.get(name);
    const wins =
      !other ||
      row.end > other.end ||
      (row.end === other.end && Buffer.compare(Buffer.from(row.content), Buffer.from(other.content)) > 0);
    if (wins) kept.set(name, row);
  }
  return [...kept.values()];
};

/** The ids of resources and scopes, which a request has few of: each is written and asked for once. */
export const sourceFinder = (tx: Sql, scope: Scope) => {
  const texts = new Map<Source, { hash: string; content: string }>();
  const ids = new Map<string, bigint>();

  const textOf = (source: Source) => {
    const known = texts.get(source);
    if (known) return known;
    const content = sourceText(source);
    const made = { hash: createHash('sha256').update(content).digest('hex'), content };
    texts.set(source, made);
    return made;
  };
  const nameOf = ({ span, projectId }: Accepted) => `${projectId} ${textOf(span.source).hash}`;

  return async (spans: Accepted[]): Promise<(item: Accepted) => bigint> => {
    const missing = new Map(
      spans
        .filter((item) => !ids.has(nameOf(item)))
        .map((item) => [nameOf(item), { projectId: item.projectId, ...textOf(item.span.source) }]),
    );
    if (missing.size > 0)
      for (const { id, projectId, hash } of await ensureSources(tx, scope, [...missing.values()]))
        ids.set(`${projectId} ${hash}`, id);
    return (item) => ids.get(nameOf(item))!;
  };
};

/** The link of a span to records, as it says it. */
export const linkOf = (span: Span) => idOf(span, fields.link);

/** A span as the database has it. */
export const spanRow = ({ span, projectId }: Accepted, traceId: bigint, sourceId: bigint): SpanRow => ({
  projectId,
  traceId,
  spanId: span.spanId,
  parentSpanId: /^0*$/.test(span.parentSpanId) ? '' : span.parentSpanId,
  sourceId,
  link: linkOf(span),
  name: span.name,
  service: firstText(span.source.resource, ['service.name']) ?? '',
  kind: span.kind >= 0 && span.kind <= 5 ? span.kind : 0,
  operation: operationOf(span),
  model: modelOf(span.attributes),
  failed: isFailed(span.status, span.attributes),
  start: span.start,
  end: span.end,
  content: contentText(span),
});

const writer = (tx: Sql, scope: Scope, now: Date, arrived: Map<bigint, TraceRow>) => {
  const ensure = sourceFinder(tx, scope);
  return async (chunk: Accepted[]): Promise<void> => {
    const nameOf = ({ span, projectId }: Accepted) => `${projectId} ${span.traceId}`;
    const byTrace = Map.groupBy(chunk, nameOf);
    const wanted = [...byTrace.values()].map(([item]) => ({
      projectId: item!.projectId,
      otelId: item!.span.traceId,
    }));
    const sources = sendAhead(ensure(chunk));
    const locks = sendAhead(lockTraces(tx, scope, wanted));
    // Waited for in the order in which they were sent: only the first that fails says why, those behind it that one has failed.
    const sourceOf = await sources;
    const locked = await locks;
    const traces = new Map(locked.map((trace) => [`${trace.projectId} ${trace.otelId}`, trace]));
    for (const trace of locked) arrived.set(trace.id, trace);
    const rows = chunk.map((item) => spanRow(item, traces.get(nameOf(item))!.id, sourceOf(item)));
    // Sent before it is waited for: the database writes while this process works out what the spans say of their records.
    const written = sendAhead(insertSpans(tx, scope, unique(rows)));
    const news = [...byTrace].map(([name, items]) => {
      const links = new Set(items.flatMap(({ span }) => linkOf(span) ?? []));
      const trace = traces.get(name)!;
      return {
        links,
        news: newsOf(
          trace,
          items.map(({ span }) => span),
          links,
          now,
        ),
      };
    });
    const links = news.flatMap(({ links, news: { trace } }) =>
      [...links].map((link) => ({ projectId: trace.projectId, traceId: trace.id, link })),
    );
    const group = async () => {
      if (links.length > 0) await insertLinks(tx, scope, links);
      await groupTraces(
        tx,
        scope,
        news.map((item) => item.news),
      );
    };
    await Promise.all([written, group()]);
  };
};

/**
 * Stores the spans of a request in the transaction `tx`, a chunk at a time as they are decoded. Spans that can't be stored
 * are counted by reason and don't keep the others from it. What the decoder throws is thrown on.
 */
export const ingest = async (tx: Sql, scope: Scope, spans: Iterable<Span>, now: Date): Promise<Outcome> => {
  const outcome: Outcome = { accepted: 0, rejected: new Map(), traces: [] };
  const reject = (reason: string) => outcome.rejected.set(reason, (outcome.rejected.get(reason) ?? 0) + 1);
  const withProject = projectFinder(tx, scope);
  const arrived = new Map<bigint, TraceRow>();
  const write = writer(tx, scope, now, arrived);
  let chunk: Span[] = [];
  const flush = async () => {
    const accepted = await withProject(chunk, reject);
    chunk = [];
    outcome.accepted += accepted.length;
    if (accepted.length > 0) await write(accepted);
  };
  let seen = 0;
  for (const span of spans) {
    const problem = problemOf(span);
    if (problem) reject(problem);
    else if (chunk.push(span) === chunkSize) await flush();
    // A large request must not keep the others waiting until its end, even if nothing of it is taken.
    if (++seen % chunkSize === 0) await turn();
  }
  if (chunk.length > 0) await flush();
  return { ...outcome, traces: [...arrived.values()] };
};
