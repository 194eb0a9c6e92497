import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs, styleText } from 'node:util';
import postgres from 'postgres';
import { indexTexts } from '../server/src/evaluation/records/index-texts.ts';
import { compactRecordTallies, compactRunTallies } from '../server/src/evaluation/runs/queries.ts';
import { clientOptions, type Sql } from '../server/src/platform/db/database.ts';
import { purgeRecords } from '../server/src/traces/retention/purge-records.ts';
import { purgeTraces } from '../server/src/traces/retention/purge-traces.ts';
import type { Connection } from './connection.ts';
import { recordBody } from './dataset.ts';
import {
  addRuns,
  frequentWord,
  type GrowthProject,
  missingWord,
  rareWord,
  recordsEach,
  spansEach,
} from './growth-data.ts';
import { makeBatches } from './ingest-spans.ts';
import { median } from './measure.ts';
import { type Postgres, startPostgres } from './postgres.ts';
import { createRunWithoutMetrics } from './run.ts';
import { type Service, startService } from './service.ts';

/** Milliseconds of one request: the median of the time, and the mean of the processor time of service and database. */
type Cost = { wall: number; service: number; database: number };
type Level = { records: number; costs: Map<string, Cost> };

/** Requests that are measured: at least so many, and quick ones for a second, because a tick of /proc is 10 ms. */
const requests = { least: 20, most: 400, seconds: 1 };
/** What may be added to a work by a thousand times the data. */
const flat = 1.2;
const idleSeconds = 20;
/** Works that leave something for which there is no second time. */
const writes = /^(ingest|chore)/;

const usage = `Usage: npm run bench:growth -- [--records 10000,1000000] [--traces 1000] [--data folder]
Measures the same requests on databases of these sizes. A run has ${recordsEach} records; as many of them as --traces says have a trace of ${spansEach} spans.
With a folder, the data stays there for the next time.`;

const readArguments = () => {
  const { values } = parseArgs({
    options: {
      records: { type: 'string', default: '10000,1000000' },
      traces: { type: 'string', default: '1000' },
      data: { type: 'string' },
    },
  });
  const traces = Number(values.traces);
  if (!(traces >= 1 && traces <= recordsEach)) throw new Error(`--traces is from 1 to ${recordsEach}.`);
  const sizes = values.records.split(',').map(Number);
  if (sizes.some((size) => !(size >= recordsEach && size % recordsEach === 0)))
    throw new Error(`Sizes are multiples of ${recordsEach}.`);
  return { sizes: sizes.sort((a, b) => a - b), traces, data: values.data };
};

const json = (body: Buffer) => JSON.parse(body.toString());

/** Finds the project of the data, or creates it with its metric. */
const findProject = async (connection: Connection): Promise<GrowthProject> => {
  const call = async (path: string, body: object) =>
    json(await connection.send('POST', `/api/v2${path}`, JSON.stringify(body)));
  const { data } = json(await connection.get('/api/v2/projects?limit=100'));
  const name = 'Growth';
  const projectId =
    data.find((project: { name: string }) => project.name === name)?.id ??
    (await call('/projects', { name, description: '' })).id;
  const { data: metrics } = json(await connection.get(`/api/v2/projects/${projectId}/metrics`));
  const metric = { name: 'Right', evalType: 'human', outputType: 'boolean', guidelines: '' };
  const metricId = metrics[0]?.id ?? (await call(`/projects/${projectId}/metrics`, metric)).id;
  const run = await call(`/projects/${projectId}/runs`, { metricIds: [metricId] });
  return { projectId, metricId, configId: run.metricVersionIds[0] };
};

const walkToLast = async (connection: Connection, path: string): Promise<string> => {
  for (let cursor = ''; ; ) {
    const { nextCursor } = json(await connection.get(`${path}&cursor=${cursor}`));
    if (nextCursor === '') return `${path}&cursor=${cursor}`;
    cursor = nextCursor;
  }
};

