import { execFile, execFileSync } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createAlert } from '../../../test/alerting.ts';
import { openEndpoint, type Reply } from '../../../test/endpoint.ts';
import { createMetric, createProject, createRecord, createRun, ok } from '../../../test/fixtures.ts';
import { type Organization, startApp, type TestApp } from '../../../test/harness.ts';
import { fromProtobuf, newTraceId, post, requestOf, spanId, toResponse } from '../../../test/otlp.ts';
import { openAllowedAddresses } from '../../engine/models/allowed-addresses.ts';
import { openJobs } from '../../platform/jobs/work.ts';
import { subkey } from '../../platform/secret.ts';
import { deliveryWork } from './deliver.ts';
import { noteScores } from './note-scores.ts';
import { openSender } from './send.ts';

/** Scores are sent to an OpenTelemetry collector as evaluation events. */

let app: TestApp;
let own: Organization;
let receiver: Awaited<ReturnType<typeof openEndpoint>>;
let reply: () => Reply = () => ({ body: '' });
const bodies: { body: Buffer; headers: Record<string, unknown> }[] = [];

beforeAll(async () => {
  receiver = await openEndpoint(({ bytes, headers }) => {
    bodies.push({ body: bytes, headers });
    return reply();
  });
  app = await startApp({ DOKIMA_ALLOW_PRIVATE_ADDRESSES: 'true' });
  own = await app.organization();
  await app.app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  await app.close();
  await receiver.close();
});

let projectId: string;
let alertId: string;
beforeEach(async () => {
  bodies.length = 0;
  reply = () => ({ body: '' });
  projectId = (await createProject(own.api)).id;
  const fields = { kind: 'otlp', events: ['record.scored'], headers: { 'x-api-key': 'k1' } };
  alertId = (await createAlert(own.api, projectId, `${receiver.url}/v1/logs`, fields)).id;
});

const sender = openSender({ allowedAddresses: openAllowedAddresses('true') }, undefined, {
  smtpUrl: undefined,
  from: undefined,
});
const work = async () => {
  await noteScores(app.db);
  const key = subkey(Buffer.from('a secret for tests, nothing else'), 'provider');
  const deps = { db: app.db, log: pino({ level: 'silent' }) };
  const next = openJobs(deps, deliveryWork({ db: app.db, sender, key, addressKey: key }));
  while (await next(new AbortController().signal, () => {}));
};
type Sent = {
  eventName: string;
  traceId?: Buffer;
  spanId?: Buffer;
  attributes: { key: string; value: Record<string, unknown> }[];
};
type Request = { resourceLogs: { scopeLogs: { logRecords?: Sent[] }[] }[] };
const hex = (id?: Buffer) => id?.toString('hex') ?? '';
/** The events that arrived, with their attributes by key. */
const events = () =>
  bodies.flatMap(({ body }) => {
    const { resourceLogs } = fromProtobuf('LogsRequest', body) as Request;
    const { logRecords = [] } = resourceLogs[0]!.scopeLogs[0]!;
    return logRecords.map(
      ({ eventName, traceId, spanId, attributes }): Record<string, unknown> => ({
        eventName,
        traceId: hex(traceId),
        spanId: hex(spanId),
        ...Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]])),
      }),
    );
  });
const deliveries = async () => (await ok(own.api('GET', `/alerts/${alertId}/deliveries`))).data;

const world = async () => {
  const metric = await createMetric(own.api, projectId, {
    name: 'Right',
    evalType: 'heuristic',
    outputType: 'boolean',
  });
  const traceId = newTraceId();
  const run = await createRun(own.api, projectId, [metric.id]);
  const record = await createRecord(own.api, run.id, { otelLinkId: traceId });
  await post(
    app,
    own.key,
    requestOf([{ traceId, n: 1, attributes: { 'dokima.otel_link_id': traceId } }], {
      'dokima.project_id': projectId,
    }),
  );
  const path = `/records/${record.id}/scores/${run.metricVersionIds[0]}`;
  const score = (given: object) => ok(own.api('PUT', path, { score: given }));
  return { metric, run, record, traceId, score };
};

