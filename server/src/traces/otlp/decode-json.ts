import { parseJson } from '../../platform/json/parse-json.ts';
import { Malformed, maxSpanBytes, type Span, tooLargeSource } from '../store/span.ts';
import { contentOf, messageOf, toAttributes, toSource, toSpan, unknownFields } from './to-span.ts';

/** Nanoseconds and 64-bit integers may come as bare numbers, whose last digits JSON.parse would round. */
const parse = (json: string): unknown =>
  /[:,[]\s*-?\d{16}/.test(json)
    ? parseJson(json, (value, source) => (/^-?\d{16,20}$/.test(source) ? BigInt(source) : value))
    : parseJson(json);

/** Largest request in JSON. Its values exist all at once, unlike those of protocol buffers, which are decoded span by span. */
export const maxJsonBytes = 32 * 1024 * 1024;

/** Returns about how many bytes the texts and values of a message took. */
export const bytesOf = (message: object): number => {
  let bytes = 0;
  const waiting: unknown[] = [message];
  while (waiting.length > 0) {
    const value = waiting.pop();
    bytes += typeof value === 'string' ? value.length : 1;
    if (Array.isArray(value)) for (const item of value) waiting.push(item);
    else if (typeof value === 'object' && value !== null)
      for (const [key, item] of Object.entries(value)) {
        bytes += key.length;
        waiting.push(item);
      }
  }
  return bytes;
};

/** Most objects and lists of a request. Spans have fewer in 64 MB; thirty million empty ones took JSON.parse half a minute. */
const maxContainers = 1_000_000;

const [quote, backslash, brace, bracket] = Buffer.from('"\\{[');

/** Counts the braces and brackets that open outside of strings. */
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

/** Reads a request in OTLP's JSON encoding. Throws Malformed if it is not an object. */
export const parseRequest = (body: Buffer): object => {
  if (body.length > maxContainers && countContainers(body) > maxContainers)
    throw new Malformed(`it has more than ${maxContainers} objects and lists`);
  let request: unknown;
  try {
    request = parse(body.toString('utf8'));
  } catch (error) {
    throw new Malformed(`the body is not JSON: ${(error as Error).message}`);
  }
  if (typeof request !== 'object' || request === null || Array.isArray(request))
    throw new Malformed('the body must be an object');
  return request;
};

/** Yields the spans of an ExportTraceServiceRequest in OTLP's JSON encoding. Throws Malformed if it is not one. */
export function* decodeJson(body: Buffer): Generator<Span> {
  const request = parseRequest(body);
  const ofRequest = unknownFields(request, 'request');
  for (const resourceSpans of contentOf(request, 'request', 'resourceSpans')) {
    const message = messageOf(resourceSpans, 'resource');
    if (bytesOf(message) > maxSpanBytes) throw tooLargeSource();
    const resource = toAttributes(message);
    const around = [
      ...ofRequest,
      ...unknownFields(resourceSpans, 'resourceSpans'),
      ...unknownFields(message, 'resource'),
    ];
    for (const scopeSpans of contentOf(resourceSpans, 'resourceSpans', 'scopeSpans')) {
      const scope = messageOf(scopeSpans, 'scope');
      const unknown = [...unknownFields(scopeSpans, 'scopeSpans'), ...unknownFields(scope, 'scope')];
      const source = toSource(resource, scope, [...around, ...unknown]);
      for (const span of contentOf(scopeSpans, 'scopeSpans', 'spans'))
        yield toSpan(span, source, bytesOf(span));
    }
  }
}
