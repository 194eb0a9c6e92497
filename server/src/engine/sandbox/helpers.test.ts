import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asker } from '../../../test/asker.ts';
import { type CodeLanguage, openSandbox } from './sandbox.ts';

const sandbox = openSandbox({ processes: 1, wallClockMs: 20_000 });
// Pyodide's first start takes seconds, on a busy machine many: that is not what the tests are about.
beforeAll(() => Promise.all([sandbox.check('python', 'score = len', asker)]), 240_000);
afterAll(() => sandbox.close());

const callers: Record<CodeLanguage, string> = {
  javascript: `function score(inputs) {
    return { score: 1, reasoning: JSON.stringify(globalThis[inputs.helper](...inputs.args)) };
  }`,
  python: `import json
def score(inputs, outputs, expected):
    return {"score": 1, "reasoning": json.dumps(globals()[inputs["helper"]](*inputs["args"]))}`,
};

/** Code that returns an expression, and how it reads a field that the record may lack. */
const scoring: Record<CodeLanguage, (expression: string) => string> = {
  javascript: (expression) => `function score(inputs, outputs, expected) { return ${expression}; }`,
  python: (expression) => `def score(inputs, outputs, expected):\n    return ${expression}`,
};
const fieldIn: Record<CodeLanguage, (part: string, name: string) => string> = {
  javascript: (part, name) => `${part}.${name}`,
  python: (part, name) => `${part}.get("${name}")`,
};
const nothing = { inputs: '{}', outputs: '{}', expected: '{}' };

type Case = [helper: string, args: unknown[], value: unknown];

/** Each case's value in a language; an error as its text. */
const valuesIn = async (language: CodeLanguage, cases: Case[]): Promise<unknown[]> => {
  const records = cases.map(([helper, args]) => ({
    inputs: JSON.stringify({ helper, args }),
    outputs: '{}',
    expected: '{}',
  }));
  const results = await sandbox.run(language, callers[language], records, asker);
  return results.map((result) => (result.ok ? JSON.parse(result.reasoning!) : result.error));
};

