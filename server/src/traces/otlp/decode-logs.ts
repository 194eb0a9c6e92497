import { firstText } from '../conventions/attribute.ts';
import { type Attributes, type LogEvent, maxSpanBytes, type Source } from '../store/span.ts';
import { bytesOf, parseRequest } from './decode-json.ts';
import { decodeMessage, readParts } from './decode-protobuf.ts';
import { LogRecord } from './messages.ts';
import { contentOf, idOf, messageOf, textOf, timeOf, toAttributes, toSource, toValue } from './to-span.ts';

/** Returns the attributes of a record. Older SDKs write those of an event into its body. */
const attributesOf = (message: object): Attributes => {
  const body = toValue(messageOf(message, 'body'));
  return new Map([...(body instanceof Map ? body : []), ...toAttributes(message)]);
};

/** Returns the event that a LogRecord message is; its name is empty for a plain record. */
const toEvent = (message: object, source: Source, bytes: number): LogEvent => {
  const attributes = attributesOf(message);
  return {
    name: textOf(message, 'eventName') || (firstText(attributes, ['event.name']) ?? ''),
    time: timeOf(message, 'timeUnixNano') || timeOf(message, 'observedTimeUnixNano'),
    traceId: idOf(message, 'traceId'),
    spanId: idOf(message, 'spanId'),
    attributes,
    bytes,
    source,
  };
};

/** Yields the records of an ExportLogsServiceRequest in OTLP's JSON encoding. Throws Malformed if it is not one. */
export function* decodeJsonLogs(body: Buffer): Generator<LogEvent> {
  for (const resourceLogs of contentOf(parseRequest(body), 'logsRequest', 'resourceLogs')) {
    const resource = toAttributes(messageOf(resourceLogs, 'resource'));
    for (const scopeLogs of contentOf(resourceLogs, 'resourceLogs', 'scopeLogs')) {
      const source = toSource(resource, messageOf(scopeLogs, 'scope'));
      for (const record of contentOf(scopeLogs, 'scopeLogs', 'logRecords'))
        yield toEvent(record, source, bytesOf(record));
    }
  }
}

/** Yields the records of an ExportLogsServiceRequest in protocol buffers. Throws Malformed if it is not one. */
export const decodeProtobufLogs = (body: Buffer): Generator<LogEvent> =>
  readParts(body, (record, source) =>
    // One that is too large is refused by its size, before anything in it becomes a text.
    toEvent(record.length > maxSpanBytes ? {} : decodeMessage(LogRecord, record), source, record.length),
  );
