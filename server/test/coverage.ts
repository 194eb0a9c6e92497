// Longer than 400 lines: one world after the other, each a few lines.
/** Simulated worlds with a known truth, to measure how often an interval contains it. */

import { clusteredMeanEstimate } from '../src/engine/statistics/clusters.ts';
import { compareRuns } from '../src/engine/statistics/compare.ts';
import { compareMetrics } from '../src/engine/statistics/compare-metrics.ts';
import { roganGladen } from '../src/engine/statistics/correction.ts';
import { judgeDrift } from '../src/engine/statistics/drift.ts';
import type { Caveat, Interval } from '../src/engine/statistics/estimate-schema.ts';
import { meanEstimate, rateEstimate } from '../src/engine/statistics/intervals.ts';
import { correctedDifference } from '../src/engine/statistics/paired-correction.ts';
import { predictionPowered } from '../src/engine/statistics/prediction-powered.ts';
import { type Random, seededRandom, uniform } from '../src/engine/statistics/random.ts';
import { sequentialTest } from '../src/engine/statistics/sequential.ts';
import { summarizeRun } from '../src/engine/statistics/summary.ts';
import { averageTrials, type Observation } from '../src/engine/statistics/testcases.ts';
import { repeats } from './depth.ts';

export type World = {
  /** What is estimated from what. */
  name: string;
  method: string;
  truth: number;
  /** An answer from one draw; its interval is null when the draw has too little data. */
  draw: (random: Random) => Answer;
};

type Answer = { interval: Interval | null; caveats: Caveat[] };

const unit = { low: 0, high: 1 };
const oneToFive = { low: 1, high: 5 };

export const times = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));
export const flip = (random: Random, p: number): boolean => uniform(random) < p;
const passesOf = (random: Random, n: number, p: number): number =>
  times(n, () => Number(flip(random, p))).reduce((a, b) => a + b, 0);

const rate = (n: number, p: number): World => ({
  name: `pass rate ${p}, n = ${n}`,
  method: 'Wilson',
  truth: p,
  draw: (random) => rateEstimate(passesOf(random, n, p), n),
});

/** Scores from 1 to 5, most of them good. */
const stars = (random: Random): number => [5, 5, 5, 4, 4, 3, 2, 1][Math.floor(8 * uniform(random))]!;
const meanStars = 29 / 8;

/** Documents of these sizes: a hard document is hard in all its questions. Questions of one document correlate by `icc`. */
const documents = (random: Random, sizes: number[], p: number, icc: number) => {
  const [values, labels]: [number[], number[]] = [[], []];
  for (const [g, size] of sizes.entries()) {
    // Each question repeats its document's flip with chance √icc.
    const shared = flip(random, p);
    for (let i = 0; i < size; i++) {
      values.push(Number(flip(random, Math.sqrt(icc)) ? shared : flip(random, p)));
      labels.push(g);
    }
  }
  return { values, labels };
};

const equalSizes = (groups: number, size: number) => () => times(groups, () => size);
const oneLarge = (small: number) => (random: Random) => [
  200,
  ...times(small, () => 1 + Math.floor(5 * uniform(random))),
];
const lognormalSizes = (groups: number) => (random: Random) =>
  times(groups, () => Math.ceil(3 * Math.exp(1.5 * normal(random))));

export const normal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - uniform(random))) * Math.cos(2 * Math.PI * uniform(random));

const clusters = (name: string, sizesOf: (random: Random) => number[], p: number, icc: number): World => ({
  name: `pass rate ${p} of ${name}, correlation ${icc}`,
  method: 'cluster-robust Wilson (CR2)',
  truth: p,
  draw: (random) => {
    const { values, labels } = documents(random, sizesOf(random), p, icc);
    return clusteredMeanEstimate(values, labels, 0.95, unit);
  },
});

const pairedClusters = (name: string, sizesOf: (random: Random) => number[]): World => ({
  name: `no difference on ${name}, correlation 0.3`,
  method: 'paired cluster-robust t (CR2)',
  truth: 0,
  draw: (random) => {
    const sizes = sizesOf(random);
    const runs = [documents(random, sizes, 0.7, 0.3), documents(random, sizes, 0.7, 0.3)].map(
      ({ values, labels }) =>
        values.map((score, i): Observation => ({ testcase: i, group: `${labels[i]}`, score })),
    );
    return compareRuns(runs[0]!, runs[1]!, { boolean: true });
  },
});