const cases: Case[] = [
  ['exact', ['Paris', 'Paris'], true],
  ['exact', ['Paris', 'paris'], false],
  [
    'exact',
    [
      { a: [1, { b: null }], c: 'x' },
      { c: 'x', a: [1, { b: null }] },
    ],
    true,
  ],
  ['exact', [{ a: 1 }, { a: 1, b: 2 }], false],
  [
    'exact',
    [
      [1, 2],
      [2, 1],
    ],
    false,
  ],
  ['exact', [1, true], false],
  ['exact', [0, false], false],
  ['exact', [null, false], false],
  ['exact', [[], {}], false],

  ['normalize', ['  The   Eiffel-Tower, in\tA park! '], 'eiffeltower in park'],
  ['normalize', ['Another theatre an Ärger'], 'another theatre ärger'],
  ['normalize', ['?!'], ''],
  ['normalized', ['The answer.', 'answer'], true],
  ['normalized', ['answer', 'answers'], false],

  ['contains', ['The capital is Paris.', 'Paris'], true],
  ['contains', ['The capital is Paris.', 'paris'], false],
  ['contains', ['x', ''], true],

  ['matches', ['order #123', '#\\d+$'], true],
  ['matches', ['Order', '^order', 'i'], true],
  ['matches', ['Order', '^order'], false],
  ['matches', ['a\nb', '^b$', 'm'], true],
  ['matches', ['a\nb', 'a.b', 's'], true],
  ['matches', ['a\nb', 'a.b'], false],

  ['isjson', ['{"a": [1, 2.5e3, null]}'], true],
  ['isjson', ['"text"'], true],
  ['isjson', ["{'a': 1}"], false],
  ['isjson', ['{"a": NaN}'], false],
  ['isjson', ['```json\n{}\n```'], false],
  ['isjson', [''], false],
  ['isjson', [{ a: 1 }], false],

  ['close', [0.1 + 0.2, 0.3], true],
  ['close', [100, 101, 0.01], true],
  ['close', [100, 102, 0.01], false],
  ['close', [0, 1e-12], false],
  ['close', [0, 0.001, 0, 0.01], true],
  ['close', ['1', 1], false],
  ['close', [true, 1], false],

  ['levenshtein', ['kitten', 'sitting'], 3],
  ['levenshtein', ['', 'abc'], 3],
  ['levenshtein', ['flaw', 'lawn'], 2],
  ['levenshtein', ['😀a', '😁a'], 1],
  ['similarity', ['kitten', 'sitting'], 1 - 3 / 7],
  ['similarity', ['', ''], 1],
  ['similarity', ['abc', 'xyz'], 0],

  // The SQuAD v1.1 evaluation script's f1_score(prediction, ground_truth).
  ['f1', ['The Eiffel Tower, in Paris', 'Eiffel tower'], 0.6666666666666666],
  ['f1', ['a cat and a dog', 'the cat'], 0.5],
  ['f1', ['yes', 'no'], 0],
  ['f1', ['the', 'a'], 1],
  ['f1', ['the', 'word'], 0],

  // rouge-score 0.1.2: RougeScorer(['rougeL']).score(reference, prediction)['rougeL'].fmeasure
  ['rouge', ['The quick brown fox', 'The quick red fox jumps'], 0.6666666666666665],
  ['rouge', ['a b c', 'c b a'], 0.3333333333333333],
  ['rouge', ['The answer is 42.', 'the ANSWER: 42'], 0.8571428571428571],
  ['rouge', ['same text', 'same text'], 1],
  ['rouge', ['', 'same text'], 0],

  // sacrebleu 2.6.0: sentence_bleu(prediction, references).score / 100
  ['bleu', ['The cat sat on the mat.', 'The cat is on the mat.'], 0.4889230224349009],
  ['bleu', ['the the the the', 'the cat'], 0.1597357760615681],
  ['bleu', ['Hello, world!', 'Hello world'], 0.1899589214128981],
  [
    'bleu',
    ['It costs $3.50 - or more; 1,000 people.', 'It costs $3.50, or more: 1,000 people.'],
    0.3781790427652475,
  ],
  ['bleu', ['short', 'a much longer reference than that'], 0],
  ['bleu', ['one two three four five', ['one two three four six', 'one two three five']], 0.7071067811865478],
  ['bleu', ['no overlap here', 'completely different words'], 0],
  ['bleu', ['exactly the same sentence', 'exactly the same sentence'], 1],
  ['bleu', ['', 'something'], 0],

  // By hand: (1·1 + 1·1) / √(2 · 3), 2·1 / (√5 · 1), and what has no word.
  ['cosine', ['red fish', 'Red, blue fish'], 2 / Math.sqrt(6)],
  ['cosine', ['cat cat dog', 'cat'], 2 / Math.sqrt(5)],
  ['cosine', ['cat', 'dog'], 0],
  ['cosine', ['', 'dog'], 0],
  ['cosine', ['', '!'], 1],
];

