import protobuf from 'protobufjs';

/**
 * The messages of OTLP: opentelemetry-proto 1.x (trace, logs, common, resource), google.rpc.Status and RetryInfo. Those of
 * spans have all of OTLP's fields, so that a field which is skipped is unknown. A string that is not UTF-8 is read with U+FFFD in it: the rest of its span is worth keeping.
 */
const { root } = protobuf.parse(
  `
  edition = "2023";
  option features.utf8_validation = NONE;

  message Resource { repeated KeyValue attributes = 1; uint32 droppedAttributesCount = 2; repeated Any entityRefs = 3; }
  message InstrumentationScope { string name = 1; string version = 2; repeated KeyValue attributes = 3; uint32 droppedAttributesCount = 4; }
  message Span {
    bytes traceId = 1;
    bytes spanId = 2;
    string traceState = 3;
    bytes parentSpanId = 4;
    string name = 5;
    int32 kind = 6;
    fixed64 startTimeUnixNano = 7;
    fixed64 endTimeUnixNano = 8;
    repeated KeyValue attributes = 9;
    uint32 droppedAttributesCount = 10;
    repeated Event events = 11;
    uint32 droppedEventsCount = 12;
    repeated Link links = 13;
    uint32 droppedLinksCount = 14;
    Status status = 15;
    fixed32 flags = 16;
  }
  message Event {
    fixed64 timeUnixNano = 1;
    string name = 2;
    repeated KeyValue attributes = 3;
    uint32 droppedAttributesCount = 4;
  }
  message Link {
    bytes traceId = 1;
    bytes spanId = 2;
    string traceState = 3;
    repeated KeyValue attributes = 4;
    uint32 droppedAttributesCount = 5;
    fixed32 flags = 6;
  }
  message Status { int32 deprecatedCode = 1; string message = 2; int32 code = 3; }

  message LogRecord {
    fixed64 timeUnixNano = 1;
    AnyValue body = 5;
    repeated KeyValue attributes = 6;
    bytes traceId = 9;
    bytes spanId = 10;
    fixed64 observedTimeUnixNano = 11;
    string eventName = 12;
  }

  message ScopeLogs { InstrumentationScope scope = 1; repeated LogRecord logRecords = 2; }
  message ResourceLogs { Resource resource = 1; repeated ScopeLogs scopeLogs = 2; }
  message ExportLogsServiceRequest { repeated ResourceLogs resourceLogs = 1; }

  message KeyValue { string key = 1; AnyValue value = 2; }
  message AnyValue {
    oneof value {
      string stringValue = 1;
      bool boolValue = 2;
      int64 intValue = 3;
      double doubleValue = 4;
      ArrayValue arrayValue = 5;
      KeyValueList kvlistValue = 6;
      bytes bytesValue = 7;
    }
  }
  message ArrayValue { repeated AnyValue values = 1; }
  message KeyValueList { repeated KeyValue values = 1; }

  message ExportTraceServiceResponse { ExportTracePartialSuccess partialSuccess = 1; }
  message ExportTracePartialSuccess { int64 rejectedSpans = 1; string errorMessage = 2; }
  message RpcStatus { int32 code = 1; string message = 2; repeated Any details = 3; }
  message Any { string typeUrl = 1; bytes value = 2; }
  message RetryInfo { Duration retryDelay = 1; }
  message Duration { int64 seconds = 1; }
`,
  { keepCase: true },
);

export const Resource = root.lookupType('Resource');
export const InstrumentationScope = root.lookupType('InstrumentationScope');
export const Span = root.lookupType('Span');
export const LogRecord = root.lookupType('LogRecord');
export const ExportLogsServiceRequest = root.lookupType('ExportLogsServiceRequest');
/** The response of every signal: all have the same fields in protocol buffers. */
export const ExportTraceServiceResponse = root.lookupType('ExportTraceServiceResponse');
export const RpcStatus = root.lookupType('RpcStatus');
export const RetryInfo = root.lookupType('RetryInfo');
