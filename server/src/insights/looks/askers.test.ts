import { afterAll, expect, it } from 'vitest';
import { evaluateGate } from '../../../../client/src/gate/evaluate.ts';
import { readPolicy } from '../../../../client/src/gate/policy.ts';
import { createClient } from '../../../../client/src/main.ts';
import { createMetric, createProject, createTestcases, createTestset, ok } from '../../../test/fixtures.ts';
import { openOpenAiServer } from '../../../test/model-server.ts';
import { openApp } from '../../../test/opened.ts';
import { createRunOf } from '../../../test/scored-runs.ts';

const model = await openOpenAiServer();
const { app, own } = await openApp({
  DOKIMA_ALLOW_PRIVATE_ADDRESSES: 'true',
  DOKIMA_JUDGE_MODEL: 'gpt-4o-mini',
  OPENAI_API_KEY: 'sk-of-the-operator',
  OPENAI_BASE_URL: model.url,
});
afterAll(() => model.close());
const { api } = own;
const project = await createProject(api);
const metric = await createMetric(api, project.id, {
  name: 'Right',
  evalType: 'heuristic',
  outputType: 'boolean',
});
await ok(api('PATCH', '/organization', { reportLinks: true }));

/** A testset with two runs of two versions, which no one has looked at. */
const unseen = async () => {
  const testset = await createTestset(api, project.id);
  const testcases = await createTestcases(api, testset.id, 10);
  const runs: string[] = [];
  for (const passes of [true, false]) {
    const config = { of: testset.id, passes };
    const system = await ok(api('POST', `/projects/${project.id}/systems`, { name: 'S', config }), 201);
    const records = testcases.map(({ id }: { id: string }) => ({
      testcaseId: id,
      scores: { [metric.id]: passes },
    }));
    const fields = { testsetId: testset.id, systemVersionId: system.productionVersion.id };
    runs.push((await createRunOf(api, project.id, [metric], records, fields)).run.id);
  }
  return { testsetId: testset.id as string, before: runs[0]!, after: runs[1]! };
};
type Unseen = Awaited<ReturnType<typeof unseen>>;

/** Calls a tool over MCP, as an agent does. */
const tool = async (name: string, args: object) => {
  const answer = await app.app.inject({
    method: 'POST',
    url: '/mcp',
    headers: { authorization: `Bearer ${own.key}`, accept: 'application/json, text/event-stream' },
    payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
  });
  const text = answer.body.startsWith('{') ? answer.body : /^data: (.*)$/m.exec(answer.body)![1]!;
  return JSON.parse(text).result as {
    content: [{ text: string }];
    structuredContent: Record<string, unknown>;
  };
};

const clientAs = async (looksAs: 'gate' | 'evaluate') =>
  createClient({ baseUrl: await app.url(), apiKey: own.key, looksAs });

const askers: Record<string, (of: Unseen) => Promise<unknown>> = {
  compare: ({ before, after }) => ok(api('GET', `/runs/compare?runs=${before},${after}`)),
  gate: async ({ before, after }) => {
    const policy = readPolicy({ baseline: before, metrics: { Right: { noRegression: {} } } }, 'rules');
    return evaluateGate(await clientAs('gate'), after, policy, { level: 0.95, now: 0 });
  },
  evaluate: async ({ before, after }) => (await clientAs('evaluate')).compareRuns({ runs: [before, after] }),
  mcp: ({ before, after }) => tool('compare_runs', { baselineId: before, runId: after }),
  ask: async ({ before, after }) => {
    const turn = (name: string, args: object) => ({
      reply: { tool: name, arguments: name ? JSON.stringify(args) : '', claims: [] },
    });
    model.answer([turn('compare_runs', { baselineId: before, runId: after }), turn('', {})]);
    return ok(api('POST', `/projects/${project.id}/ask`, { question: 'Is it better?' }));
  },
  report: async ({ before, after }) => {
    const body = { name: 'R', runs: [before, after], measure: 'pass' };
    const { url } = await ok(api('POST', `/projects/${project.id}/report-links`, body), 201);
    const payload = { token: url.slice(url.indexOf('#') + 1) };
    return app.app.inject({ method: 'POST', url: '/api/v2/report-links/read', payload });
  },
};

it.each(Object.keys(askers))('a comparison that %s asked for is one look of that name', async (kind) => {
  const of = await unseen();
  await askers[kind]!(of);
  const { data } = await ok(api('GET', `/testsets/${of.testsetId}/looks`));
  expect(data).toMatchObject([
    {
      number: 1,
      kind,
      runId: of.after,
      baselineRunIds: [of.before],
      metrics: [{ verdict: 'worse' }],
      userId: kind === 'report' ? null : own.memberId,
    },
  ]);
});

it('each answer of an agent about a testset counts its looks, and says what many of them mean', async () => {
  const { testsetId, before, after } = await unseen();
  const failed = await tool('what_failed', { projectId: project.id, runId: before });
  expect(failed.structuredContent.looks).toBe(1);
  expect(failed.content[0].text).not.toContain('looks better by luck');
  const line =
    '2 looks at 2 versions on this testset this year. The more often a testset is asked, the more often a version looks better by luck.';
  for (const [name, args] of [
    ['compare_runs', { baselineId: before, runId: after }],
    ['may_ship', { runId: after, baselineId: before }],
    ['what_failed', { projectId: project.id, runId: after }],
    ['testset_history', { testsetId }],
    ['testcases_needed', { projectId: project.id, metricId: metric.id, testsetId, difference: 0.1 }],
  ] as const) {
    const { content, structuredContent } = await tool(name, args);
    expect(structuredContent.looks, name).toBe(2);
    expect(content[0].text, name).toContain(line);
  }
});
