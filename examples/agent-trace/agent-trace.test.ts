import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createProject, ok } from '../../server/test/fixtures.ts';
import { type Organization, startApp, type TestApp } from '../../server/test/harness.ts';
import { post } from '../../server/test/otlp.ts';
import { forPrograms } from '../../server/test/programs.ts';

/** DOKIMA_TEST_PYTHON names a Python with the packages. Default: python3. */
const python = process.env.DOKIMA_TEST_PYTHON ?? 'python3';
const hasPython = (modules: string): boolean => {
  try {
    execFileSync(python, ['-c', `import ${modules}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};
const instrumentations =
  'langchain_openai, openinference.instrumentation.langchain, openinference.instrumentation.openai, ' +
  'opentelemetry.instrumentation.langchain, opentelemetry.instrumentation.openai';
const hasNode = (): boolean => {
  try {
    createRequire(import.meta.url).resolve('@ai-sdk/otel');
    return true;
  } catch {
    return false;
  }
};

/** Processes start, monitors wait and workers score, on a machine that may be busy. */
const timeout = 120_000;
const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));

let app: TestApp;
let own: Organization;
let models: ChildProcess;
let environment: NodeJS.ProcessEnv;
let projectId: string;

beforeAll(async () => {
  app = await startApp({ DOKIMA_WORKERS: '1' });
  own = await app.organization();
  const url = await app.url();
  models = spawn(process.execPath, [here('model-server.mjs')], { env: { MODEL_PORT: '0' } });
  const [line] = await once(models.stdout!.setEncoding('utf8'), 'data');
  const MODEL_URL = /http\S+/.exec(line)![0];
  environment = { ...forPrograms(), DOKIMA_URL: url, DOKIMA_API_KEY: own.key, MODEL_URL };
});
beforeEach(async () => {
  projectId = (await createProject(own.api)).id;
  environment.DOKIMA_PROJECT_ID = projectId;
});
afterAll(async () => {
  models.kill();
  await app.close();
});

const run = async (command: string, ...args: string[]): Promise<string> =>
  (await promisify(execFile)(command, args, { env: environment })).stdout;
const node = (name: string) => run(process.execPath, here(name));

/** Runs monitor.mjs, an agent and look.mjs, and checks everything that the README promises. */
const checkExample = async (agent: () => Promise<unknown>): Promise<void> => {
  await node('monitor.mjs');
  await agent();
  const output = await node('look.mjs');
  const { data } = await ok(own.api('GET', `/projects/${projectId}/records`));
  expect(data).toHaveLength(1);
  const [{ id, scoreStates }] = data;
  expect(scoreStates).toMatchObject([
    { state: 'scored', score: { binaryScore: true, reasoning: '2 calls, 1 failed, 0 of them for good.' } },
  ]);
  const said = (await ok(own.api('GET', `/records/${id}/conversation`))).data;
  expect(said.map(({ role }: { role: string }) => role)).toEqual([
    'system',
    'user',
    'assistant',
    'tool',
    'assistant',
    'tool',
    'assistant',
  ]);
  expect(said[3].error).toContain('The station is unavailable.');
  expect(said.at(-1).content).toBe('It is 3 °C in Oslo.');
  const [annotation] = (await ok(own.api('GET', `/records/${id}/annotations`))).data;
  expect(annotation).toMatchObject({ rating: false, spanId: said[3].spanId });
  expect(output).toContain(`annotated:`);
  expect(output).toContain('assistant: It is 3 °C in Oslo.');
};

/** Sends the recorded spans of an agent to the project of this test. */
const replay = async (name: string): Promise<void> => {
  const recorded = await readFile(here(`recorded/${name}.json`), 'utf8');
  const { status, body } = await post(
    app,
    own.key,
    Buffer.from(recorded.replaceAll('"the project"', `"${projectId}"`)),
    {
      'content-type': 'application/json',
    },
  );
  expect(`${status} ${body}`).toBe('200 {}');
};

describe.skipIf(!hasNode())('the agent (skipped unless `npm install` was run in this folder)', () => {
  it.each([
    ['the Vercel AI SDK', 'agent.mjs'],
    ['Node’s OpenTelemetry', 'agent-otel.mjs'],
  ])(
    'with %s becomes a record with a conversation, a score for its tool calls, and an annotation on the failed span',
    (_, name) => checkExample(() => node(name)),
    timeout,
  );
});

describe.skipIf(!hasPython('opentelemetry.sdk, opentelemetry.exporter.otlp'))(
  'the agent with Python’s OpenTelemetry (skipped if `python3 -c "import opentelemetry.sdk"` fails)',
  () => {
    it(
      'becomes a record with a conversation, a score for its tool calls, and an annotation on the failed span',
      () => checkExample(() => run(python, here('agent.py'))),
      timeout,
    );
  },
);

/** Returns the conversation of each record of the project, oldest first, as lines of role and text. */
const conversations = async (): Promise<string[][]> => {
  const { data } = await ok(own.api('GET', `/projects/${projectId}/records`));
  const said = data.map(({ id }: { id: string }) => ok(own.api('GET', `/records/${id}/conversation`)));
  return (await Promise.all(said))
    .map((one) => one.data.map(({ role, content }: Record<string, string>) => `${role}: ${content}`))
    .reverse();
};

const asked = ['system: You say what the weather is.', 'user: How warm is it in Oslo?'];
const answered = 'assistant: It is 3 °C in Oslo.';

describe.skipIf(!hasPython(instrumentations))(
  'programs with only an instrumentation (skipped without the packages of examples/requirements.txt)',
  () => {
    beforeEach(() => {
      Object.assign(environment, {
        OTEL_EXPORTER_OTLP_ENDPOINT: `${environment.DOKIMA_URL}/otel`,
        OTEL_EXPORTER_OTLP_HEADERS: `Authorization=Bearer%20${own.key}`,
        OTEL_RESOURCE_ATTRIBUTES: `service.name=weather-agent,dokima.project_id=${projectId}`,
      });
    });

    it.each(['openinference', 'openllmetry'])(
      'an OpenAI client with %s becomes a record with a conversation',
      async (name) => {
        await run(python, here('instrumented.py'), name);
        expect(await conversations()).toEqual([[...asked, 'assistant: ', 'tool: 3 °C', answered]]);
      },
      timeout,
    );

    it.each(['openinference', 'openllmetry'])(
      'a LangChain agent with %s becomes a record with a conversation that shows the failed tool and its retry',
      async (name) => {
        await run(python, here('langchain_agent.py'), name);
        expect(await conversations()).toEqual([
          [
            ...asked,
            'assistant: ',
            'tool: The weather service is unavailable.',
            'assistant: ',
            'tool: 3 °C in Oslo',
            answered,
          ],
        ]);
      },
      timeout,
    );
  },
);

describe.skipIf(!hasPython('scorecard_ai, openai, anthropic'))(
  'clients wrapped by the public Python client (skipped without the packages of examples/requirements.txt)',
  () => {
    it(
      'send a record for each call',
      async () => {
        await run(python, here('wrapped.py'));
        const said = ['user: How warm is it in Oslo? It is 3 °C.', answered];
        expect(await conversations()).toEqual([said, said]);
      },
      timeout,
    );
  },
);

describe('recorded spans', () => {
  it.each(['vercel-ai-sdk', 'node-opentelemetry', 'python-opentelemetry'])(
    'of %s give the same result',
    (name) => checkExample(() => replay(name)),
    timeout,
  );
});
