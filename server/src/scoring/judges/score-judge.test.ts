import { expect, it } from 'vitest';
import { openProviderHealth } from '../../engine/models/provider-health.ts';
import type { Outcome } from '../queue/queries.ts';
import type { Batch, Job } from '../queue/worker.ts';
import type { JudgeEvidence, JudgeOutcome } from './judge-evidence.ts';
import { type JudgeScorerDeps, judgeScorer } from './score-judge.ts';

const provider = { name: 'ours', kind: 'openai', maxConcurrency: 2, options: {}, apiKey: 'k' };
const verdict: JudgeOutcome = {
  state: 'scored',
  verdict: { value: true, reasoning: 'Yes.' },
  evidence: { inputHash: 'h' } as JudgeEvidence,
  spent: { inputTokens: 1, outputTokens: 1, costUsd: 0 },
};
const jobOf = (n: number) =>
  ({
    claim: { n, configId: 'c', fence: 1, attempts: 0, organizationId: 1n, fresh: false },
    config: {
      id: 'c',
      outputType: 'boolean',
      promptTemplate: 'Good?',
      evalModelName: 'ours/judge',
      judgeRepeats: 1,
      juryModelNames: [],
      criteria: null,
    },
    record: {},
  }) as unknown as Job;

it('a verdict that is under way when another of its batch breaks is still written', async () => {
  const [answer, broken] = [Promise.withResolvers<JudgeOutcome>(), Promise.withResolvers<unknown[]>()];
  const providers = [Promise.resolve([provider]), Promise.resolve([provider]), broken.promise];
  const deps = {
    db: { read: async () => [{ held: true, budgetUsd: null, spentUsd: 0 }] },
    readAttached: async () => undefined,
    judge: { ask: () => answer.promise },
    models: { health: openProviderHealth(), providersOf: () => providers.shift() },
    random: () => 0,
  } as unknown as JudgeScorerDeps;
  const happened: string[] = [];
  const batch = {
    lease: { queue: 'score', runId: 1n },
    jobs: [jobOf(1), jobOf(2)],
    signal: new AbortController().signal,
    commit: async ([outcome]) => void happened.push(`record ${outcome!.n} is ${outcome!.state}`),
  } as Batch;
  const ended = judgeScorer(deps)
    .score(batch)
    .catch((error: Error) => happened.push(error.message));
  broken.reject(new Error('no database'));
  await new Promise(setImmediate);
  answer.resolve(verdict);
  await ended;
  await new Promise(setImmediate);
  expect(happened).toEqual(['record 1 is scored', 'no database']);
});

it('a record that fills no template says nothing about the provider: five failures around it stop the asking', async () => {
  const down = {
    error: 'down',
    retryable: true,
    unreached: true as const,
    evidence: { attempts: 1, inputHash: 'h' } as JudgeEvidence,
  };
  const asked: number[] = [];
  const outcomes: Outcome[] = [];
  const deps = {
    db: { read: async () => [{ held: true, budgetUsd: null, spentUsd: 0 }] },
    readAttached: async () => undefined,
    judge: {
      ask: async (_config: unknown, { n }: { n: number }): Promise<JudgeOutcome> => {
        asked.push(n);
        return n % 2 === 0
          ? { state: 'unscored', reason: 'missing_placeholder: outputs.a' }
          : { state: 'failed', ...down };
      },
    },
    models: { health: openProviderHealth(), providersOf: async () => [{ ...provider, maxConcurrency: 1 }] },
    random: () => 0,
  } as unknown as JudgeScorerDeps;
  const jobs = Array.from({ length: 12 }, (_, i) => ({ ...jobOf(i + 1), record: { n: i + 1 } }) as Job);
  const { score, busyConfigs } = judgeScorer(deps);
  await score({
    lease: { queue: 'score', runId: 1n },
    jobs,
    signal: new AbortController().signal,
    commit: async ([outcome]) => void outcomes.push(outcome!),
  } as Batch);
  expect(asked).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  const notAsked = 'the provider is not asked for now, because: down';
  expect(outcomes.slice(9).map(({ reason }) => reason)).toEqual([notAsked, notAsked, notAsked]);
  // They are free for other processes, which may reach the provider; this one leaves them in the queue.
  expect(outcomes.slice(9).map(({ retryInMs }) => retryInMs)).toEqual([2_000, 2_000, 2_000]);
  expect(busyConfigs()).toEqual([jobs[0]!.config.id]);
});
