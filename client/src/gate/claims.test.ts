import { describe, expect, it } from 'vitest';
import type { Outcome } from './check.ts';
import { decide } from './decide.ts';
import { mustPassCheck } from './facts.ts';
import { readPolicy } from './policy.ts';
import { riseTests } from './rises.ts';
import { testsOf } from './rules.ts';
import { sliceLossTests } from './slices.ts';
import type { Source } from './source.ts';

type Range = [number, number] | null;

/** A service that answers with one interval: of the rate, of the difference, and of a rise. Without one it has no figure. */
const answering = (range: Range, basis: 'people' | 'scores'): Source => {
  const value = range && (range[0] + range[1]) / 2;
  const interval = range && { low: range[0], high: range[1] };
  const p = range && range[0] <= 0 && range[1] >= 0 ? 0.5 : 0.001;
  const estimate = { n: 40, estimate: value, interval, standardError: 0.1, reason: null, sampled: true };
  const difference = { n: 40, difference: value, interval, standardError: 0.1, p, reason: null };
  const slice = { field: 'lang', value: 'de', n: 9, before: 0.9, after: 0.2, difference: -0.7 };
  const slices = {
    p,
    numSlices: 3,
    sentence: 'no field has slices',
    worst: [{ ...slice, shrunk: -0.6, shrunkInterval: { low: -0.9, high: -0.3 }, p }],
  };
  const metric = { metricId: '1', metricName: 'Right' };
  const passRate = { ...estimate, passK: [{ k: 3, passHatK: estimate }] };
  const compared = {
    ...metric,
    ...difference,
    paired: true,
    minimumDetectable: 0.1,
    caveats: [],
    conclusion: { basis },
    corrected: { ...difference, sampled: true },
    slices,
  };
  const answer = {
    runs: [{ numRecords: 40 }, { numRecords: 40 }],
    pairs: [range ? { metrics: [compared], notCompared: [] } : { metrics: [], notCompared: [] }],
  };
  return {
    summary: async () => ({
      metrics: [{ ...metric, passRate, mean: null, judge: { peopleMetricId: '2' } }],
    }),
    calibration: async () => ({ corrected: { predictionPowered: estimate } }),
    comparison: async () => answer,
    slices: async () => answer,
    rise: async () => ({ n: 40, rise: value, interval, p, sentence: 'unknown', warnings: [] }),
    grows: async () => false,
    executions: async () =>
      range ? Array.from({ length: 200 }, (_, i) => ({ latencyMs: 1000 * value! + i })) : [],
  } as unknown as Source;
};

const ofDifference = { worse: [-0.3, -0.2], pass: [0.2, 0.3], inconclusive: [-0.4, 0.4], incomplete: null };
const ofLine = { worse: [0.1, 0.2], pass: [0.9, 0.99], inconclusive: [0.5, 0.95], incomplete: null };
const ofRise = { worse: [0.3, 0.4], pass: [-0.3, -0.2], inconclusive: [-0.4, 0.4], incomplete: null };

type Case = {
  rules: object;
  ranges: Record<Outcome, number[] | null>;
  /** The sentence after the name of the metric, for each outcome. An alarm is never inconclusive with an interval. */
  says: Partial<Record<Outcome, string>>;
};

const cases: Record<string, Case> = {
  noRegression: {
    rules: { noRegression: {} },
    ranges: ofDifference,
    says: {
      pass: 'is not shown to be worse than run 12',
      worse: 'is worse than run 12',
      incomplete: ': it is unknown whether it is worse than run 12',
    },
  },
  nonInferiority: {
    rules: { nonInferiority: { margin: 0.05 } },
    ranges: ofDifference,
    says: {
      pass: 'is shown to be not worse than run 12 by more than 0.05',
      worse: 'is worse than run 12 by more than 0.05',
      inconclusive: ': it is open whether it is worse than run 12 by more than 0.05',
      incomplete: ': it is unknown whether it is worse than run 12 by more than 0.05',
    },
  },
  superiority: {
    rules: { superiority: {} },
    ranges: ofDifference,
    says: {
      pass: 'is better than run 12',
      worse: 'is worse than run 12',
      inconclusive: ': it is open whether it is better than run 12',
      incomplete: ': it is unknown whether it is better than run 12',
    },
  },
  'superiority with a margin': {
    rules: { superiority: { margin: 0.1 } },
    ranges: ofDifference,
    says: {
      pass: 'is better than run 12 by more than 0.1',
      worse: 'is not better than run 12 by more than 0.1',
      inconclusive: ': it is open whether it is better than run 12 by more than 0.1',
      incomplete: ': it is unknown whether it is better than run 12 by more than 0.1',
    },
  },
  atLeast: {
    rules: { atLeast: 0.8 },
    ranges: ofLine,
    says: {
      pass: 'is at least 0.8',
      worse: 'is below 0.8',
      inconclusive: ': it is open whether it is at least 0.8',
      incomplete: ': it is unknown whether it is at least 0.8',
    },
  },
  notBelow: {
    rules: { notBelow: 0.8 },
    ranges: ofLine,
    says: {
      pass: 'is not shown to be below 0.8',
      worse: 'is below 0.8',
      incomplete: ': it is unknown whether it is below 0.8',
    },
  },
};

