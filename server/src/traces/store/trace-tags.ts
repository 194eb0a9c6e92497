import type { Sql } from '../../platform/db/database.ts';
import { newUuid, type RecordKey } from '../../platform/http/ids.ts';
import type { Owner } from '../../platform/http/scope.ts';
import { tagFields } from '../conventions/fields.ts';
import { placeInPack, readContents, type WithPack, withPacks } from './contents.ts';
import { insertTraceTags } from './queries.ts';
import { tagsOf } from './read-tags.ts';
import { readStored } from './stored.ts';

/** A trace that has moved from one record to another, or away from any. */
export type Move = { traceId: bigint; projectId: bigint; from: RecordKey; to: RecordKey | null };

/** Spans read at a time; each may be large. */
const pageSize = 100;

/** Returns the tags of a record that came with its traces. */
const listTraceTags = async (tx: Sql, owner: Owner, { runId, n }: RecordKey): Promise<Set<string>> => {
  const rows = await tx<{ text: string }[]>`
    select text from record_tag
    where run_id = ${runId} and n = ${n} and source = 'otel' and organization_id = ${owner.organizationId}`;
  return new Set(rows.map(({ text }) => text));
};

const deleteTraceTags = (tx: Sql, owner: Owner, { runId, n }: RecordKey, texts: string[]) => tx`
  delete from record_tag
  where run_id = ${runId} and n = ${n} and source = 'otel' and text = any(${texts}::text[])
    and organization_id = ${owner.organizationId}`;

/** Reads trace_record. */
const listTraceIds = (tx: Sql, owner: Owner, { runId, n }: RecordKey) => tx<{ id: bigint }[]>`
  select id from trace where run_id = ${runId} and n = ${n} and organization_id = ${owner.organizationId}`;

/** Lists the contents of spans, a page at a time. Reads span_pkey. */
const listContents = async (
  tx: Sql,
  owner: Owner,
  traceIds: bigint[],
  after: { traceId: bigint; spanId: string },
) => {
  const page = tx`
    select trace_id as "traceId", encode(span_id, 'hex') as "spanId", ${placeInPack(tx)}
    from span
    where trace_id = any(${traceIds.map(String)}::bigint[]) and organization_id = ${owner.organizationId}
      and (trace_id, span_id) > (${after.traceId}, ${`\\x${after.spanId}`}::text::bytea)
    order by trace_id, span_id
    limit ${pageSize}`;
  return readContents(await tx<({ traceId: bigint } & WithPack)[]>`${withPacks(tx, owner, page)}`);
};

/** Whether a content may hold tags. Expects keys as contentText writes them. */
const mayHoldTags = ({ content }: { content: string }) =>
  tagFields.some((key) => content.includes(`"${key}":`));

/** Returns which of these tags the spans of these traces carry. Reads spans until it has found all. */
const findCarried = async (
  tx: Sql,
  owner: Owner,
  traceIds: bigint[],
  tags: Set<string>,
): Promise<Set<string>> => {
  const found = new Set<string>();
  let after = { traceId: 0n, spanId: '' };
  while (found.size < tags.size) {
    const spans = await listContents(tx, owner, traceIds, after);
    for (const { content } of spans.filter(mayHoldTags))
      for (const tag of tagsOf(readStored('', content))) if (tags.has(tag)) found.add(tag);
    if (spans.length < pageSize) break;
    after = spans.at(-1)!;
  }
  return found;
};

/** Copies to the new record of each moved trace the tags of its old one that the trace carries. */
export const copyTags = async (tx: Sql, owner: Owner, moves: Move[]): Promise<void> => {
  for (const { traceId, from, to } of moves) {
    if (!to) continue;
    const tags = await listTraceTags(tx, owner, from);
    const carried = await findCarried(tx, owner, [traceId], tags);
    if (carried.size > 0)
      await insertTraceTags(
        tx,
        owner,
        [...carried].map((text) => ({ id: newUuid(), ...to, text })),
      );
  }
};

/**
 * Deletes tags of records that traces have left, unless their other traces carry them. A record without other traces keeps its
 * tags: someone has said something about it.
 */
export const dropTags = async (tx: Sql, owner: Owner, records: RecordKey[]): Promise<void> => {
  for (const record of records) {
    const tags = await listTraceTags(tx, owner, record);
    if (tags.size === 0) continue;
    const others = (await listTraceIds(tx, owner, record)).map(({ id }) => id);
    if (others.length === 0) continue;
    const carried = await findCarried(tx, owner, others, tags);
    const dropped = [...tags].filter((text) => !carried.has(text));
    if (dropped.length > 0) await deleteTraceTags(tx, owner, record, dropped);
  }
};
