import type { Sql } from '../../platform/db/database.ts';
import type { Owner } from '../../platform/http/scope.ts';
import { packBytes, readPacks } from './contents.ts';
import { pack } from './pack.ts';

/** Traces whose packs one transaction packs together: requests of these wait for it. */
export const packBatch = 50;
/** Most packs of a trace that one transaction reads. The next one goes on behind them. */
const mostPacks = 200;

type DueTrace = Owner & { id: bigint; after: number };

/**
 * Finds traces whose packs are due, and locks them. Skips those that others write at the moment. The packs from the one before the first due one
 * come after the pack `after`. Reads span_content_merge and span_content_pkey.
 */
const takeDue = async (tx: Sql): Promise<DueTrace[]> => {
  const due = await tx<{ id: bigint }[]>`
    select distinct trace_id as id from (
      select trace_id from span_content where merge_at <= now() order by merge_at limit ${packBatch}) due`;
  if (due.length === 0) return [];
  const locked = await tx<{ id: bigint }[]>`
    select id from trace where id = any(${due.map(({ id }) => String(id))}::bigint[]) order by id for update skip locked`;
  return tx<DueTrace[]>`
    select trace.organization_id as "organizationId", trace.id, coalesce((
        select before.chunk from span_content before
        where before.trace_id = trace.id and before.chunk < due.chunk
        order by before.chunk desc limit 1 offset 1), -1) as after
    from trace
    cross join lateral (select min(chunk) as chunk from span_content where trace_id = trace.id and merge_at is not null) due
    where trace.id = any(${locked.map(({ id }) => String(id))}::bigint[]) and due.chunk is not null`;
};

type Group = { chunks: number[]; contents: Map<string, string>; bytes: number };

const noGroup = (): Group => ({ chunks: [], contents: new Map(), bytes: 0 });

/** Writes a group of neighbouring packs as one, under the highest of their numbers. */
const writeGroup = async (
  tx: Sql,
  { organizationId, id }: DueTrace,
  { chunks, contents }: Group,
): Promise<void> => {
  const last = chunks.at(-1);
  if (last === undefined) return;
  const others = chunks.slice(0, -1);
  if (others.length === 0) {
    await tx`
      update span_content set merge_at = null
      where trace_id = ${id} and chunk = ${last} and organization_id = ${organizationId} and merge_at is not null`;
    return;
  }
  await tx`
    update span_content set packed = ${pack(contents)}, merge_at = null
    where trace_id = ${id} and chunk = ${last} and organization_id = ${organizationId}`;
  await tx`
    delete from span_content
    where trace_id = ${id} and chunk = any(${others}::integer[]) and organization_id = ${organizationId}`;
};

/** Packs neighbouring packs of a trace together, up to `packBytes`. Leaves a damaged pack as it is, for the operator. */
const packTogether = async (tx: Sql, trace: DueTrace): Promise<void> => {
  let group = noGroup();
  let count = 0;
  for await (const { chunk, spans } of readPacks(tx, trace, trace.id, trace.after)) {
    const bytes = spans.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
    const isDamaged = spans.some((span) => span.isDamaged);
    if (isDamaged || group.bytes + bytes > packBytes) {
      await writeGroup(tx, trace, group);
      group = noGroup();
      if (count > mostPacks) return;
    }
    count++;
    group.chunks.push(chunk);
    group.bytes += bytes;
    for (const { spanId, content } of spans) group.contents.set(spanId, content);
    if (isDamaged) {
      await writeGroup(tx, trace, group);
      group = noGroup();
    }
  }
  await writeGroup(tx, trace, group);
};

/**
 * Packs together the packs of traces whose spans came in several requests: an hour after such a request, so a trace that spans keep coming to
 * is packed once an hour. Versions of spans that were replaced are left out. Returns the number of traces. Must run as the service itself,
 * which sees every organization.
 */
export const packTraces = async (tx: Sql): Promise<number> => {
  const due = await takeDue(tx);
  for (const trace of due) await packTogether(tx, trace);
  return due.length;
};
