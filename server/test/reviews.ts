import { createMetric, createProject, createRun, ok } from './fixtures.ts';
import type { Client, Organization } from './harness.ts';

export type Reviewer = { id: string; api: Client };

export const createReviewers = (organization: Organization, count: number): Promise<Reviewer[]> =>
  Promise.all(Array.from({ length: count }, organization.person));

/** Adds records to a run and returns their ids. */
export const addRecords = async (
  api: Client,
  runId: string,
  count: number,
  fields: (i: number) => object = (i) => ({ inputs: { i } }),
) => {
  if (count === 0) return [];
  const items = Array.from({ length: count }, (_, i) => ({
    inputs: {},
    expected: {},
    outputs: {},
    ...fields(i),
  }));
  const { ids } = await ok(api('POST', `/runs/${runId}/records/bulk-create`, { items }), 201);
  return ids as string[];
};

export type Queue = {
  projectId: string;
  metricId: string;
  runId: string;
  configId: string;
  recordIds: string[];
};

/** A run whose records all wait for a human. */
export const createQueue = async (
  api: Client,
  records: number,
  settings?: { numReviewers: number; reviewRule: string },
  outputType = 'boolean',
  fields: object = {},
): Promise<Queue> => {
  const { id: projectId } = await createProject(api);
  const { id: metricId } = await createMetric(api, projectId, { evalType: 'human', outputType, ...fields });
  if (settings) await ok(api('PATCH', `/metrics/${metricId}/settings`, settings));
  const run = await createRun(api, projectId, [metricId]);
  const recordIds = await addRecords(api, run.id, records);
  return { projectId, metricId, runId: run.id, configId: run.metricVersionIds[0], recordIds };
};

type Person = { api: Client };

export const next = async ({ api }: Person, { projectId }: { projectId: string }, query = '') =>
  (await ok(api('POST', `/projects/${projectId}/reviews/next${query}`))).review;

export const submit = (
  { api }: Person,
  { configId }: { configId: string },
  recordId: string,
  score: object = { binaryScore: true, reasoning: 'r' },
) => ok(api('POST', `/records/${recordId}/reviews/${configId}`, { score }), 201);

export const skip = ({ api }: Person, { configId }: { configId: string }, recordId: string) =>
  ok(api('POST', `/records/${recordId}/reviews/${configId}/skip`));

export const undo = async ({ api }: Person, { projectId }: { projectId: string }, query = '') =>
  (await ok(api('POST', `/projects/${projectId}/reviews/undo${query}`))).review;

/** The state of a record's score. */
export const scoreOf = async (api: Client, { configId }: { configId: string }, recordId: string) => {
  const { scoreStates } = await ok(api('GET', `/records/${recordId}`));
  return scoreStates.find((score: { metricConfigId: string }) => score.metricConfigId === configId);
};
