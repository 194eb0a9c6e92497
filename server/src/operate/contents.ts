import { system } from '../platform/db/database.ts';
import { placeInPack, readContents, type WithPack, withPacks } from '../traces/store/contents.ts';
import { hashOf } from '../traces/store/pack.ts';
import { type Finding, found } from './finding.ts';
import type { OpenDatabase } from './open.ts';

/** Spans that are read at a time. */
const pageSize = 200;
/** Milliseconds after which the rest is left out, and most damaged traces that are named. */
const [longestMs, mostNamed] = [20_000, 5];

type Row = WithPack & { traceId: string; hash: bigint; organizationId: bigint };

/** Reads the contents of spans, newest trace first, and compares each with its hash. Ends after 20 seconds. */
export const contentsOfSpans = async ({ sql }: Pick<OpenDatabase, 'sql'>): Promise<Finding> => {
  const damaged = new Set<string>();
  const until = performance.now() + longestMs;
  let [count, isWhole] = [0, false];
  for (let before = ['9223372036854775807', '']; !isWhole && performance.now() < until; ) {
    const page = sql`
      select encode(span.span_id, 'hex') as "spanId", encode(trace.otel_id, 'hex') as "traceId", span.content_hash as hash,
        ${placeInPack(sql)}
      from span join trace on trace.id = span.trace_id
      where (span.trace_id, span.span_id) < (${before[0]!}::text::bigint, ${`\\x${before[1]}`}::text::bytea)
      order by span.trace_id desc, span.span_id desc
      limit ${pageSize}`;
    const rows = await sql<Row[]>`${withPacks(sql, system, page)}`;
    for (const { traceId, content, hash, isDamaged } of readContents(rows))
      if (isDamaged || hashOf(content) !== hash) damaged.add(traceId);
    count += rows.length;
    isWhole = rows.length < pageSize;
    if (!isWhole) before = [String(rows.at(-1)!.in_trace), rows.at(-1)!.spanId];
  }
  const read = `${count} read${isWhole ? '' : ', the newest; the rest was left out after 20 seconds'}`;
  if (damaged.size === 0) return found('contents of spans', `${read}, all whole`);
  const named = [...damaged].slice(0, mostNamed).join(', ');
  return found(
    'contents of spans',
    `${read}; damaged in ${damaged.size} traces: ${named}${damaged.size > mostNamed ? ', …' : ''}`,
    'See "The content of a span is damaged" in docs/runbook.md.',
  );
};
