import { setTimeout as delay } from 'node:timers/promises';
import type { Connection } from './connection.ts';
import { metrics, recordCount } from './dataset.ts';
import { costOf, difference, type Measurement, type Processor, time } from './measure.ts';
import { createRun, type Run, recordBatches, scoreBatches, sendRecords, sendScores } from './run.ts';
import type { Benchmark } from './subject.ts';

const pollMs = 100;
/** Keeping writes each score, its history and what it met; an upload writes the score alone. */
const largestFactor = 3;

const before: Record<(typeof metrics)[number], string> = {
  boolean: '({ answer }) { return { score: Number(answer) % 2 === 0 }; }',
  int: '({ answer }) { return { score: 1 + (Number(answer) % 5) }; }',
  float: '({ answer }) { return { score: Number(answer) / 100 }; }',
};
const after: Record<(typeof metrics)[number], string> = {
  boolean: '({ answer }) { return { score: Number(answer) % 3 === 0 }; }',
  int: '({ answer }) { return { score: 1 + ((Number(answer) + 1) % 5) }; }',
  float: '({ answer }) { return { score: 1 - Number(answer) / 100 }; }',
};
const codeOf = (body: string) =>
  `function score(inputs, outputs) { return read(outputs); }\nfunction read${body}`;

const read = async <T>(connection: Connection, path: string): Promise<T> =>
  JSON.parse((await connection.get(`/api/v2${path}`)).toString());

const until = async (connection: Connection, path: string, status: string): Promise<void> => {
  while ((await read<{ status: string }>(connection, path)).status !== status) await delay(pollMs);
};

/** Gives each metric of the run another configuration. Returns the metrics in the order of the run's. */
const reconfigure = async (connection: Connection, { projectId, runId }: Run): Promise<string[]> => {
  const { metricIds } = await read<{ metricIds: string[] }>(connection, `/runs/${runId}`);
  const { data } = await read<{ data: { id: string; outputType: (typeof metrics)[number] }[] }>(
    connection,
    `/projects/${projectId}/metrics?limit=100`,
  );
  for (const metric of data) {
    const { id, outputType } = metric;
    const body = { evalType: 'heuristic', outputType, guidelines: codeOf(after[outputType]) };
    await connection.send('PATCH', `/api/v2/metrics/${id}`, JSON.stringify(body));
  }
  return metricIds;
};

/**
 * A run of 10,000 records is scored anew by another configuration of each of its five metrics: how long it takes to begin, to
 * look at the difference and to keep it, each beside the upload of as many scores through HTTP.
 */
export const rescore: Benchmark = async ({ engine, connect, processor }) => {
  const records = recordBatches();
  const [connection] = await connect(1);
  const uploaded = await createRun(connection!);
  await sendRecords([connection!], uploaded, records);
  const run = await createRun(connection!, (outputType) => codeOf(before[outputType]));
  await sendRecords([connection!], run, records);
  await until(connection!, `/runs/${run.runId}`, 'completed');
  const metricIds = await reconfigure(connection!, run);

  // New connections for each part: the service closes those that were idle while the last one was scored.
  const measured = async (work: (connection: Connection) => Promise<unknown>) => {
    const [fresh] = await connect(1);
    const start = await processor();
    const seconds = await time(() => work(fresh!));
    const end = await processor();
    return { seconds, cpu: start && end && difference(start, end) };
  };
  const upload = await measured((fresh) => sendScores([fresh], uploaded, scoreBatches(uploaded)));
  const paths: string[] = [];
  const begin = await measured(async (fresh) => {
    for (const metricId of metricIds) {
      const path = `/runs/${run.runId}/rescorings`;
      const answer = await fresh.send('POST', `/api/v2${path}`, JSON.stringify({ metricId }));
      paths.push(`${path}/${JSON.parse(answer.toString()).id}`);
    }
  });
  const propose = await measured(async (fresh) => {
    for (const path of paths) await until(fresh, path, 'ready');
  });
  const look = await measured(async (fresh) => {
    for (const path of paths) await fresh.get(`/api/v2${path}`);
  });
  const keep = await measured(async (fresh) => {
    for (const path of paths) await fresh.send('POST', `/api/v2${path}/keep`, '{}');
  });

  const factor = costOf(keep) / costOf(upload);
  const row = (work: string, part: { seconds: number; cpu: Processor | undefined }): Measurement => ({
    work: `rescoring of 10,000 records by 5 metrics: ${work}`,
    engine,
    ...part,
    bareSeconds: upload.seconds,
    count: recordCount * metrics.length,
    unit: 'scores',
  });
  return [
    { ...row('upload of as many scores', upload), bareSeconds: undefined },
    row('begin', begin),
    row('propose', propose),
    row('look', look),
    {
      ...row('keep', keep),
      target: {
        text: `≤ ${largestFactor} × the upload (${factor.toFixed(1)} ×)`,
        met: factor <= largestFactor,
      },
    },
  ];
};
