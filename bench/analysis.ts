import { setTimeout as delay } from 'node:timers/promises';
import { findRecordColumns, findScoreColumns } from '../server/src/insights/analysis/queries.ts';
import type { Connection } from './connection.ts';
import { compare, type Measurement } from './measure.ts';
import type { Benchmark } from './subject.ts';

const records = 100_000;
const rounds = 3;
/** Groups that a summary is broken down by. */
const parts = 100;
const targetSeconds = 2;
/** What a request that has nothing to do with it may have to wait. */
const targetDelayMs = 100;

const metrics = [
  { outputType: 'boolean', value: '(random() < 0.7)::int' },
  { outputType: 'boolean', value: '(random() < 0.4)::int' },
  { outputType: 'int', value: '1 + floor(random() * 5)' },
  { outputType: 'float', value: 'random()' },
  // Almost always the same, rarely far off: so skewed that signs are flipped.
  { outputType: 'float', value: '(random() < 0.00005)::int' },
];

/** Asks for something small all the while, and returns how long the slowest answer took. */
const slowestWhile = async (connection: Connection, work: () => Promise<unknown>): Promise<number> => {
  let slowest = 0;
  let busy = true;
  const asking = (async () => {
    while (busy) {
      const from = performance.now();
      await connection.get('/healthz');
      slowest = Math.max(slowest, performance.now() - from);
      // Now and then: asked without a pause, it would take a core from what is measured.
      await delay(10);
    }
  })();
  await work();
  busy = false;
  await asking;
  return slowest;
};

/** Summary, breakdown and comparison of runs of 100,000 records × 5 metrics, against the statements that read them. */
export const analyzeRuns: Benchmark = async ({ engine, bare, connect }) => {
  // The embedded database of a running service is open to nobody else, and a million scores take it minutes over HTTP.
  if (engine === 'embedded') return [];
  const [connection, other] = await connect(2);
  const post = async (path: string, body: unknown) =>
    JSON.parse(String(await connection!.send('POST', `/api/v2${path}`, JSON.stringify(body))));
  const project = await post('/projects', { name: 'P', description: '' });
  const metricIds: string[] = [];
  for (const { outputType } of metrics) {
    const body = { name: 'M', evalType: 'human', outputType };
    metricIds.push((await post(`/projects/${project.id}/metrics`, body)).id);
  }
  const runs: { id: string; metricVersionIds: string[] }[] = [];
  for (const _ of [1, 2]) runs.push(await post(`/projects/${project.id}/runs`, { metricIds }));
  for (const { id, metricVersionIds } of runs) {
    await bare.transaction(async (tx) => {
      await tx`
        insert into record (organization_id, project_id, run_id, n, testset_id, testcase_n, testcase_revision, inputs, expected, outputs)
        select organization_id, project_id, id, n, 1, n, 1, json_build_object('part', n % ${parts}), '{}', json_build_object('answer', repeat('x', 800))
        from run, generate_series(1, ${records}) n where id = ${id}`;
      for (const [i, { value }] of metrics.entries()) {
        await tx`
          insert into score (organization_id, run_id, n, metric_config_id, state, score, value)
          select organization_id, run_id, n, ${metricVersionIds[i]!}, 'scored', '{}', ${tx.unsafe(value)}
          from record where run_id = ${id}`;
      }
    });
  }
  await bare.vacuum();

  const { scope } = bare;
  const read = async (ids: string[]) => {
    for (const id of ids) {
      await bare.read((sql) => findRecordColumns(sql, scope, BigInt(id)));
      await bare.read((sql) => findScoreColumns(sql, scope, BigInt(id)));
    }
  };
  const rows: Measurement[] = [];
  const measure = async (work: string, path: string, ids: string[]) => {
    let slowest = 0;
    const ask = async () => {
      slowest = Math.max(slowest, await slowestWhile(other!, () => connection!.get(`/api/v2${path}`)));
    };
    const taken = await compare(rounds, ask, () => read(ids));
    const { seconds } = taken;
    const target = { text: `≤ ${targetSeconds} s`, met: seconds <= targetSeconds };
    const delay = { text: `≤ ${targetDelayMs} ms`, met: slowest <= targetDelayMs };
    const common = { engine, count: 1, unit: 'answers' };
    rows.push({ ...common, work, ...taken, target });
    rows.push({
      ...common,
      work: '  slowest other answer meanwhile',
      seconds: slowest / 1000,
      target: delay,
    });
  };
  const [first, second] = runs.map(({ id }) => id) as [string, string];
  await measure('summary of 100,000 records × 5 metrics', `/runs/${first}/summary`, [first]);
  await measure(`the same for each of ${parts} groups`, `/runs/${first}/summary?by=inputs.part`, [first]);
  await measure('comparison of two such runs', `/runs/compare?runs=${first},${second}`, [first, second]);
  return rows;
};
