import { parseJson } from '../../platform/json/parse-json.ts';
import {
  type Attributes,
  Malformed,
  maxValueDepth,
  type Source,
  type Span,
  tooDeep,
  type Value,
} from '../store/span.ts';
import { emptySpan } from './decode-protobuf.ts';

type Json = { [key: string]: unknown };

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const member = (object: Json, key: string): unknown => (Object.hasOwn(object, key) ? object[key] : undefined);

const wrong = (key: string, expected: string) => new Malformed(`${key} must be ${expected}`);

/** The protocol buffers' JSON mapping takes null for a field that is not there. */
const read = <T>(
  object: Json,
  key: string,
  otherwise: T,
  convert: (value: unknown) => T | undefined,
  expected: string,
): T => {
  const value = member(object, key) ?? undefined;
  if (value === undefined) return otherwise;
  const converted = convert(value);
  if (converted === undefined) throw wrong(key, expected);
  return converted;
};

const text = (object: Json, key: string): string =>
  read(object, key, '', (value) => (typeof value === 'string' ? value : undefined), 'a string');

const list = (object: Json, key: string): Json[] =>
  read<Json[]>(
    object,
    key,
    [],
    (value) => (Array.isArray(value) && value.every(isObject) ? value : undefined),
    'an array of objects',
  );

const object = (from: Json, key: string): Json =>
  read<Json>(from, key, {}, (value) => (isObject(value) ? value : undefined), 'an object');

const toBigint = (value: unknown): bigint | undefined => {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value);
  if (typeof value === 'string' && /^-?\d{1,20}$/.test(value)) return BigInt(value);
  return undefined;
};
const integer = (from: Json, key: string): bigint => read(from, key, 0n, toBigint, 'an integer');
const count = (from: Json, key: string): number => Number(BigInt.asUintN(32, integer(from, key)));

/** Enums are numbers in OTLP; some senders write their names. */
const enumOf = (from: Json, key: string, names: readonly string[]): number =>
  read(
    from,
    key,
    0,
    (value) => {
      const number =
        typeof value === 'string' && names.includes(value) ? names.indexOf(value) : toBigint(value);
      return number === undefined ? undefined : Number(BigInt.asIntN(32, BigInt(number)));
    },
    'an integer',
  );
const kinds = ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER'].map(
  (kind) => `SPAN_KIND_${kind}`,
);
const statuses = ['STATUS_CODE_UNSET', 'STATUS_CODE_OK', 'STATUS_CODE_ERROR'];

const toDouble = (value: unknown): number | undefined => {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  if (typeof value === 'string' && value.trim() !== '' && (value === 'NaN' || !Number.isNaN(Number(value))))
    return Number(value);
  return undefined;
};

const anyValue = (value: unknown, depth: number): Value => {
  if (depth > maxValueDepth) throw tooDeep();
  if (value === null || value === undefined) return null;
  if (!isObject(value)) throw wrong('value', 'an object such as {"stringValue": "x"}');
  if (member(value, 'stringValue') !== undefined) return text(value, 'stringValue');
  if (member(value, 'intValue') !== undefined) return integer(value, 'intValue');
  if (member(value, 'boolValue') !== undefined)
    return read(value, 'boolValue', false, (b) => (typeof b === 'boolean' ? b : undefined), 'true or false');
  if (member(value, 'doubleValue') !== undefined) return read(value, 'doubleValue', 0, toDouble, 'a number');
  if (member(value, 'bytesValue') !== undefined) return Buffer.from(text(value, 'bytesValue'), 'base64');
  if (member(value, 'arrayValue') !== undefined)
    return list(object(value, 'arrayValue'), 'values').map((item) => anyValue(item, depth + 1));
  if (member(value, 'kvlistValue') !== undefined)
    return attributes(object(value, 'kvlistValue'), 'values', depth + 1);
  return null;
};

const attributes = (from: Json, key: string, depth = 0): Attributes => {
  const found: Attributes = new Map();
  for (const pair of list(from, key)) found.set(text(pair, 'key'), anyValue(member(pair, 'value'), depth));
  return found;
};

const id = (from: Json, key: string): string => text(from, key).toLowerCase();

const toSpan = (json: Json, source: Source): Span => {
  const status = object(json, 'status');
  return {
    ...emptySpan(source),
    traceId: id(json, 'traceId'),
    spanId: id(json, 'spanId'),
    parentSpanId: id(json, 'parentSpanId'),
    name: text(json, 'name'),
    kind: enumOf(json, 'kind', kinds),
    start: integer(json, 'startTimeUnixNano'),
    end: integer(json, 'endTimeUnixNano'),
    status: enumOf(status, 'code', statuses),
    statusMessage: text(status, 'message'),
    traceState: text(json, 'traceState'),
    attributes: attributes(json, 'attributes'),
    events: list(json, 'events').map((event) => ({
      name: text(event, 'name'),
      time: integer(event, 'timeUnixNano'),
      attributes: attributes(event, 'attributes'),
      dropped: count(event, 'droppedAttributesCount'),
    })),
    links: list(json, 'links').map((link) => ({
      traceId: id(link, 'traceId'),
      spanId: id(link, 'spanId'),
      traceState: text(link, 'traceState'),
      attributes: attributes(link, 'attributes'),
      dropped: count(link, 'droppedAttributesCount'),
    })),
    droppedAttributes: count(json, 'droppedAttributesCount'),
    droppedEvents: count(json, 'droppedEventsCount'),
    droppedLinks: count(json, 'droppedLinksCount'),
  };
};

/** Nanoseconds and 64-bit integers may come as bare numbers, of which JSON.parse would round the last digits. */
const parse = (json: string): unknown =>
  /[:,[]\s*-?\d{16}/.test(json)
    ? parseJson(json, (value, source) => (/^-?\d{16,20}$/.test(source) ? BigInt(source) : value))
    : parseJson(json);

/** Most objects and lists of a request. Spans have fewer in 64 MB; thirty million empty ones took JSON.parse half a minute. */
const maxContainers = 4_000_000;

/** Counts what opens with a brace or a bracket outside of strings. */
const countContainers = (json: Buffer): number => {
  let count = 0;
  let isString = false;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (byte === quote) isString = !isString;
    else if (isString) at += byte === backslash ? 1 : 0;
    else if (byte === brace || byte === bracket) count++;
  }
  return count;
};
const [quote, backslash, brace, bracket] = Buffer.from('"\\{[');

/** The spans of an ExportTraceServiceRequest in OTLP's JSON encoding. Throws Malformed where it is none. */
export function* decodeJson(buffer: Buffer): Generator<Span> {
  if (buffer.length > maxContainers && countContainers(buffer) > maxContainers)
    throw new Malformed(`it has more than ${maxContainers} objects and lists`);
  let request: unknown;
  try {
    request = parse(buffer.toString('utf8'));
  } catch (error) {
    throw new Malformed(`the body is no JSON: ${(error as Error).message}`);
  }
  if (!isObject(request)) throw new Malformed('the body must be an object with resourceSpans');
  for (const ofResource of list(request, 'resourceSpans')) {
    const resource = attributes(object(ofResource, 'resource'), 'attributes');
    for (const ofScope of list(ofResource, 'scopeSpans')) {
      const scope = object(ofScope, 'scope');
      const source = {
        resource,
        scopeName: text(scope, 'name'),
        scopeVersion: text(scope, 'version'),
        scopeAttributes: attributes(scope, 'attributes'),
      };
      for (const span of list(ofScope, 'spans')) yield toSpan(span, source);
    }
  }
}
