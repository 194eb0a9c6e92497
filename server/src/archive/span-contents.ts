import type { Database, Sql } from '../platform/db/database.ts';
import { rowsOf } from '../platform/db/rows.ts';
import type { Scope } from '../platform/http/scope.ts';
import {
  dealToPacks,
  insertContents,
  measuresOfContent,
  nextChunk,
  packBytes,
  placeInPack,
  readContents,
  type WithPack,
  withPacks,
} from '../traces/store/contents.ts';
import type { Texts } from './part.ts';

/** Columns of `span` that an import makes of a content. */
export const contentColumns = ['chunk', 'content_bytes', 'content_hash'];

/** A line of an archive: its text, its key as a JSON array of trace and span, and the bytes of its content. */
type SpanLine = { body: string; key: string; weight: number };

type Exporting = {
  db: Database;
  holdPage: (bytes: number) => Promise<void>;
  scope: Scope;
  rows: Record<string, number>;
};

const lengthOf = (lines: SpanLine[]) => lines.reduce((sum, { body }) => sum + body.length, 0);

/** Cuts lines where their contents reach the size of a pack. */
const cutByContents = <Line extends SpanLine>(lines: Line[]): Line[][] => {
  const cut: Line[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const line of lines) {
    bytes += line.weight;
    if (bytes <= packBytes) cut.at(-1)!.push(line);
    else {
      cut.push([line]);
      bytes = line.weight;
    }
  }
  return cut;
};

const keyOf = ({ key }: SpanLine) => {
  const [, traceId, spanId] = /^\[(\d+), ?"\\\\x([0-9a-f]{16})"\]$/.exec(key)!;
  return { traceId: traceId!, spanId: spanId! };
};

/** Yields lines of spans with their contents, about a pack's size at a time. A span that was deleted since its line was read is left out. */
export async function* withContents<Line extends SpanLine>(
  { db, holdPage, scope, rows }: Exporting,
  lines: Line[],
): AsyncGenerator<Line[]> {
  for (const part of cutByContents(lines)) {
    const bytes = part.reduce((sum, { weight }) => sum + weight, 0);
    await holdPage(lengthOf(lines) + bytes);
    const keys = part.map(keyOf);
    const wanted = (sql: Sql) => sql`
      select encode(span.span_id, 'hex') as "spanId", ${placeInPack(sql)}
      from ${rowsOf(sql, keys, { trace_id: 'bigint', span_id: 'bytea' })}
      join span on span.trace_id = given.trace_id and span.span_id = given.span_id
        and span.organization_id = ${scope.organizationId}`;
    const found = readContents(
      await db.read(
        scope,
        (sql) =>
          sql<(WithPack & { key: string })[]>`
            select *, in_trace || ' ' || "spanId" as key from (${withPacks(sql, scope, wanted(sql))}) found`,
      ),
    );
    const contents = new Map(found.map(({ key, content }) => [key, content]));
    const whole = part.flatMap((line, i) => {
      const content = contents.get(`${keys[i]!.traceId} ${keys[i]!.spanId}`);
      return content === undefined
        ? []
        : [{ ...line, body: `${line.body.slice(0, -1)},"content":${content}}` }];
    });
    rows.span! -= part.length - whole.length;
    yield whole;
  }
}

/** Finds the traces of an import by their ids in OpenTelemetry, and locks them. */
const lockTraces = async (tx: Sql, scope: Scope, projectId: bigint, otelIds: string[]) => {
  const found = await tx<{ id: bigint; otelId: string }[]>`
    select trace.id, encode(trace.otel_id, 'hex') as "otelId"
    from ${rowsOf(
      tx,
      otelIds.map((otelId) => ({ otelId })),
      { otel_id: 'bytea' },
    )}
    join trace on trace.project_id = ${projectId} and trace.otel_id = given.otel_id and trace.organization_id = ${scope.organizationId}
    order by trace.otel_id for update of trace`;
  const chunks = await tx<{ id: bigint; chunk: number }[]>`
    select id, ${nextChunk(tx, scope, tx`given.id`)} as chunk
    from ${rowsOf(
      tx,
      found.map(({ id }) => ({ id })),
      { id: 'bigint' },
    )}`;
  const chunkOf = new Map(chunks.map(({ id, chunk }) => [id, chunk]));
  return new Map(found.map(({ id, otelId }) => [otelId, { id, chunk: chunkOf.get(id)! }]));
};

const isOtelId = (id: string | null | undefined): id is string => /^[0-9a-f]{32}$/.test(id ?? '');

/** Packs the contents of spans of an archive, and sets the columns of `contentColumns`. Rows of no trace and of no id are left to the insert, which refuses them. */
export const packContents = async (
  tx: Sql,
  { scope, projectId }: { scope: Scope; projectId: bigint },
  rows: Texts[],
): Promise<void> => {
  const otelIds = [...new Set(rows.map(({ trace_id }) => trace_id).filter(isOtelId))];
  const traces = otelIds.length > 0 ? await lockTraces(tx, scope, projectId, otelIds) : new Map();
  const spans = rows.flatMap((row) => {
    const trace: { id: bigint; chunk: number } | undefined = traces.get(row.trace_id ?? '');
    const spanId = /^\\x([0-9a-f]{16})$/.exec(row.span_id ?? '')?.[1];
    if (!trace || spanId === undefined) return [];
    const content = row.content!;
    return [{ row, traceId: trace.id, first: trace.chunk, spanId, content, ...measuresOfContent(content) }];
  });
  const places = dealToPacks(spans);
  const contents = spans.map((span, i) => ({ ...span, chunk: span.first + places[i]! }));
  await insertContents(tx, scope, contents);
  for (const { row, chunk, contentBytes, contentHash } of contents)
    Object.assign(row, {
      chunk: String(chunk),
      content_bytes: String(contentBytes),
      content_hash: String(contentHash),
    });
};