describe.each(['javascript', 'python'] as const)('in %s', (language) => {
  it('helpers give the independently computed values', async () => {
    const values = await valuesIn(language, cases);
    for (const [n, [helper, args, wanted]] of cases.entries()) {
      const what = `${helper}(${JSON.stringify(args)})`;
      if (typeof wanted !== 'number') expect(values[n], what).toEqual(wanted);
      else expect(values[n], what).toBeCloseTo(wanted, 12);
    }
  });

  it('a helper given a missing field makes the record unscored, and names the field', async () => {
    const field = (part: string, name: string) => fieldIn[language](part, name);
    const calls = [
      ['exact', field('outputs', 'answer'), field('expected', 'answer')],
      ['exact', field('outputs', 'here'), field('expected', 'answer')],
      ...['normalize', 'isjson'].map((helper) => [helper, field('outputs', 'answer')]),
      ...[
        'normalized',
        'contains',
        'levenshtein',
        'similarity',
        'f1',
        'rouge',
        'bleu',
        'cosine',
        'close',
      ].map((helper) => [helper, field('outputs', 'answer'), field('outputs', 'here')]),
      ['matches', field('outputs', 'answer'), '"x"'],
      ['conforms', field('outputs', 'answer'), '{}'],
      ['conforms', field('outputs', 'here'), field('expected', 'schema')],
      ['bleu', field('outputs', 'here'), `[${field('expected', 'answer')}]`],
      ['exact', `${field('outputs', 'deep')}${language === 'python' ? '["x"].get("y")' : '.x.y'}`, '1'],
    ];
    const reasons = [];
    for (const [helper, ...args] of calls) {
      const code = scoring[language](`${helper}(${args.join(', ')})`);
      const [result] = await sandbox.run(
        language,
        code,
        [{ inputs: '{}', outputs: '{"here":"a","deep":{"x":{}}}', expected: '{}' }],
        asker,
      );
      reasons.push(result);
    }
    const missing = (names: string) => ({ ok: false, isMissing: true, error: `missing_field: ${names}` });
    expect(reasons).toEqual([
      missing('outputs.answer, expected.answer'),
      missing('expected.answer'),
      ...Array.from({ length: 13 }, () => missing('outputs.answer')),
      missing('expected.schema'),
      missing('expected.answer'),
      missing('outputs.deep.x.y'),
    ]);
  });

  it('null is a value, not a missing field', async () => {
    const code = scoring[language](
      `exact(${fieldIn[language]('outputs', 'a')}, ${fieldIn[language]('expected', 'a')})`,
    );
    const record = { inputs: '{}', outputs: '{"a":null}', expected: '{"a":null}' };
    expect(await sandbox.run(language, code, [record], asker)).toEqual([{ ok: true, score: true }]);
  });

  it('code that reads on into a missing field makes the record unscored, and names the field', async () => {
    const bodies = {
      javascript: [
        'outputs.answer.length',
        'outputs.answer.toLowerCase()',
        'outputs.answer.a.b',
        '[...outputs.answer]',
      ],
      python: [
        'outputs["answer"]',
        'outputs["answer"].lower()',
        'outputs.get("answer").lower()',
        'len(outputs.get("answer"))',
      ],
    }[language];
    for (const body of bodies) {
      const [result] = await sandbox.run(language, scoring[language](body), [nothing], asker);
      expect(result, body).toEqual({ ok: false, isMissing: true, error: 'missing_field: outputs.answer' });
    }
    // Errors of the code itself stay errors.
    const own = { javascript: 'undefined.length', python: '{}["answer"]' }[language];
    expect(await sandbox.run(language, scoring[language](own), [nothing], asker)).toMatchObject([
      { ok: false, error: expect.stringMatching(/TypeError|KeyError/) },
    ]);
  });

  it('missing() makes the record unscored with the names that the code gives', async () => {
    const code = scoring[language]('missing("outputs.toolCalls", "the trace")');
    expect(await sandbox.run(language, code, [nothing], asker)).toEqual([
      { ok: false, isMissing: true, error: 'missing_field: outputs.toolCalls, the trace' },
    ]);
  });

  it('fields look like plain objects to the code', async () => {
    const body = {
      javascript: `JSON.stringify([Object.keys(outputs), outputs, 'x' in outputs, outputs.x ?? 1, { ...outputs }, outputs.a.hasOwnProperty('b'),
        Array.isArray(outputs.l), \`\${outputs.a}\`, outputs instanceof Object]) === '[["a","l"],{"a":{"b":1},"l":[{}]},false,1,{"a":{"b":1},"l":[{}]},true,true,"[object Object]",true]'`,
      python: `[list(outputs), outputs, "x" in outputs, outputs.get("x", 1), {**outputs}, isinstance(outputs, dict)] == [["a", "l"], {"a": {"b": 1}, "l": [{}]}, False, 1, {"a": {"b": 1}, "l": [{}]}, True]`,
    }[language];
    const record = { inputs: '{}', outputs: '{"a":{"b":1},"l":[{}]}', expected: '{}' };
    expect(await sandbox.run(language, scoring[language](body), [record], asker)).toEqual([
      { ok: true, score: true },
    ]);
  });

  it('helpers refuse what they can not compare', async () => {
    const errors = await valuesIn(language, [
      ['contains', [1, '1'], null],
      ['matches', ['a', 'a', 'g'], null],
      ['bleu', ['a', []], null],
      ['conforms', [1, { type: 'decimal' }], null],
      ['conforms', [1, { $ref: 'https://example.com/schema' }], null],
      ['conforms', [1, { $ref: '#/$defs/missing' }], null],
      ['conforms', [{}, { unevaluatedProperties: false }], null],
    ]);
    const messages = [
      'contains needs strings',
      'matches knows the flags i, m and s',
      'bleu needs a reference',
      'conforms does not know the type decimal',
      'conforms can not follow the $ref https://example.com/schema',
      'conforms can not follow the $ref #/$defs/missing',
      'conforms does not know unevaluatedProperties',
    ];
    for (const [n, message] of messages.entries()) expect(errors[n]).toContain(message);
  });
});

