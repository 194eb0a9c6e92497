import { execFile, execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProject, ok } from '../../server/test/fixtures.ts';
import { type Organization, startApp, type TestApp } from '../../server/test/harness.ts';
import { forPrograms } from '../../server/test/programs.ts';

/** DOKIMA_TEST_PYTHON names a Python with the packages. Default: python3. */
const python = process.env.DOKIMA_TEST_PYTHON ?? 'python3';
const hasPackages = (): boolean => {
  try {
    execFileSync(python, ['-c', 'import langfuse, langsmith, braintrust.otel, phoenix.otel'], {
      stdio: 'ignore',
    });
    return true;
  } catch {
    return false;
  }
};

let app: TestApp;
let own: Organization;

beforeAll(async () => {
  app = await startApp();
  own = await app.organization();
});
afterAll(() => app.close());

/** The settings of docs/coming-from.md for each tool. */
const settings: Record<string, (url: string, key: string) => Record<string, string>> = {
  langfuse: (url, key) => ({
    LANGFUSE_BASE_URL: url,
    LANGFUSE_PUBLIC_KEY: 'any',
    LANGFUSE_SECRET_KEY: key,
  }),
  langsmith: (url, key) => ({
    LANGSMITH_TRACING: 'true',
    LANGSMITH_TRACING_MODE: 'otel',
    LANGSMITH_ENDPOINT: url,
    LANGSMITH_API_KEY: key,
  }),
  braintrust: (url, key) => ({ BRAINTRUST_API_URL: url, BRAINTRUST_API_KEY: key }),
  phoenix: (url, key) => ({ PHOENIX_COLLECTOR_ENDPOINT: url, PHOENIX_API_KEY: key }),
};

describe.skipIf(!hasPackages())(
  'a program with the SDK of another service (skipped without the packages of examples/requirements.txt)',
  () => {
    it.each(Object.keys(settings))(
      'with %s sends a record here when only its environment changes',
      async (name) => {
        const projectId = (await createProject(own.api)).id;
        const { key } = await ok(
          own.api('POST', '/keys', { name: 'traces', defaultProjectId: projectId }),
          201,
        );
        const program = fileURLToPath(new URL(`with_${name}.py`, import.meta.url));
        const env = { ...forPrograms(), ...settings[name]!(await app.url(), key) };
        await promisify(execFile)(python, [program], { env });

        const { data } = await ok(own.api('GET', `/projects/${projectId}/records`));
        expect(data).toHaveLength(1);
        const [{ id, inputs, outputs, tags }] = data;
        expect(JSON.stringify(inputs)).toContain('How warm is it in Oslo?');
        expect(outputs).toEqual({ output: 'It is 3 °C in Oslo.' });
        // Phoenix has no tags on traces.
        expect(tags).toEqual(name === 'phoenix' ? [] : ['weather', 'north']);

        const said = (await ok(own.api('GET', `/records/${id}/conversation`))).data;
        const lines = said.map(({ role, content }: Record<string, string>) => `${role}: ${content}`);
        expect(lines).toEqual([
          'tool: {"city":"Oslo","celsius":3}',
          'system: You say what the weather is.',
          'user: How warm is it in Oslo?',
          'assistant: It is 3 °C in Oslo.',
        ]);

        const spans = (await ok(own.api('GET', `/records/${id}/spans`))).data;
        const whole = async (wanted: string) => {
          const { traceId, spanId } = spans.find((span: { name: string }) => span.name === wanted);
          return ok(own.api('GET', `/projects/${projectId}/traces/${traceId}/spans/${spanId}`));
        };
        expect((await whole('measure')).tool).toMatchObject({ name: 'measure', result: { celsius: 3 } });
        expect(await whole('archive')).toMatchObject({ failed: true });
        expect((await whole('archive')).error).toContain('The archive is closed.');
        // Phoenix's decorator records neither model nor tokens.
        if (name !== 'phoenix')
          expect(await whole('ask')).toMatchObject({
            model: 'gpt-4o-mini',
            inputTokens: 21,
            outputTokens: 9,
          });
      },
    );
  },
);