describe('an alert of the kind otlp', () => {
  it('sends the label of a category, and as value whether it passes', async () => {
    const labels = { items: ['Wrong', 'Partly', 'Right'], passing: ['Partly', 'Right'] };
    const metric = await createMetric(own.api, projectId, {
      evalType: 'human',
      outputType: 'category',
      labels,
    });
    const run = await createRun(own.api, projectId, [metric.id]);
    const record = await createRecord(own.api, run.id);
    await ok(
      own.api('PUT', `/records/${record.id}/scores/${run.metricVersionIds[0]}`, {
        score: { categoryScore: 'Partly' },
      }),
    );
    await work();
    expect(events()).toMatchObject([
      { 'gen_ai.evaluation.score.value': 1, 'gen_ai.evaluation.score.label': 'Partly' },
    ]);
  });

  it('sends each score once, and again when it changes, in the trace of its record', async () => {
    const { metric, record, traceId, score } = await world();
    await work();
    expect(events()).toEqual([]);
    await score({ binaryScore: false, reasoning: 'Wrong.' });
    await work();
    await work();
    const sent = {
      eventName: 'gen_ai.evaluation.result',
      traceId,
      spanId: spanId(1),
      'gen_ai.evaluation.name': 'Right',
      'gen_ai.evaluation.score.value': 0,
      'gen_ai.evaluation.score.label': 'fail',
      'gen_ai.evaluation.explanation': 'Wrong.',
      'dokima.record_id': record.id,
      'dokima.metric_id': metric.id,
    };
    expect(events()).toEqual([sent]);
    expect(bodies[0]!.headers).toMatchObject({
      'x-api-key': 'k1',
      'content-type': 'application/x-protobuf',
    });
    await score({ binaryScore: true });
    await work();
    expect(events().slice(1)).toMatchObject([{ 'gen_ai.evaluation.score.label': 'pass' }]);
    expect(await deliveries()).toMatchObject([
      { event: 'record.scored', state: 'delivered', status: 200 },
      { state: 'delivered' },
    ]);
  });

  it('sends why a record has no score', async () => {
    const { run, record } = await world();
    const item = { recordId: record.id, metricConfigId: run.metricVersionIds[0], reason: 'No answer.' };
    await ok(own.api('POST', `/runs/${run.id}/scores/bulk-upsert`, { items: [item] }));
    await work();
    expect(events()).toMatchObject([
      { 'error.type': 'unscored', 'gen_ai.evaluation.explanation': 'No answer.' },
    ]);
    expect(events()[0]).not.toHaveProperty('gen_ai.evaluation.score.value');
  });

  it('sends many scores in requests of 500', async () => {
    const { run } = await world();
    const records = Array.from({ length: 620 }, (_, i) => ({
      inputs: { i },
      expected: {},
      outputs: {},
      scores: [{ metricConfigId: run.metricVersionIds[0], score: { binaryScore: true } }],
    }));
    for (const part of [records.slice(0, 310), records.slice(310)])
      await ok(own.api('POST', `/runs/${run.id}/records/bulk-create`, { items: part }), 201);
    await work();
    expect(bodies.length).toBe(2);
    expect(new Set(events().map((event) => event['dokima.record_id'])).size).toBe(620);
  });

  it('fails for good when the receiver rejects a part, with its reason', async () => {
    const { score } = await world();
    const partialSuccess = { rejectedSpans: 1, errorMessage: 'too old' };
    reply = () => ({
      body: toResponse({ partialSuccess }),
      headers: { 'content-type': 'application/x-protobuf' },
    });
    await score({ binaryScore: true });
    await work();
    expect(await deliveries()).toMatchObject([{ state: 'failed', lastError: 'refused 1 scores: too old' }]);
  });

  it('does not send a score whose record was deleted', async () => {
    const { record, score } = await world();
    await score({ binaryScore: true });
    await noteScores(app.db);
    await ok(own.api('DELETE', `/records/${record.id}`));
    await work();
    expect(bodies).toEqual([]);
    expect(await deliveries()).toMatchObject([{ state: 'delivered', status: null }]);
  });

  it('has a test, which is an empty request', async () => {
    expect(await ok(own.api('POST', `/alerts/${alertId}/test`))).toMatchObject({ state: 'delivered' });
    expect(events()).toEqual([]);
    expect(bodies).toHaveLength(1);
  });

  it('keeps its headers to itself: another URL gets none', async () => {
    await ok(own.api('PATCH', `/alerts/${alertId}`, { name: 'New' }));
    await ok(own.api('POST', `/alerts/${alertId}/test`));
    await ok(own.api('PATCH', `/alerts/${alertId}`, { url: `${receiver.url}/other` }));
    await ok(own.api('POST', `/alerts/${alertId}/test`));
    await ok(own.api('PATCH', `/alerts/${alertId}`, { headers: { 'x-api-key': 'k2' } }));
    await ok(own.api('POST', `/alerts/${alertId}/test`));
    expect(bodies.map(({ headers }) => headers['x-api-key'])).toEqual(['k1', undefined, 'k2']);
    const list = await ok(own.api('GET', `/projects/${projectId}/alerts`));
    expect(JSON.stringify(list)).not.toContain('k2');
  });

  it.each([
    [{ kind: 'otlp', events: ['run.completed'] }, '/events'],
    [{ kind: 'webhook', events: ['record.scored'] }, '/events'],
    [{ kind: 'slack', events: ['run.completed'], headers: { a: 'b' } }, '/headers'],
  ])('400 for %j', async (fields, path) => {
    const body = { name: 'A', url: receiver.url, ...fields };
    const { status, text } = await own.api('POST', `/projects/${projectId}/alerts`, body);
    expect([status, text]).toEqual([400, expect.stringContaining(path)]);
  });
});

