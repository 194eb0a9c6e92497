import { describe, expect, it } from 'vitest';
import { coverageOf, rateOf } from '../../../test/coverage.ts';
import { leeway } from '../../../test/depth.ts';
import { weightRates, weightWorlds, wrongWeights } from '../../../test/weight-worlds.ts';
import { clusteredMeanEstimate } from './clusters.ts';
import { compareTestcases } from './compare.ts';
import { meanEstimate } from './intervals.ts';
import { seededRandom, uniform } from './random.ts';
import { summarizeTestcases } from './summary.ts';
import { averageTrials, type Observation, type Weighting } from './testcases.ts';
import { weightedEstimate } from './weighted.ts';

const unit = { low: 0, high: 1 };
const weightingOf = (weights: number[]): Weighting => ({
  by: 'metadata.visits',
  weights: Float64Array.from(weights),
  parts: new Int32Array(weights.length),
  shares: [1],
  names: [''],
});
const sharesOf = (parts: number[], shares: number[]): Weighting => ({
  by: 'metadata.intent',
  weights: new Float64Array(parts.length).fill(1),
  parts: Int32Array.from(parts),
  shares,
  names: shares.map((_, i) => `v${i}`),
});
const options = { level: 0.95, bounds: unit, isCounted: false };
const random = seededRandom(3);
const draws = (count: number) => Float64Array.from({ length: count }, () => uniform(random));

