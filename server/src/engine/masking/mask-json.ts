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

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/**
 * The search for documents reads a text this many times at most, as far as it reads no more than `mostRead` characters: an opening brace
 * without an end is read to the end of the text.
 */
const [mostReadings, leastReadings, mostRead] = [64, 4, 4_000_000];

/** Returns the position after the closing bracket of the one at `start`, in a text that need not be JSON; its end if there is none. */
const closingOf = (text: string, start: number): number => {
  let open = 0;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 34) {
      at++;
      while (at < text.length && text.charCodeAt(at) !== 34) at += text.charCodeAt(at) === 92 ? 2 : 1;
    } else if (openers.has(code)) open++;
    else if ((code === 93 || code === 125) && --open === 0) return at + 1;
  }
  return text.length;
};

/** Finds the JSON of objects and lists in a text: the whole text, as tools' arguments are, or parts of it, introduced or in fences. */
const documentsIn = (text: string): { from: number; to: number }[] => {
  if (!text.includes('"')) return [];
  const found: { from: number; to: number }[] = [];
  let left = Math.max(leastReadings * text.length, Math.min(mostReadings * text.length, mostRead));
  for (let at = 0; at < text.length && left > 0; ) {
    if (!openers.has(text.charCodeAt(at))) {
      at++;
      continue;
    }
    const to = closingOf(text, at);
    left -= to - at;
    const isDocument = isJson(text.slice(at, to));
    if (isDocument) found.push({ from: at, to });
    at = isDocument ? to : at + 1;
  }
  return found;
};

/** Masks a text, and the fields of the JSON in it, which stands at this place. */
export const maskText = (text: string, masker: Masker, place: Place, nested = 0): string => {
  const documents = nested < maxNested ? documentsIn(text) : [];
  let done = '';
  let copied = 0;
  for (const { from, to } of documents) {
    const before = text.slice(copied, from);
    done += masker.text(before) + maskJson(text.slice(from, to), masker, place, nested + 1);
    copied = to;
  }
  return done + masker.text(text.slice(copied));
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
    const masked = where === undefined ? masker.text(value) : maskText(value, masker, where, nested);
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
      const name = text.slice(at + 1, end - 1);
      here = masker.below(inside, name.includes('\\') ? (JSON.parse(text.slice(at, end)) as string) : name);
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
        if (code === 45 || (code >= 48 && code <= 57)) {
          const token = masker.number(text.slice(at, end));
          if (token !== undefined) put(at, end, JSON.stringify(token));
        }
        at = end;
      }
    }
  }
  return copied === 0 ? text : done + text.slice(copied);
};
