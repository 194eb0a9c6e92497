import { createSecretKey } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createProject, ok } from '../../../test/fixtures.ts';
import { startApp } from '../../../test/harness.ts';
import { newTraceId, noSource, post, requestOf, spanId } from '../../../test/otlp.ts';
import { openAllowedAddresses } from '../../engine/models/allowed-addresses.ts';
import { readPriceFiles } from '../../engine/models/price-list.ts';
import { openMasking } from '../../evaluation/masking/masking.ts';
import { system } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { createLogger } from '../../platform/log.ts';
import { toSpan } from '../../traces/otlp/to-span.ts';
import { ingest } from '../../traces/store/ingest.ts';
import { openPriceLists, type PriceLists } from './price-lists.ts';

/** The answer of the place that keeps the list, and how often it was asked. */
let answer = { status: 200, body: '' };
let asked = 0;
const keeper = createServer((_, response) => {
  asked++;
  response.writeHead(answer.status, { location: '/elsewhere' }).end(answer.body);
});
keeper.listen(0, '127.0.0.1');
await once(keeper, 'listening');
const address = `http://127.0.0.1:${(keeper.address() as AddressInfo).port}/prices.json?key=secret`;

const reference = 'https://example.com/prices';
const chat = (input: number, litellm_provider = 'openai') => ({
  source: reference,
  litellm_provider,
  mode: 'chat',
  input_cost_per_token: input / 1e6,
  output_cost_per_token: (4 * input) / 1e6,
});
const litellm = (models: Record<string, number>) =>
  JSON.stringify(Object.fromEntries(Object.entries(models).map(([name, input]) => [name, chat(input)])));

const app = await startApp({});
const opened: PriceLists[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((each) => each.close()));
  await app.db.transaction(system, (tx) => tx`delete from price_list`);
  asked = 0;
});
afterAll(async () => {
  await app.close();
  keeper.close();
});

const files = await readPriceFiles();
const open = async (more: { address?: string; allowed?: string } = {}) => {
  const { allowed = 'true' } = more;
  const lists = await openPriceLists({
    db: app.db,
    log: await createLogger('silent'),
    files,
    network: { allowedAddresses: openAllowedAddresses(allowed) },
    address: more.address ?? address,
  });
  opened.push(lists);
  return lists;
};
const makeDue = () =>
  app.db.transaction(system, (tx) => tx`update price_list set due_at = now() - interval '1 second'`);
const inputOf = (lists: PriceLists, model: string) => lists.current().models[model]?.input;
const urlOf = (lists: PriceLists) => lists.sources().find(({ source }) => source === 'url')!;

