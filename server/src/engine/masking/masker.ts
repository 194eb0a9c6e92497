import { createHmac, type KeyObject } from 'node:crypto';
import { RE2JS } from 're2js';
import { cardLength, holdsSecret, type Pattern, type PatternName, patterns } from './patterns.ts';

export type MaskingRules = {
  /** Built-in patterns to look for. */
  patterns: PatternName[];
  /** Custom patterns: regular expressions of RE2, which take linear time. */
  custom: { name: string; pattern: string }[];
  /** Paths of fields that are replaced whole, such as `inputs.user.email`. `*` is any key, `**` any number of them. */
  fields: string[];
  /** Whether a token has a keyed hash of the value, so that equal values stay equal. */
  hashed: boolean;
};

/** Position of a value: how much of the path of each field it has matched. `isWhole`: it is one of the fields. */
export type Place = { at: readonly (readonly [path: readonly string[], done: number])[]; isWhole: boolean };

/** Replaces personal data. */
export type Masker = {
  /** Replaces what the patterns find in a text. */
  text: (value: string) => string;
  /** The same for an id, always with a hash: two people must not become one. */
  id: (value: string) => string;
  /** Replaces a whole value, whose text is given. */
  whole: (text: string) => string;
  /** Returns what replaces a number, as it is written, that is a card or in which a custom pattern finds something; else undefined. */
  number: (written: string) => string | undefined;
  /** The position of the whole value. */
  root: Place;
  /** The position of a value below a key. */
  below: (place: Place, key: string) => Place;
};

const nowhere: Place = { at: [], isWhole: false };
const secretPlace: Place = { at: [], isWhole: true };

const isAscii = (text: string): boolean => !/[^\0-\x7f]/.test(text);

/** The ASCII digit that a digit of another script stands for. Digits follow each other from zero on. */
const asciiDigit = (digit: string): string => {
  const code = digit.codePointAt(0)!;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++;
  return String(value);
};

/** Returns a text as a reader sees it: without characters that are not shown, look-alikes as plain letters, dashes and digits. */
const plainOf = (text: string): string =>
  text
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .normalize('NFKC')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/[^\P{Nd}0-9]/gu, asciiDigit);

/** Returns the name of a field as names are compared. */
const foldName = (name: string): string => (isAscii(name) ? name : plainOf(name)).trim();

/** Returns how else a number could be written: without an exponent, and without zeros after its point. */
const digitsOf = (written: string): string => {
  const value = /e/i.test(written) ? Number(written) : Number.NaN;
  return Number.isSafeInteger(value) ? String(value) : written.replace(/\.0+$/, '');
};

/** Compiles a custom pattern. Throws an error that says what is wrong with it. */
export const compilePattern = (pattern: string): RE2JS => {
  const compiled = RE2JS.compile(pattern);
  if (compiled.matcher('').find()) throw new Error('must not match the empty text');
  return compiled;
};

const ownPattern = ({ name, pattern }: { name: string; pattern: string }): Pattern => {
  const compiled = compilePattern(pattern);
  return {
    token: name.toUpperCase(),
    hint: () => true,
    apply: (text, replace) => {
      const matcher = compiled.matcher(text);
      let done = '';
      let copied = 0;
      while (matcher.find()) {
        done += text.slice(copied, matcher.start()) + replace(text.slice(matcher.start(), matcher.end()));
        copied = matcher.end();
      }
      return done + text.slice(copied);
    },
  };
};

/** The next step on a path: those that `key` may lead to. */
const stepsAfter = (path: readonly string[], done: number, key: string): number[] => {
  const wanted = path[done];
  if (wanted === undefined) return [];
  if (wanted === '**') return [done, ...stepsAfter(path, done + 1, key)];
  return wanted === '*' || wanted === key ? [done + 1] : [];
};

/** Returns a masker for these rules. `key` is the key of the hashes. Throws for a custom pattern that cannot be compiled. */
export const makeMasker = (rules: MaskingRules, key: KeyObject): Masker => {
  const custom = rules.custom.map(ownPattern);
  const { secret, ...others } = patterns;
  const isActive = (name: string) => rules.patterns.includes(name as PatternName);
  // Secrets first: a custom pattern that finds digits in one would leave its rest.
  const active: Pattern[] = [
    ...(isActive('secret') ? [secret] : []),
    ...custom,
    ...Object.entries(others).flatMap(([name, pattern]) => (isActive(name) ? [pattern] : [])),
  ];
  const hashOf = (token: string, value: string): string => {
    const folded = value
      .toLowerCase()
      .replace(token === 'EMAIL' ? /%40/ : /[\s\u00a0().-]/g, token === 'EMAIL' ? '@' : '');
    return createHmac('sha256', key).update(`${token}\n${folded}`).digest('hex').slice(0, 12);
  };
  const tokenOf = (token: string, value: string, hashed: boolean): string =>
    hashed ? `[${token}:${hashOf(token, value)}]` : `[${token}]`;
  const maskBy = (found: readonly Pattern[], text: string, hashed: boolean): string => {
    let masked = text;
    for (const { token, hint, apply } of found)
      if (hint(masked)) masked = apply(masked, (value) => tokenOf(token, value, hashed));
    return masked;
  };
  /** Masks a text. Look-alikes and invisible characters hide nothing: a text in which more is found without them is stored without them. */
  const mask = (text: string, hashed: boolean): string => {
    const masked = maskBy(active, text, hashed);
    const seen = isAscii(text) ? text : plainOf(text);
    if (seen === text) return masked;
    const all = maskBy(active, seen, hashed);
    return all === plainOf(masked) ? masked : all;
  };
  const looksForCards = rules.patterns.includes('creditCard');
  const looksForSecrets = rules.patterns.includes('secret');
  const paths = rules.fields.map((field) => foldName(field).toLowerCase().split('.'));

  const placeAt = (at: Place['at']): Place =>
    at.length === 0 ? nowhere : { at, isWhole: at.some(([path, done]) => done === path.length) };
  return {
    text: (value) => mask(value, rules.hashed),
    id: (value) => mask(value, true),
    whole: (text) => tokenOf('MASKED', text, rules.hashed),
    number: (written) => {
      const digits = digitsOf(written);
      if (looksForCards && /^\d{13,}$/.test(digits) && cardLength(digits) === digits.length)
        return tokenOf('CREDIT_CARD', digits, rules.hashed);
      for (const form of new Set([written, digits])) {
        const masked = maskBy(custom, form, rules.hashed);
        if (masked !== form) return masked;
      }
      return undefined;
    },
    root: placeAt(paths.map((path) => [path, 0] as const)),
    below: (place, given) => {
      const key = foldName(given);
      if (looksForSecrets && holdsSecret(key)) return secretPlace;
      if (place.at.length === 0) return nowhere;
      let at = place.at;
      // Attributes of spans have dots in their names.
      for (const part of key.toLowerCase().split('.'))
        at = at.flatMap(([path, done]) => stepsAfter(path, done, part).map((next) => [path, next] as const));
      return placeAt(at);
    },
  };
};
