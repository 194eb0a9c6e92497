import { randomBytes } from 'node:crypto';
import { decodeProtobuf } from '../server/src/traces/otlp/decode-protobuf.ts';
import { measuresOfContent } from '../server/src/traces/store/contents.ts';
import { ensureSources, insertSpans, lockTraces, type SpanRow } from '../server/src/traces/store/queries.ts';
import { contentText, sourceText } from '../server/src/traces/store/span.ts';
import { requestOf, spanId, type TestSpan, toProtobuf } from '../server/test/otlp.ts';
import { type Bare, createBareRun } from './bare.ts';
import type { Connection } from './connection.ts';
import { compare } from './cost.ts';
import { batches, recordParts } from './dataset.ts';
import { batchSize, createRun, inParallel } from './run.ts';
import type { Benchmark } from './subject.ts';

export const rounds = 3;
export const connectionCount = 4;
export const spansPerTrace = 10;
export const spanCount = 20_000;

/** Returns a model call of 1.3 KB, as an instrumentation sends it. Every tenth is the root of a trace. */
const span = (i: number, traceId: string): TestSpan => spanOf(i, (i % spansPerTrace) + 1, traceId);

/** Returns a model call as number `n` of its trace. Number 1 is the root. */
export const spanOf = (i: number, n: number, traceId: string): TestSpan => {
  const { inputs, outputs } = recordParts(i);
  const text = (role: string, content: string) =>
    JSON.stringify([{ role, parts: [{ type: 'text', content }] }]);
  return {
    traceId,
    n,
    ...(n > 1 && { parent: 1 }),
    name: n > 1 ? 'chat gpt-4o' : 'invoke_agent solver',
    attributes: {
      'gen_ai.operation.name': n > 1 ? 'chat' : 'invoke_agent',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'gpt-4o',
      'gen_ai.response.model': 'gpt-4o-2024-08-06',
      'gen_ai.response.id': `chatcmpl-${i}`,
      'gen_ai.usage.input_tokens': 300 + (i % 50),
      'gen_ai.usage.output_tokens': 90,
      'gen_ai.request.temperature': 0.2,
      'gen_ai.input.messages': text('user', inputs),
      'gen_ai.output.messages': text('assistant', outputs),
    },
  };
};

/** Returns requests of 500 spans in protocol buffers, like the batches of an exporter, with new trace ids. */
export const makeBatches = (projectId: string): Buffer[] =>
  batches(spanCount, batchSize).map((batch) => {
    let traceId = '';
    const spans = batch.map((i) => {
      if (i % spansPerTrace === 0) traceId = randomBytes(16).toString('hex');
      return span(i, traceId);
    });
    return requestBody(projectId, spans);
  });

export const requestBody = (projectId: string, spans: TestSpan[]): Buffer =>
  toProtobuf(requestOf(spans, { 'dokima.project_id': projectId, 'service.name': 'bench' }));

export const sendSpans = (connections: Connection[], bodies: Buffer[]): Promise<void> =>
  inParallel(connections, bodies, (connection, body) =>
    connection.send('POST', '/otel/v1/traces', body, 'application/x-protobuf'),
  );

const withContent = (content: string) => ({ content, ...measuresOfContent(content) });

type BareBatch = {
  otelIds: string[];
  rows: { otelId: string; row: Omit<SpanRow, 'traceId' | 'sourceId'> }[];
};

/** Prepares the rows for the statement, so that the baseline measures the database alone. */
const bareBatch = (projectId: bigint, body: Buffer): BareBatch => {
  const rows = [...decodeProtobuf(body)].map((decoded) => ({
    otelId: decoded.traceId,
    row: {
      projectId,
      spanId: decoded.spanId,
      parentSpanId: decoded.parentSpanId,
      link: null,
      name: decoded.name,
      service: 'bench',
      kind: decoded.kind,
      operation: 'chat',
      model: 'gpt-4o-2024-08-06',
      responseId: null,
      failed: false,
      inputTokens: null,
      outputTokens: null,
      costUsd: null,
      start: decoded.start,
      end: decoded.end,
      ...withContent(contentText(decoded)),
    },
  }));
  return { otelIds: [...new Set(rows.map(({ otelId }) => otelId))], rows };
};

const sourceOf = {
  unknownFields: [],
  resource: new Map(),
  scopeName: 'bench',
  scopeVersion: '',
  scopeAttributes: new Map(),
};

const insertBatch = ({ scope, transaction }: Bare, projectId: bigint, { otelIds, rows }: BareBatch) =>
  transaction(async (tx) => {
    const [[source], traces] = await Promise.all([
      ensureSources(tx, scope, [{ projectId, hash: spanId(1), content: sourceText(sourceOf) }]),
      lockTraces(
        tx,
        scope,
        otelIds.map((otelId) => ({ projectId, otelId, provisional: false })),
      ),
    ]);
    const ids = new Map(traces.map((trace) => [trace.otelId, trace.id]));
    await insertSpans(
      tx,
      scope,
      rows.map(({ otelId, row }) => ({ ...row, traceId: ids.get(otelId)!, sourceId: source!.id })),
    );
  });

/** Sends spans with OTLP in batches of 500. Each is answered when it is durable and readable in the record of its trace. */
export const ingestSpans: Benchmark = async ({ engine, bare, connect, wholeMeter }) => {
  const [first] = await connect(1);
  const { projectId } = await createRun(first!);
  const bareProjectId = BigInt((await createBareRun(bare)).projectId);
  // Prepared before the measurement, a set for each round, because encoding is the client's work.
  const requests = Array.from({ length: rounds }, () => makeBatches(projectId));
  const bareRequests = Array.from({ length: rounds }, () =>
    makeBatches(projectId).map((body) => bareBatch(bareProjectId, body)),
  );
  const times = await compare(
    rounds,
    // New connections: the service closes those that are idle while another round is measured.
    async () => sendSpans(await connect(connectionCount), requests.pop()!),
    async () => {
      const waiting = bareRequests.pop()!;
      const insertNext = async () => {
        for (let batch = waiting.pop(); batch; batch = waiting.pop())
          await insertBatch(bare, bareProjectId, batch);
      };
      await Promise.all(Array.from({ length: connectionCount }, insertNext));
    },
    wholeMeter,
  );
  const rate = spanCount / times.seconds;
  return [
    {
      work: `ingest ${spanCount.toLocaleString('en')} spans in batches of ${batchSize}`,
      engine,
      ...times,
      count: spanCount,
      unit: 'spans',
      target: engine === 'server' ? { text: '≥ 10,000 spans/s', met: rate >= 10_000 } : undefined,
    },
  ];
};
