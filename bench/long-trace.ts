import { randomBytes } from 'node:crypto';
import type { Connection } from './connection.ts';
import { batches } from './dataset.ts';
import { requestBody, sendSpans, spanOf } from './ingest-spans.ts';
import { costOf, difference, type Measurement, time } from './measure.ts';
import { createRun } from './run.ts';
import type { Benchmark } from './subject.ts';

export const traceSpansDefault = 100_000;
const spansPerRequest = 1_000;
/** Parts whose times are compared: a cost that grows with the trace shows between the first and the last. */
const parts = 5;

const readRecord = async (connection: Connection, projectId: string): Promise<string> => {
  const page = JSON.parse(String(await connection.get(`/api/v2/projects/${projectId}/records?limit=1`)));
  return page.data[0].id as string;
};

/** One trace that goes on and on: each batch must cost what the first did, and reading it must stay bounded. */
export const longTrace: Benchmark = async ({ engine, connect, processor }) => {
  const count = Number(process.env.BENCH_TRACE_SPANS ?? traceSpansDefault);
  const { projectId } = await createRun((await connect(1))[0]!);
  const traceId = randomBytes(16).toString('hex');
  const measured: Measurement[] = [];
  const each = Math.ceil(count / parts / spansPerRequest);
  for (let part = 0; part < parts; part++) {
    const requests = batches(each * spansPerRequest, spansPerRequest).map((batch) =>
      requestBody(
        projectId,
        batch.map((i) => {
          const n = part * each * spansPerRequest + i + 1;
          return { ...spanOf(i, n, traceId), at: n };
        }),
      ),
    );
    // A new one for each part: the service closes connections that idle while requests are made.
    const connections = await connect(1);
    const before = await processor();
    const seconds = await time(() => sendSpans(connections, requests));
    const after = await processor();
    const now = { seconds, cpu: before && after && difference(before, after) };
    const ratio = costOf(measured[0] ?? now) / costOf(now);
    measured.push({
      work: `one trace, up to span ${((part + 1) * each * spansPerRequest).toLocaleString('en')}`,
      engine,
      ...now,
      count: each * spansPerRequest,
      unit: 'spans',
      target: { text: `≥ 0.8 of the first part's rate (${ratio.toFixed(2)})`, met: ratio >= 0.8 },
    });
  }
  const [connection] = await connect(1);
  const record = await readRecord(connection!, projectId);
  for (const view of ['spans', 'conversation']) {
    const seconds = await time(() => connection!.get(`/api/v2/records/${record}/${view}`));
    measured.push({ work: `its ${view}`, engine, seconds, count: 1, unit: 'view' });
  }
  return measured;
};
