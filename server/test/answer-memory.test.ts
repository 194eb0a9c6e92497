import { beforeAll, expect, it, vi } from 'vitest';
import { system } from '../src/platform/db/database.ts';
import { weights } from '../src/platform/http/byte-budget.ts';
import type { Scope } from '../src/platform/http/scope.ts';
import { listSpokenOf, spansOfTrace } from '../src/traces/read/read-queries.ts';
import { createMetric, createProject, createTestcases, createTestset, ok } from './fixtures.ts';
import { openApp } from './opened.ts';
import { newTraceId, post, requestOf } from './otlp.ts';

const { app, own } = await openApp();
const traceId = newTraceId();
const spoken = 40;
let paths: Record<string, string>;
let project: bigint;

/** Two runs whose testcases changed, with records of 60 KB. */
const createChanges = async (projectId: string) => {
  const testset = await createTestset(own.api, projectId);
  const testcases = await createTestcases(own.api, testset.id, 2);
  const metric = await createMetric(own.api, projectId, { evalType: 'human', outputType: 'boolean' });
  const runs = [];
  for (const binaryScore of [true, false]) {
    const body = { metricIds: [metric.id], testsetId: testset.id };
    const run = await ok(own.api('POST', `/projects/${projectId}/runs`, body), 201);
    const items = testcases.map(({ id }: { id: string }) => ({
      inputs: {},
      outputs: { text: 'x'.repeat(60_000) },
      expected: {},
      testcaseId: id,
      scores: [{ metricConfigId: run.metricVersionIds[0], score: { binaryScore } }],
    }));
    await ok(own.api('POST', `/runs/${run.id}/records/bulk-create`, { items }), 201);
    runs.push(run.id);
  }
  return { runs: runs.join(), metricId: metric.id };
};

beforeAll(async () => {
  const { id: projectId } = await createProject(own.api);
  project = BigInt(projectId);
  const spans = Array.from({ length: 400 }, (_, i) => ({
    traceId,
    n: i + 1,
    name: `span ${i} `.padEnd(600, 'ä'),
    attributes: {
      'session.id': `visit ${i}`,
      ...(i < spoken && { 'gen_ai.operation.name': 'chat', 'input.value': `${i}${'a'.repeat(10_000)}` }),
    },
  }));
  const { body } = await post(app, own.key, requestOf(spans, { 'dokima.project_id': projectId }));
  expect(String(body)).toContain('its name is longer than 500 characters, so its end was left out');
  const trace = `/projects/${projectId}/traces/${traceId}`;
  const { data } = await ok(own.api('GET', `/projects/${projectId}/records`));
  const { runs, metricId } = await createChanges(projectId);
  paths = {
    'the tree of a trace': `${trace}/spans`,
    'the conversation of a trace': `${trace}/conversation`,
    'the tree of a record': `/records/${data[0].id}/spans`,
    'the conversation of a record': `/records/${data[0].id}/conversation`,
    'a search of spans': `/projects/${projectId}/spans?limit=100`,
    'changed testcases with their records': `/runs/compare/testcases?runs=${runs}&metricId=${metricId}&records=true`,
    'a comparison with the worst records': `/runs/compare?runs=${runs}&worst=5`,
  };
});

it('an answer with stored content takes its memory from the budget before it is read', async () => {
  const take = vi.spyOn(app.app.budget, 'take');
  for (const [name, path] of Object.entries(paths)) {
    take.mockClear();
    const { text } = await own.api('GET', path);
    expect(text.length, name).toBeGreaterThan(64 * 1024);
    const [taken] = take.mock.calls.map(([{ bytes }]) => bytes);
    // A route that counts nothing takes twice the answer when it is sent.
    expect(taken ?? 0, name).toBeGreaterThan(((weights.answer + weights.values) / 2) * text.length);
  }
});

it('a conversation ends at its bytes as texts, however small they are stored', async () => {
  const rows = await app.db.read(
    system,
    (sql) =>
      sql`${listSpokenOf(sql, own as unknown as Scope, spansOfTrace(project, traceId), 2_000, 100_000)}`,
  );
  expect(rows).toHaveLength(9);
});
