import { describe, expect, it } from 'vitest';
import { languageOf } from './language-of.ts';

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
  ])('takes for JavaScript: %s', (code) => {
    expect(languageOf(code)).toBe('javascript');
  });

  it.each([
    'def score(inputs, outputs, expected):\n    return True',
    'import re\n\n\ndef score(inputs: dict, outputs: dict, expected: dict) -> dict:\n    return {"score": True}',
    'score = lambda inputs, outputs, expected: True',
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
  ])('takes for prose: %s', (prose) => {
    expect(languageOf(prose)).toBeNull();
  });

  it('is soon known of code with very much space in it', () => {
    const begun = performance.now();
    expect(languageOf(`function${' '.repeat(60_000)}`)).toBeNull();
    expect(performance.now() - begun).toBeLessThan(2_000);
  });
});
