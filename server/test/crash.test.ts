import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repeats } from './depth.ts';
import { callService, createStorage, endServices, type Service, startService } from './service.ts';

/** Mulberry32: the same seed gives the same moments again. */
const random = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
};

const seed = Number(process.env.TEST_SEED ?? Date.now() % 1_000_000);
const replay = `TEST_SEED=${seed} replays the moments`;
const clients = 16;
const batchSize = 20;

const key = `ak_${'crash-test-'.repeat(4)}`;
let storage: Awaited<ReturnType<typeof createStorage>>;
const start = () => startService({ ...storage.settings, DOKIMA_BOOTSTRAP_API_KEY: key });

const call = async (service: Service, method: string, path: string, body?: unknown) => {
  const answer = await callService({ url: service.url, key }, method, path, body);
  expect(`${method} ${path} ${answer.status}`).toMatch(/20[01]$/);
  return answer.body;
};

beforeAll(async () => {
  storage = await createStorage();
});
afterAll(async () => {
  await endServices();
  await storage.remove();
});

type Sent = { client: number; turn: number; i: number };
/** What each acknowledged record was made of, by its id. */
type Acknowledged = Map<string, Sent>;

const record = (sent: Sent) => ({ inputs: sent, expected: {}, outputs: { text: 'x'.repeat(500) } });

/** Creates records, one and many at a time in turns, until the service is gone. */
const createUntilGone = async (
  service: Service,
  runId: string,
  client: number,
  firstTurn: number,
  acknowledge: (id: string, sent: Sent) => void,
): Promise<void> => {
  for (let turn = firstTurn; ; turn++) {
    const batch = Array.from({ length: turn % 4 === 0 ? batchSize : 1 }, (_, i) => ({ client, turn, i }));
    const many = batch.length > 1;
    const path = `/runs/${runId}/records${many ? '/bulk-create' : ''}`;
    const body = many ? { items: batch.map(record) } : record(batch[0]!);
    const answer = await callService({ url: service.url, key }, 'POST', path, body).catch(() => undefined);
    if (!answer) return;
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    const ids: string[] = many ? answer.body.ids : [answer.body.id];
    ids.forEach((id, i) => {
      acknowledge(id, batch[i]!);
    });
  }
};

type Kept = { id: string; inputs: Sent; scoreStates: { state: string; metricConfigId: string }[] };

const listAll = async (service: Service, projectId: string): Promise<Kept[]> => {
  const all: Kept[] = [];
  for (let cursor = ''; ; ) {
    const page = await call(service, 'GET', `/projects/${projectId}/records?limit=100&cursor=${cursor}`);
    all.push(...page.data);
    if (!page.hasMore) return all;
    cursor = page.nextCursor;
  }
};

describe('kill -9 while 16 clients create records', () => {
  it('loses no acknowledged record, leaves none half-written and gives no id twice, time after time', async () => {
    const next = random(seed);
    let service = await start();
    const project = await call(service, 'POST', '/projects', { name: 'P', description: '' });
    const metricIds: string[] = [];
    for (const outputType of ['int', 'float', 'boolean']) {
      const metric = { name: outputType, evalType: 'human', outputType };
      metricIds.push((await call(service, 'POST', `/projects/${project.id}/metrics`, metric)).id);
    }
    const run = await call(service, 'POST', `/projects/${project.id}/runs`, { metricIds });
    const configIds = [...run.metricVersionIds].sort();
    const acknowledged: Acknowledged = new Map();

    for (let round = 1; round <= repeats(5); round++) {
      const before = acknowledged.size;
      const twice: string[] = [];
      const first = Promise.withResolvers<void>();
      const working = Array.from({ length: clients }, (_, client) =>
        createUntilGone(service, run.id, client, round * 10_000, (id, sent) => {
          if (acknowledged.has(id)) twice.push(id);
          acknowledged.set(id, sent);
          first.resolve();
        }),
      );
      await first.promise;
      // Not a wait for something: the moment itself is what is random.
      await wait(next() * 700);
      await service.end('SIGKILL');
      await Promise.all(working);
      expect(twice, replay).toEqual([]);
      expect(acknowledged.size, replay).toBeGreaterThan(before);

      service = await start();
      const kept = await listAll(service, project.id);
      const byId = new Map(kept.map((one) => [one.id, one]));
      expect(byId.size, `an id twice; ${replay}`).toBe(kept.length);
      const lost = [...acknowledged].filter(([id, sent]) => {
        const inputs = byId.get(id)?.inputs;
        return JSON.stringify(inputs) !== JSON.stringify(sent);
      });
      expect(lost, `acknowledged, but not there as sent; ${replay}`).toEqual([]);
      const partial = kept.filter(({ scoreStates }) => {
        const pending = scoreStates.filter(({ state }) => state === 'pending');
        return (
          JSON.stringify(pending.map(({ metricConfigId }) => metricConfigId).sort()) !==
          JSON.stringify(configIds)
        );
      });
      expect(partial, `without its three pending scores; ${replay}`).toEqual([]);
      const batches = Map.groupBy(kept, ({ inputs }) => `${inputs.client} ${inputs.turn}`);
      const torn = [...batches].filter(
        ([name, { length }]) => length !== (Number(name.split(' ')[1]) % 4 ? 1 : batchSize),
      );
      expect(torn, `half a batch, or one made twice; ${replay}`).toEqual([]);
    }
    const after = await call(service, 'GET', `/runs/${run.id}`);
    expect(after.numRecords).toBeGreaterThanOrEqual(acknowledged.size);
    expect(await service.end('SIGTERM')).toBe(0);
  }, 180_000);
});
