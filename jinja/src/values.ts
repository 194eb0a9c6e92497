import { MissingPlaceholder, TemplateError } from './template-error.ts';

/** A method or function of a template: what it is called with, it evaluates itself. */
export type Callable = (args: Value[], kwargs: Map<string, Value>) => Value;

type Data =
  /** Printing it is an error that names it; without a name it prints nothing, as an `if` without `else` does. */
  | { kind: 'undefined'; name: string | null }
  | { kind: 'none' }
  | { kind: 'boolean'; data: boolean }
  | { kind: 'integer'; data: bigint }
  | { kind: 'float'; data: number }
  /** `escaped`: the result of `escape` or `safe`, which is not escaped again. */
  | { kind: 'string'; data: string; escaped?: boolean }
  /** `lazy`: what Python gives as an iterator. It is true even if empty, has no length, and can be read once. */
  | { kind: 'list'; data: Value[]; lazy?: 'fresh' | 'read' }
  /** `names` are those of its items: a group has a `grouper` and a `list`. */
  | { kind: 'tuple'; data: Value[]; names?: readonly string[] }
  | { kind: 'dict'; data: Map<string, [Value, Value]> }
  | { kind: 'namespace'; data: Map<string, Value> }
  /** An object of the engine: its members, and what a call of it does. */
  | { kind: 'object'; members: Readonly<Record<string, Value>>; call: Callable | null };
/**
 * A value of a template. `untrusted`: it is the record's or was made from it. `written`: how the record writes the number, where Python would
 * write it differently: 1.10.
 */
export type Value = Data & { untrusted?: boolean; written?: string };
export type Kind = Value['kind'];
export type Of<K extends Kind> = Extract<Value, { kind: K }>;

export const undefinedValue = (name: string | null): Value => ({ kind: 'undefined', name });
export const none = (): Value => ({ kind: 'none' });
export const boolean = (data: boolean): Value => ({ kind: 'boolean', data });
export const integer = (data: bigint | number): Of<'integer'> => ({ kind: 'integer', data: BigInt(data) });
export const float = (data: number): Value => ({ kind: 'float', data });
export const string = (data: string): Of<'string'> => ({ kind: 'string', data });
export const list = (data: Value[]): Value => ({ kind: 'list', data });
export const lazyList = (data: Value[]): Value => ({ kind: 'list', data, lazy: 'fresh' });
export const tuple = (...data: Value[]): Of<'tuple'> => ({ kind: 'tuple', data });
export const object = (members: Readonly<Record<string, Value>>, call: Callable | null = null): Value => ({
  kind: 'object',
  members,
  call,
});

const words: Record<Kind, string> = {
  undefined: 'a missing value',
  none: 'null',
  boolean: 'a boolean',
  integer: 'a number',
  float: 'a number',
  string: 'a text',
  list: 'a list',
  tuple: 'a list',
  dict: 'an object',
  namespace: 'a namespace',
  object: 'a function',
};
/** The value's type, for messages. */
export const described = (value: Value): string =>
  value.kind === 'list' && value.lazy ? 'an iterator (add | list)' : words[value.kind];

/** Throws if the value is missing. */
export const required = <V extends Value>(value: V): Exclude<V, { kind: 'undefined' }> => {
  if (value.kind === 'undefined') {
    if (value.name === null) throw new TemplateError('an if without else has no value here');
    throw new MissingPlaceholder(value.name);
  }
  return value as Exclude<V, { kind: 'undefined' }>;
};

export const wrongType = (what: string, value: Value): TemplateError =>
  new TemplateError(`${what} cannot take ${described(required(value))}`);

export const isTrue = (value: Value): boolean => {
  switch (value.kind) {
    case 'undefined':
    case 'none':
      return false;
    case 'boolean':
      return value.data;
    case 'integer':
    case 'float':
    case 'string':
      return Boolean(value.data);
    case 'list':
      return value.lazy !== undefined || value.data.length > 0;
    case 'tuple':
      return value.data.length > 0;
    case 'dict':
      return value.data.size > 0;
    default:
      return true;
  }
};

/** A number, as Python counts booleans among them. */
export const numberOf = (value: Value): bigint | number | undefined => {
  if (value.kind === 'boolean') return value.data ? 1n : 0n;
  return value.kind === 'integer' || value.kind === 'float' ? value.data : undefined;
};

