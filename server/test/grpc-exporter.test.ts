import { execFile, execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callService, createStorage, endServices, type Service, startService } from './service.ts';

/** DOKIMA_TEST_PYTHON names a Python with the packages. Default: python3. */
const python = process.env.DOKIMA_TEST_PYTHON ?? 'python3';
const hasExporter = (): boolean => {
  try {
    execFileSync(python, ['-c', 'import opentelemetry.exporter.otlp.proto.grpc'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

/** A program that only its environment tells where its spans go. */
const program = `
from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor, SpanExportResult

provider = TracerProvider()
exporter = OTLPSpanExporter()
results = []
export = exporter.export
exporter.export = lambda spans: results.append(export(spans)) or results[-1]
provider.add_span_processor(SimpleSpanProcessor(exporter))
tracer = provider.get_tracer("test")
with tracer.start_as_current_span("invoke_agent weather", attributes={"gen_ai.operation.name": "invoke_agent"}):
    attributes = {"gen_ai.operation.name": "chat", "gen_ai.request.model": "a-model", "input.value": "Oslo?", "output.value": "3 °C"}
    with tracer.start_as_current_span("chat a-model", attributes=attributes):
        pass
provider.shutdown()
print([result is SpanExportResult.SUCCESS for result in results])
`;

describe.skipIf(!hasExporter())(
  "OpenTelemetry's gRPC exporter (skipped without the packages of examples/requirements.txt)",
  () => {
    let storage: Awaited<ReturnType<typeof createStorage>>;
    let service: Service;
    let port: string;

    beforeAll(async () => {
      storage = await createStorage('empty');
      service = await startService({ ...storage.settings, DOKIMA_OTLP_GRPC_PORT: '0' });
      await service.printed('OTLP/gRPC');
      port = /OTLP\/gRPC\s+localhost:(\d+)/.exec(service.output())![1]!;
    });
    afterAll(async () => {
      await endServices();
      await storage.remove();
    });

    const send = async (key: string | undefined, compression?: string) => {
      const page = await readFile(new URL('../../docs/tracing.md', import.meta.url), 'utf8');
      const lines = /<!-- gRPC environment:[^>]*-->\n```sh\n([\s\S]*?)```/.exec(page)![1]!;
      const script = `${lines.replace('localhost:4317', `localhost:${port}`)}\nexec "$PYTHON" -c "$PROGRAM"`;
      const { stdout } = await promisify(execFile)('bash', ['-eu', '-c', script], {
        env: {
          PATH: process.env.PATH,
          PYTHON: python,
          PROGRAM: program,
          DOKIMA_API_KEY: key,
          ...(compression && { OTEL_EXPORTER_OTLP_COMPRESSION: compression }),
        },
      });
      return stdout.trim();
    };

    it.each([undefined, 'gzip'])(
      'sends spans to the port of DOKIMA_OTLP_GRPC_PORT (compression: %s), and they are a record',
      async (compression) => {
        const project = await callService(service, 'POST', '/projects', {
          name: 'gRPC',
          description: '',
        });
        expect(project).toMatchObject({ status: 201 });
        const made = await callService(service, 'POST', '/keys', {
          name: 'traces',
          defaultProjectId: project.body.id,
        });
        expect(made).toMatchObject({ status: 201, body: { defaultProjectId: project.body.id } });
        expect(await send(made.body.key, compression)).toBe('[True, True]');
        const { body } = await callService(service, 'GET', `/projects/${project.body.id}/records`);
        expect(body.data).toHaveLength(1);
        expect(body.data[0].outputs).toEqual({ output: '3 °C' });
        const spans = await callService(service, 'GET', `/records/${body.data[0].id}/spans`);
        expect(spans.body.data.map(({ name }: { name: string }) => name)).toEqual([
          'invoke_agent weather',
          'chat a-model',
        ]);
      },
    );

    it('is refused with a wrong key', async () => {
      expect(await send('ak_wrong')).toBe('[False, False]');
    });
  },
);
