import { describe, expect, it } from 'vitest';
import { functionBeside, languageOf } from './language-of.ts';

/** Processor time of this thread, which other work on the machine does not change. */
const threadMs = (): number => process.threadCpuUsage().user / 1000;

describe('languageOf', () => {
  it.each([
    'function score(inputs, outputs, expected) { return true }',
    '// exact match\nconst threshold = 3;\nfunction score (inputs: any, outputs: any, expected: any): boolean { return true }',
    'export function score(inputs, outputs, expected) { return true }',
    'export default function (inputs, outputs, expected) { return true }',
    'export default function score(inputs, outputs, expected) { return true }',
    'export default (inputs, outputs) => outputs.a === 1',
    'const score = (inputs, outputs) => true',
    'const score: Metric = (inputs, outputs) => true',
    'export const score = function (inputs, outputs) { return true }',
    '  function score<T>(inputs: T) { return true }',
    'for(;false;);function score(inputs, outputs) { return true }',
    '"use strict"; const limit = 3; export function score(inputs, outputs) { return outputs.n < limit }',
    '/* the score */ function score() { return true }',
    'type Fields = Record<string, string>; const score = (inputs: Fields) => true;',
    'let a = 1, score = () => a',
    'const f = () => true; export default f;',
    'const { score } = { score: () => true };',
    'function score() { return true +; }',
  ])('takes for JavaScript: %s', (code) => {
    expect(languageOf(code)).toBe('javascript');
  });

  it.each([
    'def score(inputs, outputs, expected):\n    return True',
    'import re\n\n\ndef score(inputs: dict, outputs: dict, expected: dict) -> dict:\n    return {"score": True}',
    'score = lambda inputs, outputs, expected: True',
    'import re; score = lambda inputs, outputs, expected: True',
    'limit = 3\nif limit > 2:\n    def score(i, o, e):\n        return True',
    '@staticmethod\ndef score(i, o, e):\n    return True',
    'def score(i, o, e):\n    return )',
  ])('takes for Python: %s', (code) => {
    expect(languageOf(code)).toBe('python');
  });

  it.each([
    '',
    'The score is 1 when the answer is polite.',
    'Our function score(inputs) is described in the wiki.',
    'score = number of facts found / number of facts expected',
    'Define the score of a def score as usual; the default function (f) applies.',
    'We let score be 5 for perfect answers.',
    'def scored(x): pass',
    'Write function score(inputs) { return true } as you like.',
    'The score: 5',
    'score',
    'score = correct / total',
    'const score of the test',
    'class Scorer { function score() {} }',
  ])('takes for prose: %s', (prose) => {
    expect(languageOf(prose)).toBeNull();
  });

  it.each([
    ['function judge(inputs, outputs) { return true }', 'judge'],
    ['// exact\nasync function rate<T>(inputs: T) { return 1 }', 'rate'],
    ['const check = (inputs, outputs) => outputs.a === 1', 'check'],
    ['(inputs, outputs) => outputs.a === 1', ''],
    ['import re\n\ndef grade(inputs, outputs):\n    return True', 'grade'],
  ])('is no language, and would never run: %s', (code, name) => {
    expect([languageOf(code), functionBeside(code)]).toEqual([null, name]);
  });

  it.each([
    '',
    'Is the answer right? Compare it with the function (a, b) => a + b.',
    'function score(inputs, outputs) { return true }',
    'def score(i, o, e):\n    return True',
    'Exact match of the answer',
    'The score is high where\nfunction f(x) is called with the right argument.',
  ])('has no function that would never run: %s', (text) => {
    expect(functionBeside(text)).toBeNull();
  });

  it('knows a long text soon', () => {
    const begun = threadMs();
    expect(languageOf('The score is high if the answer is right. '.repeat(2_000))).toBeNull();
    expect(languageOf(`${'(['.repeat(20_000)} score`)).toBeNull();
    expect(threadMs() - begun).toBeLessThan(2_000);
  });

  it('is soon known of code with very much space in it', () => {
    const begun = threadMs();
    expect(languageOf(`function${' '.repeat(60_000)}`)).toBeNull();
    expect(threadMs() - begun).toBeLessThan(2_000);
  });
});
