import { readSpanSearch, type SpanTest, spanKeys } from '../../evaluation/metrics/span-search.ts';
import type { Database, Sql } from '../../platform/db/database.ts';
import type { Owner } from '../../platform/http/scope.ts';
import { spanName } from '../store/record-content.ts';
import { durationOf } from './format.ts';
import type { SpanRow, SpansOf } from './read-queries.ts';
import { listSpanContents, readableSpan, type SpanId } from './scored-spans.ts';
import { type Placed, treeOrder } from './tree.ts';

/** A passage of a span that supports a verdict. */
export type Quote = SpanId & { quote: string };

/** Reads parts of a record's trace for a judge. It reads this one trace, and writes nothing. Answers are texts for a model. */
export type TraceWalk = {
  /** Changes with every span of the record. */
  digest: string;
  numSpans: number;
  /** Lists spans in the order of the tree, from a place on, that a search of spans chooses; '' chooses all. */
  list: (search: string, from: number) => Promise<string>;
  /** Returns a part of a span as JSON, from a character on. */
  read: (spanId: string, from: number) => Promise<string>;
  /** Finds a text in the spans, from a place on. */
  search: (text: string, from: number) => Promise<string>;
  /** Returns the quote with the trace of its span; undefined if the record has no such span, or the span does not contain it. */
  check: (spanId: string, quote: string) => Promise<Quote | undefined>;
};

/** Longest answer in characters. docs/judges.md names it. */
export const longestAnswer = 8_000;
/** Most spans in a list, and most places that a search answers. */
const [mostListed, mostFound] = [100, 20];
/** Spans whose contents are read at a time. */
const atOnce = 20;
/** Most spans that one search reads; it says where to go on. */
const mostSearched = 2_000;
/** Characters around a place that a search found. */
const around = 120;
/** Shorter quotes are found everywhere. In characters without white space. */
export const shortestQuote = 8;

/** A name of a span is written by the system under test, and may be of any length. */
const nameText = (name: string): string =>
  JSON.stringify(name.length > 120 ? `${name.slice(0, 119)}…` : name);

/** What the tools call a span: its id, after that of its trace if another trace of the record has a span of this id. */
const idIn = ({ repeated }: Pick<Tree, 'repeated'>, { traceId, spanId }: SpanId): string =>
  repeated.has(spanId) ? `${traceId}-${spanId}` : spanId;

/** A line about a span: its place and id first, which the other tools take. */
const lineOf = (tree: Tree, span: Placed<SpanRow>, place: number): string => {
  const { depth, operation, name, model, failed } = span;
  const ms = durationOf(span);
  return [
    `${place} ${idIn(tree, span)} depth ${depth} ${operation ?? 'span'} ${nameText(name)}`,
    ...(model === null ? [] : [`model ${nameText(model)}`]),
    ...(failed ? ['FAILED'] : []),
    ...(ms === null ? [] : [`${Math.round(ms)} ms`]),
  ].join(' ');
};

/**
 * Makes passages comparable: models copy JSON with other white space, and with other escapes. Both sides of a comparison lose them.
 */
