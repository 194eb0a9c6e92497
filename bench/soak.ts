import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import postgres from 'postgres';
import { requestOf } from '../server/test/otlp.ts';
import { openInspector } from './inspector.ts';
import { freePort, startPostgres } from './postgres.ts';
import { apiKey, startService } from './service.ts';
import { slopeOf } from './slope.ts';

/**
 * node bench/soak.ts [--minutes 90] [--warm 30] [--snapshots FOLDER]
 *
 * Runs the service for a long time under steady work, and tells a leak from noise: what each round writes, it deletes again, and each
 * minute a garbage collection is forced before memory is read. Prints a line a minute, and at the end the growth of the live heap per
 * hour with its standard error. With --snapshots, it writes a heap snapshot after the warm-up and one at the end.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '90' },
    warm: { type: 'string', default: '30' },
    snapshots: { type: 'string' },
  },
});
const minutes = Number(values.minutes);
const warmMinutes = Number(values.warm);

const pauseMs = 5_000;
const recordsPerRound = 100;
const tracesPerRound = 20;

const run = promisify(execFile);
const directory = await mkdtemp(join(tmpdir(), 'dokima-soak-'));
const server = await startPostgres();
const inspectorPort = await freePort();
const databaseUrl = await server.createDatabase('soak');
const service = await startService({
  DATABASE_URL: databaseUrl,
  DOKIMA_DATA_DIR: directory,
  DOKIMA_ALLOW_PRIVATE_ADDRESSES: 'true',
  NODE_OPTIONS: `--inspect=127.0.0.1:${inspectorPort}`,
});
const model = createServer(async (request, response) => {
  await text(request);
  const content = JSON.stringify({ reasoning: 'It is right.', binaryScore: true });
  const usage = { prompt_tokens: 100, completion_tokens: 10 };
  response.setHeader('content-type', 'application/json');
  response.end(
    JSON.stringify({ choices: [{ message: { role: 'assistant', content }, finish_reason: 'stop' }], usage }),
  );
}).listen(0, '127.0.0.1');
await once(model, 'listening');

let requests = 0;
let failed = 0;
/** Asks the service, and returns its answer. A refusal is counted and printed, and ends nothing. */
const ask = async (method: string, path: string, body?: object | string, key = apiKey) => {
  requests++;
  const answer = await fetch(`${service.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  }).catch((error: Error) => ({ ok: false, status: 0, text: async () => error.message }));
  const said = await answer.text();
  if (answer.ok) return path.endsWith('/archive') ? {} : JSON.parse(said);
  failed++;
  process.stderr.write(`${method} ${path}: ${answer.status} ${said.slice(0, 200)}\n`);
  return {};
};
const api = (method: string, path: string, body?: object, key?: string) =>
  ask(method, `/api/v2${path}`, body, key);

const { port: modelPort } = model.address() as { port: number };
await api('POST', '/providers', {
  name: 'local',
  kind: 'openai-compatible',
  baseUrl: `http://127.0.0.1:${modelPort}/v1`,
  apiKey: 'k',
});

let traces = 0;
const createTraces = async (projectId: string) => {
  const ids = Array.from({ length: tracesPerRound }, () => (++traces).toString(16).padStart(32, 'c'));
  const spans = ids.flatMap((traceId, i) =>
    Array.from({ length: 10 }, (_, n) => ({
      traceId,
      n: n + 1,
      ...(n > 0 && { parent: 1 }),
      attributes: {
        'session.id': `session ${i % 5}`,
        'gen_ai.operation.name': 'chat',
        'input.value': `question ${i} `.repeat(50),
        'output.value': `answer ${i} `.repeat(50),
      },
    })),
  );
  await ask('POST', '/otel/v1/traces', requestOf(spans, { 'dokima.project_id': projectId }));
  return ids;
};

const attachFile = async (projectId: string) => {
  const bytes = Buffer.alloc(50_000, String(traces % 10));
  const declared = await api('POST', '/attachments', {
    projectId,
    sessionId: 'session 1',
    filePath: '/a.txt',
    contentType: 'text/plain',
    sizeBytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  });
  if (!declared.uploadUrl) return;
  requests++;
  const sent = await fetch(declared.uploadUrl, { method: 'PUT', body: bytes });
  await sent.arrayBuffer();
  const { downloadUrl } = await api('GET', `/attachments/${declared.id}`);
  await (await fetch(downloadUrl)).arrayBuffer();
};

const createMetrics = async (projectId: string): Promise<string[]> => {
  const code = 'function score(inputs, outputs) { return { score: outputs.a.length > 3 }; }';
  const bodies = [
    { name: 'Code', evalType: 'heuristic', outputType: 'boolean', guidelines: code },
    {
      name: 'Judge',
      evalType: 'ai',
      outputType: 'boolean',
      promptTemplate: 'Is {{ outputs.a }} right?',
      evalModelName: 'local/judge',
    },
    { name: 'People', evalType: 'human', outputType: 'boolean', guidelines: 'Is it right?' },
  ];
  const made = [];
  for (const body of bodies) made.push(await api('POST', `/projects/${projectId}/metrics`, body));
  return made.map(({ id }) => id);
};

/** Listens to the changes of a project for as long as `work` takes. */
const listening = async (projectId: string, work: () => Promise<void>) => {
  const left = new AbortController();
  const stream = fetch(`${service.url}/api/v2/events?projectId=${projectId}`, {
    headers: { authorization: `Bearer ${apiKey}`, accept: 'text/event-stream' },
    signal: left.signal,
  })
    .then(async ({ body }) => {
      for await (const _ of body!);
    })
    .catch(() => {});
  await work();
  left.abort();
  await stream;
};