/** Each work of the service with what does it once. */
const worksOf = async (
  connection: Connection,
  { projectId }: GrowthProject,
  sql: Sql,
): Promise<Record<string, () => PromiseLike<unknown>>> => {
  const project = `/api/v2/projects/${projectId}`;
  const [first] = await sql<{ id: bigint }[]>`
    select id from run where project_id = ${projectId} and last_record_n = ${recordsEach} order by id limit 1`;
  const run = `/api/v2/runs/${first!.id}`;
  const page = `${run}/records?limit=100`;
  const last = await walkToLast(connection, page);
  const get = (path: string) => () => connection.get(path);
  const search = (q: string) => get(`${project}/records?limit=100&q=${encodeURIComponent(q)}`);
  const emptyRun = await createRunWithoutMetrics(connection, { projectId, runId: '', configIds: [] });
  const records = `{"items":[${Array.from({ length: 500 }, (_, i) => recordBody(i)).join(',')}]}`;
  const spans = makeBatches(projectId);
  const chore = (work: (sql: Sql) => PromiseLike<unknown>) => () =>
    (sql as postgres.Sql<{ bigint: bigint }>).begin(async (tx) => {
      await tx`select set_config('dokima.organization', '*', true)`;
      await work(tx);
    });
  return {
    'page 1 of a run': get(page),
    'last page of a run': get(last),
    'a record': get(`/api/v2/records/${first!.id}-7`),
    'newest 100 of the project': get(`${project}/records?limit=100`),
    '100 by score': search('sort:score.Right'),
    'word in every record': search(frequentWord),
    'word in one record': search(rareWord),
    'word in none': search(missingWord),
    'records over time': get(`${project}/records/histogram`),
    'the same of those that fail': get(`${project}/records/histogram?q=score.Right:fail`),
    'summary of a run': get(`${run}/summary`),
    '20 runs': get(`${project}/runs?limit=20`),
    '100 traces': get(`${project}/traces?limit=100`),
    'slowest 100 traces': get(`${project}/traces?limit=100&sort=-latency`),
    'traces of a user': get(`${project}/traces?limit=100&q=user:${encodeURIComponent('"user 7"')}`),
    '100 sessions': get(`${project}/sessions?limit=100`),
    '100 users': get(`${project}/users?limit=100`),
    'spans of a record': get(`/api/v2/records/${first!.id}-7/spans`),
    '100 spans': get(`${project}/spans?limit=100`),
    'spans before a time': get(
      `${project}/spans?limit=100&startedBefore=${new Date(Date.now() - 36e5).toISOString()}`,
    ),
    'spans that failed': get(`${project}/spans?limit=100&error=true`),
    'spans of a name that none has': get(`${project}/spans?limit=100&name=${missingWord}`),
    'ingest of 500 records': () =>
      connection.send('POST', `/api/v2/runs/${emptyRun}/records/bulk-create`, records),
    'ingest of 500 spans': () =>
      connection.send('POST', '/otel/v1/traces', spans.pop()!, 'application/x-protobuf'),
    'chore: texts into the index': chore((tx) => indexTexts(tx, 200)),
    'chore: tallies of runs': chore((tx) => compactRunTallies(tx, 100)),
    'chore: tallies of minutes': chore((tx) => compactRecordTallies(tx, 1_000)),
    'chore: old traces': chore((tx) => purgeTraces(tx)),
    'chore: old records': chore((tx) => purgeRecords(tx)),
  };
};

const measure = async (
  { work, most }: { work: () => PromiseLike<unknown>; most: number },
  read: () => Promise<{ service: number; database: number }>,
): Promise<Cost> => {
  await work();
  const walls: number[] = [];
  const before = await read();
  const until = performance.now() + requests.seconds * 1_000;
  while (walls.length < requests.least || (walls.length < most && performance.now() < until)) {
    const begun = performance.now();
    await work();
    walls.push(performance.now() - begun);
  }
  const after = await read();
  const each = (name: 'service' | 'database') => ((after[name] - before[name]) * 1000) / walls.length;
  return { wall: median(walls), service: each('service'), database: each('database') };
};

