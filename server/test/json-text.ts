import fc from 'fast-check';

/** Arbitrary JSON as a client may spell it: any white space, digits, escapes, key order, and keys that come twice. */

const space = fc.stringMatching(/^[ \t\n\r]{0,2}$/);
const between = (open: string, parts: string[], close: string) => `${open}${parts.join(',')}${close}`;

export const numberText = fc.oneof(
  fc.stringMatching(/^-?(0|[1-9]\d{0,20})(\.\d{1,20})?([eE][+-]?\d{1,3})?$/),
  fc.constantFrom('12345678901234567890', '1.10', '1e-7', '-0', '1e400', '0.1', '1E+2'),
);

const characters = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 8 }).map((text) => JSON.stringify(text).slice(1, -1)),
  fc.constantFrom(
    '\\u0000',
    '\\"',
    '\\\\',
    '\\/',
    '\\n',
    '\\u00E9',
    '\\ud83d\\ude00',
    '\\ud800',
    '\\udc00\\ud800',
  ),
  fc.constantFrom('{', '}', '[', ']', ',', ':', '\u2028', '\u{1F600}', 'e\u0301'),
);
export const stringText = fc.array(characters, { maxLength: 4 }).map((parts) => `"${parts.join('')}"`);

/**
 * None that begins with a backslash: once V8 has parsed such a key, it takes others that are spelled with an escape for it
 * (nodejs/node#63785), in whatever is parsed later in the same process.
 */
const soundKey = stringText.filter((text) => !text.startsWith('"\\\\'));

const keyText = fc.oneof(
  { weight: 3, arbitrary: soundKey },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '"__proto__"',
      '"constructor"',
      '"toString"',
      '"a"',
      '"\\u0061"',
      '"2"',
      '"1"',
    ),
  },
);

const padded = (text: fc.Arbitrary<string>) =>
  fc.tuple(space, text, space).map(([before, inner, after]) => before + inner + after);

const { value, object } = fc.letrec<{ value: string; array: string; object: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom('true', 'false', 'null'),
    numberText,
    stringText,
    tie('array'),
    tie('object'),
  ),
  array: fc
    .oneof(
      { weight: 1, arbitrary: space.map((inner) => [inner]) },
      { weight: 4, arbitrary: fc.array(padded(tie('value')), { minLength: 1, maxLength: 4 }) },
    )
    .map((parts) => between('[', parts, ']')),
  object: fc
    .oneof(
      { weight: 1, arbitrary: space.map((inner) => [inner]) },
      {
        weight: 4,
        arbitrary: fc.array(
          fc.tuple(padded(keyText), padded(tie('value'))).map(([key, member]) => `${key}:${member}`),
          { minLength: 1, maxLength: 4 },
        ),
      },
    )
    .map((parts) => between('{', parts, '}')),
}));

/** The text of any JSON value, without white space around it. */
export const valueText = value;
/** The text of any JSON object. */
export const objectText = object;
/** White space as JSON allows it. */
export const spaceText = space;
