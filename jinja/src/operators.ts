import { TemplateError } from './template-error.ts';
import { formatted, textOf } from './text.ts';
import { escapeHtml } from './text-filters.ts';
import {
  compare,
  described,
  float,
  integer,
  isEqual,
  itemsOf,
  keyOf,
  list,
  numberOf,
  required,
  string,
  tuple,
  type Value,
} from './values.ts';

/** Longest text or list that repetition makes. */
const longest = 10_000_000;

const impossible = (operator: string, left: Value, right: Value): never => {
  throw new TemplateError(
    `${operator} cannot take ${described(required(left))} and ${described(required(right))}`,
  );
};

const floorDivide = (a: bigint, b: bigint): bigint => {
  const quotient = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient;
};

const wholeArithmetic: Record<string, (a: bigint, b: bigint) => Value> = {
  '+': (a, b) => integer(a + b),
  '-': (a, b) => integer(a - b),
  '*': (a, b) => integer(a * b),
  '/': (a, b) => float(Number(a) / Number(b)),
  '//': (a, b) => integer(floorDivide(a, b)),
  '%': (a, b) => integer(a - b * floorDivide(a, b)),
  '**': (a, b) => {
    if (b < 0n) return floatArithmetic['**']!(Number(a), Number(b));
    if (b > 100_000n) throw new TemplateError('the exponent of ** is too large');
    return integer(a ** b);
  },
};
const floatArithmetic: Record<string, (a: number, b: number) => Value> = {
  '+': (a, b) => float(a + b),
  '-': (a, b) => float(a - b),
  '*': (a, b) => float(a * b),
  '/': (a, b) => float(a / b),
  '//': (a, b) => float(Math.floor(a / b)),
  '%': (a, b) => float(a - b * Math.floor(a / b)),
  '**': (a, b) => {
    const result = a ** b;
    if (!Number.isFinite(result)) throw new TemplateError('** has no finite result');
    return float(result);
  },
};

const arithmetic = (operator: string, a: bigint | number, b: bigint | number): Value => {
  // biome-ignore lint/suspicious/noDoubleEquals: 0n and 0.
  if (b == 0 && ['/', '//', '%'].includes(operator)) throw new TemplateError('division by zero');
  if (typeof a === 'bigint' && typeof b === 'bigint') return wholeArithmetic[operator]!(a, b);
  const [x, y] = [Number(a), Number(b)];
  // The remainder of floats is exact even if the quotient is not.
  if (operator === '%' && Number.isFinite(x) && Number.isFinite(y)) {
    const remainder = x % y;
    return float(remainder !== 0 && remainder < 0 !== y < 0 ? remainder + y : remainder);
  }
  return floatArithmetic[operator]!(x, y);
};

const repeated = (value: Value, times: bigint): Value | undefined => {
  if (value.kind !== 'string' && value.kind !== 'list' && value.kind !== 'tuple') return undefined;
  const count = times > 0n ? Number(times) : 0;
  if (value.data.length * count > longest) throw new TemplateError('* makes too long a text or list');
  if (value.kind === 'string') return string(value.data.repeat(count));
  const items = Array.from({ length: count }, () => itemsOf(value)).flat();
  return value.kind === 'list' ? list(items) : tuple(...items);
};

/** Returns `left operator right`. Throws for what Python has no result. */
export const binary = (operator: string, left: Value, right: Value): Value => {
  const [x, y] = [numberOf(required(left)), numberOf(required(right))];
  if (x !== undefined && y !== undefined) return arithmetic(operator, x, y);
  const isEscaped = [left, right].some((value) => value.kind === 'string' && value.escaped);
  if (operator === '+') {
    if (left.kind === 'string' && right.kind === 'string') {
      if (!isEscaped) return string(left.data + right.data);
      return { ...string(escapeHtml(left) + escapeHtml(right)), escaped: true };
    }
    if (left.kind === right.kind && (left.kind === 'list' || left.kind === 'tuple')) {
      const items = [...itemsOf(left), ...itemsOf(right)];
      return left.kind === 'list' ? list(items) : tuple(...items);
    }
  }
  if (isEscaped) throw new TemplateError(`${operator} cannot take an escaped text: escape last`);
  if (operator === '*') {
    const result =
      typeof y === 'bigint' ? repeated(left, y) : typeof x === 'bigint' ? repeated(right, x) : undefined;
    if (result) return result;
  }
  if (operator === '%' && left.kind === 'string') return string(formatted(left.data, right));
  return impossible(operator, left, right);
};

const contains = (item: Value, container: Value): boolean => {
  const within = required(container);
  if (within.kind === 'string') {
    if (required(item).kind !== 'string') return impossible('in', item, within);
    return within.data.includes(textOf(item));
  }
  if (within.kind === 'dict') return within.data.has(keyOf(required(item)));
  return itemsOf(within, 'in').some((other) => isEqual(item, other));
};

const comparisons: Record<string, (left: Value, right: Value) => boolean> = {
  '==': isEqual,
  '!=': (left, right) => !isEqual(left, right),
  '<': (left, right) => compare(left, right) < 0,
  '<=': (left, right) => compare(left, right) <= 0,
  '>': (left, right) => compare(left, right) > 0,
  '>=': (left, right) => compare(left, right) >= 0,
  in: contains,
  'not in': (item, container) => !contains(item, container),
};
export const holds = (operator: string, left: Value, right: Value): boolean =>
  comparisons[operator]!(left, right);

/** `- value` and `+ value`. */
export const signed = (sign: '-' | '+', given: Value): Value => {
  const value = required(given);
  const number = numberOf(value);
  if (number === undefined) throw new TemplateError(`${sign} cannot take ${described(value)}`);
  if (sign === '+') return typeof number === 'bigint' ? integer(number) : float(number);
  return typeof number === 'bigint' ? integer(-number) : float(-number);
};

const indexOf = (value: Value | undefined): number | null => {
  if (value === undefined || value.kind === 'none') return null;
  const number = numberOf(required(value));
  if (typeof number !== 'bigint') throw new TemplateError('a part in brackets is given by whole numbers');
  return Number(number);
};

/** `value[start:stop:step]`. */
export const sliced = (given: Value, bounds: (Value | undefined)[]): Value => {
  const value = required(given);
  const sequence =
    value.kind === 'string' || value.kind === 'tuple' || (value.kind === 'list' && !value.lazy);
  if (!sequence) throw new TemplateError(`${described(value)} has no parts in brackets`);
  const items: (Value | string)[] = value.kind === 'string' ? Array.from(value.data) : itemsOf(value);
  const [start, stop, step] = [indexOf(bounds[0]), indexOf(bounds[1]), indexOf(bounds[2]) ?? 1];
  if (step === 0) throw new TemplateError('the step in brackets must not be 0');
  const { length } = items;
  const clamp = (at: number, low: number, high: number) =>
    Math.min(Math.max(at < 0 ? at + length : at, low), high);
  const [low, high] = step > 0 ? [0, length] : [-1, length - 1];
  const from = start === null ? (step > 0 ? low : high) : clamp(start, low, high);
  const to = stop === null ? (step > 0 ? high : low) : clamp(stop, low, high);
  const taken: (Value | string)[] = [];
  for (let at = from; step > 0 ? at < to : at > to; at += step) taken.push(items[at]!);
  if (value.kind === 'string') return string(taken.join(''));
  return value.kind === 'tuple' ? tuple(...(taken as Value[])) : list(taken as Value[]);
};
