import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { openAllowedAddresses } from './allowed-addresses.ts';
import { askInTurn, type Models, openModels } from './ask.ts';
import type { ProviderConfig } from './provider.ts';
import { openProviderHealth } from './provider-health.ts';

/** How the errors of providers are classified. Many come with status 200. A server of this test answers in their place. */

type Given = {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
  events?: unknown[];
  cut?: true;
};
let given: Given;
const server = createServer(async (request, response) => {
  for await (const _ of request);
  const { status = 200, headers, body, events, cut } = given;
  const type = events ? 'text/event-stream' : 'application/json';
  response.writeHead(status, { 'content-type': type, ...headers });
  for (const event of events ?? []) response.write(`data: ${JSON.stringify(event)}\n\n`);
  if (cut) response.destroy();
  else response.end(events ? '' : typeof body === 'string' ? body : JSON.stringify(body));
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const now = Date.parse('2026-11-27T10:00:00Z');
let models: Models;
afterEach(() => models.close());
afterAll(() => server.close());

const ask = async (
  kind: ProviderConfig['kind'],
  answer: Given,
  onText?: () => void,
  name = 'it',
  url = baseUrl,
) => {
  given = answer;
  const options = { region: 'eu-central-1' };
  const provider = { name, kind, baseUrl: url, apiKey: 'a-key', maxConcurrency: 1, options };
  models = openModels({
    health: openProviderHealth(),
    providersOf: async () => [provider],
    clock: () => now,
    prices: () => ({ date: '2026-01-01', models: {} }),
    allowedAddresses: openAllowedAddresses('true'),
  });
  const question = { system: '', messages: ['Hello'], ...(onText && { onText }) };
  const model = { organizationId: 1n, modelName: `${name}/m`, provider };
  const { outcome } = await askInTurn(models, model, question, { timeoutMs: 5_000 });
  if (outcome.state === 'answered') return outcome.reply.text;
  const { error, retryable, retryAfterMs } = outcome;
  return [error.replace(`provider '${name}' `, ''), retryable, retryAfterMs];
};

const choice = (message: object, finish_reason: string, more: object = {}) => ({
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason }],
  usage: { prompt_tokens: 1, completion_tokens: 1 },
  ...more,
});
const quota = (words: string) =>
  `says that its quota or credit is used up ${words}. Add to it or raise its limit there; it is tried again`;
const behind = {
  raw: 'rate-limited upstream',
  headers: { 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': String(now + 30_000) },
};
const google = (error: object, details: object[] = []) => ({
  error: { status: 'RESOURCE_EXHAUSTED', ...error, details },
});
const retryInfo = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '13.5s' };

