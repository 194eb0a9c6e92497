import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { asker } from '../../../test/asker.ts';
import { type Judge, openJudge } from '../../scoring/judges/judge.ts';
import type { JudgeOutcome } from '../../scoring/judges/judge-evidence.ts';
import type { TraceParts } from '../../traces/read/scored-trace.ts';
import { openRenderer } from '../templates/template.ts';
import { openAllowedAddresses } from './allowed-addresses.ts';
import { type Models, openModels } from './ask.ts';
import { loadPrices } from './price-list.ts';
import type { ProviderConfig } from './provider.ts';
import { openProviderHealth } from './provider-health.ts';

/**
 * What each provider is sent and what it answers, in the shapes of its public documentation. No provider is asked: a server of
 * this test answers in its place.
 */

type Request = { url: string; body: Record<string, unknown> };
type Reply = { status?: number; body: object };
const received: Request[] = [];
let replies: Reply[] = [];
const server = createServer(async (request, response) => {
  let text = '';
  for await (const chunk of request) text += chunk;
  received.push({ url: request.url!, body: JSON.parse(text) });
  const { status = 200, body } = replies.length > 1 ? replies.shift()! : replies[0]!;
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const renderer = openRenderer();
const prices = await loadPrices();
let models: Models;
let judge: Judge;
beforeEach(() => {
  received.length = 0;
  models?.close();
  models = openModels({
    health: openProviderHealth(),
    providersOf: async () => [],
    clock: Date.now,
    prices: () => prices,
    allowedAddresses: openAllowedAddresses('true'),
  });
  judge = openJudge({ renderer, models });
});
afterAll(async () => {
  models.close();
  server.close();
  await renderer.close();
});

const verdict = { reasoning: 'It is.', intScore: 4 };
const spoken = JSON.stringify(verdict);

const ask = (kind: ProviderConfig['kind'], model: string, ...answers: Reply[]): Promise<JudgeOutcome> =>
  askAbout({ a: 'this' }, kind, model, answers);

const askAbout = (
  outputs: object,
  kind: ProviderConfig['kind'],
  model: string,
  answers: Reply[],
  trace?: TraceParts,
): Promise<JudgeOutcome> => {
  replies = answers;
  const provider = { name: kind, kind, baseUrl, apiKey: 'a-key', maxConcurrency: 1 };
  return judge.judge(
    {
      outputType: 'int',
      promptTemplate: 'Rate {{ outputs.a }}',
      guidelines: '',
      temperature: 0.5,
      evalModelName: `${kind}/${model}`,
      judgeRepeats: 1,
    },
    {
      inputs: '{}',
      outputs: JSON.stringify(outputs),
      expected: '{}',
      guidelines: '',
      ...(trace && { trace }),
    },
    [{ ...provider, options: { region: 'eu-central-1' } }],
    asker,
  );
};

const openaiReply = (message: object, finish_reason = 'stop') => ({
  body: {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_700_000_000,
    model: 'gpt-4o-2024-08-06',
    choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason }],
    usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
  },
});
const anthropicReply = (text: string, stop_reason = 'end_turn') => ({
  body: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-4-5-20250929',
    content: [{ type: 'text', text }],
    stop_reason,
    stop_sequence: null,
    usage: { input_tokens: 100, output_tokens: 20 },
  },
});
const googleReply = (candidate: object) => ({
  body: {
    candidates: [{ index: 0, ...candidate }],
    // Thoughts are paid for as output.
    usageMetadata: {
      promptTokenCount: 100,
      candidatesTokenCount: 15,
      thoughtsTokenCount: 5,
      totalTokenCount: 120,
    },
    modelVersion: 'gemini-2.5-flash',
    responseId: 'r1',
  },
});
const bedrockReply = (content: object, stopReason: string) => ({
  body: {
    output: { message: { role: 'assistant', content: [content] } },
    stopReason,
    usage: { inputTokens: 100, outputTokens: 20, totalTokens: 120 },
    metrics: { latencyMs: 900 },
  },
});
const toolUse = { toolUse: { toolUseId: 'tooluse_1', name: 'json', input: verdict } };

