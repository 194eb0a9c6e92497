import { expect, it } from 'vitest';
import { openProviderHealth } from '../../engine/models/provider-health.ts';
import type { Batch, Job } from '../queue/worker.ts';
import type { JudgeOutcome } from './judge.ts';
import { type JudgeScorerDeps, judgeScorer } from './score-judge.ts';

const provider = { name: 'ours', kind: 'openai', maxConcurrency: 2, options: {}, apiKey: 'k' };
const verdict: JudgeOutcome = {
  state: 'scored',
  verdict: { value: true, reasoning: 'Yes.' },
  evidence: { inputHash: 'h' } as never,
};
const jobOf = (n: number) =>
  ({
    claim: { n, configId: 'c', fence: 1, attempts: 0, organizationId: 1n, fresh: false },
    config: { outputType: 'boolean', promptTemplate: 'Good?', evalModelName: 'ours/judge', judgeRepeats: 1 },
    record: {},
  }) as unknown as Job;

it('a verdict that is under way when another of its batch breaks is still written', async () => {
  const [answer, broken] = [Promise.withResolvers<JudgeOutcome>(), Promise.withResolvers<unknown[]>()];
  const providers = [Promise.resolve([provider]), Promise.resolve([provider]), broken.promise];
  const deps = {
    db: { read: async () => [{ held: true, budgetUsd: null, spentUsd: 0 }] },
    judge: { ask: () => answer.promise },
    health: openProviderHealth(),
    providersOf: () => providers.shift(),
    random: () => 0,
  } as unknown as JudgeScorerDeps;
  const happened: string[] = [];
  const batch = {
    lease: { queue: 'score', runId: 1n },
    jobs: [jobOf(1), jobOf(2)],
    signal: new AbortController().signal,
    commit: async ([outcome]) => void happened.push(`record ${outcome!.n} is ${outcome!.state}`),
  } as Batch;
  const ended = judgeScorer(deps)(batch).catch((error) => happened.push(error.message));
  broken.reject(new Error('no database'));
  await new Promise(setImmediate);
  answer.resolve(verdict);
  await ended;
  await new Promise(setImmediate);
  expect(happened).toEqual(['record 1 is scored', 'no database']);
});
