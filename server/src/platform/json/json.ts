import { invalid } from '../errors.ts';
import { isSpace, skipSpace, stringEnd } from './scan-json.ts';

/**
 * Free-form JSON, as the text that was sent: JSON.parse would round 12345678901234567890, sort integer-like keys and drop
 * duplicates. The functions of this file cut it into parts. They expect text that JSON.parse has accepted.
 */
export type RawJson = string;

/** Maximum depth of free-form JSON. PostgreSQL's own recursion limits deeper values. */
export const maxDepth = 200;

const quote = 34;

/** Returns the position after the value that begins at `at`, and its depth: 0 for a scalar, 1 for `{}`. */
const endOfValue = (text: string, at: number): { end: number; depth: number } => {
  let open = 0;
  let depth = 0;
  for (let i = at; i < text.length; ) {
    const code = text.charCodeAt(i);
    if (code === quote) {
      i = stringEnd(text, i);
      if (open === 0) return { end: i, depth };
      continue;
    }
    if (code === 123 || code === 91) {
      depth = Math.max(depth, ++open);
    } else if (code === 125 || code === 93) {
      if (open === 0) return { end: i, depth };
      if (--open === 0) return { end: i + 1, depth };
    } else if (open === 0 && (code === 44 || isSpace(code))) {
      return { end: i, depth };
    }
    i++;
  }
  return { end: text.length, depth };
};

/** Calls `visit` with each member of the object `text`, in order, including repeated keys. */
export const eachMember = (
  text: RawJson,
  visit: (key: string, value: RawJson, depth: number) => void,
): void => {
  let at = skipSpace(text, skipSpace(text, 0) + 1);
  while (text.charCodeAt(at) === quote) {
    const keyEnd = stringEnd(text, at);
    const literal = text.slice(at, keyEnd);
    const start = skipSpace(text, skipSpace(text, keyEnd) + 1);
    const { end, depth } = endOfValue(text, start);
    visit(
      literal.includes('\\') ? (JSON.parse(literal) as string) : literal.slice(1, -1),
      text.slice(start, end),
      depth,
    );
    at = skipSpace(text, end);
    if (text.charCodeAt(at) === 44) at = skipSpace(text, at + 1);
  }
};

/** Returns the keys that an object has more than once, at its top level. */
export const repeatedKeys = (text: RawJson): string[] => {
  const seen = new Set<string>();
  const twice = new Set<string>();
  eachMember(text, (key) => {
    if (seen.has(key)) twice.add(key);
    seen.add(key);
  });
  return [...twice];
};

/** Returns the members of an object as text, by key, in the order sent. The last of repeated keys counts, as in JSON.parse. */
export const members = (text: RawJson): Map<string, RawJson> => {
  const found = new Map<string, RawJson>();
  eachMember(text, (key, value) => found.set(key, value));
  return found;
};

/**
 * Returns the members `keys` of an object as sent, without those that the object does not have. Throws 400 at `<path>/<key>` for
 * one deeper than `maxDepth`.
 */
export const freeForm = <K extends string>(
  text: RawJson,
  keys: readonly K[],
  path = '',
): { [key in K]?: RawJson } => {
  const found: { [key in K]?: RawJson } = {};
  eachMember(text, (key, value, depth) => {
    if (!(keys as readonly string[]).includes(key)) return;
    if (depth > maxDepth) throw invalid(`${path}/${key}`, `must not nest deeper than ${maxDepth} levels`);
    found[key as K] = value;
  });
  return found;
};

/** Returns the elements of an array as text. */
export const elements = (text: RawJson): RawJson[] => {
  const found: RawJson[] = [];
  let at = skipSpace(text, skipSpace(text, 0) + 1);
  while (at < text.length && text.charCodeAt(at) !== 93) {
    const { end } = endOfValue(text, at);
    found.push(text.slice(at, end));
    at = skipSpace(text, end);
    if (text.charCodeAt(at) === 44) at = skipSpace(text, at + 1);
  }
  return found;
};

/** Returns an object with some of these members, as text. */
export type Picker = (members: Map<string, RawJson>) => RawJson;

/**
 * Returns the function that picks the members that `keys` name, each once and in the order of `keys`, with values as they were
 * sent. It indexes the keys once: a testset may map hundreds of thousands, which took a minute for a hundred testcases.
 */
export const picker = (keys: readonly string[]): Picker => {
  const places = new Map([...new Set(keys)].map((key, i) => [key, i]));
  return (all) =>
    `{${[...all]
      .filter(([key]) => places.has(key))
      .sort(([a], [b]) => places.get(a)! - places.get(b)!)
      .map(([key, value]) => `${JSON.stringify(key)}:${value}`)
      .join(',')}}`;
};

/** Picks members of an object's text, as picker does. */
export const pick = (text: RawJson, keys: readonly string[]): RawJson => picker(keys)(members(text));
