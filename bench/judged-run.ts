/**
 * Lets processes judge the records of one run together, and samples what the active backends of PostgreSQL wait for: with one process, with four,
 * and with four while one is frozen with scores that it holds. The model is a stand-in. Prints the table of docs/scaling.md.
 * Run: node bench/judged-run.ts [records]
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import postgres from 'postgres';
import { openOpenAiServer } from '../server/test/model-server.ts';
import { startPostgres } from './postgres.ts';
import { processSeconds } from './processor.ts';
import { apiKey, startService } from './service.ts';
import { type Api, apiOf } from './sources-world.ts';

const count = Number(process.argv[2] ?? 1_000);
const batch = 500;
const sampleMs = 50;
/** The worker that is frozen holds scores by then. */
const freezeAfter = 0.2;
const program = fileURLToPath(new URL('../server/start.js', import.meta.url));

type Case = { name: string; workers: number; freezes: boolean };
const cases: Case[] = [
  { name: 'one process', workers: 0, freezes: false },
  { name: 'four processes', workers: 3, freezes: false },
  { name: 'four processes, and one freezes', workers: 3, freezes: true },
];

/** Samples of active backends, and how many of them waited for a lock, by its kind. */
type Samples = { active: number; waits: Map<string, number> };

/** Samples the backends of a database until `stop` is called, which returns them. */
const sampleBackends = (url: string): (() => Promise<Samples>) => {
  const sql = postgres(url, { max: 1 });
  const found: Samples = { active: 0, waits: new Map() };
  let isDone = false;
  const sampling = (async () => {
    while (!isDone) {
      const rows = await sql<{ kind: string | null; event: string | null }[]>`
        select wait_event_type as kind, wait_event as event from pg_stat_activity
        where datname = current_database() and state = 'active' and pid <> pg_backend_pid()`;
      found.active += rows.length;
      for (const { kind, event } of rows)
        if (kind === 'Lock') found.waits.set(event!, (found.waits.get(event!) ?? 0) + 1);
      await delay(sampleMs);
    }
    await sql.end();
  })();
  return async () => {
    isDone = true;
    await sampling;
    return found;
  };
};

/** Makes a run whose records wait for a judge. Nothing scores it yet: the budget of its judges is zero. */
const makeRun = async (api: Api, modelUrl: string): Promise<string> => {
  await api('POST', '/providers', { name: 'local', kind: 'openai-compatible', baseUrl: modelUrl });
  const { id: projectId } = await api('POST', '/projects', { name: 'Judged', description: '' });
  const metric = await api('POST', `/projects/${projectId}/metrics`, {
    name: 'Right',
    evalType: 'ai',
    outputType: 'boolean',
    guidelines: '',
    evalModelName: 'local/judge',
    promptTemplate: 'Is this right? {{ outputs.answer }}',
  });
  const run = await api('POST', `/projects/${projectId}/runs`, { metricIds: [metric.id], judgeBudgetUsd: 0 });
  for (let from = 0; from < count; from += batch) {
    const items = Array.from({ length: Math.min(batch, count - from) }, (_, i) => ({
      inputs: { question: `Question ${from + i}` },
      outputs: { answer: `Answer ${from + i}` },
      expected: {},
    }));
    await api('POST', `/runs/${run.id}/records/bulk-create`, { items });
  }
  return run.id;
};

const startWorker = (settings: Record<string, string>): ChildProcess => {
  const { PATH = '', HOME = '' } = process.env;
  const env = { PATH, HOME, PORT: '0', DOKIMA_LOG_LEVEL: 'error', ...settings };
  return spawn(process.execPath, [program, 'worker'], { env, stdio: ['ignore', 'ignore', 'inherit'] });
};

const stopWorker = async (worker: ChildProcess): Promise<void> => {
  if (worker.exitCode !== null || worker.signalCode !== null) return;
  const exited = once(worker, 'exit');
  worker.kill('SIGKILL');
  await exited;
};

