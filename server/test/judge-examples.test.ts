import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createMetric, createProject, createRecord, createRun, ok } from './fixtures.ts';
import { type Organization, startApp, type TestApp } from './harness.ts';
import { type ModelServer, openOpenAiServer } from './model-server.ts';

/** Contents of `gradingInstructionsAndExamples`: the guidelines and records of earlier runs that people scored. */

let app: TestApp;
let models: ModelServer;
let own: Organization;
let projectId: string;
let metricId: string;

const metric = {
  evalType: 'ai',
  outputType: 'boolean',
  evalModelName: 'ours/judge',
  guidelines: 'Be strict.',
  promptTemplate: 'Judge {{ allOutputs }}.\n{{ gradingInstructionsAndExamples }}',
};

beforeAll(async () => {
  models = await openOpenAiServer();
  models.answer({ reply: { reasoning: 'By the judge.', binaryScore: true } });
  app = await startApp({ DOKIMA_WORKERS: '1', DOKIMA_ALLOW_PRIVATE_ADDRESSES: 'true' });
});
afterAll(() => Promise.all([app.close(), models.close()]));
beforeEach(async () => {
  own = await app.organization();
  const provider = { name: 'ours', kind: 'openai-compatible', baseUrl: models.url, apiKey: 'k' };
  await ok(own.api('POST', '/providers', provider), 201);
  projectId = (await createProject(own.api)).id;
  metricId = (await createMetric(own.api, projectId, metric)).id;
  models.received.length = 0;
});

type Fields = { inputs?: object; outputs?: object; expected?: object };

const startRun = async (ids = [metricId]) => {
  const run = await createRun(own.api, projectId, ids);
  const [configId] = run.metricVersionIds;
  return async (fields: Fields) => {
    const record = await createRecord(own.api, run.id, { expected: {}, ...fields });
    const path = `/records/${record.id}/scores/${configId}`;
    const state = async () => (await ok(own.api('GET', path))).state;
    await expect.poll(state, { timeout: 30_000, interval: 20 }).toBe('scored');
    const { evidence } = await ok(own.api('GET', path));
    const prompt = evidence.prompt.split('[user]\n')[1].split('\n\nThe marks of ')[0];
    return {
      evidence,
      /** The prompt without its marks. */
      prompt: prompt.replace(/<\/?untrusted-\w+>/g, '') as string,
      marked: prompt as string,
      override: (binaryScore: unknown, reasoning = 'By a person.') =>
        ok(own.api('PUT', path, { score: { binaryScore, reasoning } })),
    };
  };
};

it('holds the guidelines alone while no one has scored', async () => {
  const judge = await startRun();
  expect((await judge({ inputs: { q: 1 }, outputs: { a: 1 } })).prompt).toBe('Judge {"a":1}.\nBe strict.');
});

it('shows records of earlier runs with the score that a person gave, newest first', async () => {
  const first = await startRun();
  await (await first({ inputs: { q: 1 }, outputs: { a: 1 }, expected: { a: 2 } })).override(false, 'Wrong.');
  await (await first({ inputs: { q: 2 }, outputs: { a: 2 } })).override(true, '');
  // The judge's own verdicts are not examples, and neither is a score that does not fit the metric.
  await first({ inputs: { q: 3 }, outputs: { a: 3 } });
  await (await first({ inputs: { q: 4 }, outputs: { a: 4 } })).override('yes');
  const judge = await startRun();
  expect((await judge({ inputs: { q: 9 }, outputs: { a: 9 } })).prompt).toBe(
    [
      'Judge {"a":9}.\nBe strict.\n\nExamples that people scored:',
      'Example 1\nInputs: {"q":2}\nOutputs: {"a":2}\nScore: true',
      'Example 2\nInputs: {"q":1}\nExpected: {"a":2}\nOutputs: {"a":1}\nScore: false\nReasoning: Wrong.',
    ].join('\n\n'),
  );
});

it('never shows a record with the inputs of the one that is judged', async () => {
  const first = await startRun();
  await (await first({ inputs: { q: 1 }, outputs: { a: 1 } })).override(false);
  const judge = await startRun();
  expect((await judge({ inputs: { q: 1 }, outputs: { a: 7 } })).prompt).toBe('Judge {"a":7}.\nBe strict.');
});

it('shows the same examples for all records of a run, whatever people score in the meantime', async () => {
  const earlier = await startRun();
  const example = await earlier({ inputs: { q: 1 }, outputs: { a: 1 } });
  const later = await earlier({ inputs: { q: 2 }, outputs: { a: 2 } });
  await example.override(false);
  const judge = await startRun();
  const before = await judge({ inputs: { q: 8 }, outputs: { a: 8 } });
  await before.override(false);
  await later.override(true);
  const after = await judge({ inputs: { q: 9 }, outputs: { a: 8 } });
  expect(after.prompt).toBe(before.prompt);
  expect(after.prompt).toContain('Example 1');
  expect(after.prompt).not.toContain('Example 2');
});

it('shows at most five, each short enough to be shown whole, and none twice', async () => {
  const first = await startRun();
  await (await first({ inputs: { q: 0 }, outputs: { a: 'x'.repeat(2000) } })).override(true);
  for (let q = 1; q <= 6; q++) await (await first({ inputs: { q }, outputs: { a: q } })).override(true);
  await (await first({ inputs: { q: 6 }, outputs: { a: 'newer' } })).override(true);
  const judge = await startRun();
  const { prompt } = await judge({ inputs: { q: 9 }, outputs: { a: 9 } });
  expect([...prompt.matchAll(/Outputs: (.*)/g)].map(([, outputs]) => outputs)).toEqual([
    '{"a":"newer"}',
    ...[5, 4, 3, 2].map((a) => `{"a":${a}}`),
  ]);
});

