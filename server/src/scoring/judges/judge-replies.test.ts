import { describe, expect, it } from 'vitest';
import { no, openBench, yes } from '../../../test/judge-bench.ts';
import { openProviderHealth } from '../../engine/models/provider-health.ts';
import type { JudgeEvidence } from './judge-evidence.ts';
import { type ModelReply, readVerdict } from './verdict.ts';

const { openai, ask, askOf } = await openBench();
const verdict = JSON.stringify(yes);
const reply = (fields: Partial<ModelReply>): ModelReply => ({
  text: '',
  reasoning: '',
  finishReason: 'stop',
  ...fields,
});

describe('a reply', () => {
  it.each([
    `{" ${verdict}`,
    `{"\n${verdict}`,
    `{ " ${verdict}`,
    `{' ${verdict}`,
    `The set {"a", "b" is open. ${verdict}`,
    `The set {'a', 'b' is open. ${verdict}`,
    `{"a" {"b" {"c" ${verdict}`,
    `It begins with {" and ends with nothing. ${verdict}`,
    `f({"x" ${verdict}`,
    `{"a, "b", c ${verdict}`,
    `{"x"}, then {"y" ${verdict}`,
    `if (s === '{"') return. ${verdict}`,
    `\`{"\` opens an object.\n\`\`\`json\n${verdict}\n\`\`\``,
    `{"${verdict}`,
    `{"unclosed {1, 2} \\frac{1}{2} ${verdict}`,
  ])('after a brace that is never closed is read: %s', (text) => {
    expect(readVerdict(reply({ text }), 'boolean')).toMatchObject({ verdict: { value: true } });
  });

  it.each([
    `{" ${JSON.stringify(no)} ${verdict}`,
    `{" ${verdict} ${JSON.stringify(no)}`,
    `{" ${verdict} ${verdict}`,
    `${JSON.stringify(no)} {" ${verdict}`,
    `{"reasoning": "The output says ${verdict}`,
    `{"reasoning": "stops ${JSON.stringify(no)} then ${verdict}`,
    `{"binaryScore": fal ${verdict}`,
    `{"binaryScore" ${verdict}`,
    `{"verdict": ${verdict}`,
    `{"drafts": [${JSON.stringify(no)}, ${verdict}`,
    `{'quote': '${verdict}`,
    `{" ${verdict} {"reasoning": "On reflection`,
    `{" ${verdict} {"`,
    `{" {"reasoning": "no score"}`,
    `{" {"binaryScore": "true", "reasoning": "a text"}`,
    `{"`.repeat(12) + verdict,
  ])('after a brace that is never closed is no verdict unless it alone fits: %s', (text) => {
    expect(readVerdict(reply({ text }), 'boolean')).toHaveProperty('problem');
  });

  it.each<[string, Partial<ModelReply>]>([
    [
      'in thoughts alone, as a server gives it that takes the whole reply for thoughts',
      { reasoning: verdict },
    ],
    [
      'after thoughts whose opening tag the server gave the model',
      { text: `Is it {"a"}? ${JSON.stringify(no)}</think>\n${verdict}` },
    ],
    ['after <thinking>', { text: `<thinking>${JSON.stringify(no)}</thinking>${verdict}` }],
    ['after [THINK]', { text: `[THINK]${JSON.stringify(no)}[/THINK]${verdict}` }],
    [
      'in the last channel',
      {
        text: `<|channel|>analysis<|message|>${JSON.stringify(no)}<|end|><|channel|>final<|message|>${verdict}`,
      },
    ],
    ...['thought', 'reasoning', 'reflection', 'analysis', 'scratchpad'].map(
      (tag): [string, Partial<ModelReply>] => [
        `after <${tag}>`,
        { text: `\n<${tag}>${JSON.stringify(no)}</${tag}>${verdict}` },
      ],
    ),
    [
      'after two kinds of thoughts',
      { text: `<think>a</think><reasoning>${JSON.stringify(no)}</reasoning>${verdict}` },
    ],
    ...['THINK', 'Thinking', 'seed:think'].map((tag): [string, Partial<ModelReply>] => [
      `after <${tag}>`,
      { text: `<${tag}>${JSON.stringify(no)}</${tag}>${verdict}` },
    ]),
    [
      'after two closing tags alone',
      { text: `A draft: ${JSON.stringify(no)}</think> Again: ${JSON.stringify(no)}</think>${verdict}` },
    ],
    ['with control characters in a text', { text: '{"reasoning":"a\u0000b\u001bc","binaryScore":true}' }],
    ['after ◁think▷', { text: `◁think▷${JSON.stringify(no)}◁/think▷${verdict}` }],
    ['after the thought channel', { text: `<|channel>thought\n${JSON.stringify(no)}<channel|>${verdict}` }],
    ['after a set in braces', { text: `The sets {1, 2} and {"a", "b"} are {x}. ${verdict}` }],
    ['after LaTeX', { text: `It is $\\frac{1}{2}$, so\n${verdict}\nas $\\sqrt{2}$.` }],
    ['after code', { text: `\`\`\`js\nconst f = (x) => { return { a: x, b: "}" } }\n\`\`\`\n${verdict}` }],
    ['after an open brace', { text: `f(x) = { 1 if x > 0\n${verdict}` }],
    [
      'after JSON of the record',
      { text: `The call {"name":"pay","arguments":{"n":1}} is right. ${verdict}` },
    ],
    [
      'after the form that was asked for',
      { text: `{"reasoning": <why>, "binaryScore": <true or false>}\n${verdict}` },
    ],
    ['after a draft of another type', { text: `{"reasoning":"r","binaryScore":"no"} ${verdict}` }],
    ['with a line break in a text', { text: '{"reasoning":"It\nis.","binaryScore":true}' }],
    ['with LaTeX', { text: '{"reasoning":"\\(x\\) is \\leq \\underline{2}","binaryScore":true}' }],
  ])('is read %s', (_, fields) => {
    expect(readVerdict(reply(fields), 'boolean')).toMatchObject({ verdict: { value: true } });
  });

  it('keeps the text that was mended, and takes a quoted tag for what it is', () => {
    const read = (text: string) => readVerdict(reply({ text }), 'boolean');
    expect(read('{"reasoning":"a\nb\t\\(x\\) \\"q\\" \\u00e9","binaryScore":true}')).toEqual({
      verdict: { value: true, reasoning: 'a\nb\t\\(x\\) "q" é' },
    });
    const quoted = { reasoning: 'It ends with </think>{"binaryScore":false}', binaryScore: true };
    expect(read(JSON.stringify(quoted))).toEqual({ verdict: { value: true, reasoning: quoted.reasoning } });
  });

  it.each<[string, Partial<ModelReply>, RegExp]>([
    ['cut off, even after a verdict', { text: verdict, finishReason: 'length' }, /cut off/],
    [
      'whose thoughts do not end',
      { text: `<think>I must consider ${JSON.stringify(no)}` },
      /thoughts do not end/,
    ],
    [
      'with the score twice',
      { text: '{"reasoning":"r","binaryScore":true,"binaryScore":false}' },
      /binaryScore twice/,
    ],
    [
      'with the score twice, once escaped',
      { text: '{"reasoning":"r","binaryScore":true,"binary\\u0053core":false}' },
      /binaryScore twice/,
    ],
    ['that breaks off', { text: '{"reasoning":"r","binaryScore":tr' }, /does not end/],
    ['with a trailing comma', { text: '{"reasoning":"r","binaryScore":true,}' }, /its JSON is broken: /],
    ['of Python', { text: "{'reasoning': 'r', 'binaryScore': True}" }, /its JSON is broken: /],
    ...[
      ['that is broken', '{"reasoning":"says "no"","binaryScore":false}', /its JSON is broken/] as const,
      ['of another type', '{"reasoning":"r","binaryScore":"no"}', /must be true or false/] as const,
      ['that does not end', '{"reasoning":"But no, becau', /does not end/] as const,
    ].map(([how, after, problem]): [string, Partial<ModelReply>, RegExp] => [
      `before one ${how}`,
      { text: `For example ${verdict}. Mine: ${after}` },
      problem,
    ]),
    ['inside a broken object', { text: `{"criteria":${verdict},}` }, /its JSON is broken/],
    ['inside an object of Python', { text: `{'criteria': ${verdict}}` }, /its JSON is broken/],
    ['inside another object', { text: `{"criteria":${verdict}}` }, /binaryScore is missing/],
    ['in words', { text: 'Yes.' }, /no JSON object/],
    ['with two objects', { text: `${verdict} ${verdict}` }, /more than one/],
  ])('is not a verdict %s, and the fault is named', (_, fields, problem) => {
    expect(readVerdict(reply(fields), 'boolean')).toEqual({ problem: expect.stringMatching(problem) });
  });

  it.each(['{', '{"', '{"a":', '{}', '<think>', '{"a":1}'])(
    'of %s alone is not a verdict, however long it is',
    (part) => {
      expect(readVerdict(reply({ text: part.repeat(99_999 / part.length) }), 'boolean')).toHaveProperty(
        'problem',
      );
    },
  );

  it('that can not be read says why in the evidence, and the model is asked again with that reason', async () => {
    const outcome = await askOf([{ reply: '{"reasoning":"r",}' }, { reply: verdict, finish: 'length' }]);
    expect(outcome).toMatchObject({
      state: 'unscored',
      reason: 'invalid_judge_output',
      evidence: { finishReason: 'length', schemaSent: true, error: 'it was cut off at the token limit' },
    });
    expect(openai.received.at(-1)!.messages.at(-1)).toContain('its JSON is broken');
  });

  it('that was cut off is not sent back to be continued', async () => {
    await askOf([{ reply: 'x'.repeat(50_000), finish: 'length' }, { reply: yes }]);
    expect(openai.received.at(-1)!.messages).toEqual([
      expect.any(String),
      '(cut off)',
      expect.stringContaining('cut off'),
    ]);
  });
});

