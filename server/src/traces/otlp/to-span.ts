import Long from 'long';
import {
  type Attributes,
  Malformed,
  maxValueDepth,
  type Source,
  type Span,
  tooDeep,
  type Value,
} from '../store/span.ts';

/**
 * Turns OTLP's messages into spans, as JSON.parse and as protobufjs leave them. They differ in bytes (text or Uint8Array)
 * and in 64-bit integers (number, bigint or text, or Long). Everything here throws Malformed for a field of a wrong type.
 */

type Message = { [key: string]: unknown };

const isMessage = (value: unknown): value is Message =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const snakeNames = new Map<string, string>();

/** Returns a field's name as it is in the protocol's definition: `traceId` is `trace_id`. */
const snakeName = (key: string): string => {
  const known = snakeNames.get(key);
  if (known !== undefined) return known;
  const name = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  snakeNames.set(key, name);
  return name;
};

/**
 * An own field of the object: protobufjs keeps the defaults of fields that were not sent on the prototype. JSON may have either
 * name, as https://protobuf.dev/programming-guides/json requires.
 */
const fieldOf = (message: object, key: string): unknown => {
  const name = Object.hasOwn(message, key) ? key : snakeName(key);
  return Object.hasOwn(message, name) ? (message as Message)[name] : undefined;
};

/** The fields of OTLP's messages. Those that are not stored (flags, schema URLs) say nothing about a trace. */
const fieldsOf = {
  request: ['resourceSpans'],
  logsRequest: ['resourceLogs'],
  resourceSpans: ['resource', 'scopeSpans', 'schemaUrl'],
  scopeSpans: ['scope', 'spans', 'schemaUrl'],
  resourceLogs: ['resource', 'scopeLogs', 'schemaUrl'],
  scopeLogs: ['scope', 'logRecords', 'schemaUrl'],
  resource: ['attributes', 'droppedAttributesCount', 'entityRefs'],
  scope: ['name', 'version', 'attributes', 'droppedAttributesCount'],
  span: [
    'traceId',
    'spanId',
    'traceState',
    'parentSpanId',
    'flags',
    'name',
    'kind',
    'startTimeUnixNano',
    'endTimeUnixNano',
    'attributes',
    'droppedAttributesCount',
    'events',
    'droppedEventsCount',
    'links',
    'droppedLinksCount',
    'status',
  ],
  event: ['timeUnixNano', 'name', 'attributes', 'droppedAttributesCount'],
  link: ['traceId', 'spanId', 'traceState', 'attributes', 'droppedAttributesCount', 'flags'],
  status: ['code', 'message', 'deprecatedCode'],
};
type MessageName = keyof typeof fieldsOf;
const knownFields = Object.fromEntries(
  Object.entries(fieldsOf).map(([name, keys]) => [name, new Set([...keys, ...keys.map(snakeName)])]),
) as Record<MessageName, Set<string>>;

/** Returns the fields of a message that OTLP does not have, with the message's name: `span.sessionId`. */
export const unknownFields = (message: object, name: MessageName): string[] =>
  Object.keys(message).flatMap((key) => (knownFields[name].has(key) ? [] : [`${name}.${key.slice(0, 40)}`]));

/** Reads the messages of the list that a message is about. Throws Malformed if it has other fields in its place. */
export const contentOf = (message: object, name: MessageName, key: string): object[] => {
  const list = listOf(message, key);
  const [unknown] = fieldOf(message, key) === undefined ? unknownFields(message, name) : [];
  if (unknown !== undefined) throw new Malformed(`it has ${unknown}, but no ${key}`);
  return list;
};

const wrong = (key: string, expected: string) => new Malformed(`${key} must be ${expected}`);

/** Reads a field by `convert`, which returns undefined for a wrong type; `otherwise` if it is missing or, in JSON, null. */
const read = <T>(
  message: object,
  key: string,
  otherwise: T,
  convert: (value: unknown) => T | undefined,
  expected: string,
): T => {
  const value = fieldOf(message, key) ?? undefined;
  if (value === undefined) return otherwise;
  const converted = convert(value);
  if (converted === undefined) throw wrong(key, expected);
  return converted;
};

/** Reads a text; an empty one if it is missing. */
export const textOf = (message: object, key: string): string =>
  read(message, key, '', (value) => (typeof value === 'string' ? value : undefined), 'a string');

/** Reads the messages of a repeated field. */
export const listOf = (message: object, key: string): object[] =>
  read<object[]>(
    message,
    key,
    [],
    (value) => (Array.isArray(value) && value.every(isMessage) ? value : undefined),
    'an array of objects',
  );

/** Reads the message in a field; an empty one if it is missing. */
export const messageOf = (message: object, key: string): object =>
  read<object>(message, key, {}, (value) => (isMessage(value) ? value : undefined), 'an object');

const toBigint = (value: unknown): bigint | undefined => {
  if (typeof value === 'bigint') return value;
  if (Long.isLong(value)) return value.toBigInt();
  if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value);
  if (typeof value === 'string' && /^-?\d{1,20}$/.test(value)) return BigInt(value);
  // The JSON of protocol buffers allows exponents.
  if (
    typeof value === 'string' &&
    /^-?\d+(?:\.\d+)?e\+?\d{1,2}$/i.test(value) &&
    Number.isInteger(Number(value))
  )
    return BigInt(Number(value));
  return undefined;
};
/** Reads a 64-bit integer, such as a time; 0 if it is missing. */
export const timeOf = (message: object, key: string): bigint =>
  read(message, key, 0n, toBigint, 'an integer');
