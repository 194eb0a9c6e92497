import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { spaceText, spelledValue } from '../../../test/json-text.ts';
import { parseJson } from './parse-json.ts';

/** Makes V8 learn the members of this object, as an earlier request would. */
const learn = (text: string) => {
  for (let i = 0; i < 3; i++) JSON.parse(text);
};

it('JSON.parse still has the bug nodejs/node#63785; without it, parseJson is JSON.parse', () => {
  learn('{"b":1,"\\\\":2}');
  expect(JSON.parse('{"b":1,"\\u00e9":2}')).toEqual({ b: 1, '\\': 2 });
});

describe('parseJson', () => {
  it('reads every spelling of a value', () => {
    fc.assert(
      fc.property(spaceText, spelledValue, (space, { text, value }) => {
        const parsed = parseJson(space + text + space);
        // toStrictEqual treats a key `constructor` specially.
        expect(isDeepStrictEqual(parsed, value), text).toBe(true);
        expect(JSON.stringify(parsed), 'the order of keys').toBe(JSON.stringify(value));
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['{"b":1,"\\\\":2}', '{"b":1,"\\u00e9":2}', { b: 1, é: 2 }],
    ['{"c":1,"a\\\\":2}', '{"c":1,"a\\u00e9":2}', { c: 1, aé: 2 }],
    ['{"e":1,"a\\\\n":2}', '{"e":1,"a\\nx":2}', { e: 1, 'a\nx': 2 }],
    ['{"f":{"g":1,"\\\\":[2]}}', '{"f":{"g":1,"\\u00e9":[2]}}', { f: { g: 1, é: [2] } }],
    ['{"h":1,"\\\\":2}', '[{"h":1,"\\"" : 2}]', [{ h: 1, '"': 2 }]],
  ])('after %s reads %s as it is', (before, text, value) => {
    learn(before);
    expect(parseJson(text)).toStrictEqual(value);
    expect(parseJson(text, (number) => number)).toStrictEqual(value);
  });

  it('returns numbers as they were written when asked, with and without escapes in keys', () => {
    const written = (text: string) => parseJson(text, (_, source) => source);
    expect(written('{"a":1.10,"b":[-0,{"c":12345678901234567890}]}')).toEqual({
      a: '1.10',
      b: ['-0', { c: '12345678901234567890' }],
    });
    expect(written('{"\\u0061":1.10,"b":[ -0 ,{"c":12345678901234567890}]}')).toEqual({
      a: '1.10',
      b: ['-0', { c: '12345678901234567890' }],
    });
  });

  it.each(['', '{"a\\u0062":1', '{"\\x":1}', '{"a\\n":1,}', "{'a\\n':1}", '{"a\\n":01}'])(
    'throws a SyntaxError for %j',
    (text) => {
      expect(() => parseJson(text)).toThrow(SyntaxError);
    },
  );

  it('takes any depth, in a time that grows with the length alone', () => {
    const begun = performance.now();
    const depth = 100_000;
    let inner = parseJson(`{"\\n":${'['.repeat(depth)}${']'.repeat(depth)}}`) as unknown;
    inner = (inner as { '\n': unknown })['\n'];
    for (let left = depth; left > 1; left--) inner = (inner as unknown[])[0];
    expect(inner).toEqual([]);
    for (const member of ['"a":"\\\\"', '"a":"\\""', '"\\n":[]', '"a":"\\n"'])
      parseJson(`{${`${member},`.repeat(100_000)}"\\n":1}`);
    parseJson(`{"a":"${'\\\\'.repeat(1_000_000)}","\\n":1}`);
    parseJson(`{"a":"${'\\"'.repeat(1_000_000)}","\\n":1}`);
    // Half a second; were it to grow with the square, minutes.
    expect(performance.now() - begun).toBeLessThan(20_000);
  });
});
