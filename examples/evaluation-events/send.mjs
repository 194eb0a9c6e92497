// Sends evaluations with OpenTelemetry's SDK for JavaScript: as an event of a span, and as log records in protobuf and in JSON.
import { context, trace } from '@opentelemetry/api';
import { OTLPLogExporter as OTLPLogExporterJson } from '@opentelemetry/exporter-logs-otlp-http';
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-proto';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { LoggerProvider, SimpleLogRecordProcessor } from '@opentelemetry/sdk-logs';
import { SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';

const resource = resourceFromAttributes({ 'dokima.project_id': process.env.DOKIMA_PROJECT_ID });
const spans = new TracerProvider({
  resource,
  spanProcessors: [new SimpleSpanProcessor({ exporter: new OTLPTraceExporter() })],
});
const logs = [new OTLPLogExporter(), new OTLPLogExporterJson()].map(
  (exporter) => new LoggerProvider({ resource, processors: [new SimpleLogRecordProcessor({ exporter })] }),
);

const result = (name, fields) =>
  Object.fromEntries(
    Object.entries({ name, ...fields }).map(([key, value]) => [`gen_ai.evaluation.${key}`, value]),
  );
const span = spans.getTracer('agent').startSpan('chat');
const emit = (provider, attributes) =>
  provider.getLogger('evaluations').emit({
    eventName: 'gen_ai.evaluation.result',
    attributes,
    context: trace.setSpan(context.active(), span),
  });

span.addEvent('gen_ai.evaluation.result', result('Polite', { 'score.label': 'pass' }));
const [protobuf, json] = logs;
emit(protobuf, result('Relevance', { 'score.value': 0.75, explanation: 'On topic.' }));
emit(json, result('Grounded', { 'score.value': 0.5, 'score.label': 'fail' }));
emit(protobuf, { ...result('Safe', {}), 'error.type': 'timeout' });
span.end();
await spans.shutdown();
await Promise.all(logs.map((provider) => provider.shutdown()));
console.log(span.spanContext().traceId, span.spanContext().spanId);