const count = (message: object, key: string): number => Number(BigInt.asUintN(32, timeOf(message, key)));

/** Enums are numbers in OTLP; some senders write their names. */
const enumOf = (message: object, key: string, names: readonly string[]): number =>
  read(
    message,
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
const toBoolean = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined);
const toBytes = (value: unknown): Uint8Array | undefined => {
  if (value instanceof Uint8Array) return value;
  return typeof value === 'string' ? Buffer.from(value, 'base64') : undefined;
};

/** Returns a value of a kind that OTLP does not have as it was written; null for an empty one. */
const unknownValue = (value: unknown, depth: number): Value => {
  if (depth > maxValueDepth) throw tooDeep();
  if (Array.isArray(value)) return value.map((item) => unknownValue(item, depth + 1));
  if (!isMessage(value)) return (value ?? null) as Value;
  const entries = Object.entries(value).filter(([, item]) => item !== null);
  return entries.length === 0
    ? null
    : new Map(entries.map(([key, item]) => [key, unknownValue(item, depth + 1)]));
};

/** Reads a value of any kind. */
export const toValue = (value: unknown, depth = 0): Value => {
  if (depth > maxValueDepth) throw tooDeep();
  if (value === null || value === undefined) return null;
  if (!isMessage(value)) throw wrong('value', 'an object such as {"stringValue": "x"}');
  const has = (key: string) => fieldOf(value, key) !== undefined;
  if (has('stringValue')) return textOf(value, 'stringValue');
  if (has('intValue')) return timeOf(value, 'intValue');
  if (has('boolValue')) return read(value, 'boolValue', false, toBoolean, 'true or false');
  if (has('doubleValue')) return read(value, 'doubleValue', 0, toDouble, 'a number');
  if (has('bytesValue')) return read(value, 'bytesValue', new Uint8Array(), toBytes, 'a string');
  if (has('arrayValue'))
    return listOf(messageOf(value, 'arrayValue'), 'values').map((item) => toValue(item, depth + 1));
  if (has('kvlistValue')) return toAttributes(messageOf(value, 'kvlistValue'), 'values', depth + 1);
  return unknownValue(value, depth);
};

/** Reads a field of key-value pairs; the last of a repeated key counts. */
export const toAttributes = (message: object, key = 'attributes', depth = 0): Attributes => {
  const found: Attributes = new Map();
  for (const pair of listOf(message, key))
    found.set(textOf(pair, 'key'), toValue(fieldOf(pair, 'value'), depth));
  return found;
};

/** Reads an id, as lower-case hexadecimal. */
export const idOf = (message: object, key: string): string =>
  read(
    message,
    key,
    '',
    (value) => {
      if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
      return typeof value === 'string' ? value.toLowerCase() : undefined;
    },
    'a string',
  );

/** Returns the source that a resource and an InstrumentationScope make, for all of the scope's spans to share. */
export const toSource = (resource: Attributes, scope: object, unknown: string[] = []): Source => ({
  unknownFields: unknown,
  resource,
  scopeName: textOf(scope, 'name'),
  scopeVersion: textOf(scope, 'version'),
  scopeAttributes: toAttributes(scope),
});

/** Returns the span that a Span message of so many bytes holds. `unknown`: fields that its decoder skipped. */
export const toSpan = (message: object, source: Source, bytes: number, unknown: string[] = []): Span => {
  const status = messageOf(message, 'status');
  return {
    traceId: idOf(message, 'traceId'),
    spanId: idOf(message, 'spanId'),
    parentSpanId: idOf(message, 'parentSpanId'),
    name: textOf(message, 'name'),
    kind: enumOf(message, 'kind', kinds),
    start: timeOf(message, 'startTimeUnixNano'),
    end: timeOf(message, 'endTimeUnixNano'),
    status: enumOf(status, 'code', statuses),
    statusMessage: textOf(status, 'message'),
    traceState: textOf(message, 'traceState'),
    attributes: toAttributes(message),
    events: listOf(message, 'events').map((event) => ({
      name: textOf(event, 'name'),
      time: timeOf(event, 'timeUnixNano'),
      attributes: toAttributes(event),
      dropped: count(event, 'droppedAttributesCount'),
    })),
    links: listOf(message, 'links').map((link) => ({
      traceId: idOf(link, 'traceId'),
      spanId: idOf(link, 'spanId'),
      traceState: textOf(link, 'traceState'),
      attributes: toAttributes(link),
      dropped: count(link, 'droppedAttributesCount'),
    })),
    droppedAttributes: count(message, 'droppedAttributesCount'),
    droppedEvents: count(message, 'droppedEventsCount'),
    droppedLinks: count(message, 'droppedLinksCount'),
    unknownFields: [
      ...unknown,
      ...unknownFields(message, 'span'),
      ...unknownFields(status, 'status'),
      ...listOf(message, 'events').flatMap((event) => unknownFields(event, 'event')),
      ...listOf(message, 'links').flatMap((link) => unknownFields(link, 'link')),
    ],
    bytes,
    source,
  };
};
