import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createProject, createRun, ok } from '../../../test/fixtures.ts';
import { openApp } from '../../../test/opened.ts';

const { app, own } = await openApp();

const get = (path: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  app.app.inject({
    method,
    url: `/api/v2${path}`,
    headers: { authorization: `Bearer ${own.key}`, ...headers },
  });

const createRecords = async (): Promise<{ projectId: string; runId: string; path: string }> => {
  const project = await createProject(own.api);
  const run = await createRun(own.api, project.id, []);
  const items = Array.from({ length: 100 }, (_, i) => ({
    inputs: { question: `What is ${i} times ${i}?` },
    outputs: { answer: `It is ${i * i}, naturally.` },
    expected: {},
  }));
  await ok(own.api('POST', `/runs/${run.id}/records/bulk-create`, { items }), 201);
  return { projectId: project.id, runId: run.id, path: `/runs/${run.id}/records?limit=100` };
};

describe('compression', () => {
  it('makes JSON smaller for a client that takes gzip, and changes none of it', async () => {
    const { path } = await createRecords();
    const plain = await get(path);
    const zipped = await get(path, { 'accept-encoding': 'gzip, deflate, br' });
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(zipped.headers).toMatchObject({
      'content-encoding': 'gzip',
      'content-length': String(zipped.rawPayload.length),
    });
    expect(String(zipped.headers.vary)).toContain('Accept-Encoding');
    expect(gunzipSync(zipped.rawPayload).toString()).toBe(plain.body);
    expect(zipped.rawPayload.length).toBeLessThan(plain.rawPayload.length / 5);
  });

  it.each(['', 'identity', 'br', 'gzip;q=0', 'gzip; q=0.0', 'x-gzip2'])(
    'is absent for %j',
    async (encoding) => {
      const { path } = await createRecords();
      expect((await get(path, { 'accept-encoding': encoding })).headers['content-encoding']).toBeUndefined();
    },
  );

  it('leaves small answers, answers to changes, and errors alone', async () => {
    const gzip = { 'accept-encoding': 'gzip' };
    const { projectId, runId } = await createRecords();
    expect((await get(`/projects/${projectId}`, gzip)).headers['content-encoding']).toBeUndefined();
    const description = 'long '.repeat(1_000);
    const made = await own.api('POST', '/projects', { name: 'P', description }, { headers: gzip });
    expect(made.text).toContain(description);
    expect(made.headers).not.toHaveProperty('content-encoding');
    expect(made.headers).not.toHaveProperty('etag');
    const missing = await get(`/runs/${runId}x`, gzip);
    expect(missing.headers).not.toHaveProperty('etag');
  });

  it('leaves events alone: they are sent one by one', async () => {
    const { projectId } = await createRecords();
    const events = await get(`/events?projectId=${projectId}&maxSeconds=1`, { 'accept-encoding': 'gzip' });
    expect(events.headers['content-type']).toBe('text/event-stream');
    expect(events.headers).not.toHaveProperty('content-encoding');
    expect(events.headers).not.toHaveProperty('etag');
  });
});

describe('ETag', () => {
  it('304 without a body until something changes', async () => {
    const { path, runId } = await createRecords();
    const first = await get(path, { 'accept-encoding': 'gzip' });
    const tag = String(first.headers.etag);
    for (const known of [tag, `"other", ${tag}`, tag.replace('W/', '')]) {
      const again = await get(path, { 'if-none-match': known });
      expect({ status: again.statusCode, body: again.body, etag: again.headers.etag }).toEqual({
        status: 304,
        body: '',
        etag: tag,
      });
    }
    expect((await get(path, { 'if-none-match': tag }, 'HEAD')).statusCode).toBeLessThan(400);
    await ok(own.api('POST', `/records/${runId}-1/tags`, { text: 't' }), 201);
    await ok(own.api('DELETE', `/records/${runId}-2`));
    const changed = await get(path, { 'if-none-match': tag });
    expect(changed.statusCode).toBe(200);
    expect(changed.headers.etag).not.toBe(tag);
  });

  it('of other organizations or queries does not match', async () => {
    const { path } = await createRecords();
    const tag = String((await get(path)).headers.etag);
    expect((await get(path.replace('100', '50'), { 'if-none-match': tag })).statusCode).toBe(200);
    const other = await app.organization();
    const stranger = await app.app.inject({
      method: 'GET',
      url: `/api/v2${path}`,
      headers: { authorization: `Bearer ${other.key}`, 'if-none-match': tag },
    });
    expect(stranger.statusCode).toBe(404);
  });

  it('keeps answers out of shared caches', async () => {
    const { path } = await createRecords();
    expect((await get(path)).headers['cache-control']).toBe('private, no-cache');
  });
});
