import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readProblems } from '../../../../examples/gsm8k/problems.ts';
import { roganGladen } from './correction.ts';
import { zOf } from './intervals.ts';
import { ppiPlusPlus, predictionPowered } from './prediction-powered.ts';
import { type Random, seededRandom, uniform } from './random.ts';
import { type LabelledScore, strataOf } from './strata.ts';

const binomial = (random: Random, n: number, p: number): number => {
  let hits = 0;
  for (let i = 0; i < n; i++) if (uniform(random) < p) hits++;
  return hits;
};

describe('Rogan–Gladen with the interval of Lee et al.', () => {
  // The authors' confidence_interval(p, q0, q1, n, m0, m1) of UW-Madison-Lee-Lab/LLM-judge-reporting, run in Python.
  it.each([
    [5000, 10000, 4500, 5000, 4500, 5000, 0.4857088025790391, 0.514291197420961],
    [600, 1000, 90, 100, 40, 50, 0.4665658769502285, 0.6608859871834432],
  ])(
    '%i of %i judged passed: the interval is the authors’ to 1e-9',
    (passes, n, tp, m1, tn, m0, low, high) => {
      const errors = { humanPasses: m1, judgePassed: tp, humanFails: m0, judgeFailed: tn };
      const result = roganGladen({ passes, n }, errors);
      expect(result.interval!.low).toBeCloseTo(low, 9);
      expect(result.interval!.high).toBeCloseTo(high, 9);
    },
  );
  it('is refused where sensitivity + specificity ≤ 1, and without labels of both kinds', () => {
    const coin = roganGladen(
      { passes: 50, n: 100 },
      { humanPasses: 50, judgePassed: 25, humanFails: 50, judgeFailed: 25 },
    );
    expect(coin).toMatchObject({ estimate: null, interval: null, uncorrected: 0.5 });
    expect(coin.reason).toMatch(/no better than chance/);
    const oneSided = roganGladen(
      { passes: 50, n: 100 },
      { humanPasses: 50, judgePassed: 45, humanFails: 0, judgeFailed: 0 },
    );
    expect(oneSided.reason).toMatch(/labels of both kinds/);
  });
  it('covers the true rate in at least 93 % of 2,000 simulated runs, where the judge’s own interval covers in none', () => {
    const random = seededRandom(2511);
    const [truth, sensitivity, specificity, n] = [0.3, 0.9, 0.8, 1000];
    let [covered, naive] = [0, 0];
    for (let i = 0; i < 2_000; i++) {
      const passes = binomial(random, n, truth * sensitivity + (1 - truth) * (1 - specificity));
      const result = roganGladen(
        { passes, n },
        {
          humanPasses: 60,
          judgePassed: binomial(random, 60, sensitivity),
          humanFails: 60,
          judgeFailed: binomial(random, 60, specificity),
        },
      );
      if (result.interval!.low <= truth && truth <= result.interval!.high) covered++;
      if (Math.abs(passes / n - truth) <= 1.96 * Math.sqrt((truth * (1 - truth)) / n)) naive++;
    }
    expect(covered / 2_000).toBeGreaterThanOrEqual(0.93);
    expect(naive).toBe(0);
  });
  it('for any counts the interval holds the estimate and stays in [0, 1]', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    const good = fc.double({ min: 0.6, max: 1, noNaN: true });
    fc.assert(
      fc.property(share, good, good, fc.integer({ min: 1, max: 500 }), (p, q1, q0, m) => {
        const errors = {
          humanPasses: m,
          judgePassed: Math.round(q1 * m),
          humanFails: m,
          judgeFailed: Math.round(q0 * m),
        };
        const result = roganGladen({ passes: Math.round(p * 400), n: 400 }, errors);
        fc.pre(result.interval !== null);
        expect(result.interval!.low).toBeGreaterThanOrEqual(0);
        expect(result.interval!.low).toBeLessThanOrEqual(result.estimate!);
        expect(result.interval!.high).toBeGreaterThanOrEqual(result.estimate!);
        expect(result.interval!.high).toBeLessThanOrEqual(1);
      }),
    );
  });
  it('a noisy judge of GSM8K (labels flipped: sensitivity .9, specificity .8) is corrected to cover the true 56.25 %', async () => {
    const random = seededRandom(4);
    const records = (await readProblems()).map((problem) => {
      const human = problem['175b_verification'].is_correct;
      return { human, judge: uniform(random) < (human ? 0.9 : 0.2), labelled: uniform(random) < 0.2 };
    });
    const labels = records.filter(({ labelled }) => labelled);
    const result = roganGladen(
      { passes: records.filter(({ judge }) => judge).length, n: records.length },
      {
        humanPasses: labels.filter(({ human }) => human).length,
        judgePassed: labels.filter(({ human, judge }) => human && judge).length,
        humanFails: labels.filter(({ human }) => !human).length,
        judgeFailed: labels.filter(({ human, judge }) => !human && !judge).length,
      },
    );
    const truth = 742 / 1319;
    expect(result.interval!.low).toBeLessThan(truth);
    expect(result.interval!.high).toBeGreaterThan(truth);
    expect(result.interval!.high - result.interval!.low).toBeLessThan(0.25);
  });
});