it('a Dokima that receives the scores of a Dokima ignores them', async () => {
  const { score } = await world();
  await score({ binaryScore: true });
  await work();
  const answer = await post(app, own.key, bodies[0]!.body, {}, '/otel/v1/logs');
  expect(fromProtobuf('Response', answer.body)).toMatchObject({
    partialSuccess: { rejectedSpans: '1', errorMessage: '1 log record: it is a score that Dokima sent' },
  });
});

/** DOKIMA_TEST_PYTHON names a Python with the packages. Default: python3. */
const python = process.env.DOKIMA_TEST_PYTHON ?? 'python3';
const hasExporter = (): boolean => {
  try {
    execFileSync(python, ['-c', 'import opentelemetry.exporter.otlp.proto.http._log_exporter'], {
      stdio: 'ignore',
    });
    return true;
  } catch {
    return false;
  }
};

/** Evaluates its own answer, once as a log record and once as an event of a span. */
const program = `
from opentelemetry._logs import LogRecord
from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import SimpleLogRecordProcessor
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor

logs, spans = LoggerProvider(), TracerProvider()
logs.add_log_record_processor(SimpleLogRecordProcessor(OTLPLogExporter()))
spans.add_span_processor(SimpleSpanProcessor(OTLPSpanExporter()))

def result(name, **fields):
    return {f"gen_ai.evaluation.{key}": value for key, value in {"name": name, **fields}.items()}

with spans.get_tracer("test").start_as_current_span("chat") as span:
    span.add_event("gen_ai.evaluation.result", result("Polite", **{"score.label": "pass"}))
    on_topic = result("Relevance", **{"score.value": 0.75, "explanation": "On topic."})
    logs.get_logger("evals").emit(LogRecord(event_name="gen_ai.evaluation.result", attributes=on_topic))
    print(format(span.get_span_context().trace_id, "032x"), format(span.get_span_context().span_id, "016x"))
spans.shutdown()
logs.shutdown()
`;

