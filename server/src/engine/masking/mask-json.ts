import type { RawJson } from '../../platform/json/json.ts';
import { isSpace, skipSpace, stringEnd, wordEnd } from '../../platform/json/scan-json.ts';
import type { Masker, Place } from './masker.ts';

/** Models and tools send JSON inside texts of JSON. Below this depth it is masked as text. */
const maxNested = 4;

const openers = new Set([91, 123]);

/** Returns the position after the value that begins at `start`. */
const endOf = (text: RawJson, start: number): number => {
  let open = 0;
  for (let at = start; at < text.length; ) {
    const code = text.charCodeAt(at);
    if (code === 34) at = stringEnd(text, at);
    else if (openers.has(code) || code === 93 || code === 125) {
      open += openers.has(code) ? 1 : -1;
      at++;
    } else if (isSpace(code) || code === 44 || code === 58) {
      at++;
      continue;
    } else at = wordEnd(text, at);
    if (open === 0) return at;
  }
  return text.length;
};

/** Whether a text is the JSON of an object or a list, as tools' arguments are. */
const isJson = (text: string): boolean => {
  if (!/^\s*[[{]/.test(text) || !text.includes('"')) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/**
 * Masks JSON and keeps all other text as it is: white space, the digits of numbers and the order of keys. Keys are masked as texts are.
 * The text must be JSON.
 */
export const maskJson = (text: RawJson, masker: Masker, place: Place = masker.root, nested = 0): RawJson => {
  let done = '';
  let copied = 0;
  const put = (from: number, to: number, instead: string) => {
    done += text.slice(copied, from) + instead;
    copied = to;
  };

  const maskString = (at: number, where: Place | undefined): number => {
    const end = stringEnd(text, at);
    const inner = text.slice(at + 1, end - 1);
    const value = inner.includes('\\') ? (JSON.parse(text.slice(at, end)) as string) : inner;
    const isNested = where !== undefined && nested < maxNested && isJson(value);
    const masked = isNested ? maskJson(value, masker, where, nested + 1) : masker.text(value);
    if (masked !== value) put(at, end, JSON.stringify(masked));
    return end;
  };

  // An explicit stack instead of recursion: the sender chooses how deep a document is.
  const open: { isObject: boolean; place: Place; here: Place }[] = [];
  let at = skipSpace(text, 0);
  let here = place;
  let isKey = false;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (isSpace(code)) at++;
    else if (code === 44) {
      isKey = open.at(-1)!.isObject;
      at++;
    } else if (code === 58) at++;
    else if (code === 93 || code === 125) {
      here = open.pop()!.here;
      isKey = false;
      at++;
    } else if (isKey) {
      const end = stringEnd(text, at);
      const inside = open.at(-1)!.place;
      here =
        inside.at.length === 0 ? inside : masker.below(inside, JSON.parse(text.slice(at, end)) as string);
      maskString(at, undefined);
      at = end;
      isKey = false;
    } else {
      const where = open.at(-1)?.isObject === false ? open.at(-1)!.place : here;
      if (where.isWhole) {
        const end = endOf(text, at);
        put(at, end, JSON.stringify(masker.whole(text.slice(at, end))));
        at = end;
      } else if (openers.has(code)) {
        open.push({ isObject: code === 123, place: where, here });
        isKey = code === 123;
        at++;
      } else if (code === 34) at = maskString(at, where);
      else {
        const end = wordEnd(text, at);
        if (end - at >= 13) {
          const word = text.slice(at, end);
          const token = /^\d+$/.test(word) ? masker.number(word) : undefined;
          if (token !== undefined) put(at, end, JSON.stringify(token));
        }
        at = end;
      }
    }
  }
  return copied === 0 ? text : done + text.slice(copied);
};
