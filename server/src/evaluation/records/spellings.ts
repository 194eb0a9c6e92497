/** What a writer of JSON escapes beyond the little that it must. Their records are kept as they were sent. */
type Writer = { escapes: RegExp; quote?: string; slash?: string };

const beyondAscii = /[^\x20-\x7e]/u;
const writers: Writer[] = [
  // JavaScript, Ruby, Rust, and whoever escapes no more than that.
  { escapes: /(?!)/u },
  // Python
  { escapes: beyondAscii },
  // Go
  { escapes: /[<>&\u2028\u2029]/u },
  // Gson
  { escapes: /[<>&='\u2028\u2029]/u },
  // Swift
  { escapes: /(?!)/u, slash: '\\/' },
  // PHP
  { escapes: beyondAscii, slash: '\\/' },
  // .NET
  { escapes: /[^\x20-\x7e]|[<>&'+`]/u, quote: '\\u0022' },
];

const escaped = (character: string): string =>
  character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');

const spell = (text: string, { escapes, quote = '\\"', slash = '/' }: Writer): string =>
  text.replace(/./gsu, (character) => {
    if (escapes.test(character)) return escaped(character);
    if (character === '"') return quote;
    return character === '/' ? slash : JSON.stringify(character).slice(1, -1);
  });

/**
 * How `text` may stand in the JSON that clients sent, each spelling once. An escape hides from a search that is blind to case which
 * letter it is, so where letters are escaped they are looked for in upper and in lower case as well.
 */
export const spellings = (text: string): string[] => [
  ...new Set(
    writers.flatMap((writer) => {
      const hidden = writer.escapes.test('é') && beyondAscii.test(text);
      const cases = hidden ? [text, text.toLowerCase(), text.toUpperCase()] : [text];
      return cases.map((each) => spell(each, writer));
    }),
  ),
];
