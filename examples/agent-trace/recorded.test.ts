import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMetric, createProject, createRecord, createRun, ok } from '../../server/test/fixtures.ts';
import { type Organization, startApp, type TestApp } from '../../server/test/harness.ts';
import { type ModelServer, openOpenAiServer } from '../../server/test/model-server.ts';
import { post } from '../../server/test/otlp.ts';

/**
 * The templates that read a trace, on traces that frameworks made: record.py made those of Pydantic AI, the OpenAI Agents SDK, LangChain and
 * smolagents, and the agents of this folder the others. Every agent calls its tool twice, because the first call fails.
 */
const files = readdirSync(new URL('recorded/', import.meta.url)).filter((name) => name.endsWith('.json'));

const weather = { name: 'weather', arguments: { city: 'Oslo' } };
const right = {
  tools: ['weather'],
  toolCalls: [weather, weather],
  maxSteps: 5,
  maxTokens: 1_000_000,
  maxSeconds: 60,
};
const wrong = {
  tools: ['search'],
  toolCalls: [{ name: 'weather', arguments: { city: 'Rome' } }],
  maxSteps: 4,
  maxTokens: 10,
  maxSeconds: 0,
};
/** Smolagents answers by a tool. */
const finalAnswer = { name: 'final_answer', arguments: { answer: 'It is 3 °C in Oslo.' } };
const rightOf = (file: string) =>
  file === 'smolagents.json'
    ? {
        ...right,
        tools: ['weather', 'final_answer'],
        toolCalls: [weather, weather, finalAnswer],
        maxSteps: 6,
      }
    : right;
/** Templates that read no expectation: the verdict is about the trace alone. */
const unconditional = ['no-loops', 'failed-tools-recovered'];
const family = [
  'tool-selection',
  'tool-arguments',
  'tool-order',
  'tool-calls',
  'step-budget',
  'token-budget',
  'latency-budget',
  'goal-reached-trace',
  ...unconditional,
];
const patient = { timeout: 60_000, interval: 100 };

let app: TestApp;
let own: Organization;
let models: ModelServer;
beforeAll(async () => {
  models = await openOpenAiServer();
  // The script judges what it is shown: the goal is reached where a call with its result is in the prompt.
  models.answer(({ messages }) => {
    const shown = (messages[0] ?? '').replaceAll(/<\/?untrusted-\w+>/g, '');
    const isReached = /weather\(\{"city": ?"Oslo"\}\) -> .*3 °C/.test(shown) && !shown.includes('in Rome');
    return { reply: { reasoning: shown.slice(-300), binaryScore: isReached } };
  });
  app = await startApp({ DOKIMA_WORKERS: '1', DOKIMA_ALLOW_PRIVATE_ADDRESSES: 'true' });
  own = await app.organization();
  await ok(
    own.api('POST', '/providers', { name: 'script', kind: 'openai-compatible', baseUrl: models.url }),
    201,
  );
});
afterAll(() => Promise.all([app.close(), models.close()]));

/** Verdicts by template of a record that is linked to a recorded trace. */
const verdictsOn = async (file: string, record: { inputs: object; expected: object }) => {
  const project = await createProject(own.api);
  const recorded = readFileSync(new URL(`recorded/${file}`, import.meta.url), 'utf8')
    .replaceAll('"the project"', `"${project.id}"`)
    // A trace is in one project.
    .replaceAll(/("traceId": ")\w{4}/g, `$1${project.id.padStart(4, '0')}`);
  const request = JSON.parse(recorded);
  for (const { resource } of request.resourceSpans)
    resource.attributes.push({ key: 'dokima.otel_link_id', value: { stringValue: file } });
  const sent = Buffer.from(JSON.stringify(request));
  const { status, body } = await post(app, own.key, sent, { 'content-type': 'application/json' });
  expect(`${status} ${body}`).toBe('200 {}');
  const { data } = await ok(own.api('GET', '/metric-templates'));
  const ofMetric = new Map<string, string>();
  for (const { id, metric } of data) {
    if (!family.includes(id)) continue;
    const model = metric.evalType === 'ai' && { evalModelName: 'script/judge' };
    ofMetric.set((await createMetric(own.api, project.id, { ...metric, ...model })).id, id);
  }
  expect(ofMetric.size).toBe(family.length);
  const run = await createRun(own.api, project.id, [...ofMetric.keys()]);
  const { id } = await createRecord(own.api, run.id, { ...record, outputs: {}, otelLinkId: file });
  await expect
    .poll(async () => (await ok(own.api('GET', `/runs/${run.id}`))).status, patient)
    .toBe('completed');
  const { scoreStates } = await ok(own.api('GET', `/records/${id}`));
  return Object.fromEntries(
    scoreStates.map(({ metricId, state, passed, score }: Record<string, string>) => [
      ofMetric.get(metricId!),
      state === 'scored' ? passed : JSON.stringify({ state, score }),
    ]),
  );
};

describe('the templates that read a trace', () => {
  it.each(files)(
    'pass and fail by what they say on %s',
    async (file) => {
      const good = await verdictsOn(file, {
        inputs: { goal: 'Say how warm it is in Oslo.' },
        expected: rightOf(file),
      });
      expect(good).toEqual(Object.fromEntries(family.map((id) => [id, true])));
      const bad = await verdictsOn(file, {
        inputs: { goal: 'Say how warm it is in Rome.' },
        expected: wrong,
      });
      expect(bad).toEqual(Object.fromEntries(family.map((id) => [id, unconditional.includes(id)])));
    },
    90_000,
  );
});