describe('a verdict', () => {
  it.each([
    [
      'openai',
      'gpt-4o',
      openaiReply({ content: spoken, refusal: null }),
      '/chat/completions',
      'gpt-4o-2024-08-06',
    ],
    ['azure', 'our-gpt', openaiReply({ content: spoken }), '/chat/completions', 'gpt-4o-2024-08-06'],
    [
      'openai-compatible',
      'gemma',
      openaiReply({ content: spoken }),
      '/chat/completions',
      'gpt-4o-2024-08-06',
    ],
    ['anthropic', 'claude-sonnet-4-5', anthropicReply(spoken), '/messages', 'claude-sonnet-4-5-20250929'],
    [
      'google',
      'gemini-2.5-flash',
      googleReply({ content: { role: 'model', parts: [{ text: spoken }] }, finishReason: 'STOP' }),
      '/models/gemini-2.5-flash:generateContent',
      'gemini-2.5-flash',
    ],
    // Bedrock does not say which model answered.
    ['bedrock', 'meta.llama3-3-70b-instruct-v1:0', bedrockReply(toolUse, 'tool_use'), '/converse', null],
  ] as [ProviderConfig['kind'], string, Reply, string, string | null][])(
    'of %s is read with its tokens and the model that answered, and was asked for with system message, temperature and schema',
    async (kind, model, reply, path, modelAnswered) => {
      const outcome = await ask(kind, model, reply);
      expect(outcome).toMatchObject({
        state: 'scored',
        verdict: { value: 4, reasoning: 'It is.' },
        evidence: { modelAnswered, inputTokens: 100, outputTokens: 20, attempts: 1, temperatureSent: 0.5 },
      });
      const [{ url, body }] = received as [Request];
      expect(url).toMatch(new RegExp(`${path}$`));
      const sent = JSON.stringify(body);
      for (const part of [
        'You are an impartial judge',
        'Rate <untrusted-',
        '"temperature":0.5',
        '"intScore":{',
      ])
        expect(sent).toContain(part);
    },
  );

  it.each([
    [
      'openai',
      'gpt-4o',
      { prompt_tokens: 1_000, completion_tokens: 10, prompt_tokens_details: { cached_tokens: 900 } },
    ],
    [
      'anthropic',
      'claude-sonnet-4-5',
      { input_tokens: 100, cache_read_input_tokens: 900, output_tokens: 10 },
    ],
    [
      'google',
      'gemini-2.5-flash',
      { promptTokenCount: 1_000, cachedContentTokenCount: 900, candidatesTokenCount: 10 },
    ],
  ] as [ProviderConfig['kind'], string, object][])(
    'of %s with nine of ten tokens from the cache costs what the provider bills',
    async (kind, model, usage) => {
      const parts = [{ text: spoken }];
      const { body } = {
        openai: openaiReply({ content: spoken }),
        anthropic: anthropicReply(spoken),
        google: googleReply({ content: { role: 'model', parts }, finishReason: 'STOP' }),
      }[kind as 'openai'];
      const outcome = await ask(kind, model, { body: { ...body, usage, usageMetadata: usage } });
      const { input, cachedInput, output } = prices.models[`${kind}/${model}`]!;
      expect(outcome).toMatchObject({ evidence: { inputTokens: 1_000, outputTokens: 10 } });
      expect(outcome.evidence!.costUsd).toBeCloseTo(
        (100 * input + 900 * cachedInput! + 10 * output) / 1e6,
        12,
      );
    },
  );

  it('of a router costs what its answer says', async () => {
    const usage = { prompt_tokens: 1_000, completion_tokens: 10, cost: 0.00123 };
    const { body } = openaiReply({ content: spoken });
    const outcome = await ask('openai-compatible', 'vendor/model', { body: { ...body, usage } });
    expect(outcome).toMatchObject({ evidence: { costUsd: 0.00123 } });
  });

  it.each([
    ['amazon.nova-pro-v1:0', "This model doesn't support the toolConfig.toolChoice.any field. Remove it."],
    ['deepseek.r1-v1:0', "This model doesn't support tool use."],
  ])(
    'of %s on Bedrock, which can not be made to call a tool, is asked for in words',
    async (model, message) => {
      const answer = bedrockReply({ text: spoken }, 'end_turn');
      const outcome = await ask('bedrock', model, { status: 400, body: { message } }, answer);
      expect(outcome).toMatchObject({ state: 'scored', verdict: { value: 4 } });
      expect(received.map(({ body }) => 'toolConfig' in body)).toEqual([true, false]);
    },
  );

  it('of a Gemma of Google, which knows no JSON mode, is asked for in words', async () => {
    const refusal = { error: { code: 400, message: 'JSON mode is not enabled for models/gemma-3-27b-it' } };
    const answer = googleReply({
      content: { role: 'model', parts: [{ text: spoken }] },
      finishReason: 'STOP',
    });
    const outcome = await ask('google', 'gemma-3-27b-it', { status: 400, body: refusal }, answer);
    expect(outcome).toMatchObject({ state: 'scored', verdict: { value: 4 } });
  });
});

