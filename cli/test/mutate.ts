/** Random changes of a file. `dokima verify` must find each. For tests and the bench. */
import { canonicalJson } from '../../client/src/passport/passport.ts';

/** Returns numbers from 0 to 1 by a seed (Mulberry32, Tommy Ettinger 2017). */
export const seeded = (seed: number) => {
  let state = seed;
  return (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};
type Draw = () => number;

const below = (draw: Draw, count: number): number => Math.floor(draw() * count);

const spliced = (bytes: Buffer, at: number, removed: number, added: Buffer = Buffer.alloc(0)): Buffer =>
  Buffer.concat([bytes.subarray(0, at), added, bytes.subarray(at + removed)]);

type Change = (bytes: Buffer, draw: Draw) => Buffer;

const byteChanges: Record<string, Change> = {
  'a bit is flipped': (bytes, draw) => {
    const changed = Buffer.from(bytes);
    const at = below(draw, bytes.length);
    changed[at] = changed[at]! ^ (1 << below(draw, 8));
    return changed;
  },
  'a byte is another': (bytes, draw) => {
    const changed = Buffer.from(bytes);
    changed[below(draw, bytes.length)] = below(draw, 256);
    return changed;
  },
  'bytes are gone': (bytes, draw) => spliced(bytes, below(draw, bytes.length), 1 + below(draw, 20)),
  'a byte is added': (bytes, draw) =>
    spliced(bytes, below(draw, bytes.length + 1), 0, Buffer.from([below(draw, 256)])),
  'white space is added': (bytes, draw) =>
    spliced(bytes, below(draw, bytes.length + 1), 0, Buffer.from([' ', '\n', '\t'][below(draw, 3)]!)),
  'the end is cut': (bytes, draw) => bytes.subarray(0, below(draw, bytes.length)),
  'a part stands twice': (bytes, draw) => {
    const at = below(draw, bytes.length);
    return spliced(bytes, at, 0, bytes.subarray(at, at + 1 + below(draw, 50)));
  },
};

type Parent = Record<string | number, unknown>;
type Place = { parent: Parent; key: string | number };

const placesOf = (value: unknown, found: Place[] = []): Place[] => {
  if (typeof value !== 'object' || value === null) return found;
  for (const key of Object.keys(value)) {
    const parent = value as Parent;
    found.push({ parent, key: Array.isArray(value) ? Number(key) : key });
    placesOf(parent[key], found);
  }
  return found;
};

/** Another value of the same kind, so that the file looks whole. */
const another = (value: unknown, draw: Draw): unknown => {
  if (typeof value === 'number') return draw() < 0.5 ? value + (draw() - 0.5) * 2 : -value - 1;
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'string')
    return value === '' ? 'x' : draw() < 0.5 ? value.slice(0, -1) : `${value}${below(draw, 10)}`;
  if (Array.isArray(value)) return value.length > 1 ? value.slice(1) : [...value, value[0] ?? 1];
  return value === null ? 0 : null;
};

type ValueChange = (place: Place, places: readonly Place[], draw: Draw) => void;

const valueChanges: Record<string, ValueChange> = {
  'a value is another': ({ parent, key }, _, draw) => {
    parent[key] = another(parent[key], draw);
  },
  'a field or item is gone': ({ parent, key }) => {
    if (Array.isArray(parent)) parent.splice(Number(key), 1);
    else delete parent[key];
  },
  'a field is added': ({ parent }, _, draw) => {
    if (Array.isArray(parent)) parent.push(below(draw, 10));
    else parent[`f${below(draw, 1000)}`] = below(draw, 10);
  },
  'two values change places': ({ parent, key }, places, draw) => {
    const other = places[below(draw, places.length)]!;
    const kept = parent[key];
    parent[key] = other.parent[other.key];
    other.parent[other.key] = kept;
  },
};

const kinds = [...Object.keys(byteChanges), ...Object.keys(valueChanges)];

/** A circle cannot be written. */
const textOf = (value: unknown): string | undefined => {
  try {
    return `${canonicalJson(value)}\n`;
  } catch {
    return undefined;
  }
};

/** Changes the bytes of a file in one way. The result differs: a change that changes nothing is drawn again. */
export const mutate = (bytes: Buffer, draw: Draw): { kind: string; bytes: Buffer } => {
  for (;;) {
    const kind = kinds[below(draw, kinds.length)]!;
    const ofBytes = byteChanges[kind];
    if (ofBytes) {
      const changed = ofBytes(bytes, draw);
      if (!changed.equals(bytes)) return { kind, bytes: changed };
      continue;
    }
    const file: unknown = JSON.parse(bytes.toString());
    const places = placesOf(file);
    valueChanges[kind]!(places[below(draw, places.length)]!, places, draw);
    const text = textOf(file);
    if (text !== undefined && text !== bytes.toString()) return { kind, bytes: Buffer.from(text) };
  }
};
