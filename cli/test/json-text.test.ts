import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { elementsOf, membersOf, objectText } from './json-text.ts';

describe('JSON as text', () => {
  it('cut into members and put together again, any object is the same text', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.constantFrom(0, 1, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const members = membersOf(text);
        expect([...members.keys()]).toEqual(Object.keys(value));
        for (const [key, part] of members)
          expect(JSON.parse(part)).toEqual(JSON.parse(JSON.stringify(value[key])));
        if (indent === 0) expect(objectText(Object.fromEntries(members))).toBe(text);
      }),
    );
  });

  it('cut into elements, any array is its elements', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.constantFrom(0, 2), (value, indent) => {
        const elements = elementsOf(JSON.stringify(value, null, indent));
        expect(`[${elements.join(',')}]`.replace(/\s/g, '')).toBe(JSON.stringify(value).replace(/\s/g, ''));
        expect(elements).toHaveLength(value.length);
      }),
    );
  });

  it('keeps every digit and the order of keys', () => {
    const text = '{ "b" : 1.10, "1":12345678901234567890 ,"q\\"":"}\\\\", "__proto__": [1e400, {"]":0}]}';
    expect([...membersOf(text)]).toEqual([
      ['b', '1.10'],
      ['1', '12345678901234567890'],
      ['q"', '"}\\\\"'],
      ['__proto__', '[1e400, {"]":0}]'],
    ]);
    expect(elementsOf(' [ 1.0 , "a,]" ,[] ] ')).toEqual(['1.0', '"a,]"', '[]']);
    expect(elementsOf('[]')).toEqual([]);
    expect(membersOf('{}').size).toBe(0);
  });
});