/** Two values that are equal in Python have the same key, others have different ones. Throws for what no dict can have as a key. */
export const keyOf = (value: Value): string => {
  const number = numberOf(value);
  if (number !== undefined) return `number ${Number.isInteger(number) ? BigInt(number) : number}`;
  switch (value.kind) {
    case 'string':
      return `string ${value.data}`;
    case 'none':
      return 'none';
    case 'tuple':
      return `tuple ${JSON.stringify(value.data.map(keyOf))}`;
    default:
      throw wrongType('a key', value);
  }
};

export const dict = (pairs: Iterable<readonly [Value, Value]>): Of<'dict'> => {
  const data = new Map<string, [Value, Value]>();
  for (const [key, value] of pairs) data.set(keyOf(key), [key, value]);
  return { kind: 'dict', data };
};
export const entriesOf = (value: Of<'dict'>): [Value, Value][] => [...value.data.values()];

const charactersOf = (value: Of<'string'>): Value[] =>
  Array.from(value.data, (char) => ({ ...string(char), untrusted: value.untrusted ?? false }));

/** Number of characters of a text, as Python counts them. */
export const lengthOf = (text: string): number => {
  let count = 0;
  for (const _ of text) count++;
  return count;
};

/** The items of what can be looped over. An iterator is read by it. */
export const itemsOf = (given: Value, what = 'a loop'): Value[] => {
  const value = required(given);
  switch (value.kind) {
    case 'list': {
      if (value.lazy === 'read') return [];
      if (value.lazy) value.lazy = 'read';
      return value.data;
    }
    case 'tuple':
      return value.data;
    case 'dict':
      return entriesOf(value).map(([key]) => key);
    case 'string':
      return charactersOf(value);
    default:
      throw wrongType(what, value);
  }
};

export const isEqual = (left: Value, right: Value): boolean => {
  const [a, b] = [required(left), required(right)];
  const [x, y] = [numberOf(a), numberOf(b)];
  // biome-ignore lint/suspicious/noDoubleEquals: 1n == 1 is Python's 1 == 1.0.
  if (x !== undefined && y !== undefined) return x == y;
  if (a.kind !== b.kind) return false;
  if (a.kind === 'none') return true;
  if (a.kind === 'string') return a.data === (b as Of<'string'>).data;
  if (a.kind === 'list' || a.kind === 'tuple') {
    const others = (b as Of<'list'>).data;
    if (a.kind === 'list' && a.lazy) return a === b;
    return a.data.length === others.length && a.data.every((item, i) => isEqual(item, others[i]!));
  }
  if (a.kind === 'dict') {
    const others = (b as Of<'dict'>).data;
    return (
      a.data.size === others.size &&
      [...a.data].every(([key, [, value]]) => others.has(key) && isEqual(value, others.get(key)![1]))
    );
  }
  return a === b;
};

const comparePoints = (a: string, b: string): number => {
  const [x, y] = [Array.from(a), Array.from(b)];
  const at = x.findIndex((char, i) => char !== y[i]);
  if (at < 0) return x.length - y.length;
  return at < y.length ? x[at]!.codePointAt(0)! - y[at]!.codePointAt(0)! : 1;
};
/** Less than 0, 0 or more than 0, as the order of the values is in Python. Throws for what has none. */
export const compare = (left: Value, right: Value): number => {
  const [a, b] = [required(left), required(right)];
  const [x, y] = [numberOf(a), numberOf(b)];
  if (x !== undefined && y !== undefined) return x < y ? -1 : x > y ? 1 : 0;
  if (a.kind === 'string' && b.kind === 'string') return comparePoints(a.data, b.data);
  if (a.kind === b.kind && (a.kind === 'list' || a.kind === 'tuple')) {
    const others = (b as Of<'list'>).data;
    const at = a.data.findIndex((item, i) => others[i] === undefined || !isEqual(item, others[i]));
    if (at < 0) return a.data.length - others.length;
    return at < others.length ? compare(a.data[at]!, others[at]!) : 1;
  }
  throw new TemplateError(`${described(a)} and ${described(b)} have no order`);
};

/** Marks a value, and what it holds, as the record's. */
export const distrust = (value: Value): void => {
  if (value.untrusted) return;
  value.untrusted = true;
  if (value.kind === 'list' || value.kind === 'tuple') value.data.forEach(distrust);
  if (value.kind === 'dict') for (const pair of value.data.values()) pair.forEach(distrust);
  if (value.kind === 'namespace') for (const child of value.data.values()) distrust(child);
};