describe('the list of prices at DOKIMA_PRICES_URL', () => {
  it('is read once a day by one process, and used by all of them, after a restart too', async () => {
    const [first, second] = [await open(), await open()];
    answer = { status: 200, body: litellm({ 'gpt-new': 3, 'gpt-4o': 2 }) };
    await Promise.all([first.refresh(), second.refresh()]);
    await Promise.all([first.refresh(), second.refresh()]);
    expect(asked).toBe(1);
    for (const lists of [first, second, await open()]) {
      expect([inputOf(lists, 'openai/gpt-new'), inputOf(lists, 'openai/gpt-4o')]).toEqual([3, 2]);
      // The shipped table stays below it.
      expect(inputOf(lists, 'google/gemini-2.5-flash')).toBe(
        files.shipped.models['google/gemini-2.5-flash']!.input,
      );
    }
    expect(urlOf(first)).toEqual({
      source: 'url',
      address: address.replace(/\?.*/, ''),
      date: new Date().toISOString().slice(0, 10),
      numModels: 2,
      readAt: expect.stringMatching(/^2/),
      error: null,
      refused: [],
    });
  });

  it('changes prices from the next reading on, and keeps them where a change is absurd', async () => {
    const lists = await open();
    answer = { status: 200, body: litellm({ a: 1, b: 1, c: 1 }) };
    await lists.refresh();
    answer = { status: 200, body: litellm({ a: 2, b: 50, d: 1 }) };
    await makeDue();
    await lists.refresh();
    expect(['a', 'b', 'c', 'd'].map((name) => inputOf(lists, `openai/${name}`))).toEqual([
      2,
      1,
      undefined,
      1,
    ]);
    expect(urlOf(lists)).toMatchObject({
      numModels: 3,
      refused: [{ modelName: 'openai/b', reason: 'input changed from 1 to 50, by more than 10 times' }],
    });
  });

  it.each([
    ['an error', { status: 503, body: 'busy' }, 'it answered with status 503'],
    ['a redirect', { status: 302, body: '' }, 'it answered with status 302'],
    ['a page', { status: 200, body: '<html>' }, 'is not valid JSON'],
    ['no list', { status: 200, body: '[1]' }, 'must be an object'],
    [
      'another list',
      { status: 200, body: litellm({ x: 1 }) },
      'it has only 0 of the 3 models of the list before',
    ],
    [
      'a negative price',
      { status: 200, body: litellm({ a: -1, b: 1, c: 1 }) },
      '/models/openai~1a/input must be a number of at least 0',
    ],
    ['a list that is too long', { status: 200, body: ' '.repeat(20_000_001) }, 'longer than 20000000 bytes'],
  ])(
    'is not taken when it answers with %s: the prices before stay, and the error is shown',
    async (_, bad, error) => {
      const lists = await open();
      answer = { status: 200, body: litellm({ a: 1, b: 1, c: 1 }) };
      await lists.refresh();
      answer = bad;
      await makeDue();
      await lists.refresh();
      expect(urlOf(lists)).toMatchObject({ error: expect.stringContaining(error), numModels: 3 });
      expect(inputOf(lists, 'openai/a')).toBe(1);
      // Tried again after an hour, not at each poll.
      await lists.refresh();
      expect(asked).toBe(2);
    },
  );

  it('is not read inside the network of the operator unless its address is allowed', async () => {
    const lists = await open({ allowed: 'false' });
    await lists.refresh();
    expect(asked).toBe(0);
    expect(urlOf(lists).error).toMatch(/private, loopback or link-local/);
  });

  it('of an earlier setting is not used', async () => {
    answer = { status: 200, body: litellm({ 'gpt-new': 3 }) };
    await (await open()).refresh();
    const moved = await open({ address: address.replace('secret', 'other') });
    expect(inputOf(moved, 'openai/gpt-new')).toBeUndefined();
    await moved.refresh();
    expect(inputOf(moved, 'openai/gpt-new')).toBe(3);
    const rows = await app.db.read(system, (sql) => sql`select address from price_list`);
    expect(rows).toHaveLength(1);
  });
});

const span = (n: number) => {
  const attribute = (key: string, value: object) => ({ key, value });
  const attributes = [
    attribute('gen_ai.operation.name', { stringValue: 'chat' }),
    attribute('gen_ai.request.model', { stringValue: 'gpt-new' }),
    attribute('gen_ai.usage.input_tokens', { intValue: 1_000_000 }),
    attribute('gen_ai.usage.output_tokens', { intValue: 0 }),
  ];
  const times = { startTimeUnixNano: '1790000000000000000', endTimeUnixNano: '1790000001000000000' };
  const ids = { traceId: 'a'.repeat(32), spanId: `${n}`.repeat(16) };
  return toSpan({ ...ids, ...times, name: 'chat', attributes }, noSource, 0);
};

it('a cost keeps the price of the day on which it was computed', async () => {
  const own = await app.organization();
  const { id: projectId } = await createProject(own.api);
  const lists = await open();
  const store = (n: number) =>
    app.db.transaction(own, (tx) =>
      ingest(tx, { ...own, keyId: null, signInId: null } as unknown as Scope, [span(n)], {
        now: new Date(),
        withoutProject: 'oldest',
        prices: lists.current().models,
        masking: openMasking(app.db, createSecretKey(Buffer.alloc(32))),
        onSpans: async () => {},
      }),
    );
  answer = { status: 200, body: litellm({ 'gpt-new': 3 }) };
  await lists.refresh();
  await store(1);
  answer = { status: 200, body: litellm({ 'gpt-new': 6 }) };
  await makeDue();
  await lists.refresh();
  await store(2);
  const costOf = async (n: number) =>
    (await ok(own.api('GET', `/projects/${projectId}/traces/${'a'.repeat(32)}/spans/${`${n}`.repeat(16)}`)))
      .costUsd;
  expect([await costOf(1), await costOf(2)]).toEqual([3, 6]);
});