describe('PPI++', () => {
  // numpy: rng = default_rng(5); f = round(rng.uniform(0, 1, 52), 2); Y = round(clip(.8 f[:12] + rng.normal(.1, .1, 12), 0, 1), 2)
  const judge = [0.81, 0.81, 0.52, 0.29, 0.05, 0.38, 0.41, 0.05, 0.05, 1.0, 0.65, 0.23];
  const human = [0.82, 0.64, 0.48, 0.25, 0.28, 0.46, 0.67, 0.2, 0.22, 0.98, 0.56, 0.28];
  const unlabelled = [
    0.43, 0.97, 0.9, 0.84, 0.39, 0.49, 0.68, 0.06, 0.56, 0.27, 0.88, 0.06, 0.68, 0.87, 0.23, 0.9, 0.87, 0.02,
    0.71, 0.0, 0.5, 0.44, 0.2, 0.32, 0.81, 0.32, 0.15, 0.7, 0.45, 0.8, 0.24, 0.32, 0.8, 0.51, 0.51, 0.24,
    0.01, 0.93, 0.09, 0.84,
  ].map((score) => ({ judge: score }));
  const labelled = human.map((value, i) => ({ human: value, judge: judge[i]! }));

  // ppi_py 0.2.3: ppi_mean_pointestimate(Y, f[:12], f[12:]), ppi_mean_ci(Y, f[:12], f[12:], alpha=.05)
  it("is ppi_py's to 1e-9 when every record had the same chance of a label", () => {
    const { estimate, standardError } = ppiPlusPlus(strataOf(labelled, unlabelled));
    expect(estimate).toBeCloseTo(0.5218436975640803, 9);
    expect(estimate - zOf(0.95) * standardError).toBeCloseTo(0.4421886561988507, 9);
    expect(estimate + zOf(0.95) * standardError).toBeCloseTo(0.6014987389293099, 9);
  });
  // By hand: 4 of 5 and 1 of 5 labels pass, 90 and 10 records; the judge gives one verdict a stratum, so that λ changes nothing.
  it('by strata: the mean of each stratum counts by its share of the records, however many were labelled', () => {
    const stratum = (judge: number, passes: number, records: number) => ({
      labelled: [1, 1, 1, 1, 1].map((_, i) => ({
        judge,
        human: Number(i < passes),
        inclusionProbability: 5 / records,
      })),
      unlabelled: Array.from({ length: records - 5 }, () => ({ judge, inclusionProbability: 5 / records })),
    });
    const [good, bad] = [stratum(1, 4, 90), stratum(0, 1, 10)];
    const { estimate, standardError } = ppiPlusPlus(
      strataOf([...good.labelled, ...bad.labelled], [...good.unlabelled, ...bad.unlabelled]),
    );
    expect(estimate).toBeCloseTo(0.9 * 0.8 + 0.1 * 0.2, 12);
    // Half a pass and half a failure more: 4.5 and 1.5 of 6. Between the strata: .9·(.8 − .74)² + .1·(.2 − .74)² over 100 records.
    const within = ((0.9 ** 2 + 0.1 ** 2) * 0.75 * 0.25) / 5;
    expect(standardError ** 2).toBeCloseTo(within + (0.9 * 0.06 ** 2 + 0.1 * 0.54 ** 2) / 100, 12);
  });
  it('covers the true mean in 93 to 97 % of 1,000 runs whose hard records were labelled four times as often', () => {
    const random = seededRandom(2311);
    let [covered, unweighted] = [0, 0];
    const holds = (interval: { low: number; high: number } | null) =>
      interval!.low <= 0.5 && 0.5 <= interval!.high;
    for (let i = 0; i < 1_000; i++) {
      const labels: Required<LabelledScore>[] = [];
      const rest: Required<LabelledScore>[] = [];
      for (let j = 0; j < 1_500; j++) {
        const judge = uniform(random);
        const human = uniform(random) < (judge < 0.5 ? 0.3 : 0.7) ? 1 : 0;
        const inclusionProbability = judge < 0.5 ? 0.4 : 0.1;
        (uniform(random) < inclusionProbability ? labels : rest).push({ human, judge, inclusionProbability });
      }
      const bare = ({ human, judge }: { human: number; judge: number }) => ({ human, judge });
      if (holds(predictionPowered(labels, rest).interval)) covered++;
      if (holds(predictionPowered(labels.map(bare), rest.map(bare)).interval)) unweighted++;
    }
    expect(covered / 1_000).toBeGreaterThanOrEqual(0.93);
    expect(covered / 1_000).toBeLessThanOrEqual(0.97);
    expect(unweighted / 1_000).toBeLessThan(0.8);
  });
  it('an inclusion probability of 0, or given for some records only, is refused', () => {
    const [first, ...others] = labelled;
    for (const inclusionProbability of [0, 0.5]) {
      const mixed = [{ ...first!, inclusionProbability }, ...others];
      expect(() => predictionPowered(mixed, unlabelled)).toThrow(RangeError);
    }
    const zero = labelled.map((record) => ({ ...record, inclusionProbability: 0 }));
    const rest = unlabelled.map((record) => ({ ...record, inclusionProbability: 0.5 }));
    expect(() => predictionPowered(zero, rest)).toThrow(/above 0/);
  });
  it('each correction says what it takes for granted', () => {
    const errors = { humanPasses: 90, judgePassed: 81, humanFails: 40, judgeFailed: 32 };
    expect(roganGladen({ passes: 60, n: 100 }, errors).assumption).toMatch(
      /errs on this run as often as on the labelled records/,
    );
    expect(predictionPowered(labelled, unlabelled).assumption).toMatch(/chosen for labelling at random/);
  });
  it('too few labels: said, not guessed', () => {
    expect(predictionPowered(labelled.slice(0, 1), unlabelled)).toMatchObject({
      estimate: null,
      interval: null,
    });
  });
});
