import type { Database, Fragment, Sql } from '../../platform/db/database.ts';
import { notFound } from '../../platform/errors.ts';
import { requireOne } from '../../platform/http/http.ts';
import type { RecordKey } from '../../platform/http/ids.ts';
import { wholeRow } from '../../platform/http/read-texts.ts';
import type { Asked } from '../../platform/http/resource-routes.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { members } from '../../platform/json/json.ts';
import { errorOf, messagesOf, toolRunOf, usageOf } from '../conventions/understand.ts';
import { readContents, type WithPack, withPacks } from '../store/contents.ts';
import { spanName } from '../store/record-content.ts';
import { readStored } from '../store/stored.ts';
import { conversationOf, conversationSpans } from './conversation.ts';
import { spanSummary } from './format.ts';
import {
  findSpan,
  listSpansOf,
  listSpokenOf,
  oneTrace,
  type PlacedRow,
  type SpanDetailRow,
  type SpanRow,
  spansOfTrace,
  sumBytes,
  type TreeRow,
} from './read-queries.ts';
import { askDatabase, findSource, type Source } from './record-source.ts';
import { maxTreeSpans } from './schema.ts';
import { type Placed, treeOrder } from './tree.ts';

/** Most spans that a conversation is read from, and most bytes of them. */
const maxConversationSpans = 2_000;
const maxConversationBytes = 32 * 1024 * 1024;

/** A trace of a project, by its id in OpenTelemetry. */
export type TraceKey = { projectId: bigint; traceId: string };

type Tree = { spans: Placed<SpanRow>[]; truncated: boolean };

/** The spans of a record. Throws 404 when there is no such record. */
export const recordSource = async (
  db: Database,
  scope: Scope,
  key: RecordKey,
  id: string,
): Promise<Source> => {
  const found = await findSource(askDatabase(db, scope), scope, key);
  if (!found) throw notFound('record', id);
  return found;
};

/** One trace of a project. Throws 404 when there is no such trace. */
export const traceSource = async (
  db: Database,
  scope: Scope,
  { projectId, traceId }: TraceKey,
  id: string,
): Promise<Source> => {
  const traces = oneTrace(projectId, traceId);
  requireOne(await db.read(scope, (sql) => sql<object[]>`${traces(sql, scope)}`), 'trace', id);
  return { spans: spansOfTrace(projectId, traceId), link: null };
};

/** Reads for an answer, and takes its memory. */
export type Reading = Pick<Asked<never, never, never>, 'scope' | 'readTexts' | 'holdAnswer'>;

const toTree = (rows: TreeRow[], { link }: Source, limit = maxTreeSpans): Tree => ({
  spans: treeOrder(rows.slice(0, limit), link),
  truncated: (rows[0]?.numFound ?? 0) > Math.min(rows.length, limit),
});

/** Returns spans in the order of the tree. */
export const readTree = async (
  db: Database,
  { scope, readTexts }: Reading,
  source: Source,
  limit = maxTreeSpans,
) => {
  const rows = await readTexts(db, (sql) => listSpansOf(sql, scope, source.spans, limit + 1), {
    text: wholeRow,
    kind: 'values',
  });
  const { spans, truncated } = toTree(rows, source, limit);
  const data = spans.map((span) => ({
    ...spanSummary(span),
    depth: span.depth,
    parentMissing: span.parentMissing,
  }));
  return { data, truncated };
};

/** What a call used, and what the tool answered. */
const callOf = (
  { operation, failed }: SpanRow,
  { attributes, ...span }: ReturnType<typeof readStored>,
  costUsd: number | null,
) => {
  const usage = usageOf(attributes);
  return {
    ...usage,
    costUsd: usage.costUsd ?? costUsd,
    costComputed: usage.costUsd === null && costUsd !== null,
    error: failed ? errorOf(span.statusMessage, { attributes, ...span }) : null,
    tool: operation === 'tool' ? toolRunOf({ attributes, ...span }) : null,
  };
};

