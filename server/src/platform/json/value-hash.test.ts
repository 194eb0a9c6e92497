import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { numberText, valueText } from '../../../test/json-text.ts';
import { elements, members } from './json.ts';
import { valueHash } from './value-hash.ts';

const hash = (text: string) => valueHash(text).toString('hex');

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
