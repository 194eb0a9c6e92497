import { expect, it } from 'vitest';
import { seededRandom, uniform } from '../../../engine/statistics/random.ts';
import { type Bias, biases } from '../../../engine/statistics/trial-schema.ts';
import type { CandidateRow, TrialLabel } from '../queries.ts';
import type { Trial } from '../trial.ts';
import { findBattery } from './conclude.ts';
import { isEdit } from './plan.ts';

type World = {
  /** Number of pinned records. Each second output is by the judge's own model. */
  n: number;
  /** Share of verdicts that the judge turns around at random. */
  noise: number;
  /** Share of outputs of its own model that fail and that it passes. */
  preference: number;
  /** How much more often outputs of its own model are good. */
  better: number;
};

/** A battery of all biases over a judge whose errors are known, as it stands once all verdicts are in. */
const battery = (seed: number, { n, noise, preference, better }: World) => {
  const drawn = seededRandom(seed);
  const random = () => uniform(drawn);
  const places = Array.from({ length: n }, (_, i) => i + 1);
  const isOwn = (place: number) => place % 2 === 0;
  const truth = places.map((place) => random() < (isOwn(place) ? 0.5 + better : 0.5));
  const judge = () =>
    places.map((place, i) => {
      const passes = truth[i]! || (isOwn(place) && random() < preference);
      return random() < noise ? !passes : passes;
    });
  const candidate = (how: CandidateRow['how']): CandidateRow => ({
    trialId: 't',
    runId: how,
    storedDrift: null,
    how,
    configId: 'c',
    evalModelName: 'openai/gpt-judge',
    temperature: 0,
    judgeRepeats: 1,
    promptTemplate: '',
    guidelines: '',
    servedModelNames: ['gpt-judge-2026-01-01'],
    numPending: 0,
    failure: null,
    stopped: false,
    costUsd: 0,
    latencyMs: 0,
    lastAt: null,
    places,
    passed: judge(),
  });
  const row = { kind: 'battery', margin: 0.05, edits: [...biases], metricHash: 'h', verdict: null };
  const trial = {
    row: { ...row, evalModelName: 'openai/gpt-judge' },
    candidates: [candidate('reference'), candidate('placebo'), ...biases.filter(isEdit).map(candidate)],
    writers: places.map((place) => ({ place, models: [isOwn(place) ? 'gpt-judge' : 'other-model'] })),
  } as unknown as Trial;
  const labels = places.map(
    (place, i): TrialLabel => ({
      id: `1-${place}`,
      place,
      human: truth[i]!,
      before: truth[i]!,
      heldOut: true,
      split: 'dev',
      chosen: false,
      group: `record ${place}`,
    }),
  );
  return findBattery(trial, labels)!;
};

const rounds = Number(process.env.BATTERY_ROUNDS ?? 100);
const shareOf = (world: World, accuses: (found: ReturnType<typeof battery>) => boolean): number => {
  let count = 0;
  for (let seed = 1; seed <= rounds; seed++) if (accuses(battery(seed, world))) count++;
  return count / rounds;
};
const accused = (bias: Bias) => (found: ReturnType<typeof battery>) =>
  found.biases.find((each) => each.bias === bias)?.verdict === 'biased';
const isBiased = ({ verdict }: ReturnType<typeof battery>) => verdict === 'biased';

it('a whole battery finds a judge that prefers its own model, and accuses an unbiased noisy one in at most 5 %', () => {
  const fair = { n: 120, noise: 0.1, preference: 0, better: 0 };
  const found = {
    fair: shareOf(fair, isBiased),
    // Outputs of its own model that are better, also in the eyes of people, are no preference.
    better: shareOf({ ...fair, better: 0.3 }, isBiased),
    planted: shareOf({ ...fair, noise: 0.05, preference: 0.5 }, accused('selfPreference')),
    others: shareOf({ ...fair, noise: 0.05, preference: 0.5 }, (battery) =>
      biases.filter(isEdit).some((edit) => accused(edit)(battery)),
    ),
  };
  if (process.env.BATTERY_ROUNDS) process.stdout.write(`${JSON.stringify({ rounds, ...found })}\n`);
  expect(found.fair).toBeLessThanOrEqual(0.05);
  expect(found.better).toBeLessThanOrEqual(0.05);
  expect(found.planted).toBeGreaterThan(0.8);
  expect(found.others).toBeLessThanOrEqual(0.05);
});
