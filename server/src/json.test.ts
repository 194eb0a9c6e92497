import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { numberText, objectText, spaceText, stringText, valueText } from '../test/json-text.ts';
import { ApiError } from './errors.ts';
import { elements, freeForm, maxDepth, members, pick, valueHash } from './json.ts';

const padded = fc.tuple(spaceText, valueText, spaceText);

/** The text of an object of these members, each value with white space around it. */
const objectOf = (entries: [string, [string, string, string]][]) =>
  `{${entries.map(([key, [before, value, after]]) => `${key} :${before}${value}${after}`).join(' ,')}}`;

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

const hash = (text: string) => valueHash(text).toString('hex');

describe('members', () => {
  it('are the text of each value as it was sent, under the key that JSON.parse reads', () => {
    fc.assert(
      fc.property(spaceText, fc.array(fc.tuple(stringText, padded)), (space, entries) => {
        const expected = new Map(entries.map(([key, [, value]]) => [JSON.parse(key), value]));
        expect(members(space + objectOf(entries) + space)).toEqual(expected);
      }),
    );
  });

  it('mean what JSON.parse says that they mean', () => {
    fc.assert(
      fc.property(objectText, (text) => {
        const parsed = JSON.parse(text) as Record<string, unknown>;
        const found = members(text);
        expect([...found.keys()].sort()).toEqual(Object.keys(parsed).sort());
        for (const [key, value] of found) expect(JSON.parse(value)).toEqual(parsed[key]);
      }),
    );
  });

  it('keep __proto__ and constructor as ordinary keys', () => {
    expect([...members('{"__proto__":{"a":1},"constructor":2}')]).toEqual([
      ['__proto__', '{"a":1}'],
      ['constructor', '2'],
    ]);
  });
});

describe('elements', () => {
  it('are the text of each element as it was sent', () => {
    fc.assert(
      fc.property(spaceText, fc.array(padded), (space, items) => {
        const text = `${space}[${items.map((item) => item.join('')).join(',')}]${space}`;
        expect(elements(text)).toEqual(items.map(([, value]) => value));
      }),
    );
  });
});

describe('freeForm', () => {
  it('takes what it is asked for and nothing else; a key that is not there is absent', () => {
    expect(freeForm('{"a":{"b":1.10},"c":2,"a\\u0062":[3]}', ['a', 'ab', 'd'])).toEqual({
      a: '{"b":1.10}',
      ab: '[3]',
    });
  });

  it('takes the last of a key that comes twice, as JSON.parse does', () => {
    expect(freeForm('{"a":1,"b":0,"\\u0061":2}', ['a'])).toEqual({ a: '2' });
  });

  it(`takes ${maxDepth} levels and refuses one more, with the place`, () => {
    expect(freeForm(`{"a":${nested(maxDepth)}}`, ['a']).a).toHaveLength(2 * maxDepth);
    const refused = () => freeForm(`{"a":${nested(maxDepth + 1)}}`, ['a'], '/items/3');
    expect(refused).toThrow(ApiError);
    expect(refused).toThrow('/items/3/a must not nest deeper than 200 levels');
  });

  it('does not count brackets in strings as levels', () => {
    const text = `{"a":{"b":"${'['.repeat(500)}\\"{{"}}`;
    expect(freeForm(text, ['a']).a).toContain('[[[');
  });
});

describe('pick', () => {
  it('gives a member once, however often it is named', () => {
    expect(pick('{"a":1,"b":2}', ['b', 'a', 'b'])).toBe('{"b":2,"a":1}');
  });

  it('is an object of the named members as they were sent, in the order of the names', () => {
    const text = '{"b": 1.10 ,"__proto__":{"x":-0},"a\\"":"\\u00e9","b":2e0}';
    expect(pick(text, ['a"', 'missing', '__proto__', 'b'])).toBe(
      '{"a\\"":"\\u00e9","__proto__":{"x":-0},"b":2e0}',
    );
  });
});

