import type { Sql } from '../../platform/db/database.ts';
import { newUuid } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { first, type Readable, toJson } from '../conventions/attribute.ts';
import { tagFields } from '../conventions/fields.ts';
import { insertTraceTags } from './queries.ts';
import { readStored } from './stored.ts';

type Owner = Pick<Scope, 'organizationId'>;
type RecordKey = { runId: bigint; n: number };
/** A trace that went from one record to another, or to none. */
export type Move = { traceId: bigint; from: RecordKey; to: RecordKey | null };

/** As in the API. */
const maxTagLength = 256;
/** Spans read at a time; each may be large. */
const pageSize = 100;

/** The tags that a span's attributes hold, without those that the API would not take. */
export const tagsOf = ({ attributes }: Pick<Readable, 'attributes'>): string[] => {
  const texts = tagFields.flatMap((key) => {
    const value = toJson(first(attributes, [key]));
    return Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : [];
  });
  return texts
    .filter((text) => typeof text === 'string')
    .map((text) => text.trim().toWellFormed())
    .filter((text) => text !== '' && [...text].length <= maxTagLength && !/[,\0]|^\.\.?$/.test(text));
};

const listTraceTags = (tx: Sql, owner: Owner, { runId, n }: RecordKey) => tx<{ text: string }[]>`
  select text from record_tag
  where run_id = ${runId} and n = ${n} and source = 'otel' and organization_id = ${owner.organizationId}`;

const deleteTraceTags = (tx: Sql, owner: Owner, { runId, n }: RecordKey, texts: string[]) => tx`
  delete from record_tag
  where run_id = ${runId} and n = ${n} and source = 'otel' and text = any(${texts}::text[])
    and organization_id = ${owner.organizationId}`;

/** Reads trace_record. */
const listTraceIds = (tx: Sql, owner: Owner, { runId, n }: RecordKey) => tx<{ id: bigint }[]>`
  select id from trace where run_id = ${runId} and n = ${n} and organization_id = ${owner.organizationId}`;

/** Spans whose content, as contentText writes it, may hold tags. Reads span_pkey. */
const listTaggedSpans = (
  tx: Sql,
  owner: Owner,
  traceIds: bigint[],
  after: { traceId: bigint; spanId: string },
) => tx<{ traceId: bigint; spanId: string; content: string }[]>`
  select trace_id as "traceId", encode(span_id, 'hex') as "spanId", content::text as content
  from span
  where trace_id = any(${traceIds.map(String)}::bigint[]) and organization_id = ${owner.organizationId}
    and (trace_id, span_id) > (${after.traceId}, ${`\\x${after.spanId}`}::text::bytea)
    and content::text like any(${tagFields.map((key) => `%"${key}":%`)}::text[])
  order by trace_id, span_id
  limit ${pageSize}`;

/** Which of these tags the spans of these traces carry; reads no further than the last of them. */
const carried = async (
  tx: Sql,
  owner: Owner,
  traceIds: bigint[],
  tags: Set<string>,
): Promise<Set<string>> => {
  const found = new Set<string>();
  let after = { traceId: 0n, spanId: '' };
  while (found.size < tags.size) {
    const spans = await listTaggedSpans(tx, owner, traceIds, after);
    for (const { content } of spans)
      for (const tag of tagsOf(readStored('', content))) if (tags.has(tag)) found.add(tag);
    if (spans.length < pageSize) break;
    after = spans.at(-1)!;
  }
  return found;
};

/**
 * Lets the tags of traces that have left a record go with them, and keeps there those that its other traces carry, so that the
 * order of arrival makes no difference. A record without other traces stays as it is: it goes, or somebody has said something of it.
 */
export const moveTags = async (
  tx: Sql,
  owner: Owner,
  left: RecordKey[],
  moves: Move[] = [],
): Promise<void> => {
  for (const record of left) {
    const tags = new Set((await listTraceTags(tx, owner, record)).map(({ text }) => text));
    if (tags.size === 0) continue;
    for (const { traceId, from, to } of moves) {
      if (to === null || from.runId !== record.runId || from.n !== record.n) continue;
      const texts = await carried(tx, owner, [traceId], tags);
      if (texts.size > 0)
        await insertTraceTags(
          tx,
          owner,
          [...texts].map((text) => ({ id: newUuid(), runId: to.runId, n: to.n, text })),
        );
    }
    const others = (await listTraceIds(tx, owner, record)).map(({ id }) => id);
    if (others.length === 0) continue;
    const kept = await carried(tx, owner, others, tags);
    const gone = [...tags].filter((text) => !kept.has(text));
    if (gone.length > 0) await deleteTraceTags(tx, owner, record, gone);
  }
};
