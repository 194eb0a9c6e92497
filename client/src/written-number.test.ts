import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAnswer, parseAsWritten, parseLoosely, WrittenNumber } from './written-number.ts';

const integer = fc
  .nat(30)
  .chain((digits) => fc.bigInt({ min: -(10n ** BigInt(digits)), max: 10n ** BigInt(digits) }))
  .map(String);
/** Every way in which JSON can write a number. */
const number = fc
  .tuple(
    integer,
    fc.option(fc.stringMatching(/^\d{1,20}$/)),
    fc.option(fc.tuple(fc.constantFrom('e', 'E', 'e+', 'E-'), fc.nat(400))),
  )
  .map(([whole, digits, power]) => whole + (digits === null ? '' : `.${digits}`) + (power?.join('') ?? ''));
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    number,
    fc.constantFrom('-0', '-0.0', '0.0000001', '9007199254740993', '90071992.54740993', 'null', 'true'),
    fc.string().map((text) => JSON.stringify(text)),
    fc.array(tie('value')).map((items) => `[${items}]`),
    fc
      .dictionary(
        fc.string().filter((key) => !/^\d+$|^__proto__$/.test(key)),
        tie('value'),
      )
      .map(
        (fields) =>
          `{${Object.entries(fields)
            .map(([key, value]) => `${JSON.stringify(key)}:${value}`)
            .join(',')}}`,
      ),
  ),
})).value as fc.Arbitrary<string>;

describe('parseAsWritten', () => {
  it('reads and JSON.stringify writes every number as it was', () => {
    fc.assert(
      fc.property(json, (text) => JSON.stringify(parseAsWritten(text)) === text),
      { numRuns: 500 },
    );
  });

  it('leaves numbers that print as they are written plain', () => {
    expect(parseAsWritten('[0,1,-1.5,0.001,9007199254740991,1e21]')).toEqual([
      0,
      1,
      -1.5,
      0.001,
      9007199254740991,
      new WrittenNumber('1e21'),
    ]);
  });
});

describe('parseAnswer', () => {
  it('keeps every digit of free-form fields, and reads other numbers plainly unless they are long', () => {
    const text =
      '{"total":1.10,"long":-12345678901234567890,"data":[{"cost":1E2,"outputs":{"a":1.10,"b":[1E400,-0]}}]}';
    expect(parseAnswer(text)).toMatchObject({ total: 1.1, data: [{ cost: 100 }] });
    expect(JSON.stringify(parseAnswer(text))).toBe(
      '{"total":1.1,"long":-12345678901234567890,"data":[{"cost":100,"outputs":{"a":1.10,"b":[1E400,-0]}}]}',
    );
  });
});

describe('parseLoosely', () => {
  it('reads what Python writes and JSON does not have as null, and leaves texts alone', () => {
    expect(JSON.stringify(parseLoosely('{"a":NaN,"b":[-Infinity,1.10],"c":"NaN \\" Infinity"}'))).toBe(
      '{"a":null,"b":[null,1.10],"c":"NaN \\" Infinity"}',
    );
    expect(() => parseLoosely('{"a":nan}')).toThrow(SyntaxError);
  });
});

it('a WrittenNumber is its digits as text and a number in arithmetic', () => {
  const price = new WrittenNumber('1.10');
  expect(`${price} ${Number(price) + 1}`).toBe('1.10 2.1');
});