/** Every fifth testcase fails now and then, the others never. */
const trials = (n: number, tries: number, p: number): World => ({
  name: `pass rate ${p} of ${n} testcases tried ${tries} times, a fifth of them flaky`,
  method: 'Wilson on the effective n',
  truth: p,
  draw: (random) => {
    const observations = times(n, (testcase) => {
      const own = flip(random, 0.2) ? 1 - 5 * (1 - p) : 1;
      return times(tries, (): Observation => ({ testcase, score: flip(random, own) }));
    }).flat();
    return summarizeRun(observations, { boolean: true, bounds: unit });
  },
});

/** Scores from 1 to 5, nearly all of them 5. */
const highStars = (random: Random): number => {
  const u = uniform(random);
  return u < 0.75 ? 5 : u < 0.87 ? 4 : u < 0.94 ? 3 : u < 0.98 ? 2 : 1;
};
const meanHighStars = 5 * 0.75 + 4 * 0.12 + 3 * 0.07 + 2 * 0.04 + 0.02;

const manyStars = (n: number): World => ({
  name: `mean ${meanHighStars} of scores 1 to 5, n = ${n}`,
  method: 'Wilson on the effective n',
  truth: meanHighStars,
  draw: (random) =>
    meanEstimate(
      times(n, () => highStars(random)),
      0.95,
      oneToFive,
    ),
});

const floats = (n: number): World => ({
  name: `mean 0.975 of floats, 95 % of them exactly 1, n = ${n}`,
  method: 'Wilson on the effective n',
  truth: 0.975,
  draw: (random) =>
    meanEstimate(
      times(n, () => (flip(random, 0.95) ? 1 : uniform(random))),
      0.95,
      unit,
    ),
});

/** Two runs on `n` testcases that are easy or hard for both. */
const pairs = (random: Random, n: number, gain: number): [Observation[], Observation[]] => {
  const [before, after]: [Observation[], Observation[]] = [[], []];
  for (let testcase = 0; testcase < n; testcase++) {
    const easy = flip(random, 0.5);
    before.push({ testcase, score: flip(random, easy ? 0.85 : 0.35) });
    after.push({ testcase, score: flip(random, (easy ? 0.85 : 0.35) + gain) });
  }
  return [before, after];
};

const paired = (n: number): World => ({
  name: `pass rates that differ by 0.05, n = ${n}`,
  method: 'Tango',
  truth: 0.05,
  draw: (random) => compareRuns(...pairs(random, n, 0.05), { boolean: true }),
});

const runOf = (scores: number[]): Observation[] => scores.map((score, testcase) => ({ testcase, score }));

const fewPairs = (name: string, difference: (random: Random) => number): World => ({
  name: `paired difference of scores, n = 12, ${name}`,
  method: 'sign flips, inverted',
  truth: 0.1,
  draw: (random) => {
    const before = times(12, () => uniform(random));
    const after = before.map((score) => score + difference(random));
    return compareRuns(runOf(before), runOf(after), { boolean: false });
  },
});

const corrected = (labels: number): World => ({
  name: `true pass rate 0.7 from a judge (0.9, 0.8) on 500 records, ${labels} labels of each kind`,
  method: 'Rogan–Gladen, Lee et al.',
  truth: 0.7,
  draw: (random) => {
    const passes = times(500, () => flip(random, 0.7)).filter((human) =>
      flip(random, human ? 0.9 : 0.2),
    ).length;
    const errors = {
      humanPasses: labels,
      judgePassed: passesOf(random, labels, 0.9),
      humanFails: labels,
      judgeFailed: passesOf(random, labels, 0.8),
    };
    return roganGladen({ passes, n: 500 }, errors);
  },
});

