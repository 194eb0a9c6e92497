import { createMetric, ok } from './fixtures.ts';
import type { Client } from './harness.ts';
import { createRunOf } from './scored-runs.ts';

type Candidate = { runId: string; metricConfigId: string };

/** Gives all verdicts of a trial's first candidate, and returns it. */
const decideAll = async (
  api: Client,
  { candidates }: { candidates: [Candidate] },
  passes: (i: number) => boolean,
): Promise<Candidate> => {
  const [candidate] = candidates;
  const { runId, metricConfigId } = candidate;
  const { data } = await ok(api('GET', `/runs/${runId}/records?limit=100`));
  const items = data.map(({ id: recordId }: { id: string }, i: number) => ({
    recordId,
    metricConfigId,
    score: { binaryScore: passes(i) },
  }));
  await ok(api('POST', `/runs/${runId}/scores/bulk-upsert`, { items }));
  return candidate;
};

/** Tries a pinned judge for drift: it now passes every record. */
export const createDrift = async (api: Client, metricId: string) => {
  const trial = await ok(api('POST', `/metrics/${metricId}/trials`, { kind: 'drift' }), 201);
  const { runId } = await decideAll(api, trial, () => true);
  return { path: `/metrics/${metricId}/trials/${trial.number}`, runId };
};

/** A judge with a finished trial. No model is asked: clients give all verdicts. */
export const createTrial = async (api: Client, projectId: string) => {
  const variant = { outputType: 'boolean' };
  const judge = await createMetric(api, projectId, {
    ...variant,
    evalType: 'ai',
    promptTemplate: '{{ inputs }} {{ outputs }}',
    evalModelName: 'none/old',
  });
  const people = await createMetric(api, projectId, { ...variant, evalType: 'human' });
  // The judge errs on every second record.
  const records = Array.from({ length: 12 }, (_, i) => ({
    inputs: { i },
    scores: { [judge.id]: i % 4 < 2, [people.id]: i % 2 === 0 },
  }));
  const runIds: string[] = [];
  for (let i = 0; i < 2; i++)
    runIds.push((await createRunOf(api, projectId, [judge, people], records)).run.id);
  await ok(api('PUT', `/metrics/${judge.id}/pinned-set`, { against: people.id }));
  const trial = await ok(
    api('POST', `/metrics/${judge.id}/trials`, {
      kind: 'succession',
      candidates: [{ evalModelName: 'none/new' }],
      runIds,
    }),
    201,
  );
  const { metricConfigId } = await decideAll(api, trial, (i) => i % 2 === 0);
  return {
    metricId: judge.id as string,
    trialNumber: String(trial.number),
    candidateId: metricConfigId as string,
  };
};