const readEverything = async (projectId: string, runId: string, ids: string[], key: string) => {
  const project = `/projects/${projectId}`;
  const paths = [
    `/runs/${runId}/records?limit=100`,
    `/runs/${runId}/summary`,
    `${project}/records?q=answer&limit=50`,
    `${project}/records/histogram?by=time`,
    `${project}/run-details`,
    `${project}/traces?limit=100`,
    `${project}/spans?q=question&limit=50`,
    `${project}/sessions`,
    `${project}/traces/${ids[0]}`,
    `${project}/traces/${ids[1]}/spans`,
    `${project}/traces/${ids[2]}/conversation`,
    `${project}/news`,
    `${project}/settings`,
    `${project}/archive`,
    '/audit-events?limit=50',
    '/me',
  ];
  await Promise.all(paths.map((path) => api('GET', path, undefined, key)));
};

const scored = async (runId: string) => {
  const end = Date.now() + 60_000;
  while (Date.now() < end) {
    const { executions: _, ...details } = await api('GET', `/runs/${runId}`);
    if (details.status === 'completed' || details.status === undefined) return;
    if ((details.numScores ?? 0) >= recordsPerRound + 10) return;
    await delay(500);
  }
};

/** One round: a project of its own with everything in it, which is deleted at the end; a key too. */
const work = async (): Promise<void> => {
  const { id: keyId, key } = await api('POST', '/keys', { name: `soak ${traces}` });
  const { id: projectId } = await api('POST', '/projects', { name: `Soak ${traces}`, description: '' });
  await listening(projectId, async () => {
    const [codeId, judgeId, peopleId] = await createMetrics(projectId);
    const { id: runId } = await api('POST', `/projects/${projectId}/runs`, { metricIds: [codeId, peopleId] });
    const items = Array.from({ length: recordsPerRound }, (_, i) => ({
      inputs: { q: `question ${i}` },
      outputs: { a: `answer ${i} `.repeat(100) },
      expected: {},
    }));
    await api('POST', `/runs/${runId}/records/bulk-create`, { items });
    const { id: judgedId } = await api('POST', `/projects/${projectId}/runs`, { metricIds: [judgeId] });
    await api('POST', `/runs/${judgedId}/records/bulk-create`, { items: items.slice(0, 10) });
    const ids = await createTraces(projectId);
    await attachFile(projectId);
    await api('POST', `/records/${runId}-1/annotations`, { rating: true, comment: 'Looks right.' });
    await Promise.all([scored(runId), scored(judgedId)]);
    await readEverything(projectId, runId, ids, key);
    await api('DELETE', `/records/${runId}-2`);
    await api('DELETE', `/runs/${judgedId}`);
    await api('DELETE', `/projects/${projectId}/traces/${ids[3]}`);
  });
  await api('DELETE', `/projects/${projectId}`);
  await api('DELETE', `/keys/${keyId}`);
};

type Sample = { minute: number; heapMb: number };
const samples: Sample[] = [];
const inspector = await openInspector(inspectorPort);
const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} });
const mb = (bytes: number) => bytes / 1024 / 1024;

const sample = async (minute: number): Promise<void> => {
  const { heapUsed, external, arrayBuffers, rss, handles } = await inspector.readMemory();
  const [found] = await sql`
    select (select count(*)::int from pg_stat_activity where datname = 'soak') as connections,
      pg_database_size('soak')::float as bytes, (select count(*)::int from record) as records,
      (select count(*)::int from span) as spans`;
  const children = (
    await run('pgrep', ['-cP', String(inspector.pid)]).catch(() => ({ stdout: '0' }))
  ).stdout.trim();
  samples.push({ minute, heapMb: mb(heapUsed) });
  const fields = {
    minute: minute.toFixed(1),
    heap: mb(heapUsed).toFixed(2),
    external: mb(external).toFixed(1),
    buffers: mb(arrayBuffers).toFixed(1),
    rss: mb(rss).toFixed(0),
    handles,
    connections: found!.connections,
    children,
    database: mb(found!.bytes).toFixed(0),
    records: found!.records,
    spans: found!.spans,
    requests,
    failed,
  };
  process.stdout.write(
    `${Object.entries(fields)
      .map(([name, value]) => `${name} ${value}`)
      .join('  ')}\n`,
  );
};

const report = () => {
  const late = samples.filter(({ minute }) => minute >= warmMinutes);
  if (late.length < 5) return;
  const { slope, error } = slopeOf(late.map(({ minute, heapMb }) => [minute / 60, heapMb]));
  process.stdout.write(
    `live heap: ${slope.toFixed(2)} ± ${error.toFixed(2)} MB an hour (standard error), over ${late.length} minutes after ${warmMinutes}\n`,
  );
};

const saveSnapshot = async (name: string) => {
  if (values.snapshots)
    await writeFile(join(values.snapshots, `${name}.heapsnapshot`), await inspector.snapshot());
};

const start = performance.now();
const minute = () => (performance.now() - start) / 60_000;
let isOver = false;
process.once('SIGINT', () => {
  isOver = true;
});
try {
  let next = 1;
  let isWarm = false;
  while (minute() < minutes && !isOver) {
    await work().catch((error) => process.stderr.write(`${error.stack}\n`));
    await delay(pauseMs);
    if (minute() < next) continue;
    next = Math.floor(minute()) + 1;
    await sample(minute());
    if (!isWarm && minute() >= warmMinutes) {
      isWarm = true;
      await saveSnapshot('warm');
    }
    if (samples.length % 10 === 0) report();
  }
  report();
  await saveSnapshot('end');
} finally {
  inspector.close();
  await sql.end();
  model.close();
  await service.stop();
  await server.stop();
  await rm(directory, { recursive: true, force: true });
}