/** Returns the conversation of a record or of a trace, and if `withSpans` its spans with their calls. */
export const readConversation = async (
  db: Database,
  { scope, holdAnswer }: Reading,
  source: Source,
  withSpans = false,
) => {
  const listSpans = (sql: Sql) => listSpansOf(sql, scope, source.spans, maxTreeSpans + 1);
  const listSpoken = (sql: Sql) =>
    listSpokenOf(sql, scope, source.spans, maxConversationSpans, maxConversationBytes);
  // Both at once: requests that wait for a second part could wait for each other.
  const [sum] = await db.read(scope, (sql) => sumBytes(sql, listSpans(sql) as Fragment, listSpoken(sql)));
  await holdAnswer(withSpans ? 2 * sum!.bytes : sum!.bytes, 'values');
  const { spans, truncated } = toTree(await db.read(scope, listSpans), source);
  const contents = readContents(
    await db.read(
      scope,
      (sql) => sql<(PlacedRow & { costUsd: number | null })[]>`${withPacks(sql, scope, listSpoken(sql))}`,
    ),
  );
  const byName = new Map(contents.map((row) => [spanName(row), row.content]));
  const costs = new Map(contents.map((row) => [spanName(row), row.costUsd]));
  const called = (span: SpanRow) => {
    const content = span.operation === 'agent' ? undefined : byName.get(spanName(span));
    const call = content
      ? callOf(span, readStored(span.name, content), costs.get(spanName(span)) ?? null)
      : null;
    return { ...spanSummary(span), call };
  };
  const isWhole = spans.every(
    (span) => !['chat', 'tool', 'agent'].includes(span.operation ?? '') || byName.has(spanName(span)),
  );
  const isDamaged = contents.some((row) => row.isDamaged);
  return {
    ...conversationOf(conversationSpans(spans, byName)),
    ...(withSpans && { spans: spans.map(called) }),
    truncated: truncated || !isWhole || isDamaged,
  };
};

/** Finds a span of a trace with its content, and takes the memory of it. */
export const readSpan = async (
  db: Database,
  { scope, holdAnswer }: Pick<Reading, 'scope' | 'holdAnswer'>,
  { projectId, traceId }: TraceKey,
  spanId: string,
) => {
  const find = (sql: Sql) => findSpan(sql, scope, projectId, traceId, spanId);
  const [size] = await db.read(
    scope,
    (sql) => sql<{ bytes: number }[]>`select bytes from (${find(sql)}) found`,
  );
  if (!size) return [];
  await holdAnswer(size.bytes, 'values');
  return readContents(
    await db.read(scope, (sql) => sql<(SpanDetailRow & WithPack)[]>`${withPacks(sql, scope, find(sql))}`),
  );
};

/** Returns a span with everything that came with it, as JSON text. Attributes are as they were stored, digit by digit. */
export const spanDetail = ({
  recordId,
  content,
  source,
  costUsd,
  ...row
}: SpanDetailRow & { content: string }): string => {
  const span = readStored(row.name, content);
  const { error, tool, ...usage } = callOf(row, span, costUsd);
  const [input, output] = [messagesOf(span, 'input'), messagesOf(span, 'output')];
  const understood = { ...spanSummary(row), recordId, ...usage, error, input, output, tool };
  const stored = members(content);
  const made = members(source);
  return (
    `${JSON.stringify(understood).slice(0, -1)},"traceState":${stored.get('traceState') ?? '""'}` +
    `,"dropped":{"numAttributes":${stored.get('droppedAttributesCount') ?? 0}` +
    `,"numEvents":${stored.get('droppedEventsCount') ?? 0},"numLinks":${stored.get('droppedLinksCount') ?? 0}}` +
    `,"attributes":${stored.get('attributes')}` +
    `,"events":${stored.get('events') ?? '[]'},"links":${stored.get('links') ?? '[]'}` +
    `,"resource":${made.get('resource')},"scope":${made.get('scope')}}`
  );
};
