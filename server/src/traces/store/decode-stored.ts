import type { RawJson } from '../../platform/json/json.ts';
import { skipSpace as spaceEnd, stringEnd } from '../../platform/json/scan-json.ts';
import {
  type Attributes,
  Malformed,
  maxValueDepth,
  type Source,
  type Span,
  type SpanEvent,
  type SpanLink,
  tooDeep,
  type Value,
} from './span.ts';

/** Longest whole number: the largest double, written out, has 309 digits. */
const maxDigits = 320;
const number = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

const readNumber = (text: string): Value => {
  if (!/^-?\d+$/.test(text)) return Number(text);
  if (text.length > maxDigits) throw new Malformed(`a whole number has more than ${maxDigits} digits`);
  return BigInt(text);
};

/**
 * Reads JSON as valueText prints it: whole numbers as bigint, those with a point as doubles, objects as Map in the order sent.
 * What that has printed comes out of valueText again byte for byte. Expects text that JSON.parse has accepted.
 */
const valueReader = (text: RawJson) => {
  let at = 0;
  const skipSpace = () => {
    at = spaceEnd(text, at);
  };
  const readString = (): string => {
    const start = at;
    at = stringEnd(text, start);
    const literal = text.slice(start, at);
    return literal.includes('\\') ? (JSON.parse(literal) as string) : literal.slice(1, -1);
  };
  /** Calls `readItem` for each item up to the closing bracket. */
  const readItems = (close: string, readItem: () => void) => {
    at++;
    for (skipSpace(); text[at] !== close; skipSpace()) {
      if (text[at] === ',') at++;
      skipSpace();
      readItem();
    }
    at++;
  };
  const readWord = <T>(word: string, value: T): T => {
    at += word.length;
    return value;
  };
  const read = (depth: number): Value => {
    if (depth > maxValueDepth) throw tooDeep();
    switch (text[at]) {
      case '"':
        return readString();
      case '{': {
        const members: Attributes = new Map();
        readItems('}', () => {
          const key = readString();
          skipSpace();
          at++;
          skipSpace();
          members.set(key, read(depth + 1));
        });
        return members;
      }
      case '[': {
        const items: Value[] = [];
        readItems(']', () => items.push(read(depth + 1)));
        return items;
      }
      case 't':
        return readWord('true', true);
      case 'f':
        return readWord('false', false);
      case 'n':
        return readWord('null', null);
      default: {
        number.lastIndex = at;
        const [found] = number.exec(text)!;
        at += found.length;
        return readNumber(found);
      }
    }
  };
  skipSpace();
  return read;
};

/** Levels above the value of an attribute, at most: the content, its events, an event, the attributes of that. */
const levelsAbove = 4;
const readObject = (text: RawJson): Attributes => {
  const value = valueReader(text)(-levelsAbove);
  if (!(value instanceof Map)) throw new Malformed('it must be an object');
  return value;
};

const wrong = (key: string, expected: string) => new Malformed(`${key} must be ${expected}`);

const textOf = (from: Attributes, key: string): string => {
  const value = from.get(key) ?? '';
  if (typeof value !== 'string') throw wrong(key, 'a string');
  return value;
};

const objectOf = (from: Attributes, key: string): Attributes => {
  const value = from.get(key) ?? new Map();
  if (!(value instanceof Map)) throw wrong(key, 'an object');
  return value;
};

const listOf = (from: Attributes, key: string): Attributes[] => {
  const value = from.get(key) ?? [];
  if (!Array.isArray(value) || !value.every((item) => item instanceof Map))
    throw wrong(key, 'an array of objects');
  return value;
};

const integerOf = (from: Attributes, key: string, [low, high]: readonly [bigint, bigint]): number => {
  const value = from.get(key) ?? 0n;
  if (typeof value !== 'bigint' || value < low || value > high)
    throw wrong(key, `a whole number from ${low} to ${high}`);
  return Number(value);
};
const int32 = [-(2n ** 31n), 2n ** 31n - 1n] as const;
const counts = [0n, 2n ** 32n - 1n] as const;

const timeOf = (from: Attributes, key: string): bigint => {
  const value = textOf(from, key);
  if (!/^-?\d{1,20}$/.test(value)) throw wrong(key, 'nanoseconds as a string of digits');
  return BigInt(value);
};

const eventOf = (event: Attributes): SpanEvent => ({
  name: textOf(event, 'name'),
  time: timeOf(event, 'timeUnixNano'),
  attributes: objectOf(event, 'attributes'),
  dropped: integerOf(event, 'droppedAttributesCount', counts),
});

const linkOf = (link: Attributes): SpanLink => ({
  traceId: textOf(link, 'traceId'),
  spanId: textOf(link, 'spanId'),
  traceState: textOf(link, 'traceState'),
  attributes: objectOf(link, 'attributes'),
  dropped: integerOf(link, 'droppedAttributesCount', counts),
});

type Content = Omit<
  Span,
  'traceId' | 'spanId' | 'parentSpanId' | 'name' | 'kind' | 'start' | 'end' | 'source'
>;

/** What contentText made of a span, read again. Throws Malformed for a text that it can't have made. */
export const readContent = (text: RawJson): Content => {
  const content = readObject(text);
  return {
    status: integerOf(content, 'status', int32),
    statusMessage: textOf(content, 'statusMessage'),
    traceState: textOf(content, 'traceState'),
    attributes: objectOf(content, 'attributes'),
    events: listOf(content, 'events').map(eventOf),
    links: listOf(content, 'links').map(linkOf),
    droppedAttributes: integerOf(content, 'droppedAttributesCount', counts),
    droppedEvents: integerOf(content, 'droppedEventsCount', counts),
    droppedLinks: integerOf(content, 'droppedLinksCount', counts),
  };
};

/** What sourceText made of a source, read again. Throws Malformed for a text that it can't have made. */
export const readSource = (text: RawJson): Source => {
  const source = readObject(text);
  const scope = objectOf(source, 'scope');
  return {
    resource: objectOf(source, 'resource'),
    scopeName: textOf(scope, 'name'),
    scopeVersion: textOf(scope, 'version'),
    scopeAttributes: objectOf(scope, 'attributes'),
  };
};