describe('an error inside an answer of 200', () => {
  it.each<[string, ProviderConfig['kind'], unknown, [string, boolean, number?]]>([
    [
      'OpenRouter, with the words and the wait of the provider behind it',
      'openai-compatible',
      { error: { code: 429, message: 'Provider returned error', metadata: behind } },
      ['asks to slow down (429): Provider returned error (rate-limited upstream)', true, 30_000],
    ],
    [
      'OpenRouter without credit',
      'openai-compatible',
      { error: { code: 402, message: 'Insufficient credits' } },
      [quota('(402): Insufficient credits'), true, 300_000],
    ],
    [
      'Google',
      'google',
      google({ code: 429, message: 'Resource has been exhausted.' }, [retryInfo]),
      ['asks to slow down (429): Resource has been exhausted.', true, 13_500],
    ],
    [
      'Google in a list',
      'google',
      [{ error: { code: 503, message: 'Overloaded.', status: 'UNAVAILABLE' } }],
      ['failed (503): Overloaded.', true],
    ],
    ['Google without a candidate', 'google', { candidates: [] }, ['failed (502): it gave no reply', true]],
    [
      'Anthropic',
      'anthropic',
      { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
      ['failed (503): Overloaded', true],
    ],
    [
      'Bedrock',
      'bedrock',
      { __type: 'com.amazon#ThrottlingException', message: 'Too many requests.' },
      ['asks to slow down (429): Too many requests.', true],
    ],
    [
      'vLLM',
      'openai-compatible',
      { object: 'error', message: 'The engine is dead', code: 500 },
      ['failed (500): The engine is dead', true],
    ],
    [
      'DashScope',
      'openai-compatible',
      { code: 'Throttling.RateQuota', message: 'Requests rate limit exceeded' },
      ['asks to slow down (429): Requests rate limit exceeded', true],
    ],
    [
      'MiniMax',
      'openai-compatible',
      { base_resp: { status_code: 1002, status_msg: 'rate limit' }, choices: null },
      ['asks to slow down (429): rate limit', true],
    ],
    [
      'Cloudflare',
      'openai-compatible',
      { success: false, errors: [{ code: 7000, message: 'No route' }], result: null },
      ['failed (502): No route', true],
    ],
    ['FastAPI', 'openai-compatible', { detail: 'Internal error' }, ['failed (502): Internal error', true]],
    [
      'Baidu',
      'openai-compatible',
      { error_code: 18, error_msg: 'qps request limit reached' },
      ['failed (502): qps request limit reached', true],
    ],
    [
      'a router whose model failed',
      'openai-compatible',
      choice({ content: 'Half' }, 'error'),
      ['failed (502): the reply ended with an error', true],
    ],
    [
      'vLLM that stops',
      'openai-compatible',
      choice({ content: 'Half' }, 'abort'),
      ['failed (502): the reply ended with an abort', true],
    ],
    [
      'a server without choices',
      'openai-compatible',
      { ...choice({}, 'stop'), choices: [] },
      ['gives an answer that is not a model’s reply', true],
    ],
    ['an empty answer', 'openai-compatible', '', ['gives an answer that is not a model’s reply', true]],
  ])('is that of %s, and is tried again as it says', async (_, kind, body, expected) => {
    expect(await ask(kind, { body })).toEqual([expected[0], expected[1], expected[2]]);
  });

  it('is none if there is a reply beside it', async () => {
    const body = choice({ content: 'Hi' }, 'stop', { error: null, message: 'a note of a gateway' });
    expect(await ask('openai-compatible', { body })).toBe('Hi');
  });
});

type Answered = [
  string,
  ProviderConfig['kind'],
  number,
  unknown,
  Record<string, string>,
  [string, boolean, (number | undefined)?],
];

describe('an error with a status', () => {
  const perDay = { violations: [{ quotaId: 'GenerateRequestsPerDayPerProject' }] };
  it.each<Answered>([
    [
      'a limit of a minute',
      'google',
      429,
      google({ code: 429, message: 'You exceeded your current quota' }, [retryInfo]),
      {},
      ['asks to slow down (429): You exceeded your current quota', true, 13_500],
    ],
    [
      'a limit of a day, for which half a minute is no wait',
      'google',
      429,
      google({ code: 429, message: 'You exceeded your current quota' }, [perDay, retryInfo]),
      {},
      [quota('(429): You exceeded your current quota'), true, 300_000],
    ],
    [
      'a limit of nothing',
      'google',
      429,
      google({ code: 429, message: 'Quota exceeded for metric: x, limit: 0' }, [retryInfo]),
      {},
      [quota('(429): Quota exceeded for metric: x, limit: 0'), true, 300_000],
    ],
    [
      'throttling with 400',
      'bedrock',
      400,
      { message: 'Too many tokens.' },
      { 'x-amzn-errortype': 'ThrottlingException' },
      ['asks to slow down (429): Too many tokens.', true],
    ],
    ['a model that failed', 'bedrock', 424, { message: 'x' }, {}, ['refuses the request (424): x', true]],
    ['words without a form', 'openai-compatible', 503, 'busy', {}, ['failed (503): busy', true]],
    ['a page', 'openai-compatible', 502, '<html>nginx</html>', {}, ['failed (502): ', true]],
    [
      'words of Mistral',
      'openai-compatible',
      429,
      { message: 'Rate limit exceeded' },
      {},
      ['asks to slow down (429): Rate limit exceeded', true],
    ],
    [
      'words of FastAPI',
      'openai-compatible',
      422,
      { detail: [{ loc: ['body'], msg: 'Field required' }] },
      {},
      ['refuses the request (422): Field required', false],
    ],
    ...(
      [
        [{ 'retry-after': '20' }, 20_000],
        [{ 'retry-after': 'Fri, 27 Nov 2026 10:00:12 GMT' }, 12_000],
        [{ 'retry-after': 'Fri, 27 Nov 2026 09:00:00 GMT' }, 0],
        [{ 'retry-after': '0.5' }, 500],
        [{ 'retry-after': '' }, undefined],
        [{ 'retry-after': 'soon' }, undefined],
        [{ 'retry-after': '999999999' }, 3_600_000],
        [{ 'retry-after-ms': '1500', 'retry-after': '2' }, 1_500],
        [{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(now / 1000 + 9) }, 9_000],
        [{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '7' }, 7_000],
        [{ 'x-ratelimit-remaining': '3', 'x-ratelimit-reset': '7' }, undefined],
      ] as [Record<string, string>, number | undefined][]
    ).map(
      ([headers, wait]): Answered => [
        JSON.stringify(headers),
        'openai',
        429,
        { error: { message: 'slow' } },
        headers,
        ['asks to slow down (429): slow', true, wait],
      ],
    ),
  ])('has the words and the wait of %s', async (_, kind, status, body, headers, expected) => {
    expect(await ask(kind, { status, body, headers })).toEqual([expected[0], expected[1], expected[2]]);
  });
});

describe('an error in the middle of a stream', () => {
  const delta = (content: string, finish_reason: string | null = null) => ({
    id: 'c',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta: { content }, finish_reason }],
  });
  const begun = { id: 'm', type: 'message', role: 'assistant', model: 'c', content: [], stop_reason: null };
  const overloaded = { type: 'overloaded_error', message: 'Overloaded' };
  it.each<[string, ProviderConfig['kind'], Given, [string, boolean]]>([
    [
      'openai-compatible',
      'openai-compatible',
      { events: [delta('Hi'), { error: { code: 429, message: 'Limit hit' } }] },
      ['asks to slow down (429): Limit hit', true],
    ],
    [
      'OpenRouter',
      'openai-compatible',
      { events: [delta('Hi'), { ...delta('', 'error'), error: { code: 502, message: 'Disconnected' } }] },
      ['failed (502): Disconnected', true],
    ],
    [
      'OpenAI',
      'openai',
      {
        events: [
          delta('Hi'),
          { error: { message: 'An error', type: 'server_error', code: null, param: null } },
        ],
      },
      ['failed (500): An error', true],
    ],
    [
      'Anthropic',
      'anthropic',
      {
        events: [
          { type: 'message_start', message: { ...begun, usage: { input_tokens: 1, output_tokens: 1 } } },
          { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
          { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } },
          { type: 'error', error: overloaded },
        ],
      },
      ['failed (529): Overloaded', true],
    ],
    [
      'Google',
      'google',
      {
        events: [
          { candidates: [{ content: { parts: [{ text: 'Hi' }], role: 'model' } }] },
          { error: { code: 503, message: 'Overloaded', status: 'UNAVAILABLE' } },
        ],
      },
      ['failed (503): Overloaded', true],
    ],
    [
      'a server that answers without a stream',
      'openai-compatible',
      { body: { error: { code: 429, message: 'Limit hit' } } },
      ['asks to slow down (429): Limit hit', true],
    ],
    [
      'a server that ends too early',
      'openai-compatible',
      { events: [delta('Hi')] },
      ['gives an answer that is not a model’s reply', true],
    ],
    [
      'a connection that breaks',
      'openai-compatible',
      { events: [delta('Hi')], cut: true },
      [
        "can't be reached (ECONNRESET): see whether it runs and its base URL is right; it is tried again",
        true,
      ],
    ],
  ])('is that of %s, and is tried again', async (_, kind, answer, [error, retryable]) => {
    expect(await ask(kind, answer, () => {})).toEqual([error, retryable, undefined]);
  });
});

