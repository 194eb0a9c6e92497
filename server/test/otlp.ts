import protobuf from 'protobufjs';
import type { TestApp } from './harness.ts';

/**
 * OTLP for tests: requests written as OTLP's JSON, and the same through protobufjs from the published field numbers, kept
 * apart from the server's own list of them.
 */

// Some tests send what nests deeper than protobufjs encodes by itself.
protobuf.util.recursionLimit = 300;

const bytes = (id: number) => ({ type: 'bytes', id });
const string = (id: number) => ({ type: 'string', id });
const many = (type: string, id: number) => ({ rule: 'repeated', type, id });
const count = (id: number) => ({ type: 'uint32', id });

const root = protobuf.Root.fromJSON({
  nested: {
    AnyValue: {
      oneofs: {
        value: {
          oneof: [
            'stringValue',
            'boolValue',
            'intValue',
            'doubleValue',
            'arrayValue',
            'kvlistValue',
            'bytesValue',
          ],
        },
      },
      fields: {
        stringValue: string(1),
        boolValue: { type: 'bool', id: 2 },
        intValue: { type: 'int64', id: 3 },
        doubleValue: { type: 'double', id: 4 },
        arrayValue: { type: 'ArrayValue', id: 5 },
        kvlistValue: { type: 'KeyValueList', id: 6 },
        bytesValue: bytes(7),
      },
    },
    ArrayValue: { fields: { values: many('AnyValue', 1) } },
    KeyValueList: { fields: { values: many('KeyValue', 1) } },
    KeyValue: { fields: { key: string(1), value: { type: 'AnyValue', id: 2 } } },
    Resource: { fields: { attributes: many('KeyValue', 1), droppedAttributesCount: count(2) } },
    Scope: { fields: { name: string(1), version: string(2), attributes: many('KeyValue', 3) } },
    Status: { fields: { message: string(2), code: { type: 'int32', id: 3 } } },
    Event: {
      fields: {
        timeUnixNano: { type: 'fixed64', id: 1 },
        name: string(2),
        attributes: many('KeyValue', 3),
        droppedAttributesCount: count(4),
      },
    },
    Link: {
      fields: {
        traceId: bytes(1),
        spanId: bytes(2),
        traceState: string(3),
        attributes: many('KeyValue', 4),
        droppedAttributesCount: count(5),
        flags: { type: 'fixed32', id: 6 },
      },
    },
    Span: {
      fields: {
        traceId: bytes(1),
        spanId: bytes(2),
        traceState: string(3),
        parentSpanId: bytes(4),
        name: string(5),
        kind: { type: 'int32', id: 6 },
        startTimeUnixNano: { type: 'fixed64', id: 7 },
        endTimeUnixNano: { type: 'fixed64', id: 8 },
        attributes: many('KeyValue', 9),
        droppedAttributesCount: count(10),
        events: many('Event', 11),
        droppedEventsCount: count(12),
        links: many('Link', 13),
        droppedLinksCount: count(14),
        status: { type: 'Status', id: 15 },
        flags: { type: 'fixed32', id: 16 },
      },
    },
    ScopeSpans: { fields: { scope: { type: 'Scope', id: 1 }, spans: many('Span', 2), schemaUrl: string(3) } },
    ResourceSpans: {
      fields: {
        resource: { type: 'Resource', id: 1 },
        scopeSpans: many('ScopeSpans', 2),
        schemaUrl: string(3),
      },
    },
    Request: { fields: { resourceSpans: many('ResourceSpans', 1) } },
    LogRecord: {
      fields: {
        timeUnixNano: { type: 'fixed64', id: 1 },
        severityNumber: { type: 'int32', id: 2 },
        body: { type: 'AnyValue', id: 5 },
        attributes: many('KeyValue', 6),
        traceId: bytes(9),
        spanId: bytes(10),
        eventName: string(12),
      },
    },
    ScopeLogs: { fields: { scope: { type: 'Scope', id: 1 }, logRecords: many('LogRecord', 2) } },
    ResourceLogs: {
      fields: { resource: { type: 'Resource', id: 1 }, scopeLogs: many('ScopeLogs', 2) },
    },
    LogsRequest: { fields: { resourceLogs: many('ResourceLogs', 1) } },
    PartialSuccess: { fields: { rejectedSpans: { type: 'int64', id: 1 }, errorMessage: string(2) } },
    Response: { fields: { partialSuccess: { type: 'PartialSuccess', id: 1 } } },
    RpcStatus: { fields: { code: { type: 'int32', id: 1 }, message: string(2) } },
  },
});

export type OtlpValue = { [kind: string]: unknown };
type Attribute = { key: string; value: OtlpValue };

const otlpValue = (value: unknown): OtlpValue => {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'bigint') return { intValue: String(value) };
  if (typeof value === 'number')
    return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  if (Array.isArray(value)) return { arrayValue: { values: value.map(otlpValue) } };
  return { kvlistValue: { values: attributesOf(value as Record<string, unknown>) } };
};

/** Plain values as OTLP's attributes. */
export const attributesOf = (values: Record<string, unknown>): Attribute[] =>
  Object.entries(values).map(([key, value]) => ({ key, value: otlpValue(value) }));

let made = 0;
/** An id that no other test has. */
export const newTraceId = (): string =>
  `${process.pid.toString(16)}${Date.now().toString(16)}`.padStart(20, '0') +
  (++made).toString(16).padStart(12, '0');
