import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { spaceText, spelledObject, stringText, valueText } from '../../../test/json-text.ts';
import { ApiError } from '../errors.ts';
import { elements, freeForm, maxDepth, members, pick } from './json.ts';
import { parseJson } from './parse-json.ts';

const padded = fc.tuple(spaceText, valueText, spaceText);

/** The text of an object of these members, each value with white space around it. */
const objectOf = (entries: [string, [string, string, string]][]) =>
  `{${entries.map(([key, [before, value, after]]) => `${key} :${before}${value}${after}`).join(' ,')}}`;

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

describe('members', () => {
  it('returns each value as sent, under the key that JSON.parse reads', () => {
    fc.assert(
      fc.property(spaceText, fc.array(fc.tuple(stringText, padded)), (space, entries) => {
        const expected = new Map(entries.map(([key, [, value]]) => [JSON.parse(key), value]));
        expect(members(space + objectOf(entries) + space)).toEqual(expected);
      }),
    );
  });

  it('parses to the same values as JSON.parse', () => {
    fc.assert(
      fc.property(spelledObject, ({ text, value }) => {
        const found = members(text);
        expect([...found.keys()].sort()).toEqual(Object.keys(value).sort());
        for (const [key, member] of found) expect(parseJson(member)).toEqual(value[key]);
      }),
    );
  });

  it('keeps __proto__ and constructor as ordinary keys', () => {
    expect([...members('{"__proto__":{"a":1},"constructor":2}')]).toEqual([
      ['__proto__', '{"a":1}'],
      ['constructor', '2'],
    ]);
  });
});

describe('elements', () => {
  it('returns each element as sent', () => {
    fc.assert(
      fc.property(spaceText, fc.array(padded), (space, items) => {
        const text = `${space}[${items.map((item) => item.join('')).join(',')}]${space}`;
        expect(elements(text)).toEqual(items.map(([, value]) => value));
      }),
    );
  });
});

describe('freeForm', () => {
  it('returns the requested keys that the object has, and no other', () => {
    expect(freeForm('{"a":{"b":1.10},"c":2,"a\\u0062":[3]}', ['a', 'ab', 'd'])).toEqual({
      a: '{"b":1.10}',
      ab: '[3]',
    });
  });

  it('takes the last of a repeated key, as JSON.parse does', () => {
    expect(freeForm('{"a":1,"b":0,"\\u0061":2}', ['a'])).toEqual({ a: '2' });
  });

  it(`accepts ${maxDepth} levels and refuses one more, with the path`, () => {
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
  it('returns a member once, even if it is named twice', () => {
    expect(pick('{"a":1,"b":2}', ['b', 'a', 'b'])).toBe('{"b":2,"a":1}');
  });

  it('returns the named members as sent, in the order of the names', () => {
    const text = '{"b": 1.10 ,"__proto__":{"x":-0},"a\\"":"\\u00e9","b":2e0}';
    expect(pick(text, ['a"', 'missing', '__proto__', 'b'])).toBe(
      '{"a\\"":"\\u00e9","__proto__":{"x":-0},"b":2e0}',
    );
  });
});
