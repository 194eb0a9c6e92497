import { createHash } from 'node:crypto';
import type { RawJson } from './json.ts';
import { skipSpace, stringEnd, wordEnd } from './scan-json.ts';

const zero = 48;

/** Exponents of more digits are not reckoned with: that would take seconds for a number that nobody means. */
const maxExponentDigits = 1_000;

/** By hand, because /0+$/ begins anew at each zero inside: of 200,000 of them that took half a minute. */
const withoutLastZeros = (digits: string): string => {
  let end = digits.length;
  while (digits.charCodeAt(end - 1) === zero) end--;
  return digits.slice(0, end);
};

/** Exact decimal value of a JSON number as `<sign><digits>e<exponent>`: 1.10, 1.1 and 11e-1 give the same text. One of an endless exponent is itself. */
const exactNumber = (source: string): string => {
  const [, sign, whole, fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(source) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = withoutLastZeros(digits);
  if (significant === '') return '0';
  if (exponent.length > maxExponentDigits) return source;
  const scale = BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - significant.length);
  return `${sign}${significant}e${scale}`;
};

/** Most numbers are whole and do not end in 0: those need no reckoning, and there may be millions. */
const wholeNumber = /^-?(?:[1-9]\d*)?[1-9]$/;
const numberText = (source: string): string =>
  `"n${wholeNumber.test(source) ? `${source}e0` : exactNumber(source)}"`;

const stringText = (literal: string): string =>
  literal.includes('\\') ? JSON.stringify(`s${JSON.parse(literal)}`) : `"s${literal.slice(1)}`;

const byKey = ([a]: [string, string], [b]: [string, string]) => (a < b ? -1 : 1);

/** Reads one value after the other from JSON that JSON.parse has accepted: the same text for the same value. */
const canonicalReader = (text: RawJson) => {
  let at = 0;
  /** Calls `readItem` at each item up to the closing bracket. */
  const readItems = (close: string, readItem: () => void): void => {
    for (at = skipSpace(text, at + 1); text[at] !== close; at = skipSpace(text, at)) {
      if (text[at] === ',') at = skipSpace(text, at + 1);
      readItem();
    }
    at++;
  };
  const cut = (end: number): string => {
    const part = text.slice(at, end);
    at = end;
    return part;
  };
  const read = (): string => {
    at = skipSpace(text, at);
    switch (text[at]) {
      case '"':
        return stringText(cut(stringEnd(text, at)));
      case '[': {
        const items: string[] = [];
        readItems(']', () => items.push(read()));
        return `[${items.join(',')}]`;
      }
      case '{': {
        const entries = new Map<string, string>();
        readItems('}', () => {
          const key: string = JSON.parse(cut(stringEnd(text, at)));
          at = skipSpace(text, at) + 1;
          entries.set(key, read());
        });
        const sorted = [...entries].sort(byKey);
        return `{"entries":[${sorted.map(([key, value]) => `[${JSON.stringify(key)},${value}]`).join(',')}]}`;
      }
      default: {
        const word = cut(wordEnd(text, at));
        return /\d$/.test(word) ? numberText(word) : word;
      }
    }
  };
  return read;
};

/**
 * SHA-256 of what `text` means as a JSON value: key order, white space and the spelling of numbers don't count. Expects free-form
 * JSON that was accepted, so of `maxDepth` levels at most. Made of the text: parsed, 14 MB of small numbers took nine seconds.
 */
export const valueHash = (text: RawJson): Buffer =>
  createHash('sha256').update(canonicalReader(text)()).digest();