/** 1,000 records, `share(judge)` of them labelled; the judge is informative, but has a large bias. */
const powered = (name: string, share: (judge: number) => number): World => ({
  name,
  method: 'PPI++',
  truth: 0.5,
  draw: (random) => {
    const records = times(1_000, () => {
      const judge = uniform(random);
      return {
        judge: judge ** 2,
        human: Number(flip(random, judge < 0.5 ? 0.3 : 0.7)),
        inclusionProbability: share(judge),
      };
    });
    const labelled = records.map(({ inclusionProbability }) => flip(random, inclusionProbability));
    return predictionPowered(
      records.filter((_, i) => labelled[i]),
      records.filter((_, i) => !labelled[i]),
    );
  },
});

const fewLabels = (labels: number, truth: number, sensitivity: number, specificity: number): World => ({
  name: `true pass rate ${truth} from a judge (${sensitivity}, ${specificity}) on 1,000 records, ${labels} labelled at random`,
  method: 'PPI++',
  truth,
  draw: (random) => {
    const records = times(1_000, () => judged(random, flip(random, truth), sensitivity, specificity));
    return predictionPowered(records.slice(0, labels), records.slice(labels));
  },
});

export const judged = (random: Random, human: boolean, sensitivity: number, specificity: number) => ({
  human: Number(human),
  judge: Number(flip(random, human ? sensitivity : 1 - specificity)),
});

const correctedPairs = (name: string, share: number, together: boolean): World => ({
  name: `no difference as people judge; a judge (0.9, 0.8) on one run and (0.9, 0.6) on the other, 500 testcases, ${name}`,
  method: 'paired PPI++',
  truth: 0,
  draw: (random) => {
    const rows = times(500, () => {
      const easy = flip(random, 0.5);
      const inBoth = flip(random, share);
      const side = (specificity: number) => {
        const { human, judge } = judged(random, flip(random, easy ? 0.95 : 0.45), 0.9, specificity);
        return { judge, human: (together ? inBoth : flip(random, share)) ? human : null };
      };
      return { before: side(0.8), after: side(0.6) };
    });
    return correctedDifference(rows, { boolean: true });
  },
});