describe('prices that an organization entered with a provider', () => {
  it('come before every list for its own traces, and no newer list changes them', async () => {
    const [own, other] = [await app.organization(), await app.organization()];
    const add = (name: string, kind: string, prices: object) =>
      ok(
        own.api('POST', '/providers', {
          name,
          kind,
          baseUrl: 'https://models.example/v1',
          apiKey: 'k',
          prices,
        }),
        201,
      );
    await add('first', 'openai', { 'gpt-new': { input: 7, output: 7 } });
    await add('second', 'openai', { 'gpt-new': { input: 8, output: 8 }, 'gpt-x': { input: 1, output: 1 } });
    await add('local', 'openai-compatible', { gemma3: { input: 0.1, output: 0.4 } });
    const lists = await open();
    answer = { status: 200, body: litellm({ 'gpt-new': 3, 'gpt-y': 2 }) };
    await lists.refresh();
    const inputs = ({ organizationId }: { organizationId: bigint }) =>
      app.db.transaction({ organizationId }, async (tx) => {
        const found = await lists.currentOf(tx, { organizationId } as Scope);
        const names = ['openai/gpt-new', 'openai/gpt-x', 'openai/gpt-y', 'openai-compatible/gemma3'];
        return names.map((name) => found[name]?.input);
      });
    expect(await inputs(own)).toEqual([7, 1, 2, 0.1]);
    expect(await inputs(other)).toEqual([3, undefined, 2, undefined]);
    expect(inputOf(lists, 'openai/gpt-new')).toBe(3);
  });

  it('give the cost of a span that arrives', async () => {
    const own = await app.organization();
    const { id: projectId } = await createProject(own.api);
    await ok(
      own.api('POST', '/providers', {
        name: 'local',
        kind: 'openai-compatible',
        baseUrl: 'https://models.example/v1',
        prices: { 'gpt-new': { input: 5, output: 1 } },
      }),
      201,
    );
    const traceId = newTraceId();
    const usage = { 'gen_ai.usage.input_tokens': 1_000_000, 'gen_ai.usage.output_tokens': 0 };
    const attributes = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'gpt-new', ...usage };
    await post(app, own.key, requestOf([{ traceId, n: 1, attributes }], { 'dokima.project_id': projectId }));
    const path = `/projects/${projectId}/traces/${traceId}/spans/${spanId(1)}`;
    expect(await ok(own.api('GET', path))).toMatchObject({ costUsd: 5, costComputed: true });
  });
});

describe('GET /prices', () => {
  it('gives the prices in use with the date and the source of each list, and a service reads the list by itself', async () => {
    answer = { status: 200, body: litellm({ 'gpt-new': 3 }) };
    const reading = await startApp({ DOKIMA_PRICES_URL: address, DOKIMA_ALLOW_PRIVATE_ADDRESSES: 'true' });
    const { api } = await reading.organization();
    await expect
      .poll(async () => (await ok(api('GET', '/prices'))).models['openai/gpt-new'], { timeout: 10_000 })
      .toEqual({
        input: 3,
        output: 12,
        source: 'url',
        date: new Date().toISOString().slice(0, 10),
        reference,
      });
    const { sources, models } = await ok(api('GET', '/prices'));
    expect(JSON.stringify(models)).not.toContain('"reference":null');
    expect(models['google/gemini-2.5-flash']).toMatchObject({ source: 'shipped', date: files.shipped.date });
    expect(sources).toMatchObject([
      { source: 'url', numModels: 1, error: null },
      { source: 'shipped', date: files.shipped.date, readAt: null },
    ]);
    await reading.close();
  });

  it('names only the shipped table where no other is set', async () => {
    const { api } = await app.organization();
    expect((await ok(api('GET', '/prices'))).sources).toMatchObject([{ source: 'shipped', address: null }]);
  });
});
