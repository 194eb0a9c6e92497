// Longer than 400 lines: everything is proven for each kind of store.
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { createServer, request as openRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { FastifyRequest } from 'fastify';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createProject, createRecord, createRun, ok } from '../../../test/fixtures.ts';
import {
  type Answer,
  type Client,
  type Organization,
  startApp,
  type TestApp,
} from '../../../test/harness.ts';
import { linkSigner } from './links.ts';
import { receive } from './receive.ts';
import { openStore } from './store.ts';

/** An S3-compatible store over HTTP: an edge that we don't own. A careless store accepts bytes that differ from the signed ones. */
const startObjectStore = async ({ careless }: { careless: boolean }) => {
  const objects = new Map<string, Buffer>();
  const server = createServer(async (request, response) => {
    const key = request.url!;
    if (!request.headers.authorization?.startsWith('AWS4-HMAC-SHA256')) return response.writeHead(403).end();
    if (request.method === 'PUT') {
      const bytes = await buffer(request).catch(() => undefined);
      if (!bytes || Number(request.headers['content-length']) !== bytes.length)
        return response.writeHead(411).end();
      const hash = createHash('sha256').update(bytes).digest('hex');
      if (!careless && hash !== request.headers['x-amz-content-sha256']) return response.writeHead(400).end();
      objects.set(key, bytes);
      return response.end();
    }
    if (request.method === 'DELETE') {
      objects.delete(key);
      return response.writeHead(204).end();
    }
    const bytes = objects.get(key);
    if (!bytes) return response.writeHead(404).end();
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    if (start) {
      const part = bytes.subarray(Number(start), Number(end) + 1);
      return response.writeHead(206, { 'content-length': part.length }).end(part);
    }
    return response
      .writeHead(200, { 'content-length': bytes.length })
      .end(request.method === 'HEAD' ? undefined : bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { objects, url: `http://127.0.0.1:${port}`, close: () => server.close() };
};

const objectStoreSettings = (endpoint: string) => ({
  // With the slash that people copy along.
  DOKIMA_S3_ENDPOINT: `${endpoint}/`,
  DOKIMA_S3_BUCKET: 'bucket',
  DOKIMA_S3_ACCESS_KEY_ID: 'id',
  DOKIMA_S3_SECRET_ACCESS_KEY: 'secret',
});

const declare = (bytes: Buffer, fields: Record<string, unknown> = {}) => ({
  sessionId: randomUUID(),
  filePath: 'out/report.pdf',
  sha256: createHash('sha256').update(bytes).digest('hex'),
  sizeBytes: bytes.length,
  contentType: 'application/pdf',
  ...fields,
});

/** Begins an upload of `bytes` and gives its two halves to the test to send. */
const beginUpload = (link: string, bytes: Buffer) => {
  // Its own connection that ends with the upload, or closing the service would wait for it.
  const upload = openRequest(link, {
    method: 'PUT',
    agent: false,
    headers: { 'content-length': bytes.length },
  });
  const status = new Promise<number | undefined>((resolve) => {
    upload.on('response', (response) => resolve(response.resume().statusCode));
    upload.on('error', () => resolve(undefined));
  });
  const middle = bytes.length / 2;
  return {
    status,
    sendHalf: () => new Promise((resolve) => upload.write(bytes.subarray(0, middle), resolve)),
    sendRest: () => upload.end(bytes.subarray(middle)),
    breakOff: () => upload.destroy(),
  };
};

const stores = ['a directory', 'an S3-compatible store', 'a store that checks nothing'] as const;

describe.each(stores)('attachments in %s', (kind) => {
  let app: TestApp;
  let own: Organization;
  let url: string;
  let objectStore: Awaited<ReturnType<typeof startObjectStore>>;

  beforeAll(async () => {
    objectStore = await startObjectStore({ careless: kind === 'a store that checks nothing' });
    app = await startApp(kind === 'a directory' ? {} : objectStoreSettings(objectStore.url));
    own = await app.organization();
    url = await app.url();
  });
  afterAll(async () => {
    await app.close();
    objectStore.close();
  });

  /** Links name the host that was asked, which inject calls localhost: the path and signature are what counts. */
  const local = (link: string) => `${url}${link.slice(link.indexOf('/api/v2'))}`;
  const put = (link: string, bytes: Buffer, type = 'application/pdf') =>
    fetch(local(link), { method: 'PUT', body: new Uint8Array(bytes), headers: { 'content-type': type } });
  /** What the store has of an attachment, whole or in part. */
  const kept = async (id: string) => {
    const directory = join(app.config.DOKIMA_DATA_DIR, 'attachments');
    const files = await readdir(directory, { recursive: true }).catch(() => []);
    return [...files, ...objectStore.objects.keys()].filter((name) => name.includes(id));
  };
  const content = async (id: string) => {
    const { downloadUrl } = await ok(own.api('GET', `/attachments/${id}`));
    return (await fetch(local(downloadUrl))).text();
  };
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

  it.each([
    ['bytes=0-3', 'abcd', 'bytes 0-3/10'],
    ['bytes=7-', 'hij', 'bytes 7-9/10'],
    ['bytes=-2', 'ij', 'bytes 8-9/10'],
    ['bytes=8-99', 'ij', 'bytes 8-9/10'],
    ['bytes=-99', 'abcdefghij', 'bytes 0-9/10'],
  ])(
    '206 with a part of it for %s, as players and resumed downloads ask',
    async (range, text, contentRange) => {
      const { id } = await upload(Buffer.from('abcdefghij'));
      const { downloadUrl } = await ok(own.api('GET', `/attachments/${id}`));
      const part = await fetch(local(downloadUrl), { headers: { range } });
      expect(part.status).toBe(206);
      expect(part.headers.get('content-range')).toBe(contentRange);
      expect(part.headers.get('content-length')).toBe(String(text.length));
      expect(await part.text()).toBe(text);
    },
  );

  it('200 with all of it for several ranges, another form, or a range of another file', async () => {
    const { id, file } = await upload(Buffer.from('abcdefghij'));
    const { downloadUrl } = await ok(own.api('GET', `/attachments/${id}`));
    for (const range of ['bytes=0-1,3-4', 'bytes=4-2', 'bytes=-', 'bytes=a-b', 'lines=0-1']) {
      const whole = await fetch(local(downloadUrl), { headers: { range } });
      expect([range, whole.status, await whole.text()]).toEqual([range, 200, 'abcdefghij']);
    }
    const after = async (ifRange: string) => {
      const headers = { range: 'bytes=4-', 'if-range': ifRange };
      return (await fetch(local(downloadUrl), { headers })).text();
    };
    expect(await after(`"${file.sha256}"`)).toBe('efghij');
    expect(await after('"another"')).toBe('abcdefghij');
  });

  it('416 for a range after its end, with its size', async () => {
    for (const [text, range] of [
      ['abcdefghij', 'bytes=10-'],
      ['abcdefghij', 'bytes=-0'],
      ['', 'bytes=0-'],
    ] as const) {
      const { id } = await upload(Buffer.from(text));
      const { downloadUrl } = await ok(own.api('GET', `/attachments/${id}`));
      const refused = await fetch(local(downloadUrl), { headers: { range } });
      expect(refused.status).toBe(416);
      expect(refused.headers.get('content-range')).toBe(`bytes */${text.length}`);
      expect(await refused.json()).toMatchObject({
        code: 'RANGE_NOT_SATISFIABLE',
        details: { sizeBytes: text.length },
      });
    }
  });

  it('a PDF alone is shown inline, and under its type; whatever else asks for that is saved', async () => {
    const show = async (contentType: string) => {
      const { id } = await upload(Buffer.from('<script>alert(1)</script>'), { contentType });
      const { downloadUrl } = await ok(own.api('GET', `/attachments/${id}`));
      return (await fetch(`${local(downloadUrl)}&inline=true`)).headers;
    };
    const pdf = await show('Application/PDF');
    expect(pdf.get('content-type')).toBe('application/pdf');
    expect(pdf.get('content-disposition')).toMatch(/^inline;/);
    expect(pdf.get('content-security-policy')).toBe("frame-ancestors 'self'");
    expect(pdf.get('x-content-type-options')).toBe('nosniff');
    for (const type of [
      'text/html',
      'image/svg+xml',
      'application/pdf; charset=x',
      'application/xhtml+xml',
    ]) {
      const headers = await show(type);
      expect(headers.get('content-disposition')).toMatch(/^attachment;/);
      expect(headers.get('content-security-policy')).toContain('sandbox');
    }
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
      expect(await kept(id)).toEqual([]);
    }
    expect(await ok(own.api('GET', `/attachments/${id}`))).toMatchObject({
      status: 'pending',
      downloadUrl: null,
    });
    expect((await put(uploadUrl, Buffer.from('declared'))).status).toBe(200);
  });

  it('wrong bytes sent later leave the right ones as they are', async () => {
    const { id, uploadUrl } = await upload(Buffer.from('right'));
    expect((await put(uploadUrl, Buffer.from('wrong'))).status).toBe(400);
    expect((await put(uploadUrl, Buffer.from('right'))).status).toBe(200);
    expect(await content(id)).toBe('right');
  });

  it('keeps nothing of an upload that breaks off, and takes it when it comes again', async () => {
    const bytes = Buffer.alloc(200_000, 'b');
    const { id, uploadUrl } = await ok(own.api('POST', '/attachments', declare(bytes)), 201);
    const first = beginUpload(local(uploadUrl), bytes);
    await first.sendHalf();
    first.breakOff();
    expect(await first.status).toBeUndefined();
    await expect.poll(() => kept(id)).toEqual([]);
    expect((await own.api('POST', `/attachments/${id}/commit`)).status).toBe(400);
    expect((await put(uploadUrl, bytes)).status).toBe(200);
  });

  it.runIf(kind === 'a directory')(
    'what an upload left whose process was killed is removed, and not what is still written',
    async () => {
      const directory = join(app.config.DOKIMA_DATA_DIR, 'attachments', 'partial');
      await mkdir(directory, { recursive: true });
      for (const name of ['left', 'written']) await writeFile(join(directory, name), 'half');
      const twoHoursAgo = Date.now() / 1_000 - 7_200;
      await utimes(join(directory, 'left'), twoHoursAgo, twoHoursAgo);
      await (await openStore(app.config)).removeCutOff();
      expect(await readdir(directory)).toEqual(['written']);
      await rm(join(directory, 'written'));
    },
  );

  it('404, and nothing kept, when it is deleted during its upload', async () => {
    const bytes = Buffer.alloc(200_000, 'd');
    const { id, uploadUrl } = await ok(own.api('POST', '/attachments', declare(bytes)), 201);
    const sending = beginUpload(local(uploadUrl), bytes);
    await sending.sendHalf();
    if (kind === 'a directory') await expect.poll(() => kept(id)).toHaveLength(1);
    await ok(own.api('DELETE', `/attachments/${id}`));
    sending.sendRest();
    expect(await sending.status).toBe(404);
    expect(await kept(id)).toEqual([]);
  });

  it('bytes may be sent with any Content-Type: the declared one counts', async () => {
    for (const type of ['markdown', 'text/html', 'application/json', '']) {
      const bytes = Buffer.from(`{"not JSON ${type}`);
      const { uploadUrl } = await ok(own.api('POST', '/attachments', declare(bytes)), 201);
      expect((await put(uploadUrl, bytes, type)).status).toBe(200);
    }
  });

  it('401 for a link that has ended', async () => {
    const { id } = await upload(Buffer.from('old'));
    const links = linkSigner(Buffer.from('a secret for tests, nothing else'), undefined);
    const linkAt = (method: 'PUT' | 'GET', minutes: number) => {
      const request = { protocol: 'http', host: 'localhost' } as FastifyRequest;
      return links.make(request, method, id, new Date(Date.now() - minutes * 60_000)).url;
    };
    expect((await fetch(local(linkAt('GET', 14)))).status).toBe(200);
    const answer = await fetch(local(linkAt('GET', 16)));
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({ code: 'UNAUTHORIZED', details: {} });
    expect((await put(linkAt('PUT', 59), Buffer.from('old'))).status).toBe(200);
    expect((await put(linkAt('PUT', 61), Buffer.from('old'))).status).toBe(401);
  });

  it.each([-1, 1])(
    'a link works where the clock is wrong by %i h, and of a process whose clock is',
    async (hours) => {
      const { id } = await upload(Buffer.from(`clock ${hours}`));
      const link = async () => (await ok(own.api('GET', `/attachments/${id}`))).downloadUrl;
      const before = await link();
      const now = Date.now() + hours * 3_600_000;
      vi.useFakeTimers({ toFake: ['Date'], now });
      try {
        expect((await fetch(local(before))).status).toBe(200);
        const made = await link();
        vi.useRealTimers();
        expect((await fetch(local(made))).status).toBe(200);
      } finally {
        vi.useRealTimers();
      }
    },
  );

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

  it('declared several times at once, it gets one id', async () => {
    for (let round = 0; round < 5; round++) {
      const file = declare(Buffer.from(`at once ${round}`));
      const answers = await Promise.all([1, 2, 3, 4].map(() => own.api('POST', '/attachments', file)));
      expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    }
  });

  it('while nothing is there, the last declaration counts', async () => {
    const bytes = Buffer.from('four');
    const wrong = declare(bytes, { sizeBytes: 5, filename: 'old' });
    const { id } = await ok(own.api('POST', '/attachments', wrong), 201);
    const right = await ok(own.api('POST', '/attachments', { ...wrong, sizeBytes: 4, filename: 'new' }), 201);
    expect(right.id).toBe(id);
    expect((await put(right.uploadUrl, bytes)).status).toBe(200);
    expect(await ok(own.api('GET', `/attachments/${id}`))).toMatchObject({ sizeBytes: 4, filename: 'new' });
  });

  it('commit finds bytes that came whole although the service could not note it', async () => {
    const bytes = Buffer.from('unnoted');
    const file = declare(bytes);
    const { id } = await ok(own.api('POST', '/attachments', file), 201);
    await (await openStore(app.config)).write(id, Readable.from([bytes]), file);
    expect(await ok(own.api('POST', `/attachments/${id}/commit`))).toMatchObject({ status: 'uploaded' });
    expect(await content(id)).toBe('unnoted');
  });

  it("another organization's attachment is a 404, and its declaration makes another one", async () => {
    const { id, file } = await upload(Buffer.from('ours'));
    const other = await app.organization();
    expect((await other.api('GET', `/attachments/${id}`)).status).toBe(404);
    expect((await other.api('POST', `/attachments/${id}/commit`)).status).toBe(404);
    expect((await other.api('DELETE', `/attachments/${id}`)).status).toBe(404);
    const theirs = await ok(other.api('POST', '/attachments', file), 201);
    expect(theirs).toMatchObject({ alreadyExists: false, uploadMethod: 'PUT' });
    expect(theirs.id).not.toBe(id);
    expect(await content(id)).toBe('ours');
  });

  it('paths and names of any kind come back as sent, and name no file of ours', async () => {
    const names = { filePath: '../../../etc/passwd', filename: '../a\r\nSet-Cookie: b=c' };
    const { id } = await upload(Buffer.from('root'), names);
    const attachment = await ok(own.api('GET', `/attachments/${id}`));
    expect(attachment).toMatchObject(names);
    const { headers } = await fetch(local(attachment.downloadUrl));
    expect(headers.get('set-cookie')).toBeNull();
    expect(headers.get('content-disposition')).toContain('..%2Fa%0D%0ASet-Cookie');
    expect((await kept(id)).every((name) => name.endsWith(id))).toBe(true);
    const nul = declare(Buffer.from(''), { filePath: 'a\0b' });
    expect((await own.api('POST', '/attachments', nul)).status).toBe(400);
  });

  it('400 for a size that no file has', async () => {
    for (const sizeBytes of [-1, 1.5, 1e19, 1e300]) {
      const file = declare(Buffer.from(''), { sizeBytes });
      expect((await own.api('POST', '/attachments', file)).status).toBe(400);
    }
  });

  it('a committed upload stays committed', async () => {
    const { id } = await upload(Buffer.from('done'));
    const committed = await ok(own.api('POST', `/attachments/${id}/commit`));
    expect(committed.status).toBe('uploaded');
    expect(await ok(own.api('POST', `/attachments/${id}/commit`))).toEqual(committed);
  });

  it('lists a session newest first; none for a session that nothing belongs to', async () => {
    const sessionId = `a/b ü ${randomUUID()}`;
    const path = `/sessions/${encodeURIComponent(sessionId)}/attachments`;
    const none = { data: [], nextCursor: '', hasMore: false };
    expect(await ok(own.api('GET', path))).toEqual(none);
    const first = await upload(Buffer.from('1'), { sessionId });
    const second = await upload(Buffer.from('2'), { sessionId });
    const { data } = await ok(own.api('GET', path));
    expect(data.map((attachment: { id: string }) => attachment.id)).toEqual([second.id, first.id]);
    const page = await ok(own.api('GET', `${path}?limit=1`));
    expect(page).toMatchObject({ data: [{ id: second.id }], hasMore: true });
    const last = await ok(own.api('GET', `${path}?limit=1&cursor=${encodeURIComponent(page.nextCursor)}`));
    expect(last).toMatchObject({ data: [{ id: first.id }], nextCursor: '', hasMore: false });
    expect(await ok((await app.organization()).api('GET', path))).toEqual(none);
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
    await expect.poll(() => kept(id)).toEqual([]);
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

describe('an upload', () => {
  it('413 beyond the largest size and beyond the quota of the organization, as the operator sets them', async () => {
    const app = await startApp({ DOKIMA_MAX_ATTACHMENT_MB: '2', DOKIMA_ATTACHMENT_QUOTA_MB: '3' });
    const [one, other] = [await app.organization(), await app.organization()];
    const mb = 1024 ** 2;
    const declared = (api: Client, sizeBytes: number, filePath: string) =>
      api('POST', '/attachments', { ...declare(Buffer.from(filePath)), sizeBytes, filePath });
    const refusal = (answer: Answer) => [answer.status, answer.body.details];
    expect(refusal(await declared(one.api, 2 * mb + 1, 'a'))).toEqual([413, { limitBytes: 2 * mb }]);
    const first = await ok(declared(one.api, 2 * mb, 'b'), 201);
    const quota = { quotaBytes: 3 * mb, usedBytes: 2 * mb };
    expect(refusal(await declared(one.api, mb + 1, 'c'))).toEqual([413, quota]);
    await ok(declared(other.api, 2 * mb, 'c'), 201);
    await ok(one.api('DELETE', `/attachments/${first.id}`));
    await ok(declared(one.api, mb + 1, 'c'), 201);
    await app.close();
  });

  it('503, heard by a client that still sends, when the store is away', async () => {
    const objectStore = await startObjectStore({ careless: false });
    objectStore.close();
    const app = await startApp(objectStoreSettings(objectStore.url));
    const { api } = await app.organization();
    const url = await app.url();
    const bytes = Buffer.alloc(5_000_000, 'x');
    const { id, uploadUrl } = await ok(api('POST', '/attachments', declare(bytes)), 201);
    const sending = beginUpload(`${url}${uploadUrl.slice(uploadUrl.indexOf('/api/v2'))}`, bytes);
    await sending.sendHalf();
    sending.sendRest();
    expect(await sending.status).toBe(503);
    const commit = await api('POST', `/attachments/${id}/commit`);
    expect(commit.body).toMatchObject({ code: 'UNAVAILABLE', message: expect.stringContaining('store') });
    await app.close();
  });

  it('ends with 400 when the client has left before it began', async () => {
    const upload = new PassThrough();
    upload.destroy();
    const never = { write: () => Promise.reject(new Error('must not be asked')) };
    const store = never as unknown as Parameters<typeof receive>[0];
    const { sizeBytes, sha256 } = declare(Buffer.from('left'));
    await expect(receive(store, randomUUID(), upload, { sizeBytes, sha256 })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  });
});
