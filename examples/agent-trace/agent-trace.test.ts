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

/** DOKIMA_TEST_PYTHON names a Python that has the packages; else python3 is asked. */
const python = process.env.DOKIMA_TEST_PYTHON ?? 'python3';
const hasPython = (): boolean => {
  try {
    execFileSync(python, ['-c', 'import opentelemetry.sdk, opentelemetry.exporter.otlp'], {
      stdio: 'ignore',
    });
    return true;
  } catch {
    return false;
  }
};
const hasNode = (): boolean => {
  try {
    createRequire(import.meta.url).resolve('@ai-sdk/otel');
    return true;
  } catch {
    return false;
  }
};

/** Processes start, monitors wait, and scores are made, on a machine that may be busy. */
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
  environment = { PATH: process.env.PATH, DOKIMA_URL: url, DOKIMA_API_KEY: own.key, MODEL_URL };
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

/** Between monitor.mjs and look.mjs: an agent runs, and then everything that the README says is there. */
const watched = async (agent: () => Promise<unknown>): Promise<void> => {
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
    ...['system', 'user', 'assistant', 'tool', 'assistant', 'tool', 'assistant'],
  ]);
  expect(said[3].error).toContain('The station is unavailable.');
  expect(said.at(-1).content).toBe('It is 3 °C in Oslo.');
  const [annotation] = (await ok(own.api('GET', `/records/${id}/annotations`))).data;
  expect(annotation).toMatchObject({ rating: false, spanId: said[3].spanId });
  expect(output).toContain(`annotated:`);
  expect(output).toContain('assistant: It is 3 °C in Oslo.');
};

/** What an agent has sent once, to another project. */
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

describe.skipIf(!hasNode())(
  'the agent with the Vercel AI SDK (skipped where `npm install` was not run in this folder)',
  () => {
    it(
      'becomes a record with its conversation, scored by its tool calls, annotated on the span that failed',
      () => watched(() => node('agent.mjs')),
      timeout,
    );
  },
);

describe.skipIf(!hasPython())(
  'the agent with Python’s OpenTelemetry (skipped where `python3 -c "import opentelemetry.sdk"` fails)',
  () => {
    it(
      'becomes a record with its conversation, scored by its tool calls, annotated on the span that failed',
      () => watched(() => run(python, here('agent.py'))),
      timeout,
    );
  },
);

describe('what they sent when it was recorded', () => {
  it.each(['vercel-ai-sdk', 'python-opentelemetry'])(
    '%s: becomes the same',
    (name) => watched(() => replay(name)),
    timeout,
  );
});
