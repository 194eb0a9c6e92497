/** Made-up worlds whose testcases stand for unequal parts of the traffic. */

import { type Comparison, compareTestcases } from '../src/engine/statistics/compare.ts';
import { type Random, uniform } from '../src/engine/statistics/random.ts';
import { summarizeTestcases } from '../src/engine/statistics/summary.ts';
import { averageTrials, type Observation, type Weighting } from '../src/engine/statistics/testcases.ts';
import { normal, type Rate, times, type World } from './coverage.ts';

const unit = { low: 0, high: 1 };
const oneToFive = { low: 1, high: 5 };
const logistic = (x: number): number => 1 / (1 + Math.exp(-x));

/** Mean of f(z) under a normal z whose testcases count by e^(σz), which is a normal with mean σ. By the midpoint rule. */
const weightedTruth = (sigma: number, f: (z: number) => number): number => {
  const step = 0.01;
  return times(1600, (i) => -8 + step * (i + 0.5)).reduce(
    (sum, z) => sum + (step * f(z + sigma) * Math.exp((-z * z) / 2)) / Math.sqrt(2 * Math.PI),
    0,
  );
};

/** Testcases with weights e^(σz). The system does better on what is visited often. */
type Visits = { n: number; sigma: number; level: number; trials?: number; perGroup?: number };

const chance = (z: number, level: number) => logistic(level + 0.7 * z);
const starsOf = (random: Random, p: number) =>
  1 + times(4, () => Number(uniform(random) < p)).reduce((a, b) => a + b, 0);

type Scored = { observations: Observation[]; weights: number[] };

const drawVisits = (
  random: Random,
  { n, sigma, level, trials = 1, perGroup = 1 }: Visits,
  stars: boolean,
): Scored => {
  const observations: Observation[] = [];
  const weights: number[] = [];
  let z = 0;
  for (let i = 0; i < n; i++) {
    // Testcases of one group are of one kind: they are as hard, and visited as often.
    if (i % perGroup === 0) z = normal(random);
    weights.push(Math.exp(sigma * z));
    const p = chance(z, level);
    for (let trial = 0; trial < trials; trial++) {
      const score = stars ? starsOf(random, p) : uniform(random) < p;
      observations.push({
        testcase: i,
        score,
        ...(perGroup > 1 && { group: `${Math.floor(i / perGroup)}` }),
      });
    }
  }
  return { observations, weights };
};

const byVisits = (weights: readonly number[]): Weighting => ({
  by: 'metadata.visits',
  weights: Float64Array.from(weights),
  parts: new Int32Array(weights.length),
  shares: [1],
  names: [''],
});

const visited = (visits: Visits, stars = false, isWeighted = true): World => {
  const { n, sigma, level, trials = 1, perGroup = 1 } = visits;
  const truth = weightedTruth(
    sigma,
    (z) => (stars ? 1 + 4 : 1) * chance(z, level) + (stars ? 1 - chance(z, level) : 0),
  );
  const many = `${n} testcases${trials > 1 ? ` × ${trials} trials` : ''}${perGroup > 1 ? ` in groups of ${perGroup}` : ''}`;
  return {
    name: `${stars ? 'scores 1 to 5' : `pass rate ${truth.toFixed(2)}`}, ${many}, weights lognormal with σ ${sigma}${isWeighted ? '' : ', not weighted'}`,
    method: isWeighted ? 'weighted mean' : 'Wilson, not meant for it',
    truth,
    draw: (random) => {
      const { observations, weights } = drawVisits(random, visits, stars);
      const columns = averageTrials(observations).columns[0]!;
      const weighting = isWeighted ? byVisits(weights) : null;
      return summarizeTestcases(
        { ...columns, weighting },
        { boolean: !stars, bounds: stars ? oneToFive : unit },
      );
    },
  };
};

/** Values of a field: their shares of the traffic, and the number and chance of their testcases. */
type Value = { share: number; n: number; p: number };

const drawValues = (random: Random, values: readonly Value[], stars: boolean) => {
  const parts = values.flatMap(({ n }, part) => times(n, () => part));
  const observations = parts.map((part, testcase): Observation => {
    const { p } = values[part]!;
    return { testcase, score: stars ? starsOf(random, p) : uniform(random) < p };
  });
  return { observations, parts };
};

const byShares = (values: readonly Value[], parts: readonly number[]): Weighting => ({
  by: 'metadata.intent',
  weights: new Float64Array(parts.length).fill(1),
  parts: Int32Array.from(parts),
  shares: values.map(({ share }) => share),
  names: values.map((_, i) => `value ${i}`),
});

const inWords = (values: readonly Value[]) =>
  values.map(({ share, n, p }) => `${share} (n = ${n}, ${p})`).join(', ');

const sharedOut = (values: readonly Value[], stars = false): World => ({
  name: `${stars ? 'scores 1 to 5' : 'pass rate'}, shares ${inWords(values)}`,
  method: 'post-stratified mean',
  truth: values.reduce((sum, { share, p }) => sum + share * (stars ? 1 + 4 * p : p), 0),
  draw: (random) => {
    const { observations, parts } = drawValues(random, values, stars);
    const columns = averageTrials(observations).columns[0]!;
    const options = { boolean: !stars, bounds: stars ? oneToFive : unit };
    return summarizeTestcases({ ...columns, weighting: byShares(values, parts) }, options);
  },
});

