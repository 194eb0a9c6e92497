import { describe, expect, it } from 'vitest';
import { asker } from '../../../test/asker.ts';
import { no, openBench, yes } from '../../../test/judge-bench.ts';
import type { Behaviour } from '../../../test/model-server.ts';
import type { JudgeConfig } from './judge-prompt.ts';

const { openai, anthropic, judge, apiKey, providers, config, data, ask, askOf } = await openBench();

describe('a judgement', () => {
  it('is the verdict of the model, with all that is needed to audit it', async () => {
    openai.answer({ reply: yes });
    const outcome = await ask({ evalModelName: 'gpt-4o', temperature: 0.5 });
    expect(outcome).toEqual({
      state: 'scored',
      verdict: { value: true, reasoning: 'It is.' },
      evidence: {
        modelAsked: 'gpt-4o',
        modelAnswered: 'gpt-4o-2025-01-01',
        prompt: expect.stringMatching(
          /^\[system\]\n[\s\S]*\n\n\[user\]\nIs <untrusted-(\w+)>4<\/untrusted-\1> the answer to <untrusted-\1>2 \+ 2\?<\/untrusted-\1>\? Be exact\.\n\nThe marks [^\n]*$/,
        ),
        rawReply: JSON.stringify(yes),
        finishReason: 'stop',
        schemaSent: true,
        temperatureSent: 0.5,
        inputTokens: 100,
        outputTokens: 20,
        costUsd: (100 * 2.5 + 20 * 10) / 1e6,
        latencyMs: expect.any(Number),
        attempts: 1,
        inputHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
      spent: { inputTokens: 100, outputTokens: 20, costUsd: (100 * 2.5 + 20 * 10) / 1e6 },
    });
    const [request] = openai.received;
    expect(request!.headers.authorization).toBe(`Bearer ${apiKey}`);
    expect(request!.body).toMatchObject({ model: 'gpt-4o', temperature: 0.5 });
    expect(request!.body).not.toHaveProperty('top_p');
    const { schema } = (request!.body.response_format as { json_schema: { schema: { properties: object } } })
      .json_schema;
    expect(Object.keys(schema.properties)).toEqual(['reasoning', 'binaryScore']);
    if (outcome.state !== 'scored') throw new Error(outcome.state);
    expect(outcome.evidence.prompt).toBe(
      `[system]\n${request!.system}\n\n[user]\n${request!.messages.join()}`,
    );
  });
});

describe('the temperature', () => {
  it('is left out, and from then on at once, for a model that refuses it', async () => {
    const outcomes = [];
    for (let i = 0; i < 2; i++) outcomes.push(await askOf({ refuses: ['temperature'], reply: yes }));
    expect(outcomes).toMatchObject([
      { state: 'scored', evidence: { temperatureSent: null, attempts: 2, inputTokens: 100 } },
      { state: 'scored', evidence: { temperatureSent: null, attempts: 1 } },
    ]);
  });

  it.each(['o3-mini', 'gpt-5-mini', 'local/o1', 'local/openai/gpt-5'])(
    'is never sent to %s',
    async (evalModelName) => {
      expect(await askOf({ refuses: ['temperature'], reply: yes }, { evalModelName })).toMatchObject({
        state: 'scored',
        evidence: { attempts: 1, temperatureSent: null },
      });
    },
  );
});

describe('a server that knows no structured output', () => {
  it.each([
    { refuses: ['json_schema'] },
    { refuses: ['response_format'] },
    { refuses: ['response_format'], refusal: 'bad request' },
    { refuses: ['response_format', 'top_p', 'temperature'] },
  ] as Behaviour[])('is asked in words alone, and from then on at once: %j', async (behaviour) => {
    const first = await askOf({ ...behaviour, reply: yes });
    const second = await askOf({ ...behaviour, reply: yes });
    expect([first, second]).toMatchObject([
      { state: 'scored', verdict: { value: true } },
      { state: 'scored', evidence: { attempts: 1 } },
    ]);
    expect(openai.received.at(-1)!.body).not.toHaveProperty('response_format');
    expect(openai.received.at(-1)!.system).toContain('"binaryScore"');
  });

  it('is asked with a schema again when a request failed for another reason', async () => {
    openai.answer({ status: 400, body: '{"error":{"message":"context too long"}}' });
    expect(await ask()).toMatchObject({ state: 'failed', retryable: false });
    openai.answer({ reply: yes });
    await ask();
    expect(openai.received.at(-1)!.body).toHaveProperty('response_format');
  });

  it.each([
    `Sure! Here is my verdict:\n\`\`\`json\n${JSON.stringify(yes)}\n\`\`\`\nAnything else?`,
    `<think>{"reasoning":"draft","binaryScore":false}</think>${JSON.stringify(yes)}`,
    JSON.stringify({ ...yes, confidence: 0.9 }, null, 2),
  ])('may wrap its verdict: %j', async (reply) => {
    expect(await askOf({ reply })).toMatchObject({
      state: 'scored',
      verdict: { value: true, reasoning: 'It is.' },
      evidence: { attempts: 1 },
    });
  });
});

it('holds an integer to its five values where the model can be held to a schema', async () => {
  await askOf({ reply: { reasoning: 'r', intScore: 3 } }, { outputType: 'int' });
  expect(openai.received[0]!.body.response_format).toMatchObject({
    json_schema: { schema: { properties: { intScore: { type: 'integer', enum: [1, 2, 3, 4, 5] } } } },
  });
});

describe('a reply that is not a verdict', () => {
  it('is repaired once', async () => {
    const outcome = await askOf([{ reply: 'Yes, it is.' }, { reply: yes }]);
    expect(outcome).toMatchObject({
      state: 'scored',
      verdict: { value: true },
      evidence: { attempts: 2, inputTokens: 200, rawReply: `Yes, it is.\n\n${JSON.stringify(yes)}` },
    });
    const [, told, problem] = openai.received[1]!.messages;
    expect(told).toBe('Yes, it is.');
    expect(problem).toContain('it holds no JSON object');
  });

  const noVerdicts: [JudgeConfig['outputType'], unknown][] = [
    ['boolean', ''],
    ['boolean', 'No.'],
    ['boolean', 'false'],
    ['boolean', '[{"reasoning":"r","binaryScore":"true"}]'],
    ['boolean', '{"reasoning":"r","binaryScore":false'],
    ['boolean', `${JSON.stringify(yes)} or rather ${JSON.stringify(no)}`],
    ['boolean', { reasoning: 'r' }],
    ['boolean', { binaryScore: true }],
    ['boolean', { reasoning: 'r', binaryScore: 'true' }],
    ['boolean', { reasoning: 'r', binaryScore: 1 }],
    ['boolean', { reasoning: 'r', binaryScore: null }],
    ['boolean', { reasoning: 'r', binaryScore: true, intScore: 5 }],
    ['boolean', { reasoning: 'r', intScore: 5 }],
    ['boolean', `{"reasoning":"${'x'.repeat(100_001)}","binaryScore":true}`],
    ['int', { reasoning: 'r', intScore: 0 }],
    ['int', { reasoning: 'r', intScore: 6 }],
    ['int', { reasoning: 'r', intScore: 3.5 }],
    ['int', { reasoning: 'r', intScore: '4' }],
    ['float', { reasoning: 'r', floatScore: 1.01 }],
    ['float', { reasoning: 'r', floatScore: -0.1 }],
    ['float', '{"reasoning":"r","floatScore":NaN}'],
    ['float', { reasoning: 'r', floatScore: '0.5' }],
  ];
  it.each(noVerdicts.map(([type, reply]) => [type, JSON.stringify(reply).slice(0, 80), reply] as const))(
    'never becomes a score: %s, %s',
    async (outputType, _, reply) => {
      const outcome = await askOf({ reply: reply as string | object }, { outputType });
      const raw = typeof reply === 'string' ? reply : JSON.stringify(reply);
      expect(outcome).toMatchObject({
        state: 'unscored',
        reason: 'invalid_judge_output',
        evidence: { attempts: 2, rawReply: `${raw}\n\n${raw}` },
      });
    },
  );

  it('is distinguished from a model that refuses to judge', async () => {
    expect(await askOf({ reply: '', finish: 'content_filter' })).toMatchObject({
      state: 'unscored',
      reason: 'judge_refused',
      evidence: { attempts: 1 },
    });
  });
});

it.each([
  ['int', 'intScore', 1],
  ['int', 'intScore', 5],
  ['float', 'floatScore', 0],
  ['float', 'floatScore', 1],
  ['boolean', 'binaryScore', false],
] as const)('%s verdicts reach their bounds: %s %s', async (outputType, field, value) => {
  expect(await askOf({ reply: { reasoning: 'r', [field]: value } }, { outputType })).toMatchObject({
    state: 'scored',
    verdict: { value },
  });
});

describe('Anthropic', () => {
  it('is asked in its own way, and judges the same', async () => {
    anthropic.answer({ reply: { reasoning: 'Close.', intScore: 4 } });
    expect(await ask({ evalModelName: 'claude-sonnet-4-5', outputType: 'int' })).toMatchObject({
      state: 'scored',
      verdict: { value: 4, reasoning: 'Close.' },
      evidence: { modelAnswered: 'claude-sonnet-4-5-2025-01-01', costUsd: (100 * 3 + 20 * 15) / 1e6 },
    });
    expect(anthropic.received[0]!.headers['x-api-key']).toBe(apiKey);
  });
});

describe('repeats', () => {
  const votes = (...values: boolean[]): Behaviour[] =>
    values.map((binaryScore, i) => ({ reply: { reasoning: `vote ${i + 1}`, binaryScore } }));

  it('give the majority with a reason of that side, and keep the votes and their disagreement', async () => {
    const outcome = await askOf(votes(false, true, true), { judgeRepeats: 3 });
    expect(outcome).toMatchObject({
      state: 'scored',
      verdict: { value: true, reasoning: 'vote 2' },
      evidence: {
        attempts: 3,
        inputTokens: 300,
        disagreement: 1,
        votes: [{ value: false }, { value: true }, { value: true }],
      },
    });
  });

  it('give the median of numbers', async () => {
    const numbers = [5, 1, 4, 4, 2].map((intScore) => ({ reply: { reasoning: 'r', intScore } }));
    expect(await askOf(numbers, { judgeRepeats: 5, outputType: 'int' })).toMatchObject({
      verdict: { value: 4 },
      evidence: { disagreement: 1 },
    });
  });

  it("leave out a vote that can't be read, and give no score when half of them can't", async () => {
    const [, no2, yes3] = votes(true, false, true) as [Behaviour, Behaviour, Behaviour];
    const unreadable = [{ reply: 'a' }, { reply: 'b' }];
    const more = { judgeRepeats: 3 };
    expect(await askOf([...unreadable, yes3, yes3], more)).toMatchObject({
      state: 'scored',
      verdict: { value: true },
    });
    expect(await askOf([...unreadable, no2, yes3], more)).toMatchObject({
      state: 'unscored',
      reason: 'no_majority',
    });
    expect(await askOf([...unreadable, ...unreadable, yes3], more)).toMatchObject({
      reason: 'invalid_judge_output',
    });
  });

  it('fail when one call fails, and the votes stay in the evidence', async () => {
    expect(await askOf([{ reply: yes }, { status: 503 }], { judgeRepeats: 3 })).toMatchObject({
      state: 'failed',
      retryable: true,
      evidence: { attempts: 2, votes: [{ value: true }] },
    });
  });
});

describe('the input hash', () => {
  const hashOf = async (changes: Partial<JudgeConfig>, outputs?: Record<string, unknown>) => {
    const outcome = await ask(changes, outputs);
    if (outcome.state !== 'scored') throw new Error(JSON.stringify(outcome));
    return outcome.evidence.inputHash;
  };

  it('is the same for the same input, as is the prompt, and another for anything else', async () => {
    openai.answer(({ system }) => ({
      reply: {
        reasoning: 'r',
        [/"(\w+Score)"/.exec(system)![1]!]: system.includes('binaryScore') ? true : 1,
      },
    }));
    const first = await hashOf({});
    expect(await hashOf({})).toBe(first);
    expect(openai.received[0]!.body).toEqual(openai.received[1]!.body);
    const others = await Promise.all([
      hashOf({ temperature: 0.1 }),
      hashOf({ guidelines: 'Be kind.' }),
      hashOf({ evalModelName: 'local/other' }),
      hashOf({ evalModelName: 'openai/tiny' }),
      hashOf({ outputType: 'int' }),
      hashOf({ judgeRepeats: 3 }),
      hashOf({ promptTemplate: `${config.promptTemplate} ` }),
      hashOf({}, { answer: '4', other: 1 }),
    ]);
    const elsewhere = providers.map((provider) => ({ ...provider, baseUrl: `${provider.baseUrl}/` }));
    const moved = await judge().judge(config, data, elsewhere, asker);
    expect(moved.evidence!.inputHash).toMatch(/^[0-9a-f]{64}$/);
    expect(new Set([first, moved.evidence!.inputHash, ...others]).size).toBe(others.length + 2);
  });

  it('finds an earlier verdict at temperature 0, and costs nothing then', async () => {
    openai.answer({ reply: yes });
    const first = await ask();
    if (first.state !== 'scored') throw new Error(first.state);
    openai.received.length = 0;
    const reuse = async (hash: string) => (hash === first.evidence.inputHash ? first : undefined);
    expect(await ask({}, undefined, { reuse })).toMatchObject({
      state: 'scored',
      verdict: first.verdict,
      evidence: { reused: true, attempts: 0, costUsd: 0, inputTokens: 0, rawReply: JSON.stringify(yes) },
    });
    expect(openai.received).toEqual([]);
    await ask({ temperature: 0.5 }, undefined, { reuse: async () => first });
    expect(openai.received).toHaveLength(1);
  });
});

describe('the fake provider', () => {
  it('makes up the same verdict for the same prompt, says so, and needs its name to be asked', async () => {
    for (const outputType of ['boolean', 'int', 'float'] as const) {
      const [first, second] = [
        await ask({ evalModelName: 'fake/judge', outputType }),
        await ask({ evalModelName: 'fake/judge', outputType }),
      ];
      if (first.state !== 'scored' || second.state !== 'scored') throw new Error(JSON.stringify(first));
      expect(second.verdict).toEqual(first.verdict);
      expect(first.verdict.reasoning).toContain('Made up by the fake provider');
      expect(first.evidence.modelAnswered).toBe('fake/judge');
    }
    const values = new Set<unknown>();
    for (let i = 0; i < 20; i++) {
      const outcome = await ask({ evalModelName: 'fake/judge', outputType: 'int' }, { answer: String(i) });
      if (outcome.state === 'scored') values.add(outcome.verdict.value);
    }
    expect(values.size).toBeGreaterThan(2);
  });
});
