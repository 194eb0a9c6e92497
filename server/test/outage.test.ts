import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engine } from './harness.ts';
import { openProxy, type TcpProxy } from './proxy.ts';
import { callService, createStorage, endServices, type Service, startService } from './service.ts';

// The embedded database is a part of the process: it is up while the process is.
describe.runIf(engine === 'server')('while the database is away', () => {
  let storage: Awaited<ReturnType<typeof createStorage>>;
  let wire: TcpProxy;
  let service: Service;

  beforeAll(async () => {
    storage = await createStorage();
    const url = new URL(storage.settings.DATABASE_URL!);
    wire = await openProxy({ host: url.hostname, port: Number(url.port || 5432) });
    url.host = `127.0.0.1:${wire.port}`;
    service = await startService({ ...storage.settings, DATABASE_URL: url.href });
  });
  afterAll(async () => {
    await endServices();
    await wire.cut();
    await storage.remove();
  });

  const readiness = async () => (await fetch(`${service.url}/readyz`)).status;
  const createProject = () => callService(service, 'POST', '/projects', { name: 'P', description: '' });

  it('answers 503 with Retry-After, stays up, and recovers by itself with nothing half-written', async () => {
    expect(await readiness()).toBe(200);
    expect((await createProject()).status).toBe(201);

    await wire.cut();
    await expect.poll(readiness, { timeout: 20_000 }).toBe(503);
    const ready = await fetch(`${service.url}/readyz`);
    expect(ready.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    expect(await ready.json()).toMatchObject({ code: 'UNAVAILABLE', details: {} });
    expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
    const refused = await Promise.all(Array.from({ length: 30 }, createProject));
    expect(new Set(refused.map(({ status, body }) => `${status} ${body.code}`))).toEqual(
      new Set(['503 UNAVAILABLE']),
    );

    await wire.restore();
    await expect.poll(readiness, { timeout: 20_000 }).toBe(200);
    expect((await createProject()).status).toBe(201);
    expect((await callService(service, 'GET', '/projects')).body.data).toHaveLength(2);
    expect(service.child.exitCode).toBeNull();
  });

  it('leaves whole what was under way when it went', async () => {
    const before = (await callService(service, 'GET', '/projects?limit=100')).body.data.length;
    const answers = Array.from({ length: 40 }, createProject);
    await answers[0];
    await wire.cut();
    await Promise.allSettled(answers);
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses.filter((status) => status !== 201 && status !== 503)).toEqual([]);
    await wire.restore();
    await expect.poll(readiness, { timeout: 20_000 }).toBe(200);
    const acknowledged = statuses.filter((status) => status === 201).length;
    const after = (await callService(service, 'GET', '/projects?limit=100')).body.data.length;
    expect(after - before).toBeGreaterThanOrEqual(acknowledged);
    expect(after - before).toBeLessThanOrEqual(statuses.length);
  });
});
