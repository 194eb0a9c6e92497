import { numberOf, WrittenNumber } from '../../../../client/src/written-number.ts';
import { parseAsWritten } from '../../platform/json/parse-as-written.ts';

/** Attributes of a span by key, as they were decoded or as they were stored. */
export type Attributes = ReadonlyMap<string, unknown>;
export type SpanEvent = { name: string; attributes: Attributes };
/** The parts of a span that the functions of this folder read. */
export type Readable = { name: string; attributes: Attributes; events: readonly SpanEvent[] };

export type Json = null | boolean | number | WrittenNumber | string | Json[] | { [key: string]: Json };

/** Levels that JSON within an attribute may nest; deeper JSON stays text. */
const maxDepth = 64;

/** Returns a value of an attribute as JSON. Throws RangeError when it nests too deep. */
const plain = (value: unknown, depth = 0): Json => {
  if (depth > maxDepth) throw new RangeError('nests too deep');
  if (value === null || value === undefined) return null;
  if (typeof value === 'bigint') return numberOf(String(value));
  if (value instanceof WrittenNumber) return value;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) return value.map((item) => plain(item, depth + 1));
  const entries =
    value instanceof Map ? [...value] : typeof value === 'object' ? Object.entries(value) : undefined;
  // Object.fromEntries makes `__proto__` an ordinary member.
  if (entries) return Object.fromEntries(entries.map(([key, item]) => [key, plain(item, depth + 1)]));
  return value as Json;
};

/** Returns a value of an attribute as JSON. A string that holds a JSON object or array is parsed, its numbers digit by digit. */
export const toJson = (value: unknown): Json => {
  try {
    if (typeof value === 'string') return /^\s*[[{]/.test(value) ? plain(parseAsWritten(value)) : value;
    return plain(value);
  } catch {
    return typeof value === 'string' ? value : null;
  }
};

/** Returns the value of a key of `fields`: an attribute or, after each `#`, a member of the JSON object before it. */
export const valueAt = (attributes: Attributes, key: string): unknown => {
  // Each span is asked for some hundred keys, nearly all of them plain.
  if (!key.includes('#')) return attributes.get(key);
  const [name, ...members] = key.split('#');
  let value = attributes.has(name!) ? toJson(attributes.get(name!)) : undefined;
  for (const each of members) value = isObject(value) ? member(value, each) : undefined;
  return value;
};

/** Returns the first value of these keys that is not empty. */
export const first = (attributes: Attributes, keys: readonly string[]): unknown => {
  const key = firstKey(attributes, keys);
  return key === undefined ? undefined : valueAt(attributes, key);
};

/** Returns the first of these keys whose value is not empty. */
export const firstKey = (attributes: Attributes, keys: readonly string[]): string | undefined =>
  keys.find((key) => {
    const value = valueAt(attributes, key);
    return value !== undefined && value !== null && value !== '';
  });

/** Returns the first value of these keys as text; undefined when there is none. */
export const firstText = (attributes: Attributes, keys: readonly string[]): string | undefined => {
  const value = first(attributes, keys);
  if (value === undefined) return undefined;
  return typeof value === 'object' ? JSON.stringify(toJson(value)) : String(value);
};

/** Returns the first value of these keys as a number of 0 or more; undefined when there is none, or it is not such a number. */
export const firstAmount = (attributes: Attributes, keys: readonly string[]): number | undefined => {
  const found = first(attributes, keys);
  const value = found instanceof WrittenNumber ? found.valueOf() : found;
  if (value === undefined || typeof value === 'object' || typeof value === 'boolean') return undefined;
  // Number('') is 0, but an empty text is not a number.
  const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value);
  return Number.isFinite(number) && number >= 0 ? number : undefined;
};

export const isObject = (value: Json | undefined): value is { [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof WrittenNumber);

/** Returns an own member: `constructor` is not a member of every object. */
export const member = (object: { [key: string]: Json }, key: string): Json | undefined =>
  Object.hasOwn(object, key) ? object[key] : undefined;

/** Returns the first of these members that is not missing or null. */
export const firstMember = (object: { [key: string]: Json }, keys: readonly string[]): Json | undefined => {
  for (const key of keys) {
    const value = member(object, key);
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
};

type Node = Map<string, Node | Json>;

/** Most steps of a flattened key that are read: `llm.input_messages.0.message.tool_calls.0.tool_call.function.name` has nine. */
const maxSteps = 12;

const toNested = (node: Node | Json): Json => {
  if (!(node instanceof Map)) return node;
  const keys = [...node.keys()];
  if (keys.length > 0 && keys.every((key) => /^\d{1,9}$/.test(key)))
    return keys.sort((a, b) => Number(a) - Number(b)).map((key) => toNested(node.get(key)!));
  return Object.fromEntries(keys.map((key) => [key, toNested(node.get(key)!)]));
};

/** Puts flattened attributes (`gen_ai.prompt.0.role`) below `prefix` back together; undefined when there are none. */
export const unflatten = (attributes: Attributes, prefix: string): Json | undefined => {
  const root: Node = new Map();
  for (const [key, value] of attributes) {
    if (!key.startsWith(prefix) || key[prefix.length] !== '.') continue;
    const steps = key.slice(prefix.length + 1).split('.', maxSteps + 1);
    if (steps.length > maxSteps) continue;
    let node = root;
    for (const step of steps.slice(0, -1)) {
      const next = node.get(step);
      if (next instanceof Map) node = next;
      else {
        const made: Node = new Map();
        node.set(step, made);
        node = made;
      }
    }
    node.set(steps.at(-1)!, toJson(value));
  }
  return root.size === 0 ? undefined : toNested(root);
};
