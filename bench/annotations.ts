import { insertAnnotation, listAnnotations } from '../server/src/evaluation/annotations/queries.ts';
import { insertRecords } from '../server/src/evaluation/records/insert.ts';
import { newUuid } from '../server/src/platform/http/ids.ts';
import { createBareRun, recordRow } from './bare.ts';
import { compare } from './cost.ts';
import { recordBody } from './dataset.ts';
import { createRun, inParallel } from './run.ts';
import type { Benchmark } from './subject.ts';

const rounds = 5;
const connectionCount = 16;
const annotation = { rating: true, comment: 'The right answer, for the wrong reason.' };
const madeBy = 'client' as const;
const annotationCount = 3;

/** Reads the annotations of one record again and again: the cost of a small read, HTTP and authentication included. */
export const listOneRecordsAnnotations: Benchmark = async ({ engine, bare, connect, meter }) => {
  const connections = await connect(connectionCount);
  const { runId } = await createRun(connections[0]!);
  await connections[0]!.send('POST', `/api/v2/runs/${runId}/records`, recordBody(0));
  const path = `/api/v2/records/${runId}-1/annotations`;
  const key = { runId: BigInt((await createBareRun(bare)).runId), n: 1 };
  await bare.transaction((tx) => insertRecords(tx, bare.scope, key.runId, [recordRow(0, key.n)]));
  for (let i = 0; i < annotationCount; i++) {
    await connections[0]!.send('POST', path, JSON.stringify(annotation));
    await bare.transaction((tx) =>
      insertAnnotation(tx, bare.scope, key, { id: newUuid(), madeBy, ...annotation }),
    );
  }
  const tasks = Array.from({ length: engine === 'server' ? 10_000 : 3_000 }, (_, i) => i);
  const times = await compare(
    rounds,
    () => inParallel(connections, tasks, (connection) => connection.get(path)),
    () => Promise.all(tasks.map(() => bare.read((sql) => listAnnotations(sql, bare.scope, key)))),
    meter,
  );
  const rate = tasks.length / times.seconds;
  return [
    {
      work: `annotations of one record, ${connectionCount} connections`,
      engine,
      ...times,
      count: tasks.length,
      unit: 'requests',
      target: engine === 'server' ? { text: '≥ 3,000 requests/s', met: rate >= 3_000 } : undefined,
    },
  ];
};
