import { setTimeout } from 'node:timers/promises';
import type { Connection } from './connection.ts';
import { recordCount } from './dataset.ts';
import { type Measurement, time } from './measure.ts';
import { createRun, type Run, recordBatches, sendRecords } from './run.ts';
import type { Benchmark, Subject } from './subject.ts';

/** Longest silence of another request that a deletion may cause, in seconds. */
const longestAllowed = 0.2;

/** Time for which the same requests are sent without a deletion. */
const quietMs = 3_000;

/** A run of 20,000 records, each with five pending scores. */
const createBigRun = async (connection: Connection): Promise<Run> => {
  const run = await createRun(connection);
  const bodies = recordBatches();
  for (let i = 0; i < 2; i++) await sendRecords([connection], run, bodies);
  return run;
};

/** Number of deletions that are under way; 0 for a service that has no such metric, because its answer comes after the deletion. */
const underWay = async (connection: Connection): Promise<number> => {
  const text = (await connection.get('/metrics')).toString();
  return Number(/^dokima_deletions_under_way (\d+)/m.exec(text)?.[1] ?? 0);
};

/** Sends `work` at intervals until `done` says so, and returns the longest time of one. */
const longestOf = async (work: () => Promise<unknown>, done: () => boolean): Promise<number> => {
  let longest = 0;
  while (!done()) {
    longest = Math.max(longest, await time(work));
    await setTimeout(5);
  }
  return longest;
};

/** Deletes something, while others read and write in another project. */
const measureDeletion = async (
  { engine, connect }: Subject,
  what: string,
  pathOf: (run: Run) => string,
): Promise<Measurement[]> => {
  const [connection, reader, writer] = (await connect(3)) as [Connection, Connection, Connection];
  const run = await createBigRun(connection);
  const other = await createRun(connection);
  const read = () => reader.get(`/api/v2/runs/${other.runId}`);
  const record = '{"inputs":{},"outputs":{},"expected":{}}';
  const write = () => writer.send('POST', `/api/v2/runs/${other.runId}/records`, record);
  const stop = performance.now() + quietMs;
  const isQuietOver = () => performance.now() > stop;
  const [quietRead, quietWrite] = await Promise.all([
    longestOf(read, isQuietOver),
    longestOf(write, isQuietOver),
  ]);
  let isOver = false;
  const remove = async () => {
    await connection.send('DELETE', `/api/v2${pathOf(run)}`, '{}');
    while ((await underWay(connection)) > 0) await setTimeout(20);
  };
  const [seconds, longestRead, longestWrite] = await Promise.all([
    time(remove).finally(() => {
      isOver = true;
    }),
    longestOf(read, () => isOver),
    longestOf(write, () => isOver),
  ]);
  // The baseline is the longest time without a deletion.
  const line = (work: string, seconds: number, bareSeconds: number): Measurement => ({
    work,
    engine,
    seconds,
    bareSeconds,
    count: 1,
    unit: 'requests',
    target: { text: `≤ ${longestAllowed * 1000} ms`, met: seconds <= longestAllowed },
  });
  return [
    { work: `delete ${what} of 20,000 records`, engine, seconds, count: 2 * recordCount, unit: 'records' },
    line('  longest read of another', longestRead, quietRead),
    line('  longest write of another', longestWrite, quietWrite),
  ];
};

/** Deletes a project and a run while requests about another project go on. */
export const deletes: Benchmark = async (subject) => [
  ...(await measureDeletion(subject, 'a project', ({ projectId }) => `/projects/${projectId}`)),
  ...(await measureDeletion(subject, 'a run', ({ runId }) => `/runs/${runId}`)),
];
