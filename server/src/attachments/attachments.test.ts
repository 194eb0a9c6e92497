import { createHash, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProject, createRecord, createRun, ok } from '../../test/fixtures.ts';
import { type Organization, startApp, type TestApp } from '../../test/harness.ts';

/** An S3-compatible store over HTTP: an edge that we don't own. */
const startObjectStore = async () => {
  const objects = new Map<string, Buffer>();
  const server = createServer(async (request, response) => {
    const key = request.url!;
    if (!request.headers.authorization?.startsWith('AWS4-HMAC-SHA256')) return response.writeHead(403).end();
    if (request.method === 'PUT') {
      const bytes = await buffer(request).catch(() => undefined);
      const hash = bytes && createHash('sha256').update(bytes).digest('hex');
      if (!bytes || hash !== request.headers['x-amz-content-sha256']) return response.writeHead(400).end();
      objects.set(key, bytes);
      return response.end();
    }
    if (request.method === 'DELETE') {
      objects.delete(key);
      return response.writeHead(204).end();
    }
    const bytes = objects.get(key);
    if (!bytes) return response.writeHead(404).end();
    return response
      .writeHead(200, { 'content-length': bytes.length })
      .end(request.method === 'HEAD' ? undefined : bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { objects, url: `http://127.0.0.1:${port}`, close: () => server.close() };
};

const declare = (bytes: Buffer, fields: Record<string, unknown> = {}) => ({
  sessionId: randomUUID(),
  filePath: 'out/report.pdf',
  sha256: createHash('sha256').update(bytes).digest('hex'),
  sizeBytes: bytes.length,
  contentType: 'application/pdf',
  ...fields,
});

const stores = ['a directory', 'an S3-compatible store'] as const;

describe.each(stores)('attachments in %s', (kind) => {
  let app: TestApp;
  let own: Organization;
  let url: string;
  let objectStore: Awaited<ReturnType<typeof startObjectStore>>;

  beforeAll(async () => {
    objectStore = await startObjectStore();
    app = await startApp(
      kind === 'a directory'
        ? {}
        : {
            DOKIMA_S3_ENDPOINT: objectStore.url,
            DOKIMA_S3_BUCKET: 'bucket',
            DOKIMA_S3_ACCESS_KEY_ID: 'id',
            DOKIMA_S3_SECRET_ACCESS_KEY: 'secret',
          },
    );
    own = await app.organization();
    url = await app.app.listen({ port: 0, host: '127.0.0.1' });
  });
  afterAll(async () => {
    await app.close();
    objectStore.close();
  });

  /** Links name the host that was asked, which inject calls localhost: the path and signature are what counts. */
  const local = (link: string) => `${url}${link.slice(link.indexOf('/api/v2'))}`;
  const put = (link: string, bytes: Buffer) =>
    fetch(local(link), {
      method: 'PUT',
      body: new Uint8Array(bytes),
      headers: { 'content-type': 'application/pdf' },
    });
  const upload = async (bytes: Buffer, fields: Record<string, unknown> = {}) => {
    const file = declare(bytes, fields);
    const { id, uploadUrl } = await ok(own.api('POST', '/attachments', file), 201);
    return { id: id as string, file, uploadUrl: uploadUrl as string, sent: await put(uploadUrl, bytes) };
  };

  it('what was uploaded comes back, as a download and never as a page', async () => {
    const bytes = Buffer.from('<script>alert(1)</script>');
    const { id, sent } = await upload(bytes, { contentType: 'text/html', filename: 'Größe "1".html' });
    expect(sent.status).toBe(200);
    const attachment = await ok(own.api('GET', `/attachments/${id}`));
    expect(attachment).toMatchObject({ status: 'uploaded', sizeBytes: bytes.length });
    const download = await fetch(local(attachment.downloadUrl));
    expect(Buffer.from(await download.arrayBuffer())).toEqual(bytes);
    expect(download.headers.get('content-disposition')).toBe(
      "attachment; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%221%22.html",
    );
    expect(download.headers.get('content-security-policy')).toContain('sandbox');
    expect(download.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('keeps an empty file and metadata as it was sent', async () => {
    const { id } = await upload(Buffer.alloc(0), { metadata: { b: 1, a: [null] } });
    const attachment = await ok(own.api('GET', `/attachments/${id}`));
    expect(attachment).toMatchObject({ status: 'uploaded', sizeBytes: 0, metadata: { b: 1, a: [null] } });
  });

  it('400, and nothing kept, when size or SHA-256 differ', async () => {
    const file = declare(Buffer.from('declared'));
    const { id, uploadUrl } = await ok(own.api('POST', '/attachments', file), 201);
    for (const other of ['DECLARED', 'shorter', 'longer than declared', '']) {
      expect((await put(uploadUrl, Buffer.from(other))).status).toBe(400);
      expect((await own.api('POST', `/attachments/${id}/commit`)).status).toBe(400);
    }
    expect(await ok(own.api('GET', `/attachments/${id}`))).toMatchObject({
      status: 'pending',
      downloadUrl: null,
    });
    expect((await put(uploadUrl, Buffer.from('declared'))).status).toBe(200);
  });

  it('401 for a link that was changed, is for the other method, or belongs to another attachment', async () => {
    const { id, uploadUrl } = await upload(Buffer.from('x'));
    const other = await upload(Buffer.from('y'));
    const changed = uploadUrl.replace(/expires=\d/, 'expires=9');
    const swapped = uploadUrl.replace(id, other.id);
    for (const link of [changed, swapped, uploadUrl.replace(/signature=.*/, '')]) {
      expect((await put(link, Buffer.from('x'))).status).toBe(401);
    }
    expect((await fetch(local(uploadUrl))).status).toBe(401);
  });

  it('declared again, bytes that are there need no upload, and those that are not get a new link', async () => {
    const { id, file } = await upload(Buffer.from('twice'));
    const again = await ok(own.api('POST', '/attachments', file), 201);
    expect(again).toEqual({ id, alreadyExists: true, uploadUrl: null, uploadMethod: null, expiresAt: null });
    const pending = declare(Buffer.from('not yet'));
    const first = await ok(own.api('POST', '/attachments', pending), 201);
    const second = await ok(own.api('POST', '/attachments', pending), 201);
    expect(second).toMatchObject({ id: first.id, alreadyExists: false, uploadMethod: 'PUT' });
  });

  it('a committed upload stays committed', async () => {
    const { id } = await upload(Buffer.from('done'));
    const committed = await ok(own.api('POST', `/attachments/${id}/commit`));
    expect(committed.status).toBe('uploaded');
    expect(await ok(own.api('POST', `/attachments/${id}/commit`))).toEqual(committed);
  });

  it('lists a session newest first; 404 for a session that nothing belongs to', async () => {
    const sessionId = `a/b ü ${randomUUID()}`;
    const path = `/sessions/${encodeURIComponent(sessionId)}/attachments`;
    expect((await own.api('GET', path)).status).toBe(404);
    const first = await upload(Buffer.from('1'), { sessionId });
    const second = await upload(Buffer.from('2'), { sessionId });
    const { data } = await ok(own.api('GET', path));
    expect(data.map((attachment: { id: string }) => attachment.id)).toEqual([second.id, first.id]);
    expect((await (await app.organization()).api('GET', path)).status).toBe(404);
    expect((await own.api('GET', '/sessions/a%00b/attachments')).status).toBe(404);
  });

  it('an empty list for a session that only a record belongs to', async () => {
    const run = await createRun(own.api, (await createProject(own.api)).id, []);
    await createRecord(own.api, run.id, { sessionId: 'of a record' });
    expect((await ok(own.api('GET', '/sessions/of%20a%20record/attachments'))).data).toEqual([]);
  });

  it('deleted, it is gone with its bytes', async () => {
    const { id } = await upload(Buffer.from('gone'));
    const { downloadUrl } = await ok(own.api('GET', `/attachments/${id}`));
    await ok(own.api('DELETE', `/attachments/${id}`));
    expect((await own.api('GET', `/attachments/${id}`)).status).toBe(404);
    expect((await fetch(local(downloadUrl))).status).toBe(404);
  });

  it('400 for a media type that could add a header', async () => {
    const file = declare(Buffer.from(''), { contentType: 'text/html\r\nSet-Cookie: a=b' });
    expect((await own.api('POST', '/attachments', file)).status).toBe(400);
  });

  it('takes 20 MB, more than any JSON body may have', async () => {
    const { sent } = await upload(Buffer.alloc(20_000_000, 'x'));
    expect(sent.status).toBe(200);
  });
});
