import { asText } from '../../platform/db/text.ts';
import type { RawJson } from '../../platform/json/json.ts';
import { isSpace, stringEnd, wordEnd } from '../../platform/json/scan-json.ts';

/** Text without the differences that a search ignores: case, and characters that cannot be stored. */
const folded = (text: string): string =>
  asText(text).toLowerCase().replaceAll('ς', 'σ').replaceAll('\u0001', '\ufffd');

/** The character codes of `,:[]{}`. */
const punctuation = new Set([44, 58, 91, 93, 123, 125]);
const isBetween = (code: number) => isSpace(code) || punctuation.has(code);

/**
 * Returns the searchable text of these JSON texts, as a person reads them: keys and strings without their escapes, numbers as they are
 * written, true, false and null, in their order, each on a separate line.
 */
export const searchText = (...texts: RawJson[]): string => {
  const found: string[] = [];
  for (const text of texts) {
    for (let at = 0; at < text.length; ) {
      if (isBetween(text.charCodeAt(at))) {
        at++;
        continue;
      }
      const isString = text[at] === '"';
      const end = isString ? stringEnd(text, at) : wordEnd(text, at);
      const inner = isString ? text.slice(at + 1, end - 1) : text.slice(at, end);
      found.push(inner.includes('\\') ? (JSON.parse(text.slice(at, end)) as string) : inner);
      at = end;
    }
  }
  return folded(found.join('\n'));
};

/** Returns the text that a search text contains if the record has the given one. */
export const searchedText = (text: string): string => folded(text);

/** Whether the trigram index can find a text: it needs three letters or digits in a row. */
export const hasTrigram = (text: string): boolean => /[\p{L}\p{N}]{3}/u.test(text);
