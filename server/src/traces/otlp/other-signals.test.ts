import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Organization, startApp, type TestApp } from '../../../test/harness.ts';
import { fromProtobuf, post } from '../../../test/otlp.ts';

/** SDKs export metrics by default, and log an error for each export that is refused. */

let app: TestApp;
let own: Organization;
const lines: string[] = [];
beforeAll(async () => {
  app = await startApp({}, { log: pino({ level: 'info' }, { write: (line: string) => lines.push(line) }) });
  own = await app.organization();
});
afterAll(() => app.close());

it('metrics are accepted in both encodings, and dropped', async () => {
  for (const path of ['/otel/v1/metrics', '/v1/metrics', '/otel/v1/metrics/']) {
    const binary = await post(app, own.key, Buffer.from([10, 0]), {}, path);
    expect(binary).toMatchObject({ status: 200, type: 'application/x-protobuf' });
    expect(fromProtobuf('Response', binary.body)).toEqual({});
    const json = await post(app, own.key, { resourceMetrics: [] }, {}, path);
    expect(json).toMatchObject({ status: 200, type: expect.stringMatching(/^application\/json/) });
    expect(String(json.body)).toBe('{}');
  }
  const said = lines.filter((line) => line.includes('OpenTelemetry metrics are dropped'));
  expect(said).toHaveLength(1);
});

it.each(['metrics', 'logs'])('%s need a key, like traces', async (signal) => {
  expect((await post(app, undefined, {}, {}, `/otel/v1/${signal}`)).status).toBe(401);
});