/** Reads what arrived with OpenTelemetry's own classes for Python, which other receivers use too. */
const reader = `
import sys
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
request = ExportLogsServiceRequest.FromString(bytes.fromhex(sys.stdin.read()))
for record in request.resource_logs[0].scope_logs[0].log_records:
    named = {each.key: each.value for each in record.attributes}
    value = named["gen_ai.evaluation.score.value"].double_value
    print(record.event_name, record.trace_id.hex(), record.span_id.hex(), named["gen_ai.evaluation.name"].string_value, value)
`;

/** Runs a program of Python with a text on its standard input. */
const runPython = async (code: string, env: Record<string, string>, stdin = ''): Promise<string[]> => {
  const running = promisify(execFile)(python, ['-c', code], { env });
  running.child.stdin!.end(stdin);
  return (await running).stdout.trim().split('\n');
};

it.skipIf(!hasExporter())(
  "events of OpenTelemetry's SDK become scores, and go on to a receiver that reads them with its classes (skipped without its packages)",
  async () => {
    const { port } = app.app.server.address() as AddressInfo;
    const [ids] = await runPython(program, {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}/otel`,
      OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${own.key}`,
      OTEL_RESOURCE_ATTRIBUTES: `dokima.project_id=${projectId}`,
    });
    const [record] = (await ok(own.api('GET', `/projects/${projectId}/records`))).data;
    const scores = record.scoreStates.map((one: { metricName: string; score: object }) => [
      one.metricName,
      one.score,
    ]);
    expect(Object.fromEntries(scores)).toEqual({
      Polite: { binaryScore: true, label: 'pass' },
      Relevance: { floatScore: 0.75, reasoning: 'On topic.' },
    });
    await work();
    const received = await runPython(reader, {}, bodies[0]!.body.toString('hex'));
    expect(received.toSorted()).toEqual([
      `gen_ai.evaluation.result ${ids} Polite 1.0`,
      `gen_ai.evaluation.result ${ids} Relevance 0.75`,
    ]);
  },
);

/** DOKIMA_TEST_OTEL_JS names a copy of examples/evaluation-events with its packages; `.ci/emitters` makes one. */
const withPackages = process.env.DOKIMA_TEST_OTEL_JS;

it.skipIf(withPackages === undefined)(
  "events of OpenTelemetry's SDK for JavaScript become scores, from a span, from protobuf and from JSON (skipped without its packages)",
  async () => {
    const { port } = app.app.server.address() as AddressInfo;
    const { stdout } = await promisify(execFile)(process.execPath, ['send.mjs'], {
      cwd: withPackages!,
      env: {
        OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}/otel`,
        OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${own.key}`,
        DOKIMA_PROJECT_ID: projectId,
      },
    });
    const ids = stdout.trim();
    expect(ids).toMatch(/^[0-9a-f]{32} [0-9a-f]{16}$/);
    const [record] = (await ok(own.api('GET', `/projects/${projectId}/records`))).data;
    type Found = { metricName: string; state: string; score: object; reason: string | null };
    expect(
      Object.fromEntries(
        record.scoreStates.map(({ metricName, state, score, reason }: Found) => [
          metricName,
          score ?? `${state}: ${reason}`,
        ]),
      ),
    ).toEqual({
      Polite: { binaryScore: true, label: 'pass' },
      Relevance: { floatScore: 0.75, reasoning: 'On topic.' },
      Grounded: { floatScore: 0.5, label: 'fail' },
      Safe: 'unscored: timeout',
    });
    await work();
    // Back out, as a strict reader of OpenTelemetry's definitions gets them.
    expect(
      events()
        .map((event) => [event['gen_ai.evaluation.name'], `${event.traceId} ${event.spanId}`])
        .toSorted(),
    ).toEqual(['Grounded', 'Polite', 'Relevance', 'Safe'].map((name) => [name, ids]));
  },
);