it('shows scores of earlier configurations of the metric, not of another metric', async () => {
  const first = await startRun();
  await (await first({ inputs: { q: 1 }, outputs: { a: 1 } })).override(false);
  const another = (await createMetric(own.api, projectId, metric)).id;
  const foreign = await startRun([another]);
  expect((await foreign({ inputs: { q: 9 }, outputs: { a: 9 } })).prompt).not.toContain('Example');
  await ok(own.api('PATCH', `/metrics/${metricId}`, { ...metric, guidelines: 'Be kind.' }));
  const judge = await startRun();
  const { prompt } = await judge({ inputs: { q: 9 }, outputs: { a: 9 } });
  expect(prompt).toMatch(/^Judge .*\nBe kind\.\n\nExamples[\s\S]*Score: false/);
});

it('marks what records and scores say, so that an example cannot tell the judge what to answer', async () => {
  const first = await startRun();
  await (await first({ inputs: { q: 'order 1' }, outputs: { a: 'order 2' } })).override(true, 'order 3');
  const judge = await startRun();
  const { marked } = await judge({ inputs: { q: 9 }, outputs: { a: 9 } });
  const readable = marked.replace(/<(untrusted-\w+)>[\s\S]*?<\/\1>/g, '…');
  expect(readable).toContain('Inputs: …\nOutputs: …\nScore: true\nReasoning: …');
  expect(readable).not.toContain('order');
});

it('other examples make another question: its verdict is not reused', async () => {
  const first = await startRun();
  const asked = await first({ inputs: { q: 9 }, outputs: { a: 9 } });
  const again = await (await startRun())({ inputs: { q: 9 }, outputs: { a: 9 } });
  expect(again.evidence).toMatchObject({ reused: true, inputHash: asked.evidence.inputHash });
  await (await first({ inputs: { q: 1 }, outputs: { a: 1 } })).override(false);
  const taught = await (await startRun())({ inputs: { q: 9 }, outputs: { a: 9 } });
  expect(taught.evidence).not.toHaveProperty('reused');
  expect(taught.evidence.inputHash).not.toBe(asked.evidence.inputHash);
});

it('a preview of a saved metric shows what a run would show now; of another it shows none, or 404', async () => {
  const first = await startRun();
  await (await first({ inputs: { q: 1 }, outputs: { a: 1 } })).override(false, 'Wrong.');
  await (await first({ inputs: { q: 2 }, outputs: { a: 2 } })).override(true, '');
  const record = { inputs: { q: 2 }, outputs: { a: 9 } };
  const preview = (fields: object) =>
    own.api('POST', `/projects/${projectId}/metrics/preview`, { ...metric, record, ...fields });
  const promptOf = async (fields: object) =>
    (await ok(preview(fields))).prompt
      .split('[user]\n')[1]
      .split('\n\nThe marks of ')[0]
      .replace(/<\/?untrusted-\w+>/g, '');
  expect(await promptOf({})).toBe('Judge {"a":9}.\nBe strict.');
  expect(await promptOf({ metricId })).toBe(
    [
      'Judge {"a":9}.\nBe strict.\n\nExamples that people scored:',
      'Example 1\nInputs: {"q":1}\nOutputs: {"a":1}\nScore: false\nReasoning: Wrong.',
    ].join('\n\n'),
  );
  // Scores of another kind say nothing about this one.
  models.answer({ reply: { reasoning: '.', intScore: 4 } });
  expect(await promptOf({ metricId, outputType: 'int' })).toBe('Judge {"a":9}.\nBe strict.');
  models.answer({ reply: { reasoning: 'By the judge.', binaryScore: true } });
  const elsewhere = await createMetric(own.api, (await createProject(own.api)).id, metric);
  expect((await preview({ metricId: elsewhere.id })).status).toBe(404);
});

it('shows what the person said on each criterion, with the reasons, between the marks', async () => {
  const items = [
    { id: 'polite', text: 'Is it polite?' },
    { id: 'amount', text: 'Is the amount right?' },
  ];
  const { id } = await createMetric(own.api, projectId, {
    ...metric,
    outputType: 'float',
    criteria: { items },
  });
  const criteria = (met: boolean) => [
    { id: 'polite', met: true },
    { id: 'amount', met, reason: met ? '' : '20 € in place of 30 €' },
  ];
  models.answer({
    reply: { reasoning: '', criteria: criteria(true).map((each) => ({ reason: '', quote: '', ...each })) },
  });
  const first = await startRun([id]);
  const { override: _, ...judged } = await first({ inputs: { q: 1 }, outputs: { a: 1 } });
  expect(judged.prompt).not.toContain('Examples');
  const { data } = await ok(own.api('GET', `/projects/${projectId}/records`));
  const path = `/records/${data[0].id}/scores/${data[0].scoreStates[0].metricConfigId}`;
  await ok(own.api('PUT', path, { score: { criteria: criteria(false) } }));
  const next = await (await startRun([id]))({ inputs: { q: 9 }, outputs: { a: 9 } });
  expect(next.prompt).toContain(
    'Outputs: {"a":1}\nCriteria: polite: met; amount: not met (20 € in place of 30 €)\nScore: 0.5',
  );
  expect(next.marked).toMatch(/Criteria: <untrusted-\w+>polite/);
  models.answer({ reply: { reasoning: 'By the judge.', binaryScore: true } });
});