export const comparable = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/\\+[nrt]/g, '')
    .replace(/\\+(?=["\\/])/g, '')
    .replace(/\s+/g, '');

/** Identifies the spans of a record with their contents. Reads span_pkey for each of its traces. */
export const findDigest = (sql: Sql, owner: Owner, spans: SpansOf) => sql<{ digest: string | null }[]>`
  select md5(string_agg(md5(concat_ws(' ', encode(span.span_id, 'hex'), encode(span.parent_span_id, 'hex'), span.name, span.start_ns,
    span.end_ns, span.failed, span.content_hash)), '' order by span.trace_id, span.span_id)) as digest
  from span
  where ${spans(sql, owner)} and span.organization_id = ${owner.organizationId}`;

type Found = { line: string; excerpt: string };

const excerptOf = (text: string, at: number, length: number): string => {
  const [from, to] = [Math.max(0, at - around), Math.min(text.length, at + length + around)];
  return `${from > 0 ? '…' : ''}${text.slice(from, to).toWellFormed()}${to < text.length ? '…' : ''}`;
};

const listLines = (chosen: { line: string; place: number }[], from: number): string => {
  const rest = chosen.filter(({ place }) => place >= from);
  const lines: string[] = [];
  let length = 0;
  for (const { line } of rest.slice(0, mostListed)) {
    length += line.length + 1;
    if (length > longestAnswer - 100) break;
    lines.push(line);
  }
  const next = rest[lines.length];
  const more = next ? [`${rest.length - lines.length} more: go on with from ${next.place}`] : [];
  return [`${chosen.length} spans`, ...lines, ...more].join('\n');
};

/** The spans of a record in the order of the tree, and a way to read their texts by name. A span that was deleted since has none. */
type Tree = {
  spans: Placed<SpanRow>[];
  /** Ids that spans of several traces have. */
  repeated: ReadonlySet<string>;
  textsOf: (wanted: SpanRow[]) => Promise<Map<string, string>>;
};

const listSpans = (tree: Tree, search: string, from: number): string => {
  let test: SpanTest = () => true;
  try {
    if (search.trim() !== '') test = readSpanSearch(search);
  } catch {
    return `The search can't be read. It takes ${Object.keys(spanKeys).join(':, ')}: and words of a name, such as kind:tool error:yes`;
  }
  const lines = tree.spans.flatMap((span, i) =>
    test(span) ? [{ line: lineOf(tree, span, i + 1), place: i + 1 }] : [],
  );
  return listLines(lines, from);
};

/** The spans with an id, or with those of trace and span: the traces of a session may have an id of a span twice. */
const named = ({ spans }: Tree, written: string) => {
  const wanted = written.trim().toLowerCase();
  return spans.filter(({ traceId, spanId }) => wanted === spanId || wanted === `${traceId}-${spanId}`);
};

const readSpan = async (tree: Tree, spanId: string, from: number): Promise<string> => {
  const [span, other] = named(tree, spanId);
  if (other)
    return `Several traces have a span ${span!.spanId}. Name one: ${idIn(tree, span!)} or ${idIn(tree, other)}.`;
  const text = span && (await tree.textsOf([span])).get(spanName(span));
  if (text === undefined) return `There is no span ${JSON.stringify(spanId.slice(0, 40))} in this trace.`;
  const start = Math.max(0, from);
  const page = text.slice(start, start + longestAnswer - 200).toWellFormed();
  const end = start + page.length;
  const more = end < text.length ? `\n${text.length - end} more characters: go on with from ${end}` : '';
  return `Span ${idIn(tree, span!)}, characters ${start} to ${end} of ${text.length}\n${page}${more}`;
};

/** Reads the spans from an index on until enough contain the text. Returns these, and the index at which it stopped. */
const findIn = async (tree: Tree, text: string, first: number) => {
  const { spans, textsOf } = tree;
  const wanted = text.toLowerCase();
  const found: Found[] = [];
  let at = first;
  for (; at < spans.length && at - first < mostSearched && found.length < mostFound; at += atOnce) {
    const part = spans.slice(at, at + atOnce);
    const texts = await textsOf(part);
    for (const [i, span] of part.entries()) {
      const whole = texts.get(spanName(span)) ?? '';
      const place = whole.toLowerCase().indexOf(wanted);
      if (place < 0) continue;
      const excerpt = excerptOf(whole, place, Math.min(text.length, 200));
      found.push({ line: lineOf(tree, span, at + i + 1), excerpt });
    }
  }
  return { found, end: Math.min(at, spans.length) };
};

const searchSpans = async (tree: Tree, text: string, from: number): Promise<string> => {
  if (text.trim() === '') return 'Name a text to find.';
  const first = Math.max(1, from) - 1;
  const { found, end } = await findIn(tree, text, first);
  const all = tree.spans.length;
  const more = end < all ? [`Not searched: ${end + 1} to ${all}. Go on with from ${end + 1}`] : [];
  const lines: string[] = [];
  let length = 0;
  for (const { line, excerpt } of found) {
    length += line.length + excerpt.length + 4;
    if (length > longestAnswer - 300) {
      lines.push('More were found than an answer holds: name a longer text.');
      break;
    }
    lines.push(line, `  ${excerpt}`);
  }
  return [`${found.length} of the spans ${first + 1} to ${end} contain it`, ...lines, ...more].join('\n');
};

const checkQuote = async (tree: Tree, spanId: string, quote: string): Promise<Quote | undefined> => {
  const needle = comparable(quote);
  if (needle.length < shortestQuote) return undefined;
  for (const span of named(tree, spanId)) {
    const text = (await tree.textsOf([span])).get(spanName(span));
    if (text !== undefined && comparable(text).includes(needle))
      return { traceId: span.traceId, spanId: span.spanId, quote };
  }
  return undefined;
};

/** Opens the tools for one record, from its spans as they were listed. Their contents are read when a tool needs them. */
export const openWalk = (
  db: Database,
  owner: Owner & { projectId: bigint },
  { rows, link, digest }: { rows: SpanRow[]; link: string | null; digest: string },
): TraceWalk => {
  const textsOf: Tree['textsOf'] = async (wanted) => {
    const contents = await listSpanContents(db, owner, owner.projectId, wanted);
    const byName = new Map(wanted.map((row) => [spanName(row), row]));
    const textOf = (row: (typeof contents)[number]) =>
      JSON.stringify(readableSpan(byName.get(spanName(row))!, row.content));
    return new Map(contents.map((row) => [spanName(row), textOf(row)]));
  };
  const spans = treeOrder(rows, link);
  const byId = Map.groupBy(spans, ({ spanId }) => spanId);
  const repeated = new Set([...byId].flatMap(([id, { length }]) => (length > 1 ? [id] : [])));
  const tree = { spans, repeated, textsOf };
  return {
    digest,
    numSpans: tree.spans.length,
    list: async (search, from) => listSpans(tree, search, from),
    read: (spanId, from) => readSpan(tree, spanId, from),
    search: (text, from) => searchSpans(tree, text, from),
    check: (spanId, quote) => checkQuote(tree, spanId, quote),
  };
};