describe('Ollama', () => {
  // The words of Ollama's own answers at /v1/chat/completions.
  const said = (message: string) => ({ error: { message, type: 'api_error', param: null, code: null } });
  it.each<[number, unknown, [string, boolean]]>([
    [
      404,
      said('model "m" not found, try pulling it first'),
      [
        "has no model 'm' (404): get it with `ollama pull m` on its machine, then retry the scores that failed",
        false,
      ],
    ],
    [
      500,
      said('model requires more system memory (5.5 GiB) than is available (3.2 GiB)'),
      [
        "has too little memory for 'm' (500): model requires more system memory (5.5 GiB) than is available (3.2 GiB). Take a smaller model, or end what else uses the memory; it is tried again",
        true,
      ],
    ],
    [
      500,
      said('llama runner process has terminated: exit status 2'),
      [
        "can't load 'm' (500): llama runner process has terminated: exit status 2. See what its own log says; `ollama pull m` mends a file that is damaged; it is tried again",
        true,
      ],
    ],
  ])('says what to do about %s', async (status, body, expected) => {
    expect((await ask('openai-compatible', { status, body }, undefined, 'ollama'))?.slice(0, 2)).toEqual(
      expected,
    );
  });

  it('without /v1 in its base URL, and where it does not run', async () => {
    const missing = await ask(
      'openai-compatible',
      { status: 404, body: '404 page not found' },
      undefined,
      'ollama',
    );
    expect(missing?.[0]).toContain('the one of Ollama ends with /v1');
    const down = await ask('openai-compatible', {}, undefined, 'ollama', 'http://127.0.0.1:1/v1');
    expect(down?.slice(0, 2)).toEqual([
      "can't be reached (ECONNREFUSED): start it with `ollama serve`, or correct its base URL; it is tried again",
      true,
    ]);
  });
});
