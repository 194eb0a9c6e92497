import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTerminal, prepare, type Terminal } from './terminal.ts';

let terminal: Terminal;
let hub: Server;
const asked: { method: string; url: string; token: string | undefined; body: Buffer }[] = [];
/** How the Hub takes a large file: not at all, since it has it, in one request, or in parts. */
let way: 'has' | 'basic' | 'parts' = 'basic';
let exists = false;

beforeAll(async () => {
  terminal = await openTerminal();
  hub = createServer(async (request, response) => {
    const { method, url, headers } = request as {
      method: string;
      url: string;
      headers: typeof request.headers;
    };
    const body = await buffer(request);
    asked.push({ method, url, token: headers.authorization, body });
    const answer = (status: number, value: object, more: Record<string, string> = {}) =>
      response.writeHead(status, { 'content-type': 'application/json', ...more }).end(JSON.stringify(value));
    const own = `http://127.0.0.1:${(hub.address() as AddressInfo).port}`;
    if (method === 'PUT') return answer(200, {}, { etag: `"${url}"` });
    if (headers.authorization !== 'Bearer hf_right') return answer(401, { error: 'Invalid token' });
    if (url === '/api/repos/create')
      return exists ? answer(409, { error: 'exists' }) : answer(200, { url: own });
    if (url.endsWith('/info/lfs/objects/batch')) {
      const [{ oid, size }] = JSON.parse(body.toString()).objects;
      const half = Math.ceil(size / 2);
      const header = { chunk_size: String(half), '00001': `${own}/store/1`, '00002': `${own}/store/2` };
      const upload = way === 'basic' ? { href: `${own}/store/whole` } : { href: `${own}/complete`, header };
      const actions = { upload, verify: { href: `${own}/verify` } };
      return answer(200, { objects: [{ oid, size, ...(way !== 'has' && { actions }) }] });
    }
    return answer(200, {});
  });
  await new Promise<void>((done) => hub.listen(0, '127.0.0.1', done));
  terminal.environment.HF_ENDPOINT = `http://127.0.0.1:${(hub.address() as AddressInfo).port}`;
  terminal.environment.HF_TOKEN = 'hf_right';
});
afterAll(async () => {
  await terminal.close();
  hub.closeAllConnections();
  await new Promise((done) => hub.close(done));
});

it('records become a private dataset of Hugging Face with a card, in one commit', async () => {
  const { client } = terminal;
  const { project, metric } = await prepare(client, 0);
  const run = await client.createRun(project.id, { metricIds: [metric.id] });
  const items = Array.from({ length: 40 }, (_, i) => ({
    inputs: { q: `a|b ${i}` },
    expected: {},
    outputs: { a: i },
    scores: [{ metricConfigId: run.metricVersionIds[0]!, score: { binaryScore: i % 4 > 0 } }],
  }));
  await client.createAllRecords(run.id, items);
  const publish = (...words: string[]) =>
    terminal.dokima(['records', run.id, 'hf://datasets/acme/answers', ...words]);
  const sent = (url: string) => asked.filter((one) => one.url === url);

  const said = await publish('--license', 'cc-by-4.0');
  expect([said.code, said.out]).toEqual([
    0,
    `${terminal.environment.HF_ENDPOINT}/datasets/acme/answers: 40 records.\n`,
  ]);
  expect(JSON.parse(sent('/api/repos/create')[0]!.body.toString())).toEqual({
    type: 'dataset',
    name: 'answers',
    organization: 'acme',
    private: true,
  });
  const [whole] = sent('/store/whole');
  // The address is signed: the token is not for the store behind it.
  expect(whole!.token).toBeUndefined();
  const rows = await parquetReadObjects({ file: new Uint8Array(whole!.body).buffer });
  expect(rows).toHaveLength(40);
  const commit = (n: number) =>
    sent('/api/datasets/acme/answers/commit/main')
      [n]!.body.toString()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  const [header, file, large] = commit(0);
  expect([header.key, header.value.summary]).toEqual(['header', '40 records from Dokima']);
  expect(large).toEqual({
    key: 'lfsFile',
    value: {
      path: 'data/test-00000-of-00001.parquet',
      algo: 'sha256',
      oid: createHash('sha256').update(whole!.body).digest('hex'),
      size: whole!.body.length,
    },
  });
  const card = Buffer.from(file.value.content, 'base64').toString();
  expect(card).toContain('license: "cc-by-4.0"');
  expect(card).toContain('size_categories: [n<1K]');
  expect(card).toMatch(/\| Right \| 75\.00 % \| 5\d\.\d\d % … 8\d\.\d\d % \| 40 \| 40 \| 0 \|/);
  expect(card).toContain('| outputs.a | number |');

  way = 'parts';
  exists = true;
  expect((await publish('--public')).code).toBe(0);
  const parts = [...sent('/store/1'), ...sent('/store/2')].map(({ body }) => body);
  expect(await parquetReadObjects({ file: new Uint8Array(Buffer.concat(parts)).buffer })).toHaveLength(40);
  expect(JSON.parse(sent('/complete')[0]!.body.toString()).parts).toEqual([
    { partNumber: 1, etag: '"/store/1"' },
    { partNumber: 2, etag: '"/store/2"' },
  ]);
  expect(Buffer.from(commit(1)[1].value.content, 'base64').toString()).not.toContain('license');

  way = 'has';
  expect((await publish()).code).toBe(0);
  expect(sent('/store/whole')).toHaveLength(1);

  terminal.environment.HF_TOKEN = 'hf_wrong';
  const refused = await publish();
  expect([refused.code, refused.err]).toEqual([4, expect.stringContaining('answered 401 (Invalid token)')]);
  delete terminal.environment.HF_TOKEN;
  expect((await publish()).err).toContain('Set HF_TOKEN to a token with the right to write.');
});
