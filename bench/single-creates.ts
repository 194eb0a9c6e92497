import { insertRecords } from '../server/src/evaluation/records/insert.ts';
import { createBareRun, recordRow } from './bare.ts';
import { recordBody } from './dataset.ts';
import { compare } from './measure.ts';
import { createRun, inParallel } from './run.ts';
import { type Benchmark, maxConnections } from './subject.ts';

const rounds = 3;

/**
 * Compares single creates from 32 clients in one run with the same rows committed one by one over 32 database connections. The
 * baseline does not update the run's counter, because one-row commits would wait for each other on it.
 */
export const singleCreates: Benchmark = async ({ engine, bare, connect, processor }) => {
  const connections = await connect(maxConnections);
  const tasks = Array.from({ length: engine === 'server' ? 5_000 : 2_000 }, (_, i) => i);
  const bodies = tasks.map(recordBody);
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
  const times = await compare(rounds, create, commitOne, processor);
  const ratio = times.bareSeconds / times.seconds;
  return [
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
