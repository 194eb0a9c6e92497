import { insertRecords } from '../server/src/evaluation/records/insert.ts';
import { createBareRun, recordRow } from './bare.ts';
import { compare } from './cost.ts';
import { recordBody } from './dataset.ts';
import type { Measurement } from './measure.ts';
import { createRun, inParallel } from './run.ts';
import { type Benchmark, maxConnections, type Subject } from './subject.ts';

const rounds = 3;
/** Clients that each wait for their answer, as loops of an SDK do, and records that they send together. */
const waitingClients = [1, 8, 16];
const waitingCount = 1_000;

/** Clients that send a record with its five scores a request. */
const recordsWithScores = async (
  { engine, connect, wholeMeter }: Subject,
  clients: number,
): Promise<Measurement> => {
  const { runId, configIds } = await createRun((await connect(1))[0]!);
  const bodies = Array.from({ length: waitingCount }, (_, i) => `{"items":[${recordBody(i, configIds)}]}`);
  const cost = await wholeMeter(async () =>
    inParallel(await connect(clients), bodies, (connection, body) =>
      connection.send('POST', `/api/v2/runs/${runId}/records/bulk-create`, body),
    ),
  );
  const work = `a record with five scores a request, ${clients} waiting clients`;
  return { work, engine, ...cost, count: waitingCount, unit: 'records' };
};

/**
 * Compares single creates from 32 clients in one run with the same rows committed one by one over 32 database connections. The
 * baseline does not update the run's counter, because one-row commits would wait for each other on it.
 */
export const singleCreates: Benchmark = async (subject) => {
  const { engine, bare, connect, meter } = subject;
  const waiting: Measurement[] = [];
  for (const clients of waitingClients) waiting.push(await recordsWithScores(subject, clients));
  const connections = await connect(maxConnections);
  const tasks = Array.from({ length: engine === 'server' ? 5_000 : 2_000 }, (_, i) => i);
  const bodies = tasks.map((i) => recordBody(i));
  const { runId } = await createRun(connections[0]!);
  const create = () =>
    inParallel(connections, bodies, (connection, body) =>
      connection.send('POST', `/api/v2/runs/${runId}/records`, body),
    );
  const bareRunId = BigInt((await createBareRun(bare)).runId);
  let n = 0;
  const commitOne = () =>
    Promise.all(
      tasks.map((i) => {
        const row = recordRow(i, ++n);
        return bare.transaction((tx) => insertRecords(tx, bare.scope, bareRunId, [row]));
      }),
    );
  const times = await compare(rounds, create, commitOne, meter);
  const ratio = times.bareSeconds / times.seconds;
  return [
    ...waiting,
    {
      work: `single creates, ${maxConnections} connections`,
      engine,
      ...times,
      count: tasks.length,
      unit: 'records',
      target: engine === 'server' ? { text: '≥ 2 × bare', met: ratio >= 2 } : undefined,
    },
  ];
};
