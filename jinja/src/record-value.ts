import { floatText } from './text.ts';
import { keyOf, type Value } from './values.ts';

/** A number that is not read yet: its text. */
export class Written {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** A whole number is one of Python's, of any size. `written` is kept only if Python would write the number in another way. */
const numberOf = ({ text }: Written): Value => {
  if (/^-?\d+$/.test(text)) {
    const data = BigInt(text);
    return { kind: 'integer', data, untrusted: true, ...(String(data) !== text && { written: text }) };
  }
  const data = Number(text);
  return { kind: 'float', data, untrusted: true, ...(floatText(data) !== text && { written: text }) };
};

/** The names of a record's fields, once each: thousands of rows have the same. */
type Keys = Map<string, { key: string; value: Value }>;
const keyFor = (keys: Keys, name: string) => {
  let found = keys.get(name);
  if (!found) {
    const value: Value = { kind: 'string', data: name, untrusted: true };
    found = { key: keyOf(value), value };
    keys.set(name, found);
  }
  return found;
};

/** Values are made when a template first looks at them: most look at few of a record's. */
class RecordList {
  readonly kind = 'list';
  readonly untrusted = true;
  readonly #keys: Keys;
  #parsed: unknown[] | undefined;
  #data: Value[] | undefined;

  constructor(parsed: unknown[], keys: Keys) {
    this.#parsed = parsed;
    this.#keys = keys;
  }
  get data(): Value[] {
    this.#data ??= this.#parsed!.map((item) => valueFrom(item, this.#keys));
    this.#parsed = undefined;
    return this.#data;
  }
}

class RecordObject {
  readonly kind = 'dict';
  readonly untrusted = true;
  readonly #keys: Keys;
  #parsed: object | undefined;
  #data: Map<string, [Value, Value]> | undefined;

  constructor(parsed: object, keys: Keys) {
    this.#parsed = parsed;
    this.#keys = keys;
  }
  get data(): Map<string, [Value, Value]> {
    this.#data ??= new Map(
      Object.entries(this.#parsed!).map(([name, item]) => {
        const { key, value } = keyFor(this.#keys, name);
        return [key, [value, valueFrom(item, this.#keys)]];
      }),
    );
    this.#parsed = undefined;
    return this.#data;
  }
}

const valueFrom = (parsed: unknown, keys: Keys): Value => {
  if (parsed instanceof Written) return numberOf(parsed);
  if (typeof parsed === 'string') return { kind: 'string', data: parsed, untrusted: true };
  if (typeof parsed === 'boolean') return { kind: 'boolean', data: parsed, untrusted: true };
  if (Array.isArray(parsed)) return new RecordList(parsed, keys);
  return parsed === null ? { kind: 'none', untrusted: true } : new RecordObject(parsed as object, keys);
};

/** Returns the value of parsed JSON, with every number as Written. Values that derive from it are untrusted. */
export const recordValue = (parsed: unknown): Value => valueFrom(parsed, new Map());
