import { createBareRun, insertBareRecords, upsertBareScores } from './bare.ts';
import { compare } from './cost.ts';
import { metrics, recordCount } from './dataset.ts';
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

/** Sends records in batches, each answered when it is durable and readable. Then uploads all their scores. Then sends both together. */
export const ingest: Benchmark = async ({ engine, bare, connect, wholeMeter }) => {
  const bodies = recordBatches();
  let run: Run;
  let bareRun: Run;
  // New connections each time: the service closes those that are idle until it is calm.
  const records = await compare(
    rounds,
    async () => {
      const connections = await connect(connectionCount);
      run = await createRun(connections[0]!);
      await sendRecords(connections, run, bodies);
    },
    async () => {
      bareRun = await createBareRun(bare);
      await insertBareRecords(bare, bareRun);
    },
    wholeMeter,
  );
  // Only once, in the last run of each side: the first upsert finds pending rows, later ones would find finished scores.
  const scoreBodies = scoreBatches(run!);
  const scores = await compare(
    1,
    async () => sendScores(await connect(connectionCount), run, scoreBodies),
    () => upsertBareScores(bare, bareRun),
    wholeMeter,
  );
  const sendTogether = async (searchIndex: boolean) => {
    const [connection] = await connect(1);
    const scoredRun = await createRun(connection!);
    const settings = `/api/v2/projects/${scoredRun.projectId}/settings`;
    await connection!.send('PATCH', settings, JSON.stringify({ searchIndex }));
    const scoredBodies = recordBatches(scoredRun.configIds);
    return wholeMeter(async () => sendRecords(await connect(connectionCount), scoredRun, scoredBodies));
  };
  const together = await sendTogether(false);
  const searched = await sendTogether(true);
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
    {
      work: `ingest 10,000 records with five scores each in batches of ${batchSize}`,
      engine,
      ...together,
      count: recordCount,
      unit: 'records',
    },
    {
      work: 'the same in a project that is searched',
      engine,
      ...searched,
      count: recordCount,
      unit: 'records',
    },
  ];
};
