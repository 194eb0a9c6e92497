import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import postgres from 'postgres';
import { describe, expect, it, onTestFinished } from 'vitest';
import { deletionReservedBytes, reservedBytes } from '../src/platform/db/disk.ts';
import { ok } from './fixtures.ts';
import { type Answer, engine, startApp } from './harness.ts';

const projectBody = { name: 'P', description: '' };
const patient = { timeout: 30_000, interval: 50 };

describe('503 UNAVAILABLE of a full disk', () => {
  const expectFull = (answer: Answer) => {
    expect(answer).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE', details: {} } });
    expect(answer.body.message).toContain('disk is full');
    expect(answer.headers['retry-after']).toBe('30');
  };

  it.runIf(engine === 'embedded')(
    'for writes while less is free than is reserved; reads go on, and writes when there is room',
    async () => {
      let free = reservedBytes;
      const tight = await startApp({}, { freeBytes: async () => free });
      onTestFinished(() => tight.close());
      const { api } = await tight.organization();
      const write = () => api('POST', '/projects', projectBody);
      await ok(write(), 201);
      free = reservedBytes - 1;
      // The state of the disk is cached for a moment.
      await expect.poll(async () => (await write()).status, patient).toBe(503);
      expectFull(await write());
      const { data } = await ok(api('GET', '/projects?limit=100'));
      free = reservedBytes;
      await expect.poll(async () => (await write()).status, patient).toBe(201);
      expect((await ok(api('GET', '/projects?limit=100'))).data).toHaveLength(data.length + 1);
    },
  );

  it.runIf(engine === 'embedded')(
    'for no deletion: an attachment makes room, and an upload waits for it',
    async () => {
      let free = reservedBytes + 1_000;
      const tight = await startApp({}, { freeBytes: async () => free });
      onTestFinished(() => tight.close());
      const { api } = await tight.organization();
      const bytes = Buffer.alloc(1_000, 'x');
      const declare = (path: string) =>
        ok(
          api('POST', '/attachments', {
            sessionId: 's',
            filePath: path,
            contentType: 'text/plain',
            sizeBytes: bytes.length,
            sha256: createHash('sha256').update(bytes).digest('hex'),
          }),
          201,
        );
      const upload = async (link: string) => {
        const url = link.slice(link.indexOf('/api/v2'));
        const headers = { 'content-type': 'text/plain' };
        return (await tight.app.inject({ method: 'PUT', url, payload: bytes, headers })).statusCode;
      };
      const files = async () => {
        const all = await readdir(join(tight.config.DOKIMA_DATA_DIR, 'attachments'), {
          recursive: true,
          withFileTypes: true,
        });
        return all.filter((file) => file.isFile()).length;
      };
      const [first, second] = [await declare('a'), await declare('b')];
      expect(await upload(first.uploadUrl)).toBe(200);
      free -= 1;
      await expect.poll(() => upload(first.uploadUrl), patient).toBe(503);
      expect(await upload(second.uploadUrl)).toBe(503);
      expect(await files()).toBe(1);
      free = deletionReservedBytes;
      await expect.poll(async () => (await api('POST', '/projects', projectBody)).status, patient).toBe(503);
      await ok(api('DELETE', `/attachments/${first.id}`));
      await expect.poll(files).toBe(0);
      free = deletionReservedBytes - 1;
      await expect
        .poll(async () => (await api('DELETE', `/attachments/${second.id}`)).status, patient)
        .toBe(503);
    },
  );

  it.runIf(engine === 'embedded')('for no read', async () => {
    const { paths } = JSON.parse(await readFile(new URL('../../openapi.json', import.meta.url), 'utf8'));
    const numbered = { projectId: '1', runId: '1', metricId: '1', testsetId: '1', recordId: '1-1' };
    const ids = new Map(Object.entries(numbered));
    let free = reservedBytes;
    const tight = await startApp({}, { freeBytes: async () => free });
    onTestFinished(() => tight.close());
    const { api } = await tight.organization();
    free = 0;
    await expect.poll(async () => (await api('POST', '/projects', projectBody)).status, patient).toBe(503);
    const reads = Object.keys(paths).filter((path) => paths[path].get && !path.endsWith('/events'));
    expect(reads.length).toBeGreaterThan(50);
    const refused = [];
    for (const path of reads) {
      const filled = path
        .replace('/api/v2', '')
        .replace(/\{(\w+)\}/g, (_, name) => ids.get(name) ?? 'dddddddd-dddd-4ddd-8ddd-dddddddddddd');
      if ((await api('GET', filled)).status === 503) refused.push(path);
    }
    expect(refused).toEqual([]);
  });

  it.runIf(engine === 'embedded')(
    'refuses to start on a disk without room, and says how much it needs',
    async () => {
      const options = { freeBytes: async () => 1_048_576 };
      await expect(startApp({}, options)).rejects.toThrow(/has 1 MB left; .* needs 64 MB/);
    },
  );

  it.runIf(engine === 'server')('for a write that finds no room, as PostgreSQL says it', async () => {
    let direct = '';
    const databaseUrl = (url: string) => {
      direct = url;
      return url;
    };
    const tight = await startApp({}, { databaseUrl });
    onTestFinished(() => tight.close());
    const { api } = await tight.organization();
    const admin = postgres(direct, { max: 1, onnotice: () => {} });
    onTestFinished(() => admin.end());
    await admin.unsafe(`create function find_no_room() returns trigger language plpgsql as $$
      begin raise exception 'could not extend file' using errcode = '53100'; end $$`);
    await admin`create trigger full_disk before insert on project execute function find_no_room()`;
    expectFull(await api('POST', '/projects', projectBody));
    await ok(api('GET', '/projects'));
  });
});
