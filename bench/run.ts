import type { Connection } from './connection.ts';
import { batches, metrics, recordBody, recordCount, scoreText } from './dataset.ts';

/** A run of the five metrics, with ids of the API. */
export type Run = { projectId: string; runId: string; configIds: string[] };

/** Records or scores in a bulk call. */
export const batchSize = 500;

type Made = { id: string; metricVersionIds: string[] };

const post = async (connection: Connection, path: string, body: object): Promise<Made> =>
  JSON.parse((await connection.send('POST', `/api/v2${path}`, JSON.stringify(body))).toString());

/** Creates a project with the five metrics, with the code that `codeOf` returns, and one run of them. */
export const createRun = async (
  connection: Connection,
  codeOf: (outputType: (typeof metrics)[number]) => string = () => '',
): Promise<Run & { metricIds: string[] }> => {
  const { id: projectId } = await post(connection, '/projects', { name: 'Benchmark', description: '' });
  const metricIds: string[] = [];
  for (const [i, outputType] of metrics.entries()) {
    const body = { name: `Metric ${i}`, evalType: 'heuristic', outputType, guidelines: codeOf(outputType) };
    metricIds.push((await post(connection, `/projects/${projectId}/metrics`, body)).id);
  }
  const run = await post(connection, `/projects/${projectId}/runs`, { metricIds });
  return { projectId, runId: run.id, metricIds, configIds: run.metricVersionIds };
};

/** Creates another run of the same project, without metrics. */
export const createRunWithoutMetrics = async (connection: Connection, { projectId }: Run): Promise<string> =>
  (await post(connection, `/projects/${projectId}/runs`, { metricIds: [] })).id;

/** Runs each task once, one at a time on each connection. */
export const inParallel = async <T>(
  connections: Connection[],
  tasks: readonly T[],
  work: (connection: Connection, task: T) => Promise<unknown>,
): Promise<void> => {
  let next = 0;
  await Promise.all(
    connections.map(async (connection) => {
      while (next < tasks.length) await work(connection, tasks[next++]!);
    }),
  );
};

/** Returns the bodies of the bulk calls that create all records, with their scores if configurations are given. Callers prepare them before they measure the service. */
export const recordBatches = (configIds: string[] = []): string[] =>
  batches(recordCount, batchSize).map(
    (batch) => `{"items":[${batch.map((i) => recordBody(i, configIds)).join(',')}]}`,
  );

/** Returns the bodies of the bulk calls that give each record of the run its five scores. */
export const scoreBatches = ({ runId, configIds }: Run): string[] =>
  batches(recordCount * metrics.length, batchSize).map((batch) => {
    const items = batch.map((at) => {
      const [i, m] = [Math.floor(at / metrics.length), at % metrics.length];
      return `{"recordId":"${runId}-${i + 1}","metricConfigId":"${configIds[m]}","score":${scoreText(i, m)}}`;
    });
    return `{"items":[${items.join(',')}]}`;
  });

export const sendRecords = (connections: Connection[], { runId }: Run, bodies: string[]): Promise<void> =>
  inParallel(connections, bodies, (connection, body) =>
    connection.send('POST', `/api/v2/runs/${runId}/records/bulk-create`, body),
  );

export const sendScores = (connections: Connection[], { runId }: Run, bodies: string[]): Promise<void> =>
  inParallel(connections, bodies, (connection, body) =>
    connection.send('POST', `/api/v2/runs/${runId}/scores/bulk-upsert`, body),
  );

/** Creates a run of all records, each with five scores. */
export const createScoredRun = async (connection: Connection): Promise<Run> => {
  const run = await createRun(connection);
  await sendRecords([connection], run, recordBatches());
  await sendScores([connection], run, scoreBatches(run));
  return run;
};