describe('weightedEstimate', () => {
  it('with equal weights is the mean with its usual interval, for any values', () => {
    for (const n of [2, 3, 17, 120]) {
      const values = draws(n);
      const clusters = Int32Array.from(values.keys());
      const weight = 0.1 + uniform(random);
      const weighting = weightingOf(new Array(n).fill(weight));
      const weighted = weightedEstimate({ values, weighting, clusters }, options);
      const plain = meanEstimate(values, 0.95, unit);
      expect(weighted.estimate).toBeCloseTo(plain.estimate!, 12);
      expect(weighted.standardError).toBeCloseTo(plain.standardError!, 12);
      expect(weighted.interval!.low).toBeCloseTo(plain.interval!.low, 10);
      expect(weighted.interval!.high).toBeCloseTo(plain.interval!.high, 10);
      expect(weighted.effectiveN).toBeCloseTo(n, 8);
    }
  });

  it('with equal weights in groups has the CR2 error', () => {
    const values = draws(60);
    const clusters = Int32Array.from(values, (_, i) => Math.floor(Math.sqrt(i)));
    const weighted = weightedEstimate(
      { values, weighting: weightingOf(new Array(60).fill(2)), clusters },
      options,
    );
    const plain = clusteredMeanEstimate(values, clusters, 0.95, unit);
    expect(weighted.standardError).toBeCloseTo(plain.standardError!, 12);
    expect(weighted.n).toBe(plain.n);
  });

  it('does not depend on the scale of the weights, nor on the order', () => {
    const values = draws(40);
    const weights = Array.from(draws(40));
    const clusters = Int32Array.from(values.keys());
    const estimateOf = (order: number[], scale: number) =>
      weightedEstimate(
        {
          values: Float64Array.from(order, (i) => values[i]!),
          weighting: weightingOf(order.map((i) => scale * weights[i]!)),
          clusters,
        },
        options,
      );
    const order = [...values.keys()];
    const [one, other] = [estimateOf(order, 1), estimateOf(order.toReversed(), 1000)];
    expect(other.estimate).toBeCloseTo(one.estimate!, 12);
    expect(other.interval!.low).toBeCloseTo(one.interval!.low, 10);
    expect(other.effectiveN).toBeCloseTo(one.effectiveN, 8);
  });

  it('with shares that the testset has itself gives the plain mean', () => {
    const values = draws(50);
    const parts = Array.from(values, (_, i) => (i < 30 ? 0 : 1));
    const weighted = weightedEstimate(
      { values, weighting: sharesOf(parts, [0.6, 0.4]), clusters: Int32Array.from(values.keys()) },
      options,
    );
    expect(weighted.estimate).toBeCloseTo(meanEstimate(values).estimate!, 12);
    expect(weighted.effectiveN).toBeCloseTo(50, 8);
  });

  it('a testcase that repeats in a group does not narrow the interval', () => {
    const values = draws(30);
    const weights = Array.from(draws(30));
    const repeated = Float64Array.from([...values, ...values]);
    const once = weightedEstimate(
      { values, weighting: weightingOf(weights), clusters: Int32Array.from(values.keys()) },
      options,
    );
    const twice = weightedEstimate(
      {
        values: repeated,
        weighting: weightingOf([...weights, ...weights]),
        clusters: Int32Array.from(repeated, (_, i) => i % 30),
      },
      options,
    );
    expect(twice.standardError).toBeCloseTo(once.standardError!, 12);
    expect(twice.interval!.low).toBeCloseTo(once.interval!.low, 10);
  });

  it('a part of the traffic with one group has no interval, and without a score no estimate', () => {
    const values = Float64Array.from([1, 0, 1, 1]);
    const of = (parts: number[], clusters: number[]) =>
      weightedEstimate(
        { values, weighting: sharesOf(parts, [0.5, 0.5]), clusters: Int32Array.from(clusters) },
        options,
      );
    expect(of([0, 0, 1, 1], [0, 1, 2, 2])).toMatchObject({
      estimate: 0.75,
      interval: null,
      reason: 'only one unit of metadata.intent:v1, 50 % of the traffic, has a score',
    });
    expect(of([0, 0, 0, 0], [0, 1, 2, 3])).toMatchObject({
      estimate: null,
      reason: 'no testcase of metadata.intent:v1, 50 % of the traffic, has a score',
    });
  });

  it('trials are averaged first, and a missing score has a range by the weight of its testcase', () => {
    const observations: Observation[] = [
      { testcase: 0, score: true },
      { testcase: 0, score: false },
      { testcase: 1, score: true },
      { testcase: 2, score: 'pending' },
    ];
    const columns = averageTrials(observations).columns[0]!;
    const summary = summarizeTestcases(
      { ...columns, weighting: weightingOf([2, 1, 1]) },
      { boolean: true, bounds: unit },
    );
    expect(summary.estimate).toBeCloseTo((2 * 0.5 + 1) / 3, 12);
    expect(summary.range).toEqual({ low: expect.closeTo(2 / 4, 12), high: expect.closeTo(3 / 4, 12) });
  });

  it('a missing score moves a weighted difference by the weight of its testcase', () => {
    const before: Observation[] = Array.from({ length: 40 }, (_, testcase) => ({
      testcase,
      score: testcase % 2 === 0,
    }));
    const after: Observation[] = before.map((one, i) => (i === 0 ? { ...one, score: 'failed' } : one));
    const { columns } = averageTrials(before, after);
    const [x, y] = columns.map((one) => ({
      ...one,
      weighting: weightingOf(before.map((_, i) => (i === 0 ? 10 : 1))),
    }));
    const { missing } = compareTestcases(x!, y!, { boolean: true, bounds: unit });
    expect(missing!.range).toEqual({ low: expect.closeTo(-10 / 49, 12), high: expect.closeTo(0, 12) });
  });
});

describe('weighted intervals and tests in simulated worlds', () => {
  const many = 300;
  it.each(weightWorlds)('the interval holds the truth: $method: $name', (world) => {
    expect(coverageOf(world, many, seededRandom(20)).held).toBeGreaterThanOrEqual(0.91 - leeway(many));
  });
  it.each(wrongWeights)('without weights it does not: $name', (world) => {
    expect(coverageOf(world, many, seededRandom(20)).held).toBeLessThan(0.7);
  });
  it.each(weightRates)('a verdict errs as seldom as it promises: $method: $name', (rate) => {
    expect(rateOf(rate, many, seededRandom(20))).toBeLessThanOrEqual(
      0.05 + 3 * Math.sqrt((0.05 * 0.95) / many),
    );
  });
});