export const shuffled = <T>(random: Random, items: readonly T[]): T[] =>
  items
    .map((item) => ({ item, key: uniform(random) }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);

type Verdicts = { judge: number; human: number };

/** Equal numbers of labels of records that the judge passed and failed; if there are too few of one kind, all of them. */
export const drawEqually = <T extends Verdicts>(random: Random, records: readonly T[], labels: number) => {
  const [few, many] = [0, 1]
    .map((verdict) => records.filter(({ judge }) => judge === verdict))
    .sort((a, b) => a.length - b.length);
  const ofFew = Math.min(labels / 2, few!.length);
  const drawFrom = (stratum: readonly T[], count: number) =>
    shuffled(random, stratum).map((record, i) => ({
      ...record,
      isLabelled: i < count,
      inclusionProbability: count / stratum.length,
    }));
  return [...drawFrom(few!, ofFew), ...drawFrom(many!, labels - ofFew)];
};

const labelledEqually = (
  records: number,
  labels: number,
  truth: number,
  sensitivity: number,
  specificity: number,
): World => ({
  name: `true pass rate ${truth} from a judge (${sensitivity}, ${specificity}) on ${records} records, ${labels} labels, half of them of what it failed`,
  method: 'PPI++ by strata',
  truth,
  draw: (random) => {
    const all = times(records, () => judged(random, flip(random, truth), sensitivity, specificity));
    const drawn = drawEqually(random, all, labels);
    return predictionPowered(
      drawn.filter(({ isLabelled }) => isLabelled),
      drawn.filter(({ isLabelled }) => !isLabelled),
    );
  },
});

/** Traffic with a label for every error, and for a share of the rest. */
const errorsLabelled = (errors: number, share: number): World => ({
  name: `2,000 records of traffic; all errors (${100 * errors} %) and ${100 * share} % of the rest labelled`,
  method: 'PPI++ by strata',
  truth: errors * 0.4 + (1 - errors) * 0.9,
  draw: (random) => {
    const records = times(2_000, () => {
      const isError = flip(random, errors);
      const inclusionProbability = isError ? 1 : share;
      return { ...judged(random, flip(random, isError ? 0.4 : 0.9), 0.9, 0.8), inclusionProbability };
    });
    const labelled = records.map(({ inclusionProbability }) => flip(random, inclusionProbability));
    return predictionPowered(
      records.filter((_, i) => labelled[i]),
      records.filter((_, i) => !labelled[i]),
    );
  },
});

const pairsLabelledEqually = (testcases: number, labels: number): World => ({
  name: `no difference as people judge; a judge (0.9, 0.8) on one run and (0.9, 0.6) on the other, ${testcases} testcases, ${labels} labels in each, half of them of what it failed`,
  method: 'paired PPI++ by strata',
  truth: 0,
  draw: (random) => {
    const rows = times(testcases, (i) => {
      const easy = flip(random, 0.5);
      const side = (specificity: number) => ({
        i,
        ...judged(random, flip(random, easy ? 0.95 : 0.65), 0.9, specificity),
      });
      return { before: side(0.8), after: side(0.6) };
    });
    const sidesOf = (records: ({ i: number } & Verdicts)[]) =>
      drawEqually(random, records, labels)
        .sort((a, b) => a.i - b.i)
        .map(({ human, isLabelled, ...side }) => ({ ...side, human: isLabelled ? human : null }));
    const [before, after] = [sidesOf(rows.map((row) => row.before)), sidesOf(rows.map((row) => row.after))];
    return correctedDifference(
      before.map((side, i) => ({ before: side, after: after[i]! })),
      { boolean: true },
    );
  },
});

export const worlds: World[] = [
  rate(30, 0.9),
  rate(100, 0.5),
  rate(100, 0.97),
  rate(1_000, 0.8),
  {
    name: 'mean 3.6 of scores 1 to 5, n = 60',
    method: 'Wilson on the effective n',
    truth: meanStars,
    draw: (random) =>
      meanEstimate(
        times(60, () => stars(random)),
        0.95,
        oneToFive,
      ),
  },
  {
    name: 'pass rate 0.7 of 60 testcases tried 5 times each',
    method: 'Wilson on the effective n',
    truth: 0.7,
    draw: (random) => {
      const observations = times(60, (testcase) => {
        const own = 0.4 + 0.6 * uniform(random);
        return times(5, (): Observation => ({ testcase, score: flip(random, own) }));
      }).flat();
      return summarizeRun(observations, { boolean: true, bounds: unit });
    },
  },
  trials(50, 5, 0.98),
  trials(50, 3, 0.95),
  trials(20, 5, 0.9),
  trials(100, 3, 0.97),
  manyStars(10),
  manyStars(20),
  manyStars(60),
  floats(20),
  floats(100),
  clusters('40 documents × 10 questions', equalSizes(40, 10), 0.7, 0.3),
  clusters('20 documents × 10 questions', equalSizes(20, 10), 0.95, 0.3),
  clusters('1 document of 200 questions and 19 of 1 to 5', oneLarge(19), 0.7, 0.3),
  clusters('1 document of 200 questions and 99 of 1 to 5', oneLarge(99), 0.7, 0.1),
  clusters('20 documents of lognormal size', lognormalSizes(20), 0.7, 0.3),
  clusters('100 documents of lognormal size', lognormalSizes(100), 0.7, 0.3),
  clusters('100 documents of lognormal size', lognormalSizes(100), 0.9, 0.3),
  pairedClusters('40 documents × 10 questions', equalSizes(40, 10)),
  pairedClusters('1 document of 200 questions and 19 of 1 to 5', oneLarge(19)),
  pairedClusters('1 document of 200 questions and 99 of 1 to 5', oneLarge(99)),
  paired(50),
  paired(300),
  {
    name: 'paired difference of scores, n = 100',
    method: 'paired t',
    truth: 0.05,
    draw: (random) => {
      const before = times(100, () => uniform(random));
      const after = before.map((score) => score + 0.1 * uniform(random));
      return compareRuns(runOf(before), runOf(after), { boolean: false, bounds: unit });
    },
  },
  fewPairs(
    'differences as often above as below',
    (random) => 0.1 + 0.3 * (uniform(random) + uniform(random) - 1),
  ),
  fewPairs('exponential differences', (random) => -0.1 * Math.log(1 - uniform(random))),
  {
    name: 'pass rates that differ by 0.1, on different testcases, n = 80 and 60',
    method: 'Newcombe',
    truth: 0.1,
    draw: (random) =>
      compareRuns(
        times(80, (i): Observation => ({ testcase: `a${i}`, score: flip(random, 0.7) })),
        times(60, (i): Observation => ({ testcase: `b${i}`, score: flip(random, 0.8) })),
        { boolean: true },
      ),
  },
  {
    name: 'means of scores on different testcases, n = 40 and 60',
    method: 'Welch',
    truth: 0,
    draw: (random) =>
      compareRuns(
        times(40, (i): Observation => ({ testcase: `a${i}`, score: stars(random) })),
        times(60, (i): Observation => ({ testcase: `b${i}`, score: stars(random) })),
        { boolean: false, bounds: oneToFive },
      ),
  },
  corrected(60),
  corrected(200),
  powered('mean 0.5 of 1,000 records, 150 labelled at random', () => 0.15),
  powered('the same, hard records labelled four times as often', (judge) => (judge < 0.5 ? 0.3 : 0.075)),
  fewLabels(5, 0.95, 0.95, 0.6),
  fewLabels(10, 0.95, 0.95, 0.6),
  fewLabels(20, 0.95, 0.95, 0.6),
  fewLabels(30, 0.95, 0.95, 0.6),
  fewLabels(100, 0.95, 0.95, 0.6),
  fewLabels(30, 0.7, 0.9, 0.8),
  labelledEqually(300, 100, 0.9, 0.95, 0.7),
  labelledEqually(500, 100, 0.95, 0.97, 0.6),
  labelledEqually(300, 200, 0.7, 0.9, 0.8),
  labelledEqually(1_000, 100, 0.9, 0.95, 0.7),
  labelledEqually(1_000, 40, 0.9, 0.95, 0.8),
  errorsLabelled(0.3, 0.05),
  errorsLabelled(0.1, 0.05),
  pairsLabelledEqually(300, 100),
  pairsLabelledEqually(1_000, 100),
  correctedPairs('100 labelled in both', 0.2, true),
  correctedPairs('40 labelled in both', 0.08, true),
  correctedPairs('100 labelled in each', 0.2, false),
];

/** Rates of error of wrong methods in the same worlds. */
export const wrongReadings: World[] = [
  {
    name: 'pass rate 0.7 of 40 documents × 10 questions, counted as independent',
    method: 'Wilson',
    truth: 0.7,
    draw: (random) => {
      const { values } = documents(random, equalSizes(40, 10)(), 0.7, 0.3);
      return rateEstimate(
        values.reduce((a, b) => a + b, 0),
        values.length,
      );
    },
  },
  {
    name: 'true pass rate 0.5 from a judge (0.9, 0.8) on 500 records, uncorrected',
    method: 'Wilson',
    truth: 0.5,
    draw: (random) => {
      const passes = times(500, () => flip(random, 0.5)).filter((human) =>
        flip(random, human ? 0.9 : 0.2),
      ).length;
      return rateEstimate(passes, 500);
    },
  },
  {
    name: 'no difference as people judge; a judge (0.9, 0.8) on one run and (0.9, 0.6) on the other, 500 testcases, uncorrected',
    method: 'Tango',
    truth: 0,
    draw: (random) => {
      const run = (specificity: number) =>
        times(500, (testcase): Observation => {
          const { judge } = judged(random, flip(random, 0.7), 0.9, specificity);
          return { testcase, score: judge };
        });
      return compareRuns(run(0.8), run(0.6), { boolean: true });
    },
  },
];

/** Whether a steady judge that is right in 90 of 100 is said to have drifted: at level .95 in at most 1 of 20. */
export const falseDrift = (random: Random): boolean => {
  const decide = (human: boolean) => (flip(random, 0.9) ? human : !human);
  const records = times(200, (i) => {
    const human = flip(random, 0.6);
    return { id: `${i}`, human, before: decide(human), after: decide(human) };
  });
  return judgeDrift(records).verdict === 'drifted';
};

/** One rate of errors or of finds, in words: how often `happens` is true. */
export type Rate = { name: string; method: string; nominal: string; happens: (random: Random) => boolean };

/** Two runs of one system in which chance decides three of ten testcases; then `loss` of all become failures. */
const rerun = (random: Random, n: number, loss: number): [Observation[], Observation[]] => {
  const abilities = times(n, () => (flip(random, 0.3) ? 2 / 3 : Number(flip(random, 6 / 7))));
  const before = abilities.map((own, testcase): Observation => ({ testcase, score: flip(random, own) }));
  const after = abilities.map((own, testcase): Observation => {
    const passed = flip(random, own);
    return { testcase, score: passed && !flip(random, loss / 0.8) };
  });
  return [before, after];
};

const gate = (metrics: number): Rate => ({
  name: `a gate on ${metrics === 1 ? 'one metric' : `${metrics} metrics`}, 200 testcases, no difference`,
  method: 'Holm over mid-p',
  nominal: '"better" or "worse" in at most 5 %',
  happens: (random) => {
    const runs = times(metrics, (i) => {
      const [before, after] = averageTrials(...rerun(random, 200, 0)).columns;
      return [`${i}`, { before: before!, after: after!, boolean: true }] as const;
    });
    return Object.values(compareMetrics(Object.fromEntries(runs))).some(
      ({ verdict }) => verdict !== 'cannot tell',
    );
  },
});

const watched = (name: string, nominal: string, n: number, loss: number): Rate => ({
  name: `a look after each of ${n} testcases, ${name}`,
  method: 'mixture e-process',
  nominal,
  happens: (random) => {
    const [before, after] = rerun(random, n, loss);
    const differences = Float64Array.from(after, ({ score }, i) => Number(score) - Number(before[i]!.score));
    return sequentialTest(differences, 1).decidedAfter !== null;
  },
});

const peeked: Rate = {
  name: 'a look after every 20 of 500 testcases, no difference',
  method: 'McNemar mid-p, not meant for it',
  nominal: 'nothing: it is not made for this',
  happens: (random) => {
    const [before, after] = rerun(random, 500, 0);
    return times(25, (i) => 20 * (i + 1)).some((n) => {
      const { p } = compareRuns(before.slice(0, n), after.slice(0, n), { boolean: true });
      return p! <= 0.05;
    });
  },
};

/** Mean of the minimum detectable difference of 50 comparisons without a difference. */
const statedDifference = (random: Random, n: number, tests: number): number => {
  const stated = times(
    50,
    () => compareRuns(...rerun(random, n, 0), { boolean: true, tests }).minimumDetectable!,
  );
  return stated.reduce((a, b) => a + b, 0) / stated.length;
};

const power = (n: number, tests: number): Rate => {
  const loss = statedDifference(seededRandom(n), n, tests);
  return {
    name: `a loss as large as the minimum detectable difference, n = ${n}, ${tests === 1 ? 'one metric' : `${tests} metrics`}`,
    method: 'MDE of Connor',
    nominal: 'a verdict in 80 %',
    happens: (random) => {
      const { p } = compareRuns(...rerun(random, n, loss), { boolean: true });
      return p! <= 0.05 / tests;
    },
  };
};

export const rates: Rate[] = [
  gate(1),
  gate(5),
  gate(10),
  gate(20),
  watched('no difference', 'a verdict in at most 5 %', 500, 0),
  watched('ten points lost', 'a verdict; in how many, is not stated', 500, 0.1),
  peeked,
  power(50, 1),
  power(300, 1),
  power(300, 10),
  power(1_000, 1),
  {
    name: 'a steady judge on 200 pinned records',
    method: 'McNemar mid-p, twice at α/2',
    nominal: 'drift in at most 5 %',
    happens: falseDrift,
  },
];

/** Returns the share of draws in which it happens. */
export const rateOf = ({ happens }: Rate, nightly: number, random: Random): number => {
  const draws = repeats(nightly);
  return times(draws, () => happens(random)).filter(Boolean).length / draws;
};

/**
 * Returns the share of `draws` whose interval holds the truth, and the share that carries a caveat; a draw without an interval
 * holds nothing.
 */
export const coverageOf = ({ truth, draw }: World, nightly: number, random: Random) => {
  const draws = repeats(nightly);
  let [held, warned] = [0, 0];
  for (let i = 0; i < draws; i++) {
    const { interval, caveats } = draw(random);
    if (interval && interval.low <= truth + 1e-12 && truth - 1e-12 <= interval.high) held++;
    if (caveats.length > 0) warned++;
  }
  return { held: held / draws, warned: warned / draws };
};