describe('a walk through a long trace', () => {
  const spanId = 'ab'.repeat(8);
  /** The tools of a long trace, whose only span says what was refunded. */
  const walk = {
    digest: 'd',
    numSpans: 500,
    list: async () => `1 spans\n1 ${spanId} depth 0 tool`,
    read: async (id: string) => `Span ${id}: refunded 9999`,
    search: async () => '0 of the spans',
    check: async (id: string, quote: string) => ({ traceId: 'cd'.repeat(16), spanId: id, quote }),
  };
  const turn = (more: object) => ({ reasoning: 'I read.', calls: [], evidence: [], intScore: null, ...more });
  const turns = [
    turn({ calls: [{ tool: 'read_span', argument: spanId, from: 0 }] }),
    turn({ intScore: 2, evidence: [{ spanId, quote: 'refunded 9999' }] }),
  ];
  const text = (body: object) => JSON.stringify(body);
  type Message = { role: string; content?: unknown; parts?: { text: string }[] };
  const google = (said: object) =>
    googleReply({ content: { role: 'model', parts: [{ text: text(said) }] }, finishReason: 'STOP' });
  const bedrock = (said: object) =>
    bedrockReply({ toolUse: { toolUseId: 't', name: 'json', input: said } }, 'tool_use');
  /** Where each provider takes the schema of a turn and its messages, and what their roles are called. */
  const shapes: [
    ProviderConfig['kind'],
    string,
    (said: object) => Reply,
    (body: Request['body']) => unknown,
    (body: Request['body']) => Message[],
    string[],
  ][] = [
    [
      'anthropic',
      'claude-sonnet-4-5',
      (said) => anthropicReply(text(said)),
      ({ output_config, output_format }) =>
        ((output_config as { format?: object } | undefined)?.format ?? output_format ?? {}) as object,
      ({ messages }) => messages as Message[],
      ['user', 'assistant', 'user'],
    ],
    [
      'google',
      'gemini-2.5-flash',
      google,
      ({ generationConfig }) => (generationConfig as { responseJsonSchema: object }).responseJsonSchema,
      ({ contents }) => contents as Message[],
      ['user', 'model', 'user'],
    ],
    [
      'openai',
      'gpt-4o',
      (said) => openaiReply({ content: text(said), refusal: null }),
      ({ response_format }) => response_format,
      ({ messages }) => (messages as Message[]).slice(1),
      ['user', 'assistant', 'user'],
    ],
    [
      'bedrock',
      'meta.llama3-3-70b-instruct-v1:0',
      bedrock,
      ({ toolConfig }) => toolConfig,
      ({ messages }) => messages as Message[],
      ['user', 'assistant', 'user'],
    ],
  ];
  it.each(shapes)(
    'of %s sends the tools as the schema of a turn, and their answers as the next message',
    async (kind, model, reply, schemaIn, messagesIn, roles) => {
      const trace = { texts: { trace: '[]' }, evidence: { numSpans: 500, cut: [] }, walk };
      const outcome = await askAbout({ a: 'this' }, kind, model, turns.map(reply), trace);
      expect(outcome).toMatchObject({
        state: 'scored',
        verdict: { value: 2, evidence: [{ spanId, quote: 'refunded 9999' }] },
        evidence: { inputTokens: 200, outputTokens: 40, walk: { calls: [{ tool: 'read_span' }] } },
      });
      expect(received).toHaveLength(2);
      for (const { body } of received) {
        const schema = text(schemaIn(body) as object);
        for (const part of [
          '"calls"',
          '"list_spans","read_span","search_spans"',
          '"evidence"',
          '"spanId"',
          '"intScore"',
        ])
          expect(schema).toContain(part);
      }
      const sent = messagesIn(received[1]!.body);
      expect(sent.map(({ role }) => role)).toEqual(roles);
      const [, said, answer] = sent.map((message) => text(message));
      expect(said).toContain('read_span');
      expect(answer).toContain(`Span ${spanId}: refunded 9999</untrusted-`);
      expect(answer).toContain('23 calls are left.');
    },
  );
});

