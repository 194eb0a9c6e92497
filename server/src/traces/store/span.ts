/** A value of an attribute. Integers are bigint, so that a whole double stays a double. */
export type Value = string | boolean | number | bigint | Uint8Array | null | Value[] | Attributes;
/** Attributes by key: a Map, because `__proto__` is a key like any other. */
export type Attributes = Map<string, Value>;

export type SpanEvent = { name: string; time: bigint; attributes: Attributes; dropped: number };
export type SpanLink = {
  traceId: string;
  spanId: string;
  traceState: string;
  attributes: Attributes;
  dropped: number;
};

/** The resource and instrumentation scope of a span. All spans of one source share the object. */
export type Source = {
  /** Fields around its spans that OTLP does not have. */
  unknownFields: string[];
  resource: Attributes;
  scopeName: string;
  scopeVersion: string;
  scopeAttributes: Attributes;
};

/** A span as OTLP has it, in either encoding. Ids are lower-case hexadecimal, times are nanoseconds since 1970. */
export type Span = {
  traceId: string;
  spanId: string;
  /** '' for a root. */
  parentSpanId: string;
  name: string;
  kind: number;
  start: bigint;
  end: bigint;
  /** 0 unset, 1 ok, 2 error. */
  status: number;
  statusMessage: string;
  traceState: string;
  attributes: Attributes;
  events: SpanEvent[];
  links: SpanLink[];
  droppedAttributes: number;
  droppedEvents: number;
  droppedLinks: number;
  /** Fields that OTLP does not have; they are not stored. */
  unknownFields: string[];
  /** Size in the request. */
  bytes: number;
  source: Source;
};

/** A log record that is an event. Ids are empty if it has none. */
export type LogEvent = {
  name: string;
  time: bigint;
  traceId: string;
  spanId: string;
  attributes: Attributes;
  /** Size in the request. */
  bytes: number;
  source: Source;
};

/** A body that is not OTLP. None of it can be trusted, and sending it again is useless. */
export class Malformed extends Error {}

/** Largest span, 15 MB: as the body that creates a record. Storing one takes ten times its size. */
export const maxSpanBytes = 15 * 1024 * 1024;

export const tooLargeSource = () => new Malformed(`a resource or scope has more than ${maxSpanBytes} bytes`);

/** Levels that a value may nest. Most readers of protocol buffers stop at 100 messages, which are 50 levels. */
export const maxValueDepth = 100;
export const tooDeep = () => new Malformed(`an attribute nests deeper than ${maxValueDepth} levels`);

const numberText = (value: number): string => {
  if (!Number.isFinite(value)) return `"${value}"`;
  const text = Object.is(value, -0) ? '-0' : String(value);
  return Number.isInteger(value) && !text.includes('e') ? `${text}.0` : text;
};

/** Returns a value as JSON text. A double keeps its point, bytes become base64, and NaN and Infinity become their names. */
export const valueText = (value: Value): string => {
  if (typeof value === 'string') return JSON.stringify(value);
  if (value === null || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (typeof value === 'number') return numberText(value);
  if (value instanceof Uint8Array) return `"${Buffer.from(value).toString('base64')}"`;
  if (Array.isArray(value)) return `[${value.map(valueText).join(',')}]`;
  return attributesText(value);
};

/** Returns attributes as a JSON object's text, in the order they came in. */
const attributesText = (attributes: Attributes): string => {
  const parts: string[] = [];
  for (const [key, value] of attributes) parts.push(`${JSON.stringify(key)}:${valueText(value)}`);
  return `{${parts.join(',')}}`;
};

/** Returns an event of a span as JSON text. */
export const eventText = ({ name, time, attributes, dropped }: SpanEvent): string =>
  `{"name":${JSON.stringify(name)},"timeUnixNano":"${time}","attributes":${attributesText(attributes)}${
    dropped ? `,"droppedAttributesCount":${dropped}` : ''
  }}`;

const linkText = ({ traceId, spanId, traceState, attributes, dropped }: SpanLink): string =>
  `{"traceId":${JSON.stringify(traceId)},"spanId":${JSON.stringify(spanId)}${traceState ? `,"traceState":${JSON.stringify(traceState)}` : ''}` +
  `,"attributes":${attributesText(attributes)}${dropped ? `,"droppedAttributesCount":${dropped}` : ''}}`;

/** Returns the parts of a span that have no column, as JSON text. */
export const contentText = (span: Span): string => {
  const counts = [
    ['droppedAttributesCount', span.droppedAttributes],
    ['droppedEventsCount', span.droppedEvents],
    ['droppedLinksCount', span.droppedLinks],
  ] as const;
  return (
    `{"status":${span.status}` +
    (span.statusMessage ? `,"statusMessage":${JSON.stringify(span.statusMessage)}` : '') +
    (span.traceState ? `,"traceState":${JSON.stringify(span.traceState)}` : '') +
    `,"attributes":${attributesText(span.attributes)}` +
    (span.events.length > 0 ? `,"events":[${span.events.map(eventText).join(',')}]` : '') +
    (span.links.length > 0 ? `,"links":[${span.links.map(linkText).join(',')}]` : '') +
    counts.map(([name, count]) => (count ? `,"${name}":${count}` : '')).join('') +
    '}'
  );
};

/** Returns a source as JSON text. */
export const sourceText = ({ resource, scopeName, scopeVersion, scopeAttributes }: Source): string =>
  `{"resource":${attributesText(resource)},"scope":{"name":${JSON.stringify(scopeName)},` +
  `"version":${JSON.stringify(scopeVersion)},"attributes":${attributesText(scopeAttributes)}}}`;
