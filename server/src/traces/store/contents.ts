import type { Fragment, Sql, Tenant } from '../../platform/db/database.ts';
import { rowsOf } from '../../platform/db/rows.ts';
import type { Owner } from '../../platform/http/scope.ts';
import { DamagedPack, hashOf, type Pack, pack, unpack } from './pack.ts';

/** Bytes of contents after which a pack ends: reading one span unpacks all of its pack. A longer content has a pack to itself. */
export const packBytes = 1024 * 1024;

/** Minutes after which the packs of several requests are packed together. */
const restMinutes = 60;

/** The columns of `span` that belong to its content, but for the number of its pack. */
export const measuresOfContent = (content: string): { contentBytes: number; contentHash: bigint } => ({
  contentBytes: Buffer.byteLength(content),
  contentHash: hashOf(content),
});

/** A content to store, with the number of its pack. */
export type ChunkOf = { traceId: bigint; spanId: string; chunk: number; content: string };

/** Deals contents, each trace's in the given order, to packs of at most `packBytes`. Returns the number of each one's pack in its trace. */
export const dealToPacks = (items: readonly { traceId: bigint; contentBytes: number }[]): number[] => {
  const open = new Map<bigint, { chunk: number; bytes: number }>();
  return items.map(({ traceId, contentBytes }) => {
    const last = open.get(traceId) ?? { chunk: 0, bytes: 0 };
    const isFull = last.bytes > 0 && last.bytes + contentBytes > packBytes;
    const next = isFull
      ? { chunk: last.chunk + 1, bytes: contentBytes }
      : { chunk: last.chunk, bytes: last.bytes + contentBytes };
    open.set(traceId, next);
    return next.chunk;
  });
};

/** The number of a trace's next pack. The trace must be locked. Reads span_content_pkey. */
export const nextChunk = (sql: Sql, { organizationId }: Owner, traceId: Fragment): Fragment => sql`
  coalesce((
    select max(stored.chunk) + 1 from span_content stored
    where stored.trace_id = ${traceId} and stored.organization_id = ${organizationId}), 0)`;

/** Inserts the packs of these contents. Those of a trace that has packs already are packed together with them later. */
export const insertContents = async (
  tx: Sql,
  { organizationId }: Owner,
  contents: ChunkOf[],
): Promise<void> => {
  if (contents.length === 0) return;
  const byPack = Map.groupBy(contents, ({ traceId, chunk }) => `${traceId} ${chunk}`);
  const packs = [...byPack.values()].map((items) => ({
    traceId: items[0]!.traceId,
    chunk: items[0]!.chunk,
    packed: pack(new Map(items.map(({ spanId, content }) => [spanId, content]))).toString('hex'),
  }));
  await tx`
    insert into span_content (organization_id, trace_id, chunk, merge_at, packed)
    select ${organizationId}, given.trace_id, given.chunk,
      case when exists (select from span_content stored
          where stored.trace_id = given.trace_id and stored.organization_id = ${organizationId})
        then now() + interval '1 minute' * ${restMinutes} end,
      packed
    from ${rowsOf(tx, packs, { trace_id: 'bigint', chunk: 'integer', packed: 'bytea' })}`;
};

/** Replaces the contents of stored spans. Their traces must be locked. */
export const replaceContents = async (
  tx: Sql,
  owner: Owner,
  spans: readonly { traceId: bigint; spanId: string; content: string }[],
): Promise<void> => {
  if (spans.length === 0) return;
  const items = spans.map((span) => ({ ...span, ...measuresOfContent(span.content) }));
  const chunks = dealToPacks(items);
  const rows = items.map((item, i) => ({ ...item, place: chunks[i]! }));
  const stored = await tx<{ traceId: bigint; spanId: string; chunk: number }[]>`
    update span set chunk = next.chunk + given.place, content_bytes = given.content_bytes, content_hash = given.content_hash
    from ${rowsOf(tx, rows, {
      trace_id: 'bigint',
      span_id: 'bytea',
      place: 'integer',
      content_bytes: 'integer',
      content_hash: 'bigint',
    })}
    cross join lateral (select ${nextChunk(tx, owner, tx`given.trace_id`)} as chunk) next
    where span.trace_id = given.trace_id and span.span_id = given.span_id and span.organization_id = ${owner.organizationId}
    returning span.trace_id as "traceId", encode(span.span_id, 'hex') as "spanId", span.chunk`;
  const contents = new Map(spans.map(({ traceId, spanId, content }) => [`${traceId} ${spanId}`, content]));
  await insertContents(
    tx,
    owner,
    stored.map((row) => ({ ...row, content: contents.get(`${row.traceId} ${row.spanId}`)! })),
  );
};

/** The columns of `span` that `withPacks` needs. */
export const placeInPack = (sql: Sql): Fragment => sql`span.trace_id as in_trace, span.chunk as in_chunk`;

/**
 * Adds to rows with the columns of `placeInPack` the packs of their contents, each pack to one of its rows, in the order of the rows. For
 * `readContents`. Reads span_content_pkey for each row.
 */