describe('a record that a provider does not let its model judge', () => {
  const azureFilter = {
    error: {
      message:
        "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
      type: null,
      param: 'prompt',
      code: 'content_filter',
      status: 400,
      innererror: { code: 'ResponsibleAIPolicyViolation' },
    },
  };
  it.each([
    ['openai by its filter', 'openai', openaiReply({ content: '' }, 'content_filter')],
    ['openai by a refusal', 'openai', openaiReply({ content: null, refusal: "I'm sorry, I can't." })],
    ['azure by its filter of prompts', 'azure', { status: 400, body: azureFilter }],
    ['azure by its filter of replies', 'azure', openaiReply({ content: '' }, 'content_filter')],
    ['anthropic', 'anthropic', anthropicReply('', 'refusal')],
    ['google by the prompt', 'google', { body: { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } } }],
    ['google by the reply', 'google', googleReply({ finishReason: 'SAFETY' })],
    ['bedrock by a guardrail', 'bedrock', bedrockReply({ text: 'Blocked.' }, 'guardrail_intervened')],
    ['bedrock by its filter', 'bedrock', bedrockReply({ text: '' }, 'content_filtered')],
    [
      'a gateway',
      'openai-compatible',
      { status: 403, body: { error: { code: 403, message: 'Your input was flagged: violence.' } } },
    ],
  ] as [string, ProviderConfig['kind'], Reply][])(
    '%s is unscored, and asked once',
    async (_, kind, reply) => {
      const outcome = await ask(kind, 'model', reply);
      expect(outcome).toMatchObject({ state: 'unscored', reason: 'judge_refused' });
      expect(received).toHaveLength(1);
    },
  );
});