const names = { pass: 'Right', score: 'Right (mean score)', corrected: 'Right (corrected for its judge)' };
const bases = [
  { of: 'pass', basis: 'scores' },
  { of: 'pass', basis: 'people' },
  { of: 'score', basis: 'scores' },
  { of: 'corrected', basis: 'people' },
] as const;

const all = Object.entries(cases).flatMap(([kind, one]) =>
  bases.flatMap((base) =>
    (Object.keys(one.says) as Outcome[]).map((outcome) => ({ ...one, ...base, kind, outcome })),
  ),
);

const baselines = [{ name: '12', id: '12', anchor: false }];
const checksOf = async (rules: object, range: Range, basis: 'people' | 'scores') => {
  const policy = readPolicy(rules, 'dokima.yaml');
  const source = answering(range, basis);
  const found = [
    await testsOf(source, policy, baselines, 0.95),
    await sliceLossTests(source, policy, baselines, 0.95),
    await riseTests(source, policy, baselines, 0.95),
  ];
  return (
    await decide(
      found.flatMap(({ tests }) => tests),
      found.flatMap(({ facts }) => facts),
      0.95,
    )
  ).checks;
};

/** A failed rule never says that something is not shown; a passed one never says that it is worse, below or risen. */
const contradicts = (outcome: Outcome, sentence: string): boolean =>
  outcome === 'worse'
    ? /not shown|is at least|is shown to be not/.test(sentence)
    : outcome === 'pass'
      ? /(?<!not shown to be |shown to be not )(worse|below)|open|unknown/.test(sentence)
      : !/open|unknown/.test(sentence);

describe('a gate says each rule and its outcome in one sentence that does not contradict itself', () => {
  it.each(all)(
    '$kind, $outcome, of $of, basis $basis',
    async ({ rules, ranges, says, of, basis, outcome }) => {
      const [check] = await checksOf(
        { metrics: { Right: { ...rules, of } } },
        ranges[outcome] as Range,
        basis,
      );
      const words = says[outcome]!;
      expect([check!.outcome, check!.sentence]).toEqual([
        outcome,
        `${names[of]}${words.startsWith(':') ? '' : ' '}${words}`,
      ]);
      expect(contradicts(outcome, check!.sentence)).toBe(false);
      const isDifference = ranges === ofDifference;
      const byPeople = isDifference && of === 'pass' && basis === 'people' && outcome !== 'incomplete';
      expect(check!.said.includes('difference as people would judge it')).toBe(byPeople);
    },
  );

  it.each([
    ['worse', ofRise.worse, 'has risen since run 12', 'has risen by more than 10.0 % since run 12'],
    [
      'pass',
      ofRise.pass,
      'is not shown to have risen since run 12',
      'has risen by no more than 10.0 % since run 12',
    ],
    [
      'incomplete',
      null,
      ': it is unknown whether it has risen since run 12',
      ': it is unknown whether it has risen by more than 10.0 % since run 12',
    ],
  ] as const)('a rise of cost: %s', async (outcome, range, alarm, proof) => {
    const checks = await checksOf({ cost: { noRise: {}, maxRise: 0.1 } }, range as Range, 'scores');
    const subject = 'cost of a record';
    expect(checks.map((check) => [check.outcome, check.sentence])).toEqual(
      [alarm, proof].map((words) => [outcome, `${subject}${words.startsWith(':') ? '' : ' '}${words}`]),
    );
  });

  it.each([
    ['worse', [5, 6], 'the median latency is above 2,000 ms'],
    ['pass', [0.5, 0.6], 'the median latency is at most 2,000 ms'],
    ['incomplete', null, 'the median latency: it is unknown whether it is above 2,000 ms'],
  ] as const)('latency: %s', async (outcome, range, sentence) => {
    const [check] = await checksOf({ latency: { medianMs: 2000 } }, range as unknown as Range, 'scores');
    expect([check!.outcome, check!.sentence]).toEqual([outcome, sentence]);
  });

  it.each([
    ['worse', [-0.3, -0.2], 'Right has a slice that lost more than the rest since run 12'],
    ['pass', [-0.3, 0.2], 'Right has no slice that is shown to have lost more than the rest since run 12'],
  ] as const)('slices: %s', async (outcome, range, sentence) => {
    const rules = { slices: 'auto', metrics: { Right: { superiority: {} } } };
    const checks = await checksOf(rules, range as unknown as Range, 'scores');
    expect(checks.map((check) => [check.outcome, check.sentence])).toContainEqual([outcome, sentence]);
  });

  it('pass^k and testcases that must pass', async () => {
    const rules = { metrics: { Right: { passHatK: { k: 3, atLeast: 0.7 } } } };
    const [check] = await checksOf(rules, [0.1, 0.2], 'scores');
    expect(check!.sentence).toBe('Right: share that passes 3 of 3 trials is below 0.7');
    const rule = { testcase: 'q1', metric: 'Right', passes: 4, of: 5 };
    expect(mustPassCheck(rule, { passed: 1, failed: 4, lacking: 0 }).sentence).toBe(
      'q1 passes Right in fewer than 4 of 5',
    );
  });
});
