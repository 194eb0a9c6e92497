import { once } from 'node:events';
import { request as openRequest } from 'node:http';
import { json } from 'node:stream/consumers';
import { type Bomb, bombs, call, largeTraces, spansOfTrace, type Target } from './bombs.ts';
import type { Measurement } from './measure.ts';
import { freePort } from './postgres.ts';
import { apiKey, type Service, startService } from './service.ts';
import type { Subject } from './subject.ts';

/** The most that a service on PostgreSQL may take under any of the bombs. docs/operations.md names it. */
export const mostMb = 600;

/** Requests at the same time in the last round. */
const atOnce = 40;

/** Makes two runs of ten testcases with records of 10 MB, on which people disagree. Returns what compares them. */
const prepareComparison = async (
  post: (path: string, body: object) => Promise<{ id: string }>,
  send: (path: string, body: Buffer, wanted: number) => Promise<void>,
  projectId: string,
): Promise<Target['comparison']> => {
  const fieldMapping = { inputs: ['q'], expected: [], metadata: [] };
  const described = { name: 'Bombs', description: '', jsonSchema: { type: 'object' }, fieldMapping };
  const { id: testsetId } = await post(`/projects/${projectId}/testsets`, described);
  const items = Array.from({ length: 10 }, (_, i) => ({ jsonData: { q: String(i) } }));
  const made = (await post(`/testsets/${testsetId}/testcases`, { items })) as unknown as {
    items: { id: string }[];
  };
  const metric = { name: 'Right', evalType: 'human', outputType: 'boolean', guidelines: 'Right?' };
  const { id: metricId } = await post(`/projects/${projectId}/metrics`, metric);
  const runs: string[] = [];
  for (const binaryScore of [true, false]) {
    const run = (await post(`/projects/${projectId}/runs`, {
      metricIds: [metricId],
      testsetId,
    })) as unknown as {
      id: string;
      metricVersionIds: string[];
    };
    runs.push(run.id);
    for (const [i, { id }] of made.items.entries()) {
      const scores = i < 9 ? [{ metricConfigId: run.metricVersionIds[0], score: { binaryScore } }] : [];
      const rest = JSON.stringify({ inputs: {}, expected: {}, testcaseId: id, scores }).slice(1);
      const body = Buffer.from(`{"outputs":{"a":"${'a'.repeat(10 * 1024 * 1024)}"},${rest}`);
      await send(`/api/v2/runs/${run.id}/records`, body, 201);
    }
  }
  return { runs: runs.join(), metricId };
};

/** Makes the projects and runs that the bombs need. */
const prepareTarget = async ({ url }: Pick<Service, 'url'>, grpcPort: number): Promise<Target> => {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const post = async (path: string, body: object): Promise<{ id: string }> => {
    // A connection for each request: the service may be too slow to notice in time that an idle one was closed.
    const request = openRequest(`${url}/api/v2${path}`, { method: 'POST', agent: false, headers });
    request.end(JSON.stringify(body));
    const [response] = await once(request, 'response');
    return (await json(response)) as { id: string };
  };
  const newProject = async () => (await post('/projects', { name: 'Bombs', description: '' })).id;
  const projectId = await newProject();
  const largeProjectId = await newProject();
  const newRun = async (project: string) => (await post(`/projects/${project}/runs`, { metricIds: [] })).id;
  const [runId, largeRunId] = [await newRun(projectId), await newRun(largeProjectId)];
  const at = { url, key: apiKey };
  const send = async (path: string, body: Buffer, wanted: number) => {
    const status = await call(at, { path, body });
    if (status !== wanted) throw new Error(`${path} got ${status}.`);
  };
  const body = Buffer.from(`{"inputs":{"q":"${'a'.repeat(10 * 1024 * 1024)}"},"outputs":{},"expected":{}}`);
  for (let i = 0; i < 40; i++) await send(`/api/v2/runs/${largeRunId}/records`, body, 201);
  const ids = Object.keys(largeTraces).map((kind, i) => [kind, String(i + 1).repeat(32)] as const);
  for (const [kind, traceId] of ids)
    for (const spans of spansOfTrace(kind as keyof typeof largeTraces, traceId, largeProjectId))
      await send('/otel/v1/traces', spans, 200);
  return {
    ...at,
    grpcPort,
    projectId,
    runId,
    largeProjectId,
    largeRunId,
    newProject,
    largeTraces: Object.fromEntries(ids) as Target['largeTraces'],
    comparison: await prepareComparison(post, send, largeProjectId),
  };
};

const countsOf = (statuses: number[]): string =>
  [...Map.groupBy(statuses, (status) => status)]
    .map(([status, { length }]) => `${length} × ${status}`)
    .join(', ');

/** Sends bombs and returns the peak of the service's memory, with what each was answered. */
const measureBombs = async (
  service: Service,
  name: string,
  send: () => Promise<number[]>,
): Promise<Omit<Measurement, 'engine'>> => {
  await service.resetPeakMemory();
  const start = performance.now();
  const statuses = await send();
  const seconds = (performance.now() - start) / 1000;
  const peakMb = await service.peakMemory();
  const met = peakMb === undefined || peakMb < mostMb;
  process.stderr.write(`${name}: ${peakMb} MB, ${countsOf(statuses)}\n`);
  return {
    work: `${name} (${countsOf(statuses)})`,
    seconds,
    count: 1,
    unit: 'rounds',
    peakMb,
    target: { text: `below ${mostMb} MB`, met },
  };
};

/** The whole list `count` times over, in turn, at most `count` requests at a time. */
const sendAtOnce = async (target: Target, list: Bomb[], count: number): Promise<number[]> => {
  const left = Array.from({ length: count }, (_, i) => list[i % list.length]!);
  return Promise.all(left.map(({ send }) => send(target)));
};

/**
 * The memory of a service under requests that are made to take it: each bomb alone, two and four of the kind at once, then forty
 * of all kinds. The embedded database is part of the process, and has no limit here.
 */
export const memory = async ({ engine, emptySettings }: Subject): Promise<Measurement[]> => {
  if (engine === 'embedded') return [];
  const grpcPort = await freePort();
  const service = await startService({ ...(await emptySettings()), DOKIMA_OTLP_GRPC_PORT: String(grpcPort) });
  try {
    const target = await prepareTarget(service, grpcPort);
    const rows: Measurement[] = [];
    const add = async (name: string, send: () => Promise<number[]>) =>
      rows.push({ engine, ...(await measureBombs(service, name, send)) });
    for (const bomb of bombs) {
      await add(bomb.name, async () => [await bomb.send(target)]);
      await add(`${bomb.name}, 4 at once`, () => sendAtOnce(target, [bomb], 4));
    }
    await add(`${atOnce} of all kinds at once`, () => sendAtOnce(target, bombs, atOnce));
    return rows;
  } finally {
    await service.stop();
  }
};