/** Two runs of the same testcases; `change` is added to the logit of the second. */
const compareVisits = (
  random: Random,
  { n, sigma, level }: Visits,
  change: number,
  stars: boolean,
): Comparison<number> => {
  const weights: number[] = [];
  const [before, after]: [Observation[], Observation[]] = [[], []];
  for (let testcase = 0; testcase < n; testcase++) {
    const z = normal(random);
    weights.push(Math.exp(sigma * z));
    const scoreAt = (p: number) => (stars ? starsOf(random, p) : uniform(random) < p);
    before.push({ testcase, score: scoreAt(chance(z, level)) });
    after.push({ testcase, score: scoreAt(chance(z, level + change)) });
  }
  const { columns } = averageTrials(before, after);
  const [first, second] = columns.map((one) => ({ ...one, weighting: byVisits(weights) }));
  return compareTestcases(first!, second!, { boolean: !stars, bounds: stars ? oneToFive : unit });
};

const changed = (visits: Visits, change: number, stars = false): World => ({
  name: `difference of two runs, ${stars ? 'scores 1 to 5' : 'passes'}, ${visits.n} testcases, weights lognormal with σ ${visits.sigma}`,
  method: 'weighted mean of differences',
  truth: weightedTruth(
    visits.sigma,
    (z) => (stars ? 4 : 1) * (chance(z, visits.level + change) - chance(z, visits.level)),
  ),
  draw: (random) => compareVisits(random, visits, change, stars),
});

const compareValues = (
  random: Random,
  values: readonly Value[],
  after: readonly number[],
  stars: boolean,
) => {
  const first = drawValues(random, values, stars);
  const second = drawValues(
    random,
    values.map((value, i) => ({ ...value, p: after[i]! })),
    stars,
  );
  const { columns } = averageTrials(first.observations, second.observations);
  const weighting = byShares(values, first.parts);
  const [x, y] = columns.map((one) => ({ ...one, weighting }));
  return compareTestcases(x!, y!, { boolean: !stars, bounds: stars ? oneToFive : unit });
};

const changedShares = (values: readonly Value[], after: readonly number[], stars = false): World => ({
  name: `difference of two runs, ${stars ? 'scores 1 to 5' : 'passes'}, shares ${inWords(values)}`,
  method: 'post-stratified mean of differences',
  truth: values.reduce((sum, { share, p }, i) => sum + (stars ? 4 : 1) * share * (after[i]! - p), 0),
  draw: (random) => compareValues(random, values, after, stars),
});

const three: Value[] = [
  { share: 0.7, n: 50, p: 0.9 },
  { share: 0.2, n: 50, p: 0.7 },
  { share: 0.1, n: 50, p: 0.5 },
];
const two: Value[] = [
  { share: 0.6, n: 100, p: 0.85 },
  { share: 0.4, n: 40, p: 0.6 },
];

export const weightWorlds: World[] = [
  visited({ n: 200, sigma: 0.5, level: 1 }),
  visited({ n: 60, sigma: 0.5, level: 0.5 }),
  visited({ n: 200, sigma: 0.5, level: 1 }, true),
  visited({ n: 60, sigma: 0.5, level: 1 }, true),
  visited({ n: 100, sigma: 0.5, level: 1, trials: 3 }),
  visited({ n: 300, sigma: 0.5, level: 1, perGroup: 5 }),
  visited({ n: 60, sigma: 1, level: 1 }),
  visited({ n: 60, sigma: 1, level: 2.35 }),
  sharedOut(three),
  sharedOut(two),
  sharedOut(three, true),
  sharedOut(two, true),
  changed({ n: 200, sigma: 0.5, level: 1 }, -0.5),
  changed({ n: 200, sigma: 0.5, level: 1 }, -0.5, true),
  changed({ n: 60, sigma: 1, level: 1 }, -0.5),
  changedShares(three, [0.8, 0.7, 0.6]),
  changedShares(two, [0.8, 0.7], true),
];

/** Answers that ignore what the testcases stand for. */
export const wrongWeights: World[] = [visited({ n: 200, sigma: 0.5, level: 1 }, false, false)];

const isShown = ({ verdict }: { verdict: string }) => verdict !== 'cannot tell';

export const weightRates: Rate[] = [
  {
    name: '200 testcases, weights lognormal with σ 0.5, no difference',
    method: 'weighted paired',
    nominal: '"better" or "worse" in at most 5 %',
    happens: (random) => isShown(compareVisits(random, { n: 200, sigma: 0.5, level: 1 }, 0, false)),
  },
  {
    name: `shares ${inWords(three)}, no difference`,
    method: 'post-stratified paired',
    nominal: '"better" or "worse" in at most 5 %',
    happens: (random) => isShown(compareValues(random, three, [0.9, 0.7, 0.5], false)),
  },
];
