import { bound, count, flag, type Given, textArgument } from './call-arguments.ts';
import { TemplateError } from './template-error.ts';
import { fixed } from './text.ts';
import type { Filter } from './text-filters.ts';
import { float, integer, numberOf, required, string, type Value, wrongType } from './values.ts';

/** Maximum number of digits after the point. */
const mostDigits = 60;

const digitsOf: Record<number, string> = { 2: '[01]', 8: '[0-7]', 10: '\\d', 16: '[\\da-f]' };
const prefixOf: Record<number, string> = { 2: '0b', 8: '0o', 16: '0x' };

/** Python's int(text, base). */
const wholeIn = (text: string, base: number): bigint | undefined => {
  const digit = digitsOf[base];
  if (!digit) throw new TemplateError('int takes the bases 2, 8, 10 and 16');
  const prefix = prefixOf[base] ?? '';
  const found = new RegExp(`^([+-]?)(?:${prefix})?_?(${digit}+(?:_${digit}+)*)$`, 'i').exec(text.trim());
  if (!found) return undefined;
  const value = BigInt(prefix + found[2]!.replaceAll('_', ''));
  return found[1] === '-' ? -value : value;
};

/** Python's float(text). */
const floatIn = (text: string): number | undefined => {
  const trimmed = text.trim().toLowerCase();
  const special = /^([+-]?)(?:(inf(?:inity)?)|nan)$/.exec(trimmed);
  if (special) return special[2] ? (special[1] === '-' ? -Infinity : Infinity) : Number.NaN;
  const plain = trimmed.replace(/(\d)_(?=\d)/g, '$1');
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/.test(plain) ? Number(plain) : undefined;
};

const floatOf = (given: Value): number | undefined => {
  const value = required(given);
  if (value.kind === 'string') return floatIn(value.data);
  const number = numberOf(value);
  return number === undefined ? undefined : Number(number);
};

/** Half to even, as Python rounds. */
const roundWhole = (value: bigint, precision: number): bigint => {
  if (precision >= 0) return value;
  const unit = 10n ** BigInt(-precision);
  const rest = ((value % unit) + unit) % unit;
  const down = value - rest;
  const isUp = rest * 2n > unit || (rest * 2n === unit && (down / unit) % 2n !== 0n);
  return isUp ? down + unit : down;
};

const rounded = (value: Value, given: Given, name: string): Value => {
  const [digits, way] = bound(name, given, ['precision', 'method']);
  const precision = count(name, digits, 0);
  const method = textArgument(name, way, 'common');
  const number = numberOf(required(value));
  if (number === undefined) throw wrongType(name, value);
  if (Math.abs(precision) > mostDigits) throw new TemplateError(`round takes at most ${mostDigits} digits`);
  if (method === 'ceil' || method === 'floor') {
    const scale = 10 ** precision;
    return float(Math[method](Number(number) * scale) / scale);
  }
  if (method !== 'common') throw new TemplateError('round knows the methods common, ceil and floor');
  if (typeof number === 'bigint') return integer(roundWhole(number, precision));
  if (precision < 0) throw new TemplateError('round takes digits before the point for whole numbers only');
  return float(Number.isFinite(number) ? Number(fixed(number, precision)) : number);
};

const bytesText = (value: Value, isBinary: boolean): string => {
  const bytes = floatOf(value);
  if (bytes === undefined) throw wrongType('filesizeformat', value);
  const base = isBinary ? 1024 : 1000;
  if (bytes === 1) return '1 Byte';
  if (bytes < base) return `${Math.trunc(bytes)} Bytes`;
  const letters = [...(isBinary ? 'KMGTPEZY' : 'kMGTPEZY')];
  const power = letters.findIndex((_, i) => bytes < base ** (i + 2));
  const at = power < 0 ? letters.length - 1 : power;
  return `${fixed((base * bytes) / base ** (at + 2), 1)} ${letters[at]}${isBinary ? 'iB' : 'B'}`;
};

export const numberFilters: Record<string, Filter> = {
  abs: (value, given, name) => {
    bound(name, given, []);
    const number = numberOf(required(value));
    if (number === undefined) throw wrongType(name, value);
    if (typeof number === 'number') return float(Math.abs(number));
    return integer(number < 0n ? -number : number);
  },
  int: (value, given, name) => {
    const [otherwise, base] = bound(name, given, ['default', 'base']);
    const whole =
      required(value).kind === 'string'
        ? wholeIn((value as { data: string }).data, count(name, base, 10))
        : undefined;
    if (whole !== undefined) return integer(whole);
    const number = numberOf(value);
    if (typeof number === 'bigint') return integer(number);
    const found = floatOf(value);
    return found === undefined || !Number.isFinite(found)
      ? (otherwise ?? integer(0))
      : integer(Math.trunc(found));
  },
  float: (value, given, name) => {
    const [otherwise] = bound(name, given, ['default']);
    const found = floatOf(value);
    return found === undefined ? (otherwise ?? float(0)) : float(found);
  },
  round: rounded,
  filesizeformat: (value, given, name) => {
    const [binary] = bound(name, given, ['binary']);
    return string(bytesText(value, flag(binary)));
  },
};