it('helpers give the same in both languages, to the last digit', async () => {
  expect(await valuesIn('python', cases)).toEqual(await valuesIn('javascript', cases));
});

const values: unknown[] = [
  null,
  true,
  false,
  0,
  1,
  -1,
  1.5,
  3,
  10,
  12,
  '',
  'a',
  'abc',
  'x1',
  '😀',
  [],
  [1],
  [1, 2],
  [1, 1],
  [true, 1],
  ['a', 1],
  ['a', 1, 2],
  [[1], [1]],
  {},
  { a: 1 },
  { a: 'x' },
  { a: 1, b: 2 },
  { b: 1 },
  { x1: 1 },
  { a: { a: { a: 1 } } },
  { a: null, b: 'x', c: [] },
  { __proto__: null, constructor: 1 },
];
const schemas: Record<string, unknown>[] = [
  {},
  { type: 'integer' },
  { type: ['null', 'string', 'boolean'] },
  { type: 'number', minimum: 1, maximum: 10 },
  { exclusiveMinimum: 1, exclusiveMaximum: 10 },
  { multipleOf: 1.5 },
  { enum: [1, 'a', null, [1, 2], { a: 1 }] },
  { const: { b: 2, a: 1 } },
  { minLength: 1, maxLength: 1 },
  { pattern: '^[a-z]\\d?$' },
  { minItems: 1, maxItems: 2 },
  { uniqueItems: true },
  { items: { type: 'integer' } },
  { prefixItems: [{ type: 'string' }, { const: 1 }], items: false },
  { contains: { const: 1 } },
  { contains: { type: 'integer' }, minContains: 2, maxContains: 2 },
  { minProperties: 1, maxProperties: 2 },
  { required: ['a'] },
  { required: ['constructor'] },
  { properties: { a: { type: 'integer' } }, additionalProperties: false },
  {
    patternProperties: { '^x': { const: 1 } },
    properties: { a: true },
    additionalProperties: { type: 'string' },
  },
  { propertyNames: { maxLength: 1 } },
  { dependentRequired: { a: ['b'] } },
  { dependentSchemas: { a: { required: ['b'] } } },
  { dependencies: { a: ['b'], b: { required: ['a'] } } },
  { allOf: [{ type: 'integer' }, { minimum: 3 }] },
  { anyOf: [{ type: 'string' }, { minimum: 3 }] },
  { oneOf: [{ type: 'number' }, { minimum: 3 }] },
  { not: { type: 'object' } },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  { if: { type: 'number' }, then: { minimum: 3 }, else: { type: 'string' } },
  {
    $defs: { node: { type: ['object', 'integer'], properties: { a: { $ref: '#/$defs/node' } } } },
    $ref: '#/$defs/node',
  },
  { type: 'object', properties: { a: { $ref: '#' } }, title: 'annotations are passed over', format: 'date' },
  { items: { $ref: '#/$defs/a~1b%20c' }, $defs: { 'a/b c': { type: 'integer' } } },
];

it.each(['javascript', 'python'] as const)(
  'conforms says what Ajv says, in %s',
  async (language) => {
    const ajv = new Ajv2020({ strict: false, logger: false, validateFormats: false, ownProperties: true });
    const questions = schemas.flatMap((schema) => values.map((value) => ({ schema, value })));
    const answers = await valuesIn(
      language,
      questions.map(({ schema, value }): Case => ['conforms', [value, schema], null]),
    );
    const differing = questions.filter(({ schema, value }, n) => ajv.validate(schema, value) !== answers[n]);
    expect(differing).toEqual([]);
    expect(new Set(answers)).toEqual(new Set([true, false]));
  },
  120_000,
);
