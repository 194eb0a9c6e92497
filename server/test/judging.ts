import { afterAll } from 'vitest';
import { createMetric, ok } from './fixtures.ts';
import { type Client, type Organization, startApp, type TestApp } from './harness.ts';
import { type ModelServer, openOpenAiServer } from './model-server.ts';
import { until } from './until.ts';

/**
 * Starts a service with one worker, for all tests of a file: `settings` change it. Its models are those of a server that the tests answer
 * for. The organization has them as provider `local`, unless `provider` says otherwise.
 */
export const openJudging = async (
  provider: Record<string, unknown> = {},
  settings: Record<string, string> = {},
): Promise<{ app: TestApp; models: ModelServer; own: Organization }> => {
  const models = await openOpenAiServer();
  const app = await startApp({ DOKIMA_WORKERS: '1', DOKIMA_ALLOW_PRIVATE_ADDRESSES: 'true', ...settings });
  afterAll(() => Promise.all([app.close(), models.close()]));
  const own = await app.organization();
  const local = { name: 'local', kind: 'openai-compatible', baseUrl: models.url, apiKey: 'k' };
  await ok(own.api('POST', '/providers', { ...local, ...provider }), 201);
  return { app, models, own };
};

/** Creates a metric of code. */
export const createCode = (api: Client, projectId: string, guidelines: string, outputType = 'boolean') =>
  createMetric(api, projectId, { evalType: 'heuristic', outputType, guidelines });

/** Creates a metric that a model of openJudging scores. */
export const createJudge = (api: Client, projectId: string, fields: Record<string, unknown> = {}) =>
  createMetric(api, projectId, {
    evalType: 'ai',
    outputType: 'boolean',
    promptTemplate: 'Is {{ outputs.a }} right?',
    evalModelName: 'local/judge',
    ...fields,
  });

/** Code that passes a record whose output `a` is the expected one. */
export const exact =
  'function score(inputs, outputs, expected) { return { score: outputs.a === expected.a, reasoning: "compared" }; }';

/** Waits until a run is completed, and returns it. */
export const completedRun = (api: Client, runId: string) =>
  until(async () => {
    const run = await ok(api('GET', `/runs/${runId}`));
    return run.status === 'completed' ? run : undefined;
  });

type State = {
  state: string;
  reason: string | null;
  score: Record<string, unknown> | null;
  passed: boolean | null;
};
/** Returns the states of a record's scores. */
export const listScoreStates = async (api: Client, recordId: string): Promise<State[]> =>
  (await ok(api('GET', `/records/${recordId}`))).scoreStates;
