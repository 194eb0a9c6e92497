import { recordBody } from './dataset.ts';
import { type Measurement, time } from './measure.ts';
import { createBareRun, createScoredRun, inParallel, recordBatches, sendRecords } from './run.ts';
import type { Benchmark } from './subject.ts';

const rounds = 8;
const pages = 400;
const singles = 1_000;
/** How much more memory the last round may take than the second; the first one still fills what is kept on purpose. */
const growth = 1.2;

/** The same reads and writes over and over: what a process that runs for months would have left of them. */
export const soak: Benchmark = async ({ engine, service, connect }) => {
  const connections = await connect(8);
  const run = await createScoredRun(connections[0]!);
  const page = `/api/v2/runs/${run.runId}/records?limit=100`;
  const bodies = Array.from({ length: singles }, (_, i) => recordBody(i));
  const rows: Measurement[] = [];
  for (let round = 1; round <= rounds; round++) {
    const written = { ...run, runId: await createBareRun(connections[0]!, run) };
    await service.resetPeakMemory();
    const seconds = await time(async () => {
      await inParallel(connections, Array(pages).fill(page), (connection, path) => connection.get(path));
      await inParallel(connections, bodies, (connection, body) =>
        connection.send('POST', `/api/v2/runs/${written.runId}/records`, body),
      );
      await sendRecords(connections, written, recordBatches());
    });
    const peakMb = await service.peakMemory();
    const allowed = (rows[1]?.peakMb ?? Number.POSITIVE_INFINITY) * growth;
    rows.push({
      work: `round ${round} of ${pages} pages of 100 records, ${singles.toLocaleString('en')} creates and a batch ingest`,
      engine,
      seconds,
      count: 1,
      unit: '',
      peakMb,
      target:
        round === rounds && peakMb !== undefined
          ? { text: `≤ ${growth} × the memory of round 2`, met: peakMb <= allowed }
          : undefined,
    });
  }
  return rows;
};
