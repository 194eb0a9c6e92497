import { createHash } from 'node:crypto';
import type { RawJson } from './json.ts';
import { parseJson } from './parse-json.ts';

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

/** A number by its exact value. */
class ExactNumber {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

const byKey = ([a]: [string, unknown], [b]: [string, unknown]) => (a < b ? -1 : 1);

const canonical = (value: unknown): unknown => {
  if (value instanceof ExactNumber) return `n${value.text}`;
  if (typeof value === 'string') return `s${value}`;
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(canonical);
  const entries = Object.entries(value).sort(byKey);
  return { entries: entries.map(([key, member]) => [key, canonical(member)]) };
};

/**
 * SHA-256 of what `text` means as a JSON value: key order, white space and the spelling of numbers don't count. Expects free-form
 * JSON that was accepted, so of `maxDepth` levels at most.
 */
export const valueHash = (text: RawJson): Buffer => {
  const value = parseJson(text, (_, source) => new ExactNumber(exactNumber(source)));
  return createHash('sha256')
    .update(JSON.stringify(canonical(value)))
    .digest();
};