describe('a record with files', () => {
  const png = 'iVBORw0KGgo=';
  const doc = 'JVBERi0xLjc=';
  const wav = 'UklGRiQAAABXQVZF';
  const given = {
    a: [`data:image/png;base64,${png}`, 'caption', `data:application/pdf;base64,${doc}`],
  };
  const said = (reply: Reply) => [reply] as const;
  const google = googleReply({ content: { role: 'model', parts: [{ text: spoken }] }, finishReason: 'STOP' });
  /** The parts of the user's message, as each provider's documentation has them. */
  const openAiParts = (body: Request['body']) => (body.messages as { content: object[] }[])[1]!.content;
  const withoutText = (parts: object[]) => parts.filter((part) => !('text' in part));
  const openAiFiles = [
    { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } },
    { type: 'file', file: { filename: expect.any(String), file_data: `data:application/pdf;base64,${doc}` } },
  ];
  it.each([
    ['openai', said(openaiReply({ content: spoken })), openAiParts, openAiFiles],
    ['azure', said(openaiReply({ content: spoken })), openAiParts, openAiFiles],
    ['openai-compatible', said(openaiReply({ content: spoken })), openAiParts, openAiFiles],
    [
      'anthropic',
      said(anthropicReply(spoken)),
      (body) => (body.messages as { content: object[] }[])[0]!.content,
      [
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } },
        { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: doc } },
      ],
    ],
    [
      'google',
      said(google),
      (body) => (body.contents as { parts: object[] }[])[0]!.parts,
      [
        { inlineData: { mimeType: 'image/png', data: png } },
        { inlineData: { mimeType: 'application/pdf', data: doc } },
      ],
    ],
    [
      'bedrock',
      said(bedrockReply(toolUse, 'tool_use')),
      (body) => (body.messages as { content: object[] }[])[0]!.content,
      [
        { image: { format: 'png', source: { bytes: png } } },
        { document: { format: 'pdf', name: expect.any(String), source: { bytes: doc } } },
      ],
    ],
  ] as [ProviderConfig['kind'], readonly Reply[], (body: Request['body']) => object[], object[]][])(
    'reaches %s as its own parts, between the marks, and never as base64 in the text',
    async (kind, answers, partsOf, files) => {
      const outcome = await askAbout(given, kind, 'model', [...answers]);
      expect(outcome).toMatchObject({ state: 'scored', verdict: { value: 4 } });
      const parts = partsOf(received[0]!.body);
      expect(withoutText(parts)).toMatchObject(files);
      const texts = parts.flatMap((part) => ('text' in part ? [String(part.text)] : ['*']));
      expect(texts.join('')).not.toContain(png);
      const shape = texts.join('').replaceAll(/untrusted-\w{16}/g, 'untrusted-X');
      expect(shape.split('\n\n')[0]).toBe(
        'Rate <untrusted-X>["[image 1]*", "caption", "[PDF 2]*"]</untrusted-X>',
      );
      expect(outcome.evidence!.media).toMatchObject([
        { mediaType: 'image/png', sizeBytes: 8 },
        { mediaType: 'application/pdf', sizeBytes: 8 },
      ]);
      expect(outcome.evidence!.prompt).not.toContain(png);
    },
  );

  it.each([
    ['openai', said(openaiReply({ content: spoken })), { format: 'wav', data: wav }],
    ['openai-compatible', said(openaiReply({ content: spoken })), { format: 'wav', data: wav }],
    ['google', said(google), { mimeType: 'audio/wav', data: wav }],
  ] as [ProviderConfig['kind'], readonly Reply[], object][])(
    'lets %s hear audio',
    async (kind, answers, part) => {
      const outcome = await askAbout({ a: `data:audio/x-wav;base64,${wav}` }, kind, 'model', [...answers]);
      expect(outcome).toMatchObject({ state: 'scored' });
      const { body } = received[0]!;
      const found =
        kind === 'google' ? (body.contents as { parts: object[] }[])[0]!.parts : openAiParts(body);
      expect(found).toContainEqual(
        kind === 'google' ? { inlineData: part } : { type: 'input_audio', input_audio: part },
      );
    },
  );

  it.each([
    ['anthropic', `data:audio/wav;base64,${wav}`],
    ['bedrock', `data:audio/wav;base64,${wav}`],
    ['openai', 'data:video/mp4;base64,AAAA'],
    ['anthropic', 'data:image/svg+xml;base64,AAAA'],
  ] as [ProviderConfig['kind'], string][])(
    'of a type that %s has no part for is not sent: %s',
    async (kind, a) => {
      const outcome = await askAbout({ a }, kind, 'model', [anthropicReply(spoken)]);
      expect(outcome).toMatchObject({
        state: 'unscored',
        reason: expect.stringMatching(/^media_unsupported: .* take no (audio|video|image)\//),
      });
      expect(received).toEqual([]);
    },
  );

  it.each([
    [
      'openai',
      400,
      { error: { message: 'Invalid content type. image_url is only supported by certain models.' } },
    ],
    ['openai-compatible', 400, { error: { message: 'gemma-3-270m is not a multimodal model' } }],
    ['openai-compatible', 400, { detail: 'messages[1].content must be a string' }],
    [
      'openai-compatible',
      500,
      { error: { message: 'image input is not supported - hint: you may need to provide the mmproj' } },
    ],
    [
      'anthropic',
      400,
      { type: 'error', error: { type: 'invalid_request_error', message: 'Could not process image' } },
    ],
    ['anthropic', 413, { type: 'error', error: { type: 'request_too_large', message: 'Request too large' } }],
    ['google', 400, { error: { code: 400, message: 'Unable to process input image.', status: 'X' } }],
    ['bedrock', 400, { message: "This model doesn't support the image content block." }],
  ] as [ProviderConfig['kind'], number, object][])(
    'that the model of %s refuses with %i is unscored, asked once, with its words',
    async (kind, status, body) => {
      const outcome = await askAbout(given, kind, 'model', [{ status, body }]);
      expect(outcome).toMatchObject({ state: 'unscored', reason: 'media_refused' });
      expect(outcome.evidence!.error).toMatch(/image|multimodal|string|large/i);
      expect(received).toHaveLength(1);
    },
  );
});
