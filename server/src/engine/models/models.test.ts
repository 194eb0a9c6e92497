import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openAllowedAddresses } from './allowed-addresses.ts';
import { checkBaseUrl, openGuardedFetch } from './guarded-fetch.ts';
import { openModel } from './model.ts';
import { loadPrices } from './price-list.ts';
import { costOf, priceOf } from './prices.ts';
import { type ProviderConfig, type ResolvedModel, resolveModel } from './provider.ts';

/** Keeps what it was sent, and answers 404 to everything. */
const received: { url: string; headers: Record<string, unknown> }[] = [];
const server = createServer((request, response) => {
  received.push({ url: request.url!, headers: request.headers });
  request.resume().on('end', () => response.writeHead(404).end('{}'));
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/base`;
const guarded = openGuardedFetch({ allowedAddresses: openAllowedAddresses('true') });
afterAll(() => {
  guarded.close();
  server.close();
});

const provider = (kind: ProviderConfig['kind'], more: Partial<ProviderConfig> = {}): ProviderConfig => ({
  name: kind,
  kind,
  apiKey: 'a-key',
  baseUrl,
  maxConcurrency: 1,
  ...more,
});

describe('evalModelName', () => {
  const ollama = provider('openai-compatible', { name: 'ollama' });
  const all = (['openai', 'anthropic', 'google', 'azure'] as const).map((kind) => provider(kind));
  it.each([
    ['gpt-4o', 'openai', 'gpt-4o'],
    ['chatgpt-4o-latest', 'openai', 'chatgpt-4o-latest'],
    ['o3-mini', 'openai', 'o3-mini'],
    ['claude-sonnet-4-5', 'anthropic', 'claude-sonnet-4-5'],
    ['gemini-2.5-pro', 'google', 'gemini-2.5-pro'],
    ['openai/any', 'openai', 'any'],
    ['azure/our-deployment', 'azure', 'our-deployment'],
    ['ollama/gemma3', 'ollama', 'gemma3'],
    ['ollama/hf.co/org/model', 'ollama', 'hf.co/org/model'],
    ['fake/judge', 'fake', 'judge'],
  ])('%s asks %s for %s', (evalModelName, name, model) => {
    expect(resolveModel(evalModelName, [...all, ollama])).toMatchObject({ provider: { name }, model });
  });

  it('finds a provider by its name before one by its kind', () => {
    const own = provider('openai', { name: 'our-openai' });
    expect(resolveModel('gpt-4o', [own])).toMatchObject({ provider: { name: 'our-openai' } });
    expect(resolveModel('gpt-4o', [own, provider('openai')])).toMatchObject({ provider: { name: 'openai' } });
  });

  it('never reaches the fake provider by another name, nor a real one by the name fake', () => {
    const posing = [provider('fake', { name: 'openai' }), provider('openai-compatible', { name: 'fake' })];
    expect(resolveModel('gpt-4o', posing)).toHaveProperty('error');
    expect(resolveModel('fake/judge', posing)).toMatchObject({ provider: { kind: 'fake' } });
  });

  it.each(['', 'gpt', '/model', 'openai/', 'toString/x', '__proto__/x'])(
    '%j is an error that says what to write',
    (name) => {
      expect(resolveModel(name, all)).toMatchObject({ error: expect.stringContaining(name) });
    },
  );
});

describe('a provider', () => {
  const ask = async (resolved: ResolvedModel) => {
    received.length = 0;
    const signal = AbortSignal.timeout(5000);
    await openModel(resolved, guarded.fetch)({ system: 's', messages: ['m'], signal }).catch(() => {});
    return received[0]!;
  };

  it.each([
    ['openai', {}, '/base/chat/completions', 'authorization', 'Bearer a-key'],
    ['openai-compatible', {}, '/base/chat/completions', 'authorization', 'Bearer a-key'],
    ['anthropic', {}, '/base/messages', 'x-api-key', 'a-key'],
    ['google', {}, '/base/models/m:generateContent', 'x-goog-api-key', 'a-key'],
    ['azure', {}, '/base/chat/completions', 'api-key', 'a-key'],
    ['bedrock', { region: 'eu-central-1' }, '/base/model/m/converse', 'authorization', 'Bearer a-key'],
  ] as const)(
    'of kind %s is asked at its base URL with its own key',
    async (kind, options, url, header, value) => {
      const request = await ask({ provider: provider(kind, { options }), model: 'm' });
      expect(request.url).toMatch(url);
      expect(request.headers[header]).toBe(value);
    },
  );

  it('of kind bedrock signs with its own credentials where it has no API key', async () => {
    const options = { region: 'eu-central-1', accessKeyId: 'AKIAOWN', secretAccessKey: 'secret' };
    const { apiKey: _, ...own } = provider('bedrock', { options });
    const request = await ask({ provider: own, model: 'm' });
    expect(request.headers.authorization).toMatch(/Credential=AKIAOWN\/\d{8}\/eu-central-1\/bedrock\//);
    expect(request.headers).not.toHaveProperty('x-amz-security-token');
  });

  it.each([
    [
      'https://our.openai.azure.com',
      {},
      'https://our.openai.azure.com/openai/v1/chat/completions?api-version=v1',
    ],
    [
      'https://our.openai.azure.com/',
      {},
      'https://our.openai.azure.com/openai/v1/chat/completions?api-version=v1',
    ],
    ['https://our.openai.azure.com/openai/v1', {}, 'https://our.openai.azure.com/openai/v1/chat/completions'],
    [
      'https://our.openai.azure.com',
      { apiVersion: '2024-10-21' },
      'https://our.openai.azure.com/openai/deployments/m/chat/completions?api-version=2024-10-21',
    ],
    [
      undefined,
      { resourceName: 'our', apiVersion: '2025-01-01-preview' },
      'https://our.openai.azure.com/openai/deployments/m/chat/completions?api-version=2025-01-01-preview',
    ],
    [
      undefined,
      { resourceName: 'our' },
      'https://our.openai.azure.com/openai/v1/chat/completions?api-version=v1',
    ],
  ])('of kind azure at %s with %j is asked at %s', async (baseUrl, options, url) => {
    const urls: string[] = [];
    const fetch = async (input: unknown) => {
      urls.push(String(input));
      return new Response('{}', { status: 404 });
    };
    const { baseUrl: _, ...own } = provider('azure', { options });
    const resolved = { provider: { ...own, ...(baseUrl && { baseUrl }) }, model: 'm' };
    const question = { system: '', messages: ['m'], signal: AbortSignal.timeout(60_000) };
    await openModel(resolved, fetch)(question).catch(() => {});
    expect(urls).toEqual([url]);
  });

  const answers = {
    openai: {
      model: 'm',
      choices: [{ index: 0, message: { role: 'assistant', content: 'x' }, finish_reason: 'stop' }],
    },
    anthropic: {
      type: 'message',
      role: 'assistant',
      id: 'i',
      model: 'm',
      content: [{ type: 'text', text: 'x' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 1, output_tokens: 1 },
    },
    google: { candidates: [{ content: { parts: [{ text: 'x' }] }, finishReason: 'STOP' }] },
    bedrock: {
      output: { message: { role: 'assistant', content: [{ text: 'x' }] } },
      stopReason: 'end_turn',
      usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
    },
  };
  it.each([
    ['openai', 'gpt-4o', 1.5],
    ['openai', 'gpt-6-sol', null],
    ['google', 'gemini-2.5-flash', 1.5],
    // Take 1 at most.
    ['anthropic', 'claude-haiku-4-5', 1],
    ['bedrock', 'amazon.nova-lite-v1:0', 1],
  ] as const)('of kind %s says which temperature %s was sent', async (kind, model, temperature) => {
    const bodies: string[] = [];
    const fetch = async (_: unknown, init?: RequestInit) => {
      bodies.push(String(init?.body));
      return Response.json(answers[kind]);
    };
    const resolved = { provider: provider(kind, { options: { region: 'eu-central-1' } }), model };
    const question = { system: '', messages: ['m'], temperature: 1.5, signal: AbortSignal.timeout(60_000) };
    const reply = await openModel(resolved, fetch)(question);
    expect(reply).toMatchObject({ text: 'x', temperatureSent: temperature });
    expect(/"temperature":([\d.]+)/.exec(bodies[0]!)?.[1]).toBe(temperature?.toString());
  });

  it('never falls back to keys of the environment', async () => {
    const names = [
      'OPENAI_API_KEY',
      'ANTHROPIC_API_KEY',
      'GOOGLE_GENERATIVE_AI_API_KEY',
      'AZURE_API_KEY',
      'AWS_BEARER_TOKEN_BEDROCK',
      'AWS_ACCESS_KEY_ID',
      'AWS_SECRET_ACCESS_KEY',
      'AWS_SESSION_TOKEN',
    ];
    for (const name of names) process.env[name] = 'operators-key';
    try {
      for (const kind of [
        'openai',
        'openai-compatible',
        'anthropic',
        'google',
        'azure',
        'bedrock',
      ] as const) {
        const { apiKey: _, ...own } = provider(kind, { options: { region: 'eu-central-1' } });
        expect(JSON.stringify((await ask({ provider: own, model: 'm' })) ?? {})).not.toContain(
          'operators-key',
        );
      }
    } finally {
      for (const name of names) delete process.env[name];
    }
  });
});

describe('a base URL', () => {
  it.each([
    ['not a url', /must be a URL/],
    ['file:///etc/passwd', /must be a URL/],
    ['https://user:password@example.com/v1', /must not hold a user name/],
    ['https://example.com/v1?x=1', /must end before/],
    ['http://127.0.0.1:11434/v1', /private, loopback or link-local/],
    ['http://localhost:11434/v1', /private, loopback or link-local/],
    ['http://[::1]/v1', /private, loopback or link-local/],
    ['http://2130706433/v1', /private, loopback or link-local/],
  ])('%s is refused when it is saved', async (baseUrl, why) => {
    expect(await checkBaseUrl(baseUrl, openAllowedAddresses('false'))).toMatch(why);
  });

  it('may be public, unknown for now, or private where the operator allows it', async () => {
    expect(await checkBaseUrl('https://1.1.1.1/v1', openAllowedAddresses('false'))).toBeNull();
    expect(await checkBaseUrl('https://no-such-host.invalid/v1', openAllowedAddresses('false'))).toBeNull();
    expect(
      await checkBaseUrl('http://localhost:11434/v1', openAllowedAddresses('localhost:11434')),
    ).toBeNull();
  });
});

describe('prices', () => {
  const usage = { inputTokens: 1_000_000, outputTokens: 100_000 };
  it('give the cost of a model and of its dated versions, and null for what is not known', async () => {
    const prices = await loadPrices();
    expect(costOf(prices.models, 'openai/gpt-4o', usage)).toBeCloseTo(3.5);
    expect(costOf(prices.models, 'openai/gpt-4o-2024-08-06', usage)).toBeCloseTo(3.5);
    expect(costOf(prices.models, 'anthropic/claude-sonnet-4-5-20250929', usage)).toBeCloseTo(4.5);
    expect(costOf(prices.models, 'openai/gpt-4o-audio', usage)).toBeNull();
    expect(costOf(prices.models, 'azure/gpt-4o', usage)).toBeNull();
    expect(costOf(prices.models, 'toString', usage)).toBeNull();
    expect(costOf(prices.models, 'openai/gpt-4o', { ...usage, outputTokens: null })).toBeNull();
  });

  it('count cached and stored tokens as the provider bills them, and as other input where they have no price', () => {
    const models = {
      'anthropic/c': { input: 3, output: 15, cachedInput: 0.3, cacheWrite: 3.75 },
      'anthropic/plain': { input: 3, output: 15 },
    };
    const call = { inputTokens: 100_000, outputTokens: 0, cachedTokens: 90_000, cacheWriteTokens: 4_000 };
    expect(costOf(models, 'anthropic/c', call)).toBeCloseTo(
      (6_000 * 3 + 90_000 * 0.3 + 4_000 * 3.75) / 1e6,
      12,
    );
    expect(costOf(models, 'anthropic/plain', call)).toBeCloseTo(0.3, 12);
    // A provider that counts more cached tokens than it read bills no more than what it read.
    expect(costOf(models, 'anthropic/c', { ...call, cachedTokens: 200_000 })).toBeCloseTo(0.03, 12);
  });

  it('are those of the organization, else the bill of the provider, else those of the table', async () => {
    const prices = await loadPrices();
    const call = { ...usage, modelAnswered: 'gpt-4o' };
    const compatible = {
      provider: { name: 'router', kind: 'openai-compatible' as const, maxConcurrency: 1 },
      model: 'x',
    };
    expect(priceOf(prices, compatible, call)).toBeNull();
    expect(priceOf(prices, compatible, { ...call, billedUsd: 0.0042 })).toBe(0.0042);
    const own = { ...compatible.provider, prices: { x: { input: 1, output: 1 } } };
    expect(priceOf(prices, { ...compatible, provider: own }, { ...call, billedUsd: 0.0042 })).toBeCloseTo(
      1.1,
    );
    const azure = {
      provider: { name: 'azure', kind: 'azure' as const, maxConcurrency: 1 },
      model: 'our-deployment',
    };
    expect(priceOf(prices, azure, call)).toBeCloseTo(3.5);
  });

  it('that ship say as of when they are, where they come from, and that they are to be checked', async () => {
    const shipped = JSON.parse(await readFile(new URL('./prices.json', import.meta.url), 'utf8'));
    expect(shipped).toMatchObject({
      date: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
      note: expect.stringContaining('check them before you rely on'),
    });
    const kinds = new Set(Object.keys(shipped.models).map((name) => name.split('/', 1)[0]!));
    const page = { reference: expect.stringMatching(/^https:/), date: expect.stringMatching(/^\d{4}-/) };
    expect(shipped.sources).toEqual(Object.fromEntries([...kinds].map((kind) => [kind, page])));
  });

  it("of LiteLLM's list are read per million tokens, under our kinds of provider", async () => {
    const file = join(tmpdir(), `litellm-${process.pid}.json`);
    const chat = { mode: 'chat', input_cost_per_token: 1.5e-7, output_cost_per_token: 6e-7 };
    const list = {
      sample_spec: { litellm_provider: 'openai', input_cost_per_token: 0, output_cost_per_token: 0 },
      'gpt-new': { ...chat, litellm_provider: 'openai', cache_read_input_token_cost: 7.5e-8 },
      'gemini/gemini-new': { ...chat, litellm_provider: 'gemini' },
      'claude-new': { ...chat, litellm_provider: 'anthropic', cache_creation_input_token_cost: 3.75e-6 },
      'image-new': { mode: 'image_generation', litellm_provider: 'openai' },
      'other/x': { ...chat, litellm_provider: 'deepinfra' },
    };
    await writeFile(file, JSON.stringify(list));
    const { date, models } = await loadPrices(file);
    expect(date).toBe(new Date().toISOString().slice(0, 10));
    expect(models).toMatchObject({
      'openai/gpt-new': { input: 0.15, output: 0.6, cachedInput: 0.075 },
      'google/gemini-new': { input: 0.15, output: 0.6 },
      'anthropic/claude-new': { input: 0.15, output: 0.6, cacheWrite: 3.75 },
    });
    for (const name of ['openai/sample_spec', 'openai/image-new', 'deepinfra/other/x', 'openai/other/x'])
      expect(models).not.toHaveProperty([name]);
    const negative = {
      ...list,
      'gpt-bad': { ...chat, litellm_provider: 'openai', input_cost_per_token: -1 },
    };
    await writeFile(file, JSON.stringify(negative));
    await expect(loadPrices(file)).rejects.toThrow('/models/openai~1gpt-bad/input');
  });

  it('of the operator add to those that ship and override them', async () => {
    const file = join(tmpdir(), `prices-${process.pid}.json`);
    await writeFile(
      file,
      JSON.stringify({
        date: '2026-01-01',
        models: { 'openai/gpt-4o': { input: 1, output: 1 }, 'azure/ours': { input: 2, output: 2 } },
      }),
    );
    const prices = await loadPrices(file);
    expect(costOf(prices.models, 'openai/gpt-4o', usage)).toBeCloseTo(1.1);
    expect(costOf(prices.models, 'azure/ours', usage)).toBeCloseTo(2.2);
    expect(costOf(prices.models, 'openai/gpt-4o-mini', usage)).not.toBeNull();
    await writeFile(file, '{"date":"soon","models":{"x":{"input":-1}}}');
    await expect(loadPrices(file)).rejects.toThrow(/\/date .*\/models\/x/s);
    await writeFile(file, '{');
    for (const bad of [file, `${file}.not-there`])
      await expect(loadPrices(bad)).rejects.toThrow(/DOKIMA_PRICES_FILE/);
  });
});