describe('valueHash', () => {
  /** The same value spelled otherwise: keys in another order and escaped, other digits, white space. */
  const respell = (text: string): string => {
    const trimmed = text.trim();
    if (trimmed.startsWith('{')) {
      const entries = [...members(trimmed)].reverse();
      const parts = entries.map(([key, value]) => `${escaped(key)} : ${respell(value)}`);
      return `{\n${parts.join(' , ')}\t}`;
    }
    if (trimmed.startsWith('[')) return `[ ${elements(trimmed).map(respell).join(' ,\r\n')} ]`;
    if (trimmed.startsWith('"')) return escaped(JSON.parse(trimmed) as string);
    return /^[-\d]/.test(trimmed) ? respelledNumber(trimmed) : trimmed;
  };
  const escaped = (value: string) =>
    `"${Array.from({ length: value.length }, (_, i) => `\\u${value.charCodeAt(i).toString(16).padStart(4, '0')}`).join('')}"`;
  /** Ten times the digits, a tenth of the scale. */
  const respelledNumber = (source: string) => {
    const [mantissa = '', exponent = '0'] = source.toLowerCase().split('e');
    const [whole, fraction = ''] = mantissa.split('.');
    return `${whole}.${fraction}0E${BigInt(exponent)}`;
  };

  it.each([
    ['zeros inside', `1${'0'.repeat(100_000)}1`, `1${'0'.repeat(100_000)}1.0`],
    ['digits of an exponent', `1e${'9'.repeat(5_000_000)}`, `1e${'9'.repeat(5_000_000)}`],
  ])('is soon there for a number of very many %s', (_, number, same) => {
    const begun = performance.now();
    const hash = valueHash(`{"a":${number}}`);
    expect(performance.now() - begun).toBeLessThan(2_000);
    expect(valueHash(`{ "a":${same} }`)).toEqual(hash);
  });

  it('is the same for the same value, however keys are ordered and numbers and strings are spelled', () => {
    fc.assert(
      fc.property(valueText, (text) => {
        expect(hash(respell(text))).toBe(hash(text));
      }),
    );
  });

  it('is the same for each spelling of one number', () => {
    for (const same of [
      ['1', '1.0', '1e0', '10e-1', '0.1E+1', '1.000'],
      ['0', '-0', '0.00', '0e9', '-0.0e-5'],
      ['-1.10', '-1.1', '-11e-1'],
      ['12345678901234567890', '1234567890123456789e1', '12345678901234567890.0'],
      ['1e400', '10e399', '0.1e401'],
    ]) {
      expect(new Set(same.map(hash)).size, same.join(' ')).toBe(1);
    }
  });

  it('differs for values that differ, also where a double would not', () => {
    const different = [
      '12345678901234567890',
      '12345678901234567891',
      '1e400',
      '1e401',
      '-1e400',
      '1e-400',
      '0',
      '1',
      '-1',
      '"1"',
      '"n1e0"',
      '"s1"',
      '""',
      'null',
      '"null"',
      'true',
      '"true"',
      '[]',
      '{}',
      '[[]]',
      '[{}]',
      '[null]',
      '[1,2]',
      '[2,1]',
      '[[1],2]',
      '{"a":1}',
      '{"a":"1"}',
      '{"b":1}',
      '{"a":1,"b":1}',
      '{"a":null}',
      '{"":1}',
      '{"entries":[]}',
      '{"entries":[["a",1]]}',
      '[["a",1]]',
      '{"__proto__":1}',
      '{"__proto__":{}}',
      '"\\u0000"',
      '"\\ud800"',
      '"\\ud801"',
      '"\\\\ud800"',
      '"\ufffd"',
      '"e\u0301"',
      '"\u00e9"',
    ];
    expect(new Set(different.map(hash)).size).toBe(different.length);
  });

  it('differs for numbers that differ, whatever they are', () => {
    /** As a fraction of integers, which is another way to compare than the one under test. */
    const scaled = (source: string) => {
      const [mantissa = '', exponent = '0'] = source.toLowerCase().split('e');
      const [whole = '', fraction = ''] = mantissa.split('.');
      return BigInt(whole + fraction) * 10n ** (BigInt(exponent) - BigInt(fraction.length) + 1100n);
    };
    fc.assert(
      fc.property(numberText, numberText, (a, b) => {
        expect(hash(a) === hash(b)).toBe(scaled(a) === scaled(b));
      }),
    );
  });
});
