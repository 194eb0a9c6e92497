import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { callTool } from '../../../../client/src/agents/call-tool.ts';
import { createClient, DokimaError } from '../../../../client/src/main.ts';
import { ok } from '../../../test/fixtures.ts';
import { type Organization, startApp, type TestApp } from '../../../test/harness.ts';

let app: TestApp;
let own: Organization;
let client: Client;
beforeAll(async () => {
  app = await startApp({ DOKIMA_WORKERS: '1' });
  own = await app.organization();
  client = new Client({ name: 'test', version: '1' });
  const headers = { authorization: `Bearer ${own.key}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${await app.url()}/mcp`), { requestInit: { headers } }),
  );
  // The client then checks each structured answer against the schema of its tool.
  await client.listTools();
});
afterAll(() => app.close());

/** What the tools answer, together. */
type Data = {
  [each in 'projectId' | 'testsetId' | 'metricId' | 'runId' | 'status' | 'outcome' | 'confirm']: string;
} & {
  [each in
    | 'projectIds'
    | 'testsetIds'
    | 'testcaseIds'
    | 'recordIds'
    | 'failedRecordIds'
    | 'runIds']: string[];
} & {
  rates: unknown;
  metrics: unknown;
};

const call = async (name: string, args: Record<string, unknown> = {}) => {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: args });
  const [{ text }] = content as unknown as [{ text: string }];
  return { text, data: structuredContent as Data, isError: isError === true };
};

/** Calls a tool that must succeed. */
const done = async (name: string, args: Record<string, unknown> = {}) => {
  const { text, data, isError } = await call(name, args);
  expect(isError, text).toBe(false);
  return data;
};

const countries = Array.from({ length: 60 }, (_, i) => ({
  country: `Country ${i}`,
  capital: `City ${i}`,
  region: i % 2 === 0 ? 'north' : 'south',
}));

it('an agent goes from nothing to a decision with the tools alone', async () => {
  const { projectId } = await done('create_project', { name: 'Capitals' });
  expect((await done('list_projects')).projectIds).toContain(projectId);
  const { testsetId, testcaseIds } = await done('create_testset', {
    projectId,
    name: 'Countries',
    inputs: ['country'],
    expected: ['capital'],
    testcases: countries.slice(0, 50),
  });
  const more = await done('add_testcases', { testsetId, testcases: countries.slice(50) });
  const ids = [...testcaseIds, ...more.testcaseIds];
  const { metricId } = await done('create_metric', {
    projectId,
    name: 'Right city',
    evalType: 'heuristic',
    outputType: 'boolean',
    guidelines: 'function score(inputs, outputs, expected) { return outputs.capital === expected.capital }',
  });
  const { fieldMapping } = await ok(own.api('GET', `/testsets/${testsetId}`));
  expect(fieldMapping).toEqual({ inputs: ['country'], expected: ['capital'], metadata: ['region'] });

  const runOf = async (name: string, isRight: (i: number) => boolean) => {
    const answers = ids.map((testcaseId, i) => ({
      testcaseId,
      outputs: { capital: isRight(i) ? `City ${i}` : 'Paris' },
    }));
    return done('create_run', { projectId, testsetId, metricIds: [metricId], name, answers });
  };
  const before = await runOf('before', (i) => i % 2 === 0);
  const after = await runOf('after', (i) => i % 10 !== 0);
  for (const { runId } of [before, after])
    await expect.poll(async () => (await done('run_progress', { runId })).status).toBe('completed');

  const { rates, failedRecordIds } = await done('what_failed', { projectId, runId: before.runId });
  expect(rates).toMatchObject([{ metricId, n: 60, passRate: 0.5 }]);
  const [recordId] = failedRecordIds;
  const record = await ok(own.api('GET', `/records/${recordId}`));
  expect(record.inputs).toHaveProperty('country');
  expect(record.expected).toHaveProperty('capital');
  await done('annotate_record', { recordId, rating: 'down', comment: 'It says Paris for each country.' });
  const [annotation] = (await ok(own.api('GET', `/records/${recordId}/annotations`))).data;
  expect(annotation).toMatchObject({ rating: false, comment: 'It says Paris for each country.' });

  const runs = { baselineId: before.runId, runId: after.runId };
  expect((await done('compare_runs', runs)).metrics).toEqual([{ metricId, verdict: 'better', n: 60 }]);
  expect((await done('may_ship', runs)).outcome).toBe('pass');
  expect((await done('may_ship', { baselineId: after.runId, runId: before.runId })).outcome).toBe('worse');
});

it('sends the scores that it has, by metric, and scores a record afterwards', async () => {
  const { projectId } = await done('create_project', { name: 'Stars' });
  const { metricId } = await done('create_metric', {
    projectId,
    name: 'Stars',
    evalType: 'heuristic',
    outputType: 'int',
  });
  const args = {
    projectId,
    metricIds: [metricId],
    answers: [
      { inputs: { n: 1 }, outputs: { a: 'x' }, scores: { [metricId]: 5 } },
      { inputs: { n: 2 }, outputs: { a: 'y' } },
    ],
  };
  const { recordIds } = await done('create_run', args);
  const [scored, open] = recordIds;
  expect((await ok(own.api('GET', `/records/${scored}`))).scoreStates[0]).toMatchObject({
    passed: true,
    score: { intScore: 5 },
  });
  const one = { recordId: open, metricId, value: '2', reasoning: 'Too short.' };
  expect(await done('score_record', one)).toEqual({ passed: false });
  expect((await ok(own.api('GET', `/records/${open}`))).scoreStates[0].score).toEqual({
    intScore: 2,
    reasoning: 'Too short.',
  });
});

