import type { RawJson } from './json.ts';
import { skipSpace, stringEnd, wordEnd } from './scan-json.ts';

/** Converts a number, given as its JavaScript value and as its text. */
type ReadNumber = (value: number, source: string) => unknown;

const colon = 58;

/** Whether a key of valid JSON has an escape. */
const hasEscapedKey = (text: RawJson): boolean => {
  for (let at = text.indexOf('\\'); at >= 0; at = text.indexOf('\\', at)) {
    at = stringEnd(text, at);
    if (text.charCodeAt(skipSpace(text, at)) === colon) return true;
  }
  return false;
};

type Container = unknown[] | Record<string, unknown>;

const setMember = (object: Record<string, unknown>, key: string, value: unknown): void => {
  if (key !== '__proto__') object[key] = value;
  else Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
};

const readString = (text: RawJson, at: number, end: number): string => {
  const inner = text.slice(at + 1, end - 1);
  return inner.includes('\\') ? JSON.parse(text.slice(at, end)) : inner;
};

const words: Record<string, unknown> = { true: true, false: false, null: null };
const readWord = (word: string, readNumber: ReadNumber): unknown =>
  word in words ? words[word] : readNumber(Number(word), word);

/** Reads JSON that JSON.parse has accepted. It does not recurse, because the depth is not limited yet. */
const readValid = (text: RawJson, readNumber: ReadNumber): unknown => {
  let result: unknown;
  let key: string | undefined;
  const open: Container[] = [];
  const put = (value: unknown): void => {
    const container = open.at(-1);
    if (container === undefined) result = value;
    else if (Array.isArray(container)) container.push(value);
    else {
      setMember(container, key!, value);
      key = undefined;
    }
  };
  for (let at = skipSpace(text, 0); at < text.length; at = skipSpace(text, at)) {
    const char = text[at]!;
    if (char === ',') {
      at++;
    } else if (char === '}' || char === ']') {
      open.pop();
      at++;
    } else if (char === '{' || char === '[') {
      const container = char === '{' ? {} : [];
      put(container);
      open.push(container);
      at++;
    } else if (char === '"') {
      const end = stringEnd(text, at);
      const value = readString(text, at, end);
      const container = open.at(-1);
      if (key === undefined && container !== undefined && !Array.isArray(container)) {
        key = value;
        at = skipSpace(text, end) + 1;
      } else {
        put(value);
        at = end;
      }
    } else {
      const end = wordEnd(text, at);
      put(readWord(text.slice(at, end), readNumber));
      at = end;
    }
  }
  return result;
};

type Reviver = (key: string, value: unknown, context: { source: string }) => unknown;
const parseWithSource = JSON.parse as (text: string, reviver: Reviver) => unknown;

/**
 * JSON.parse for text from clients. Throws SyntaxError where JSON.parse does.
 *
 * In Node 24 and 26, JSON.parse can confuse a key with an escape ("\u00e9") with an earlier key that holds a backslash, also one
 * of another client: `{"b":1,"\\":2}` twice, then `{"b":1,"\u00e9":2}` (nodejs/node#63785). Texts with such keys are read here.
 */
export const parseJson = (text: RawJson, readNumber?: ReadNumber): unknown => {
  const value: unknown = readNumber
    ? parseWithSource(text, (_key, value, { source }) =>
        typeof value === 'number' ? readNumber(value, source) : value,
      )
    : JSON.parse(text);
  return hasEscapedKey(text) ? readValid(text, readNumber ?? ((number) => number)) : value;
};
