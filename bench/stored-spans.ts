import type { Bare } from './bare.ts';
import { connectionCount, makeBatches, rounds, sendSpans, spanCount, spansPerTrace } from './ingest-spans.ts';
import { costOf, difference, type Measurement, median, time } from './measure.ts';
import { createRun } from './run.ts';
import type { Benchmark } from './subject.ts';

export const storedSpansDefault = 1_000_000;
/** Spans that one statement fills in. */
const portion = 100_000;

/**
 * Puts spans into the tables by SQL alone, in traces of ten, as wide as those that are measured. As many as a year's
 * traffic would have left, without sending it.
 */
const fill = async ({ scope, transaction }: Bare, projectId: string, count: number): Promise<void> => {
  for (let done = 0; done < count; done += portion) {
    const spans = Math.min(portion, count - done);
    await transaction(async (tx) => {
      await tx`
        with made as (
          insert into trace (organization_id, project_id, otel_id)
          select ${scope.organizationId}, ${projectId}::bigint, decode(md5(random()::text), 'hex')
          from generate_series(1, ${Math.ceil(spans / spansPerTrace)})
          returning id)
        insert into span (organization_id, project_id, trace_id, span_id, source_id, name, service, kind, operation, model,
          failed, start_ns, end_ns, content)
        select ${scope.organizationId}, ${projectId}::bigint, made.id, substr(decode(md5(made.id::text || n), 'hex'), 1, 8), 1,
          'chat gpt-4o', 'bench', 3, 'chat', 'gpt-4o-2024-08-06', false,
          1700000000000000000 + made.id * 1000000000 + n, 1700000000000000000 + made.id * 1000000000 + n + 500000000,
          ('{"status":0,"attributes":{"gen_ai.operation.name":"chat","gen_ai.request.model":"gpt-4o","gen_ai.input.messages":"'
            || repeat(md5(made.id::text), 36) || '"}}')::json
        from made cross join generate_series(1, ${spansPerTrace}) n`;
    });
  }
};

/** Steps from none to all, each at most ten times the one before. */
const stepsTo = (most: number): number[] => [0, most / 10, most].map(Math.floor);

/** Whether ingest stays as fast while the spans that are stored become many. */
export const storedSpans: Benchmark = async ({ engine, bare, connect, processor }) => {
  if (engine === 'embedded') return [];
  const most = Number(process.env.BENCH_STORED_SPANS ?? storedSpansDefault);
  const [first] = await connect(1);
  const { projectId } = await createRun(first!);
  const measured: Measurement[] = [];
  let stored = 0;
  for (const step of stepsTo(most)) {
    await fill(bare, projectId, step - stored);
    stored = step;
    if (stored > 0) await bare.vacuum();
    // New ones for each step: the service closes connections that idle while the tables are filled.
    const connections = await connect(connectionCount);
    const seconds: number[] = [];
    const before = await processor();
    for (let round = 0; round < rounds; round++) {
      const requests = makeBatches(projectId);
      seconds.push(await time(() => sendSpans(connections, requests)));
    }
    const after = await processor();
    const spent = before && after ? difference(before, after) : undefined;
    const cpu = spent && { service: spent.service / rounds, database: (spent.database ?? 0) / rounds };
    const now = { seconds: median(seconds), cpu };
    const part = costOf(measured[0] ?? now) / costOf(now);
    measured.push({
      work: `ingest ${spanCount.toLocaleString('en')} spans, ${stored.toLocaleString('en')} stored`,
      engine,
      ...now,
      count: spanCount,
      unit: 'spans',
      target: { text: `≥ 0.8 of the rate with none (${part.toFixed(2)})`, met: part >= 0.8 },
    });
  }
  return measured;
};