describe('the longest reply', () => {
  it('is sent to the model, and left out for one that refuses it', async () => {
    await askOf({ reply: yes });
    expect(openai.received.at(-1)!.body).toMatchObject({ max_tokens: 8192 });
    const refuses = { refuses: ['max_tokens' as const], reply: yes };
    expect(await askOf(refuses)).toMatchObject({ state: 'scored', evidence: { attempts: 2 } });
    expect(await askOf(refuses)).toMatchObject({ state: 'scored', evidence: { attempts: 1 } });
  });
});

describe('votes that were paid for', () => {
  const evidenceOf = ({ evidence }: { evidence?: JudgeEvidence }) => evidence!;

  it('count in the next attempt, which asks for the missing ones, and the evidence has all calls', async () => {
    const failed = await askOf([{ reply: yes }, { reply: no }, { status: 503 }], { judgeRepeats: 3 });
    expect(failed).toMatchObject({
      state: 'failed',
      spent: { inputTokens: 200 },
      evidence: { attempts: 3 },
    });
    openai.answer({ reply: yes });
    openai.received.length = 0;
    const options = { earlier: evidenceOf(failed) };
    expect(await ask({ judgeRepeats: 3 }, undefined, options)).toMatchObject({
      state: 'scored',
      verdict: { value: true },
      evidence: {
        attempts: 4,
        inputTokens: 300,
        votes: [{ value: true }, { value: false }, { value: true }],
      },
      spent: { inputTokens: 100 },
    });
    expect(openai.received).toHaveLength(1);
  });

  it('do not count for another question', async () => {
    const failed = await askOf([{ reply: yes }, { status: 503 }], { judgeRepeats: 3 });
    openai.answer({ reply: no });
    openai.received.length = 0;
    const options = { earlier: evidenceOf(failed) };
    expect(await ask({ judgeRepeats: 3 }, { answer: '5' }, options)).toMatchObject({
      verdict: { value: false },
    });
    expect(openai.received).toHaveLength(3);
  });

  it('are the verdict when a failure comes after a majority that can no longer change', async () => {
    const votes = [{ reply: yes }, { reply: no }, { reply: yes }, { reply: yes }, { status: 503 }];
    expect(await askOf(votes, { judgeRepeats: 5 })).toMatchObject({
      state: 'scored',
      verdict: { value: true },
      evidence: { attempts: 5 },
    });
    expect(await askOf(votes, { judgeRepeats: 7 })).toMatchObject({ state: 'failed' });
  });
});

it('a refused setting is left out for ten minutes, then tried again', () => {
  let nowMs = 0;
  const clock = { now: () => nowMs, sleep: () => Promise.resolve() };
  const health = openProviderHealth(clock);
  const model = {
    provider: { name: 'p', kind: 'openai-compatible' as const, maxConcurrency: 1 },
    model: 'm',
  };
  const refused = { temperature: false, schema: true, maxOutputTokens: false, system: false };
  health.learnRefused(model, refused);
  nowMs = 599_999;
  // An answer without the schema says nothing new, and does not prolong the time.
  health.learnRefused(model, refused);
  expect(health.refusedSettings(model)).toEqual(refused);
  nowMs = 600_000;
  expect(health.refusedSettings(model).schema).toBe(false);
  health.learnRefused(model, refused);
  expect(health.refusedSettings(model).schema).toBe(true);
});