it('asks for consent before judges cost anything, and stores nothing until then', async () => {
  const { projectId } = await done('create_project', { name: 'Judged' });
  const { metricId } = await done('create_metric', {
    projectId,
    name: 'Polite',
    evalType: 'ai',
    outputType: 'boolean',
    promptTemplate: 'Is it polite? {{ outputs.answer }}',
    evalModelName: 'own/none',
  });
  const answers = [{ inputs: {}, outputs: { answer: 'Hello.' } }];
  const args: Record<string, unknown> = { projectId, metricIds: [metricId], answers };
  expect((await call('create_run', args)).text).toMatch(/no price\. Give judgeBudgetUsd/);
  args.judgeBudgetUsd = 2;
  const { text, data } = await call('create_run', args);
  expect(text).toMatch(
    /^Nothing is stored yet\. The judges of 1 records cost: an unknown cost; they stop at \$2\.00/,
  );
  expect(data).toEqual({ confirm: 'judges of 1 records for an unknown cost, at most $2.00' });
  expect((await done('list_project', { projectId })).runIds).toEqual([]);
  const more = { ...args, answers: [...answers, ...answers], ...data };
  expect((await call('create_run', more)).text).toMatch(/^`confirm` does not match/);
  const { runId } = await done('create_run', { ...args, ...data });
  const { judgeBudget } = await ok(own.api('GET', `/runs/${runId}/details`));
  expect(judgeBudget.budgetUsd).toBe(2);
});

it('creates a ready metric by its id', async () => {
  const { projectId } = await done('create_project', { name: 'Ready' });
  const { text } = await call('list_ready_metrics');
  const [, readyMetricId, name] = /^- (\S+): (.*), heuristic, boolean/m.exec(text)!;
  const { metricId } = await done('create_metric', { projectId, readyMetricId });
  expect(await ok(own.api('GET', `/metrics/${metricId}`))).toMatchObject({ name, evalType: 'heuristic' });
});

it('says what is wrong with an answer before anything is made', async () => {
  const { projectId } = await done('create_project', { name: 'Wrong' });
  const { metricId } = await done('create_metric', {
    projectId,
    name: 'Right',
    evalType: 'heuristic',
    outputType: 'boolean',
  });
  const wrong = {
    'answers must be a list of objects with at least one.': [],
    'answers[0].outputs must be an object': [{ outputs: 'Lima' }],
    'answers[0].output is unknown. It has: testcaseId,': [{ output: {} }],
    'answers[0].scores: metric 1 is not in metricIds.': [{ outputs: {}, scores: { 1: true } }],
    [`A score of metric ${metricId} is true or false, not '3'.`]: [
      { outputs: {}, scores: { [metricId]: 3 } },
    ],
    'testsetId is missing': [{ testcaseId: '1-1', outputs: {} }],
  };
  for (const [problem, answers] of Object.entries(wrong)) {
    const { text, isError } = await call('create_run', { projectId, metricIds: [metricId], answers });
    expect({ text, isError }).toEqual({ text: expect.stringContaining(problem), isError: true });
  }
  const testcases = [{ question: 'Why?' }];
  const absent = await call('create_testset', { projectId, name: 'T', inputs: ['query'], testcases });
  expect(absent.text).toBe('No testcase has the field "query". Nothing was created.');
  const { runIds, testsetIds } = await done('list_project', { projectId });
  expect([runIds, testsetIds]).toEqual([[], []]);
});

it('testcases whose later hundred is refused leave nothing behind, so that the call may be repeated', async () => {
  const { projectId } = await done('create_project', { name: 'Refused' });
  const service = createClient({ baseUrl: await app.url(), apiKey: own.key });
  let calls = 0;
  const refusing = (undo: boolean): typeof service => ({
    ...service,
    createTestcases: (...args) => {
      calls += 1;
      if (calls < 3) return service.createTestcases(...args);
      throw new DokimaError('VALIDATION_ERROR', 'The body is wrong', {
        details: { issues: [{ path: '/items/19/jsonData', message: 'is too long' }] },
      });
    },
    deleteTestcases: (...args) => {
      if (undo) return service.deleteTestcases(...args);
      throw new DokimaError('FORBIDDEN', 'No.');
    },
  });
  const testcases = Array.from({ length: 230 }, (_, i) => ({ country: `Country ${i}` }));
  const made = { projectId, name: 'Countries', inputs: ['country'], testcases };
  const refused = await callTool(refusing(true), 'create_testset', made);
  expect([refused.isError, refused.text]).toEqual([
    true,
    'Testcase 220/jsonData is too long. Nothing was stored: correct it and call again with all testcases.',
  ]);
  expect((await service.listTestsets(projectId)).data).toEqual([]);

  const { testsetId } = await done('create_testset', { ...made, testcases: [] });
  const count = async () => (await service.listTestcases(testsetId!, { limit: 100 })).data.length;
  calls = 0;
  expect((await callTool(refusing(true), 'add_testcases', { testsetId, testcases })).text).toContain(
    'Nothing was stored',
  );
  expect(await count()).toBe(0);
  calls = 0;
  const kept = await callTool(refusing(false), 'add_testcases', { testsetId, testcases });
  expect(kept.text).toContain('The first 200 testcases of the call are stored');
  expect(await count()).toBe(100);
});
