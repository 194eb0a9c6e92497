import { describe, expect, it } from 'vitest';
import { asker } from '../../../test/asker.ts';
import { openBench, yes } from '../../../test/judge-bench.ts';
import { type Behaviour, openOpenAiServer } from '../../../test/model-server.ts';
import { openAllowedAddresses } from '../../engine/models/allowed-addresses.ts';
import type { ProviderConfig } from '../../engine/models/provider.ts';

const { openai, anthropic, open, judge, apiKey, providers, config, data, ask, askOf } = await openBench();

describe('a record or metric that gives no question', () => {
  it('is not sent to the model', async () => {
    openai.answer({ reply: yes });
    expect(await ask({ promptTemplate: '{{outputs.other}}' })).toEqual({
      state: 'unscored',
      reason: 'missing_placeholder: outputs.other',
    });
    expect(await ask({ promptTemplate: '{% for %}' })).toMatchObject({ state: 'failed', retryable: false });
    expect(openai.received).toEqual([]);
  });

  it.each([
    ['gpt-4o-mini', [], /set OPENAI_API_KEY/],
    ['claude-sonnet-4-5', [], /set ANTHROPIC_API_KEY/],
    ['gemini-2.5-flash', [], /set GOOGLE_GENERATIVE_AI_API_KEY/],
    ['ollama/gemma3', [], /add an OpenAI-compatible provider of that name/],
    [
      'azure/x',
      [{ name: 'azure', kind: 'azure', apiKey, maxConcurrency: 1 }],
      /is not complete: .*resource name/,
    ],
    ['tiny', [], /write it as provider\/model/],
  ] as [string, ProviderConfig[], RegExp][])(
    'without a provider %s fails with what to set',
    async (evalModelName, own, told) => {
      const outcome = await judge().judge({ ...config, evalModelName }, data, own, asker);
      expect(outcome).toMatchObject({
        state: 'failed',
        retryable: false,
        error: expect.stringMatching(told),
      });
    },
  );
});

