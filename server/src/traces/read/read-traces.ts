import type { Database, Sql, Statement } from '../../platform/db/database.ts';
import { requireOne } from '../../platform/http/http.ts';
import type { RecordKey } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { members } from '../../platform/json/json.ts';
import { errorOf, messagesOf, toolRunOf, usageOf } from '../conventions/understand.ts';
import { spanName } from '../store/record-content.ts';
import { readStored } from '../store/stored.ts';
import { conversationOf, conversationSpans } from './conversation.ts';
import { spanSummary } from './format.ts';
import {
  type ContentRow,
  findLinkOfRecord,
  listRecordContents,
  listRecordSpans,
  type SpanDetailRow,
  type SpanRow,
} from './read-queries.ts';
import { maxTreeSpans } from './schema.ts';
import { type Placed, treeOrder } from './tree.ts';

/** Most spans that a conversation is read from, and most bytes of them as they are stored. */
const maxConversationSpans = 2_000;
const maxConversationBytes = 32 * 1024 * 1024;

type Tree = { spans: Placed<SpanRow>[]; truncated: boolean };

const readSpans = async (
  db: Database,
  scope: Scope,
  key: RecordKey,
  id: string,
  limit = maxTreeSpans,
): Promise<Tree> => {
  const { link } = requireOne(await db.read(scope, (sql) => findLinkOfRecord(sql, scope, key)), 'record', id);
  const rows = await db.read(scope, (sql) => listRecordSpans(sql, scope, key, limit + 1));
  return { spans: treeOrder(rows.slice(0, limit), link), truncated: rows.length > limit };
};

/** Throws 404 when there is no such record. */
export const requireRecord = async (
  db: Database,
  scope: Scope,
  key: RecordKey,
  id: string,
): Promise<void> => {
  requireOne(await db.read(scope, (sql) => findLinkOfRecord(sql, scope, key)), 'record', id);
};

/** Returns the spans of a record in the order of the tree. Throws 404 when there is no such record. */
export const readTree = async (db: Database, scope: Scope, key: RecordKey, id: string, limit?: number) => {
  const { spans, truncated } = await readSpans(db, scope, key, id, limit);
  const data = spans.map((span) => ({
    ...spanSummary(span),
    depth: span.depth,
    parentMissing: span.parentMissing,
  }));
  return { data, truncated };
};

/** Reads the contents of spans for an answer, and takes its memory. */
export type ReadContents = (statement: (sql: Sql) => Statement<ContentRow>) => Promise<ContentRow[]>;

/** Returns the conversation of a record. Throws 404 when there is no such record. */
export const readConversation = async (
  db: Database,
  scope: Scope,
  key: RecordKey,
  id: string,
  readContents: ReadContents,
) => {
  const { spans, truncated } = await readSpans(db, scope, key, id);
  const contents = await readContents((sql) =>
    listRecordContents(sql, scope, key, maxConversationSpans, maxConversationBytes),
  );
  const byName = new Map(contents.map((row) => [spanName(row), row.content]));
  const isWhole = spans.every(
    (span) => !['chat', 'tool', 'agent'].includes(span.operation ?? '') || byName.has(spanName(span)),
  );
  return { ...conversationOf(conversationSpans(spans, byName)), truncated: truncated || !isWhole };
};

/** Returns a span with everything that came with it, as JSON text. Attributes are as they were stored, digit by digit. */
export const spanDetail = ({ recordId, content, source, costUsd, ...row }: SpanDetailRow): string => {
  const span = readStored(row.name, content);
  const usage = usageOf(span.attributes);
  const understood = {
    ...spanSummary(row),
    recordId,
    ...usage,
    costUsd: usage.costUsd ?? costUsd,
    costComputed: usage.costUsd === null && costUsd !== null,
    error: row.failed ? errorOf(span.statusMessage, span) : null,
    input: messagesOf(span, 'input'),
    output: messagesOf(span, 'output'),
    tool: row.operation === 'tool' ? toolRunOf(span) : null,
  };
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
