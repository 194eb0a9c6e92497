import protobuf from 'protobufjs';
import {
  Malformed,
  maxSpanBytes,
  maxValueDepth,
  type Source,
  type Span as StoredSpan,
  tooLargeSource,
} from '../store/span.ts';
import { InstrumentationScope, Resource, Span } from './messages.ts';
import { toAttributes, toSource, toSpan } from './to-span.ts';

// A value that nests is two messages a level: AnyValue and ArrayValue or KeyValueList. to-span.ts holds the limit.
protobuf.Reader.recursionLimit = 2 * maxValueDepth + 10;

/** Most resources, scopes and spans of a request. One of 64 MB has room for 33 million empty ones, which took a minute. */
const maxParts = 1_000_000;

/** Returns the function that lists the messages in a field of a message. It throws Malformed after `maxParts` of them. */
const partReader = () => {
  let left = maxParts;
  return (message: Buffer, field: number): Buffer[] => {
    const found: Buffer[] = [];
    const reader = protobuf.Reader.create(message);
    while (reader.pos < reader.len) {
      const tag = reader.tag();
      if (tag !== field * 8 + 2) reader.skipType(tag & 7);
      else if (--left < 0) throw new Malformed(`it has more than ${maxParts} resources, scopes and spans`);
      else found.push(reader.bytes() as Buffer);
    }
    return found;
  };
};

/**
 * Most fields of a span with its attributes, events and links; an attribute has four. Each message among them becomes an object,
 * many times its size: a span of 64 MB of empty events took all memory.
 */
const maxFields = 1_000_000;

/** Reads a message, counts its fields and notes the unknown ones: generated decoders call `tag` and `skipType` for them. */
class LimitedReader extends protobuf.BufferReader {
  #left = maxFields;
  readonly skipped = new Set<number>();
  override skipType(wireType: number, depth?: number, field?: number): this {
    if (field !== undefined) this.skipped.add(field);
    return super.skipType(wireType, depth, field) as this;
  }
  override tag(): number {
    if (--this.#left < 0) throw new Malformed(`a span has more than ${maxFields} fields`);
    return super.tag();
  }
}

/** A message with the fields of it that OTLP does not have, which have no names. */
type Decoded = { message: object; unknown: string[] };
const noFields: Decoded = { message: {}, unknown: [] };

const decode = (type: protobuf.Type, bytes: Buffer): Decoded => {
  const reader = new LimitedReader(bytes);
  const message = type.decode(reader) as unknown as object;
  return { message, unknown: [...reader.skipped].map((field) => `number ${field}`) };
};

/** Decodes a message. Throws Malformed if it has too many fields. */
export const decodeMessage = (type: protobuf.Type, bytes: Buffer): object => decode(type, bytes).message;

/**
 * Walks resources and scopes by hand and decodes span by span, or record by record: a request as a whole would take many times its
 * size. Requests of traces and logs have the same structure.
 */
function* walkParts<T>(request: Buffer, read: (message: Buffer, source: Source) => T): Generator<T> {
  const parts = partReader();
  /** A message that may come in pieces, which protocol buffers require to be merged. */
  const merged = (type: protobuf.Type, message: Buffer, field: number) => {
    const pieces = parts(message, field);
    const bytes = pieces.reduce((sum, { length }) => sum + length, 0);
    if (bytes > maxSpanBytes) throw tooLargeSource();
    return bytes === 0 ? noFields : decode(type, Buffer.concat(pieces));
  };
  for (const resourceSpans of parts(request, 1)) {
    const resource = merged(Resource, resourceSpans, 1);
    const attributes = toAttributes(resource.message);
    for (const scopeSpans of parts(resourceSpans, 2)) {
      const scope = merged(InstrumentationScope, scopeSpans, 1);
      const source = toSource(attributes, scope.message, [...resource.unknown, ...scope.unknown]);
      for (const part of parts(scopeSpans, 2)) yield read(part, source);
    }
  }
}

/** Yields what `read` returns for each span or record of a request. Throws Malformed if it is not a request. */
export function* readParts<T>(request: Buffer, read: (message: Buffer, source: Source) => T): Generator<T> {
  try {
    yield* walkParts(request, read);
  } catch (error) {
    if (error instanceof RangeError) throw new Malformed('the protocol buffer ends in the middle of a field');
    if (error instanceof Malformed || error instanceof TypeError) throw error;
    throw new Malformed(`the protocol buffer can't be read: ${(error as Error).message}`);
  }
}

/** Yields the spans of an ExportTraceServiceRequest in protocol buffers. Throws Malformed if it is not one. */
export const decodeProtobuf = (request: Buffer): Generator<StoredSpan> =>
  readParts(request, (span, source) => {
    // One that is too large is refused by its size, before anything in it becomes a text.
    const { message, unknown } = span.length > maxSpanBytes ? noFields : decode(Span, span);
    return toSpan(message, source, span.length, unknown);
  });