const number = (value: number) => value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 1 : 0 });

const report = (levels: Level[]): void => {
  const [first, last] = [levels[0]!, levels.at(-1)!];
  const head = [
    'work',
    ...levels.map(({ records }) => `${number(records)}: ms, service + database`),
    'ratio',
  ];
  const rows = [...first.costs.keys()].map((work) => {
    const spent = ({ costs }: Level) => costs.get(work)!.service + costs.get(work)!.database;
    // What takes less than half a millisecond is mostly the noise of the measurement.
    const ratio = spent(last) < 1 ? 1 : spent(last) / Math.max(0.5, spent(first));
    return [
      work,
      ...levels.map(({ costs }) => {
        const { wall, service, database } = costs.get(work)!;
        return `${number(wall)}, ${number(service)} + ${number(database)}`;
      }),
      `${ratio.toFixed(2)}${ratio > flat ? ' GROWS' : ''}`,
    ];
  });
  const widths = head.map((_, i) => Math.max(...[head, ...rows].map((row) => row[i]!.length)));
  for (const row of [head, ...rows]) {
    const line = row.map((cell, i) => cell.padEnd(widths[i]!)).join('  ');
    process.stdout.write(`${line.includes('GROWS') ? styleText('red', line) : line}\n`);
  }
};

/** Waits until the service has indexed all texts, which it does in the background. */
const waitForTexts = async (sql: Sql): Promise<void> => {
  while ((await sql`select from record_text where not indexed limit 1`).length > 0) await pause(500);
};

const measureLevel = async (
  records: number,
  { service, server, url, traces }: { service: Service; server: Postgres; url: string; traces: number },
): Promise<Level> => {
  let connection = await service.connect();
  const sql = postgres(url, { ...clientOptions, max: 1 });
  const read = async () => ({
    service: (await service.processorSeconds()) ?? 0,
    database: (await server.processorSeconds()) ?? 0,
  });
  const costs = new Map<string, Cost>();
  try {
    const project = await findProject(connection);
    const [stored] = await sql<{ runs: number }[]>`
      select count(*)::int as runs from run where project_id = ${project.projectId} and last_record_n = ${recordsEach}`;
    const wanted = records / recordsEach;
    for (let from = stored!.runs; from < wanted; from += 10)
      await addRuns(url, project, { from, to: Math.min(from + 10, wanted), traces });
    if (stored!.runs < wanted) await sql`vacuum analyze`;
    // The level before has left texts, which searches read one by one.
    await waitForTexts(sql);
    // The service closes a connection that was silent for as long as that takes.
    connection.close();
    connection = await service.connect();
    const works = await worksOf(connection, project, sql);
    for (const [name, work] of Object.entries(works)) {
      const { least, most } = requests;
      costs.set(name, await measure({ work, most: writes.test(name) ? least : most }, read));
      process.stderr.write(`${number(records)}: ${name}\n`);
    }
    await waitForTexts(sql);
    const idle = () => pause(1_000);
    costs.set('a second of idling', await measure({ work: idle, most: idleSeconds }, read));
  } finally {
    connection.close();
    await sql.end();
  }
  return { records, costs };
};

const main = async (): Promise<void> => {
  const { sizes, traces, data } = readArguments();
  const server = await startPostgres(data);
  try {
    const url = await server.createDatabase('growth');
    const service = await startService({
      DATABASE_URL: url,
      DOKIMA_SECRET: 'growth-growth-growth-growth-growth-growth',
    });
    try {
      const levels: Level[] = [];
      for (const size of sizes) levels.push(await measureLevel(size, { service, server, url, traces }));
      report(levels);
    } finally {
      await service.stop();
    }
  } finally {
    await server.stop();
  }
};

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n\n${usage}\n`);
  process.exit(1);
});