export const spanId = (n: number): string => n.toString(16).padStart(16, '0');

export type TestSpan = {
  traceId: string;
  /** Number of the span within its trace; its id is made of it. */
  n: number;
  /** Number of its parent; none for a root. */
  parent?: number;
  name?: string;
  attributes?: Record<string, unknown>;
  /** Milliseconds after the start of the test's time. */
  at?: number;
  ms?: number;
  events?: { name: string; attributes?: Record<string, unknown> }[];
  status?: { code: number; message?: string };
  [field: string]: unknown;
};

/** When the spans of tests begin, unless they say otherwise. */
export const testStart = Date.UTC(2026, 10, 20, 12);
const nano = (ms: number) => String(BigInt(Math.round(ms * 1_000)) * 1_000n);

const spanJson = ({
  n,
  parent,
  name = `span ${n}`,
  attributes = {},
  at = n,
  ms = 10,
  events = [],
  ...rest
}: TestSpan) => ({
  spanId: spanId(n),
  ...(parent !== undefined && { parentSpanId: spanId(parent) }),
  name,
  kind: 1,
  startTimeUnixNano: nano(testStart + at),
  endTimeUnixNano: nano(testStart + at + ms),
  attributes: attributesOf(attributes),
  events: events.map((event) => ({
    name: event.name,
    timeUnixNano: nano(testStart + at),
    attributes: attributesOf(event.attributes ?? {}),
  })),
  ...rest,
});

/** A request of spans of one resource. */
export const requestOf = (spans: TestSpan[], resource: Record<string, unknown> = {}) => ({
  resourceSpans: [
    {
      resource: { attributes: attributesOf(resource) },
      scopeSpans: [{ scope: { name: 'test' }, spans: spans.map(spanJson) }],
    },
  ],
});

export type TestEvent = {
  name: string;
  attributes?: Record<string, unknown>;
  traceId?: string;
  /** Number of the span within the trace. */
  n?: number;
  [field: string]: unknown;
};

/** A request of log records of one resource, each an event. */
export const logsOf = (events: TestEvent[], resource: Record<string, unknown> = {}) => ({
  resourceLogs: [
    {
      resource: { attributes: attributesOf(resource) },
      scopeLogs: [
        {
          scope: { name: 'test' },
          logRecords: events.map(({ name, attributes = {}, n, ...rest }) => ({
            eventName: name,
            timeUnixNano: nano(testStart),
            attributes: attributesOf(attributes),
            ...(n !== undefined && { spanId: spanId(n) }),
            ...rest,
          })),
        },
      ],
    },
  ],
});

const hexFields = new Set(['traceId', 'spanId', 'parentSpanId']);
const withBytes = (value: unknown, key = ''): unknown => {
  if (typeof value === 'string' && hexFields.has(key)) return Buffer.from(value, 'hex');
  if (Array.isArray(value)) return value.map((item) => withBytes(item));
  if (value === null || typeof value !== 'object' || value instanceof Uint8Array) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withBytes(item, name)]));
};

const lookup = (name: string) => root.lookupType(name);
/** An export request of spans or log records written as JSON, encoded as protocol buffers. */
export const toProtobuf = (request: object): Buffer => {
  const type = lookup('resourceLogs' in request ? 'LogsRequest' : 'Request');
  return Buffer.from(type.encode(type.fromObject(withBytes(request) as object)).finish());
};
/** An answer to an export request, encoded as protocol buffers. */
export const toResponse = (answer: object): Buffer => {
  const type = lookup('Response');
  return Buffer.from(type.encode(type.fromObject(answer)).finish());
};
export const fromProtobuf = (
  name: 'Request' | 'LogsRequest' | 'Response' | 'RpcStatus',
  body: Buffer,
): Record<string, unknown> => lookup(name).toObject(lookup(name).decode(body), { longs: String });

export type OtlpAnswer = { status: number; type: string; body: Buffer; headers: Record<string, unknown> };
/** Posts a body to the ingest. */
export const post = async (
  { app }: TestApp,
  key: string | undefined,
  body: Buffer | object,
  headers: Record<string, string> = {},
  url = '/otel/v1/traces',
): Promise<OtlpAnswer> => {
  const isBytes = Buffer.isBuffer(body);
  const response = await app.inject({
    method: 'POST',
    url,
    headers: {
      'content-type': isBytes ? 'application/x-protobuf' : 'application/json',
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...headers,
    },
    payload: isBytes ? body : JSON.stringify(body),
  });
  return {
    status: response.statusCode,
    type: String(response.headers['content-type']),
    body: response.rawPayload,
    headers: response.headers,
  };
};

/** Returns the message of partialSuccess in an answer that takes all spans; empty without one. Throws for any other answer. */
export const warningOf = ({ status, body }: OtlpAnswer): string => {
  const { partialSuccess } = JSON.parse(String(body));
  if (status !== 200 || (partialSuccess?.rejectedSpans ?? '0') !== '0') throw new Error(`${status} ${body}`);
  return partialSuccess?.errorMessage ?? '';
};

/** What spans without a resource and a scope share. */
export const noSource = {
  unknownFields: [],
  resource: new Map(),
  scopeName: '',
  scopeVersion: '',
  scopeAttributes: new Map(),
};
