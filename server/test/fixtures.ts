import { expect } from 'vitest';
import type { Client } from './harness.ts';

/** The body of an answer that must have this status. */
export const ok = async (answer: ReturnType<Client>, status: 200 | 201 = 200) => {
  const { status: got, body, text } = await answer;
  expect(`${got} ${got === status ? '' : text}`.trim()).toBe(String(status));
  return body;
};

export const createProject = (api: Client) =>
  ok(api('POST', '/projects', { name: 'Project', description: '' }), 201);

type MetricFields = { evalType: string; outputType: string; [field: string]: unknown };

export const createMetric = (api: Client, projectId: string, fields: MetricFields) =>
  ok(api('POST', `/projects/${projectId}/metrics`, { name: 'Metric', ...fields }), 201);

/** Says that the scores of a human metric are the truth about a judge. */
export const namePeople = (api: Client, judgeId: string, peopleMetricId: string | null) =>
  ok(api('PATCH', `/metrics/${judgeId}/settings`, { peopleMetricId }));

export const createTestset = (api: Client, projectId: string, fields: Record<string, unknown> = {}) =>
  ok(
    api('POST', `/projects/${projectId}/testsets`, {
      name: 'Testset',
      description: '',
      jsonSchema: { type: 'object', properties: { question: { type: 'string' } }, required: ['question'] },
      fieldMapping: { inputs: ['question'], expected: ['answer'], metadata: [] },
      ...fields,
    }),
    201,
  );

/** Testcases 1 to `count`, each a question and its answer. */
export const createTestcases = async (api: Client, testsetId: string, count: number) => {
  const items = Array.from({ length: count }, (_, i) => ({
    jsonData: { question: `q${i}`, answer: `a${i}` },
  }));
  return (await ok(api('POST', `/testsets/${testsetId}/testcases`, { items }), 201)).items;
};

export const createRun = (
  api: Client,
  projectId: string,
  metricIds: string[],
  fields: Record<string, unknown> = {},
) => ok(api('POST', `/projects/${projectId}/runs`, { metricIds, ...fields }), 201);

export const createRecord = (api: Client, runId: string, fields: Record<string, unknown> = {}) =>
  ok(
    api('POST', `/runs/${runId}/records`, {
      inputs: { q: 1 },
      expected: { a: 1 },
      outputs: { a: 1 },
      ...fields,
    }),
    201,
  );

/** Creates a project with one boolean metric that clients score, a run of it, and the given number of records. */
export const createScoredRun = async (api: Client, records: number) => {
  const project = await createProject(api);
  const metric = await createMetric(api, project.id, { evalType: 'heuristic', outputType: 'boolean' });
  const run = await createRun(api, project.id, [metric.id]);
  const items = Array.from({ length: records }, (_, i) => ({ inputs: { i }, expected: {}, outputs: {} }));
  const { ids } = await ok(api('POST', `/runs/${run.id}/records/bulk-create`, { items }), 201);
  return { project, metric, run, configId: run.metricVersionIds[0] as string, recordIds: ids as string[] };
};

/** Starts a rescoring of a run by a metric. Returns its path. */
export const createRescoring = async (api: Client, runId: string, metricId: string): Promise<string> => {
  const path = `/metrics/${metricId}/trials`;
  const { number } = await ok(api('POST', path, { kind: 'rescoring', runId }), 201);
  return `${path}/${number}`;
};