describe('a provider in trouble', () => {
  it.each([
    [408, true],
    [409, true],
    [425, true],
    [429, true],
    [500, true],
    [502, true],
    [503, true],
    [529, true],
    [400, false],
    [401, false],
    [402, true],
    [403, false],
    [404, false],
    [422, false],
  ])('%i is retryable: %s, is asked once, and never quotes the key', async (status, retryable) => {
    const body = JSON.stringify({ error: { message: `Key ${apiKey} is no good`, type: 'x' } });
    openai.answer({ status, body });
    anthropic.answer({ status, body });
    for (const evalModelName of ['gpt-4o', 'claude-sonnet-4-5']) {
      const outcome = await ask({ evalModelName });
      expect(outcome).toMatchObject({
        state: 'failed',
        retryable,
        error: expect.stringMatching(new RegExp(`provider '(openai|anthropic)'.*\\(${status}\\)`)),
        evidence: { attempts: 1, costUsd: 0 },
      });
      expect(JSON.stringify(outcome)).not.toContain(apiKey);
    }
  });

  it.each([
    [429, '{"error":{"message":"You exceeded your current quota.","code":"insufficient_quota"}}'],
    [400, '{"error":{"message":"Your credit balance is too low to access the API."}}'],
    [402, '{"error":{"message":"Pay first."}}'],
    [403, '{"error":{"message":"Billing hard limit has been reached","code":"billing_hard_limit_reached"}}'],
  ])('%i of a used up quota says so and what to do, and can be retried: %s', async (status, body) => {
    expect(await askOf({ status, body })).toMatchObject({
      state: 'failed',
      retryable: true,
      error: expect.stringMatching(/its quota or credit is used up \(\d+\).*Add to it or raise its limit/),
    });
  });

  it.each([
    [400, 'API key not valid. Please pass a valid API key.'],
    [400, 'API Key not found. Please pass a valid API key.'],
    [400, 'Incorrect API key provided: xa***zz.'],
    [403, 'The security token included in the request is invalid.'],
  ])('%i of a wrong key (%s) says so, and is asked once', async (status, message) => {
    openai.answer({ status, body: JSON.stringify({ error: { message } }) });
    openai.received.length = 0;
    for (const evalModelName of ['gpt-4o', 'local/any']) {
      expect(await ask({ evalModelName })).toMatchObject({
        state: 'failed',
        retryable: false,
        refuses: true,
        error: expect.stringContaining(`refuses the API key (${status}): set the right one`),
      });
    }
    expect(openai.received).toHaveLength(2);
  });

  it.each([
    [{ error: { code: 429, message: 'Slow down.' } }, /asks to slow down \(429\): Slow down\./, true],
    [{ error: { code: 'rate_limit_exceeded', message: 'Slow down.' } }, /slow down \(429\)/, true],
    [{ error: { code: 502, message: 'Upstream is down.' } }, /failed \(502\): Upstream is down\./, true],
    [{ error: { type: 'overloaded_error', message: 'Busy.' } }, /failed \(503\): Busy\./, true],
    [{ error: { message: 'Something broke.' } }, /failed \(502\): Something broke\./, true],
    [{ error: 'Something broke.' }, /failed \(502\): Something broke\./, true],
    [{ error: { code: 401, message: 'No.' } }, /refuses the API key \(401\)/, false],
    [
      { error: { type: 'invalid_request_error', message: 'No such field.' } },
      /request \(400\): No such/,
      false,
    ],
    [{ error: { code: 402, message: 'Pay first.' } }, /credit is used up \(402\): Pay first\./, true],
    [{ object: 'error', message: 'CUDA error.', code: 500 }, /failed \(500\): CUDA error\./, true],
    [
      { base_resp: { status_code: 1000, status_msg: 'unknown error' } },
      /failed \(502\): unknown error/,
      true,
    ],
  ])(
    'inside an answer of 200 is that trouble, in the words of the provider: %j',
    async (body, error, retryable) => {
      const outcome = await askOf({ body: JSON.stringify(body) });
      expect(outcome).toMatchObject({ state: 'failed', retryable, error: expect.stringMatching(error) });
    },
  );

  it('that begins after the reply, with a finish reason of its own, is not a bad verdict', async () => {
    expect(await askOf({ reply: '{"reasoning":"It', finish: 'error' })).toMatchObject({
      state: 'failed',
      retryable: true,
      error: "provider 'local' failed (502): the reply ended with an error",
    });
    const choice = { finish_reason: 'error', error: { code: 503, message: 'Upstream is down.' } };
    const body = {
      id: 'c',
      model: 'm',
      choices: [{ index: 0, message: { role: 'assistant', content: '' }, ...choice }],
    };
    expect(await askOf({ body: JSON.stringify(body) })).toMatchObject({
      state: 'failed',
      retryable: true,
      error: "provider 'local' failed (503): Upstream is down.",
    });
  });

  const googleQuota = (quotaId: string) =>
    JSON.stringify({
      error: {
        code: 429,
        message: 'You exceeded your current quota, please check your plan and billing details.',
        status: 'RESOURCE_EXHAUSTED',
        details: [
          { '@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations: [{ quotaId }] },
          { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '8.5s' },
        ],
      },
    });

  it('that names a wait in its body is asked again then, and for a limit of a day not before five minutes', async () => {
    const ofMinute = googleQuota('GenerateRequestsPerMinutePerProjectPerModel-FreeTier');
    expect(await askOf({ status: 429, body: ofMinute })).toMatchObject({
      error: expect.stringMatching(/asks to slow down \(429\)/),
      retryAfterMs: 8_500,
    });
    const ofDay = googleQuota('GenerateRequestsPerDayPerProjectPerModel-FreeTier');
    expect(await askOf({ status: 429, body: ofDay })).toMatchObject({
      error: expect.stringMatching(/quota or credit is used up/),
      retryAfterMs: 300_000,
    });
  });

  it.each([
    ['Rate limit reached. Please try again in 1m2.5s.', 62_500],
    ['Please try again in 350ms.', 350],
    ['Please retry after 20 s.', 20_000],
    ['Please retry soon.', undefined],
  ])('429 that says "%s" is asked again after %s ms', async (message, retryAfterMs) => {
    const outcome = await askOf({ status: 429, body: JSON.stringify({ error: { message } }) });
    expect('retryAfterMs' in outcome ? outcome.retryAfterMs : undefined).toBe(retryAfterMs);
  });

  it('of a used up quota is asked again after five minutes', async () => {
    expect(await askOf({ status: 402, body: '{"error":{"message":"Pay first."}}' })).toMatchObject({
      retryAfterMs: 300_000,
    });
  });

  it.each([
    [
      400,
      { error: { code: 'data_inspection_failed', message: 'Input data may contain inappropriate content.' } },
    ],
    [400, { error: { message: 'Content Exists Risk' } }],
    [403, { error: { message: 'Content violates usage guidelines.' } }],
    [400, { error: { message: 'The request was rejected because it was considered high risk' } }],
    [200, { base_resp: { status_code: 1026, status_msg: 'input new_sensitive' } }],
  ])('%i of a filter is a refusal of the record: %j', async (status, body) => {
    expect(await askOf({ status, body: JSON.stringify(body) })).toMatchObject({
      state: 'unscored',
      reason: expect.stringMatching(/judge_refused/),
    });
  });

  it.each([
    'System role not supported',
    'Developer instruction is not enabled for models/gemma-3-27b-it',
    "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
    'Conversation roles must alternate user/assistant/user/assistant/...',
    'Only user and assistant roles are supported!',
  ])('for whom "%s" gets the instructions with the question, also the next time', async (refusal) => {
    openai.received.length = 0;
    const behaviour = { refuses: ['system' as const], refusal, reply: yes };
    expect(await askOf(behaviour)).toMatchObject({ state: 'scored', evidence: { attempts: 2 } });
    const [first, second] = openai.received;
    expect(second!.system).toBe('');
    expect(second!.messages[0]).toBe(`${first!.system}\n\n${first!.messages[0]}`);
    expect(await askOf(behaviour)).toMatchObject({ state: 'scored', evidence: { attempts: 1 } });
  });

  it('400 that quotes a record about money is a fault of that record, not of the quota', async () => {
    const body = JSON.stringify({ detail: [{ msg: 'too long', input: 'Declined: insufficient funds.' }] });
    expect(await askOf({ status: 400, body })).toMatchObject({
      retryable: false,
      error: expect.stringMatching(/refuses the request \(400\)/),
    });
  });

  it.each([
    [{ 'retry-after': '7' }, 7000],
    [{ 'retry-after-ms': '1500', 'retry-after': '2' }, 1500],
    [{ 'retry-after': '999999999' }, 3_600_000],
    [{ 'retry-after': 'soon' }, undefined],
  ])('%j is when to try again', async (headers, retryAfterMs) => {
    const outcome = await askOf({ status: 429, headers: headers as Record<string, string>, body: '{}' });
    if (outcome.state !== 'failed') throw new Error(outcome.state);
    expect(outcome.retryAfterMs).toBe(retryAfterMs);
  });

  it('a Retry-After that is a date counts from now', async () => {
    const date = new Date(Date.now() + 3_000_000).toUTCString();
    const outcome = await askOf({ status: 503, headers: { 'retry-after': date }, body: '{}' });
    if (outcome.state !== 'failed') throw new Error(outcome.state);
    expect(outcome.retryAfterMs).toBeGreaterThan(2_900_000);
    expect(outcome.retryAfterMs).toBeLessThanOrEqual(3_000_000);
  });

  it.each([
    ['garbage', { body: '<html>Welcome</html>' }, /an answer that is not a model’s reply/, true],
    ['JSON of something else', { body: '{"hello":"world"}' }, /an answer that is not a model’s reply/, true],
    ['half an answer', { reply: yes, cut: true }, /broke off its answer|can't be reached/, true],
    [
      'a redirect',
      { status: 307, headers: { location: '/v1/other' } },
      /redirect \(307\), which is not followed/,
      false,
    ],
  ] as [string, Behaviour, RegExp, boolean][])(
    '%s is a failure, not a verdict',
    async (_, behaviour, told, retryable) => {
      const outcome = await askOf(behaviour);
      expect(outcome).toMatchObject({ state: 'failed', retryable, error: expect.stringMatching(told) });
      expect(openai.received).toHaveLength(1);
      // What it has cost is not known.
      if (retryable) expect(outcome.evidence).toMatchObject({ costUsd: null, inputTokens: null });
    },
  );

  it('an answer without end is cut, without growth of memory', async () => {
    const before = process.memoryUsage().rss;
    const outcome = await askOf({ bytes: 1_000_000_000 });
    expect(outcome).toMatchObject({
      state: 'failed',
      retryable: false,
      error: expect.stringContaining('longer than 2000000 bytes'),
    });
    expect(openai.bytesSent()).toBeLessThan(20_000_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
  });

  it('that sends the key back does not get it into the score', async () => {
    const outcome = await askOf({ model: apiKey, reply: { ...yes, reasoning: `The key is ${apiKey}.` } });
    expect(outcome).toMatchObject({ state: 'scored', verdict: { reasoning: 'The key is [secret].' } });
    expect(JSON.stringify(outcome)).not.toContain(apiKey);
    const baseUrl = openai.url.replace('//', '//user:url-password@');
    const own: ProviderConfig = { name: 'local', kind: 'openai-compatible', baseUrl, maxConcurrency: 1 };
    const failed = await judge().judge(config, data, [own], asker);
    expect(failed).toMatchObject({ state: 'failed' });
    expect(JSON.stringify(failed)).not.toContain('url-password');
  });

  it('a server that is not there can be retried', async () => {
    const gone = await openOpenAiServer();
    await gone.close();
    const own: ProviderConfig = {
      name: 'local',
      kind: 'openai-compatible',
      baseUrl: gone.url,
      maxConcurrency: 1,
    };
    expect(await judge().judge(config, data, [own], asker)).toMatchObject({
      state: 'failed',
      retryable: true,
      error: expect.stringContaining("provider 'local' can't be reached (ECONNREFUSED): see whether it runs"),
    });
  });

  it('a slow answer is given up at the time limit, a cancelled one at once', async () => {
    let release = () => {};
    const after = new Promise<void>((resolve) => {
      release = resolve;
    });
    openai.answer({ after, reply: yes });
    const hasty = open({ timeoutMs: 100 });
    const late = await hasty.judge(config, data, providers, asker);
    expect(late).toMatchObject({
      state: 'failed',
      retryable: true,
      error: "provider 'local' took longer than 0.1 s",
    });

    const stop = new AbortController();
    openai.answer(() => {
      stop.abort();
      return { after, reply: yes };
    });
    expect(await ask({}, undefined, { signal: stop.signal })).toMatchObject({
      state: 'failed',
      error: 'cancelled',
    });
    release();
  });

  it('is refused where its address is private, even behind a name, unless the operator allows it', async () => {
    openai.answer({ reply: yes });
    const strict = open({ allowedAddresses: openAllowedAddresses('false') });
    for (const host of [
      '127.0.0.1',
      'localhost',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '169.254.169.254',
      '0x7f.1',
    ]) {
      const baseUrl = openai.url.replace('127.0.0.1', host);
      const own: ProviderConfig = { name: 'local', kind: 'openai-compatible', baseUrl, maxConcurrency: 1 };
      expect(await strict.judge(config, data, [own], asker)).toMatchObject({
        state: 'failed',
        retryable: false,
        error: expect.stringContaining('an address that is not allowed'),
      });
    }
    expect(openai.received).toEqual([]);
  });
});
