import { createBareRun, insertBareRecords, upsertBareScores } from './bare.ts';
import { metrics, recordCount } from './dataset.ts';
import { compare } from './measure.ts';
import {
  batchSize,
  createRun,
  type Run,
  recordBatches,
  scoreBatches,
  sendRecords,
  sendScores,
} from './run.ts';
import type { Benchmark } from './subject.ts';

const rounds = 3;
/** With two connections the service reads one batch while the database writes the other. */
const connectionCount = 2;

/** Sends records in batches, each answered when it is durable and readable. Then uploads all their scores. */
export const ingest: Benchmark = async ({ engine, bare, connect, processor }) => {
  const connections = await connect(connectionCount);
  const bodies = recordBatches();
  let run: Run;
  let bareRun: Run;
  const records = await compare(
    rounds,
    async () => {
      run = await createRun(connections[0]!);
      await sendRecords(connections, run, bodies);
    },
    async () => {
      bareRun = await createBareRun(bare);
      await insertBareRecords(bare, bareRun);
    },
    processor,
  );
  // Only once, in the last run of each side: the first upsert finds pending rows, later ones would find finished scores.
  const scoreBodies = scoreBatches(run!);
  const scores = await compare(
    1,
    () => sendScores(connections, run, scoreBodies),
    () => upsertBareScores(bare, bareRun),
  );
  return [
    {
      work: `ingest 10,000 records in batches of ${batchSize}`,
      engine,
      ...records,
      count: recordCount,
      unit: 'records',
      target: engine === 'server' ? { text: '≤ 2.5 s', met: records.seconds <= 2.5 } : undefined,
    },
    {
      work: `upload their 50,000 scores in batches of ${batchSize}`,
      engine,
      ...scores,
      count: recordCount * metrics.length,
      unit: 'scores',
    },
  ];
};