export const withPacks = (
  sql: Sql,
  { organizationId }: Pick<Tenant, 'organizationId'>,
  rows: Fragment,
): Fragment => sql`
  select placed.*, holder.chunk as pack,
    case when row_number() over (partition by in_trace, holder.chunk order by place_of_row) = 1 then holder.packed end as packed
  from (select *, row_number() over () as place_of_row from (${rows}) found) placed
  left join lateral (
    select stored.chunk, stored.packed from span_content stored
    where stored.trace_id = placed.in_trace and stored.chunk >= placed.in_chunk
      ${organizationId === '*' ? sql`` : sql`and stored.organization_id = ${organizationId}`}
    order by stored.chunk limit 1) holder on true
  order by place_of_row`;

/** A row of `withPacks`. */
export type WithPack = { spanId: string; in_trace: bigint; pack: number | null; packed: Buffer | null };

/** What readers see in place of a content that can't be read. */
export const damagedContent = JSON.stringify({
  status: 0,
  statusMessage: 'The stored content of this span is damaged.',
  attributes: {
    'dokima.damaged': 'The stored content of this span is damaged. The operator can run "npm run examine".',
  },
});

const opened = (rows: readonly WithPack[]): Pack | undefined => {
  const packed = rows.find((row) => row.packed)?.packed;
  if (!packed) return undefined;
  try {
    return unpack(packed);
  } catch (error) {
    if (error instanceof DamagedPack) return undefined;
    throw error;
  }
};

/** A row with its content. `isDamaged`: the content can't be read, and `damagedContent` takes its place. */
type Unpacked<Row> = Omit<Row, 'in_trace' | 'pack' | 'packed'> & { content: string; isDamaged: boolean };

/** Returns rows of `withPacks` with their contents. Unpacks one pack at a time. */
export const readContents = <Row extends WithPack>(rows: readonly Row[]): Unpacked<Row>[] => {
  const contents = new Map<Row, string>();
  for (const inPack of Map.groupBy(rows, (row) => `${row.in_trace} ${row.pack}`).values()) {
    const found = opened(inPack);
    for (const row of inPack) {
      const content = found?.of(row.spanId);
      if (content !== undefined) contents.set(row, content);
    }
  }
  return rows.map((row) => {
    const { in_trace: _, pack: __, packed: ___, ...rest } = row;
    const content = contents.get(row);
    return { ...rest, content: content ?? damagedContent, isDamaged: content === undefined };
  });
};

/** Copies the packs of a trace to another, behind its own. Returns what the numbers of the copies are higher by. Both must be locked. */
export const copyContents = async (tx: Sql, owner: Owner, from: bigint, to: bigint): Promise<number> => {
  const [next] = await tx<{ chunk: number }[]>`select ${nextChunk(tx, owner, tx`${to}::bigint`)} as chunk`;
  await tx`
    insert into span_content (organization_id, trace_id, chunk, merge_at, packed)
    select organization_id, ${to}, ${next!.chunk}::integer + chunk, now() + interval '1 minute' * ${restMinutes}, packed
    from span_content where trace_id = ${from} and organization_id = ${owner.organizationId}`;
  return next!.chunk;
};

/** A span with its content. */
type SpanContent = { traceId: bigint; spanId: string; content: string };

/**
 * Yields the packs of a trace by their numbers, those after one of them, each with the spans whose contents are in it. The trace must be locked. A span whose content can't be read gets
 * `damagedContent`. Reads span_content_pkey and span_pkey.
 */
export async function* readPacks(
  tx: Sql,
  owner: Owner,
  traceId: bigint,
  after = -1,
): AsyncGenerator<{ chunk: number; spans: ReturnType<typeof readContents> }> {
  for (let before = after; ; ) {
    const [next] = await tx<{ chunk: number }[]>`
      select chunk from span_content
      where trace_id = ${traceId} and chunk > ${before} and organization_id = ${owner.organizationId}
      order by chunk limit 1`;
    if (!next) return;
    const rows = tx`
      select encode(span.span_id, 'hex') as "spanId", ${placeInPack(tx)} from span
      where span.trace_id = ${traceId} and span.chunk > ${before} and span.chunk <= ${next.chunk}
        and span.organization_id = ${owner.organizationId}
      order by span.start_ns, span.span_id`;
    yield { chunk: next.chunk, spans: readContents(await tx<WithPack[]>`${withPacks(tx, owner, rows)}`) };
    before = next.chunk;
  }
}

/** Makes a pack again of these contents, which are other ones now. */
export const rewritePack = async (
  tx: Sql,
  { organizationId }: Owner,
  { traceId, chunk }: { traceId: bigint; chunk: number },
  spans: SpanContent[],
): Promise<void> => {
  const packed = pack(new Map(spans.map(({ spanId, content }) => [spanId, content])));
  await tx`
    update span_content set packed = ${packed}
    where trace_id = ${traceId} and chunk = ${chunk} and organization_id = ${organizationId}`;
  const items = spans.map((span) => ({ ...span, ...measuresOfContent(span.content) }));
  if (items.length === 0) return;
  await tx`
    update span set content_bytes = given.content_bytes, content_hash = given.content_hash
    from ${rowsOf(tx, items, { trace_id: 'bigint', span_id: 'bytea', content_bytes: 'integer', content_hash: 'bigint' })}
    where span.trace_id = given.trace_id and span.span_id = given.span_id and span.organization_id = ${organizationId}`;
};
