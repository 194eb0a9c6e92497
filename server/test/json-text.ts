import fc from 'fast-check';

/**
 * Arbitrary JSON as a client may spell it: any white space, digits, escapes, key order, and keys that come twice. Each text comes with
 * what it means, which is known from how it was made.
 */
type Spelled<T = unknown> = { text: string; value: T };

const space = fc.stringMatching(/^[ \t\n\r]{0,2}$/);

const numberText = fc.oneof(
  fc.stringMatching(/^-?(0|[1-9]\d{0,20})(\.\d{1,20})?([eE][+-]?\d{1,3})?$/),
  fc.constantFrom('12345678901234567890', '1.10', '1e-7', '-0', '1e400', '0.1', '1E+2'),
);

const characters: fc.Arbitrary<Spelled<string>> = fc.oneof(
  fc
    .string({ unit: 'binary', maxLength: 8 })
    .map((value) => ({ text: JSON.stringify(value).slice(1, -1), value })),
  fc.constantFrom(
    { text: '\\u0000', value: '\0' },
    { text: '\\"', value: '"' },
    { text: '\\\\', value: '\\' },
    { text: '\\/', value: '/' },
    { text: '\\n', value: '\n' },
    { text: '\\u00E9', value: '\u00e9' },
    { text: '\\ud83d\\ude00', value: '\u{1F600}' },
    { text: '\\ud800', value: '\ud800' },
    { text: '\\udc00\\ud800', value: '\udc00\ud800' },
  ),
  fc
    .constantFrom('{', '}', '[', ']', ',', ':', '\u2028', '\u{1F600}', 'e\u0301')
    .map((value) => ({ text: value, value })),
);
const string: fc.Arbitrary<Spelled<string>> = fc.array(characters, { maxLength: 4 }).map((parts) => ({
  text: `"${parts.map(({ text }) => text).join('')}"`,
  value: parts.map(({ value }) => value).join(''),
}));

const key: fc.Arbitrary<Spelled<string>> = fc.oneof(
  { weight: 3, arbitrary: string },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      ...['__proto__', 'constructor', 'toString', 'a', '2', '1'].map((value) => ({
        text: `"${value}"`,
        value,
      })),
      { text: '"\\u0061"', value: 'a' },
    ),
  },
);

const padded = <T>(spelled: fc.Arbitrary<Spelled<T>>): fc.Arbitrary<Spelled<T>> =>
  fc
    .tuple(space, spelled, space)
    .map(([before, { text, value }, after]) => ({ text: before + text + after, value }));

const within = (open: string, parts: Spelled[], close: string) =>
  `${open}${parts.map(({ text }) => text).join(',')}${close}`;

type Tree = { value: Spelled; array: Spelled<unknown[]>; object: Spelled<Record<string, unknown>> };

const { value, object } = fc.letrec<Tree>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom(
      { text: 'true', value: true },
      { text: 'false', value: false },
      { text: 'null', value: null },
    ),
    numberText.map((text) => ({ text, value: Number(text) })),
    string,
    tie('array'),
    tie('object'),
  ),
  array: fc.oneof(
    { weight: 1, arbitrary: space.map((inner) => ({ text: `[${inner}]`, value: [] })) },
    {
      weight: 4,
      arbitrary: fc.array(padded(tie('value')), { minLength: 1, maxLength: 4 }).map((parts) => ({
        text: within('[', parts, ']'),
        value: parts.map((part) => part.value),
      })),
    },
  ),
  object: fc.oneof(
    { weight: 1, arbitrary: space.map((inner) => ({ text: `{${inner}}`, value: {} })) },
    {
      weight: 4,
      arbitrary: fc
        .array(
          fc.tuple(padded(key), padded(tie('value'))).map(([name, member]) => ({
            text: `${name.text}:${member.text}`,
            value: [name.value, member.value] as const,
          })),
          { minLength: 1, maxLength: 4 },
        )
        .map((parts) => ({
          text: within('{', parts, '}'),
          // Makes `__proto__` an ordinary key, and takes the last of those that come twice.
          value: Object.fromEntries(parts.map((part) => part.value)),
        })),
    },
  ),
}));

/** Any JSON value, without white space around it. */
export const spelledValue = value;
/** Any JSON object, without white space around it. */
export const spelledObject = object;
export const valueText = value.map(({ text }) => text);
export const objectText = object.map(({ text }) => text);
export const stringText = string.map(({ text }) => text);
/** White space as JSON allows it. */
export const spaceText = space;