/** Waits until this share of a run's scores is there. Returns the seconds that it took. */
const untilScored = async (api: Api, runId: string, share: number): Promise<number> => {
  const begun = performance.now();
  for (;;) {
    const { numScores } = await api('GET', `/runs/${runId}`);
    if (Number(numScores) >= share * count) return (performance.now() - begun) / 1_000;
    await delay(100);
  }
};

type Row = {
  name: string;
  seconds: number;
  last: number;
  samples: Samples;
  service: number;
  database: number;
};

const measure = async ({ name, workers, freezes }: Case, modelUrl: string): Promise<Row> => {
  const directory = await mkdtemp(join(tmpdir(), 'dokima-judged-'));
  const server = await startPostgres();
  const settings = {
    DATABASE_URL: await server.createDatabase('judged'),
    DOKIMA_SECRET: 'judged-run-judged-run-judged-run-0',
    DOKIMA_ALLOW_PRIVATE_ADDRESSES: 'true',
    DOKIMA_DATA_DIR: directory,
  };
  const service = await startService(settings);
  const others: ChildProcess[] = [];
  try {
    const api = apiOf(service.url, apiKey);
    const runId = await makeRun(api, modelUrl);
    for (let i = 0; i < workers; i++)
      others.push(startWorker({ ...settings, DOKIMA_DATA_DIR: `${directory}/${i}` }));
    // Workers that start while others score would not have their part.
    await delay(workers > 0 ? 15_000 : 2_000);
    const spent = async () => {
      const own = await Promise.all(others.map(({ pid }) => processSeconds(pid!)));
      return own.reduce<number>(
        (sum, seconds) => sum + (seconds ?? 0),
        (await service.processorSeconds()) ?? 0,
      );
    };
    const before = { service: await spent(), database: (await server.processorSeconds()) ?? 0 };
    const stopSampling = sampleBackends(settings.DATABASE_URL);
    await api('PATCH', `/runs/${runId}/details`, { judgeBudgetUsd: null });
    let seconds = 0;
    if (freezes) {
      seconds += await untilScored(api, runId, freezeAfter);
      others[0]!.kill('SIGSTOP');
    }
    seconds += await untilScored(api, runId, 0.9);
    const last = await untilScored(api, runId, 1);
    const samples = await stopSampling();
    return {
      name,
      seconds: seconds + last,
      last,
      samples,
      service: (await spent()) - before.service,
      database: ((await server.processorSeconds()) ?? 0) - before.database,
    };
  } finally {
    await Promise.all(others.map(stopWorker));
    await service.stop();
    await server.stop();
    await rm(directory, { recursive: true, force: true });
  }
};

const lineOf = ({ name, seconds, last, samples, service, database }: Row, first: Row): string => {
  const waiting = [...samples.waits].map(([event, n]) => `${n} ${event}`).join(', ') || '0';
  const each = (of: number) => ((1_000 * of) / count).toFixed(1);
  const ratio = (service + database) / (first.service + first.database);
  return `| ${name} | ${seconds.toFixed(1)} s | ${last.toFixed(1)} s | ${waiting} of ${samples.active} | ${each(service)} + ${each(database)} | ${ratio.toFixed(2)} |`;
};

const models = await openOpenAiServer();
models.answer({ reply: { reasoning: 'It is.', binaryScore: true } });
try {
  const rows: Row[] = [];
  for (const one of cases) {
    rows.push(await measure(one, models.url));
    process.stderr.write(`${one.name}: ${rows.at(-1)!.seconds.toFixed(1)} s\n`);
  }
  process.stdout.write(
    [
      '| who judges | all scores | the last tenth of them | samples that waited for a lock | processor ms a score, service and workers + PostgreSQL | ratio |',
      '| --- | --- | --- | --- | --- | --- |',
      ...rows.map((row) => lineOf(row, rows[0]!)),
      '',
    ].join('\n'),
  );
} finally {
  await models.close();
}
