/** Simulated worlds of labels with a known truth: judges whose errors are estimated from labels that were drawn in several ways. */

import { calibrate } from '../src/engine/statistics/calibration.ts';
import { roganGladen } from '../src/engine/statistics/correction.ts';
import { judgeDrift, type PinnedRecord } from '../src/engine/statistics/drift.ts';
import type { Estimate } from '../src/engine/statistics/estimate-schema.ts';
import { compareErrors } from '../src/engine/statistics/judge-errors.ts';
import { errorsOf, judgeStatus } from '../src/engine/statistics/judge-status.ts';
import type { LabelledRecord } from '../src/engine/statistics/label-strata.ts';
import { measureCorrection } from '../src/engine/statistics/paired-correction.ts';
import { predictionPowered } from '../src/engine/statistics/prediction-powered.ts';
import { type Random, uniform } from '../src/engine/statistics/random.ts';
import {
  correctDifferenceForReviewers,
  correctForReviewers,
  estimateReviewerError,
  type ReviewedLabel,
} from '../src/engine/statistics/reviewer-errors.ts';
import { drawEqually, flip, judged, type Rate, times, type World } from './coverage.ts';

type Judge = { records: number; truth: number; sensitivity: number; specificity: number };

const wordsOf = ({ records, truth, sensitivity, specificity }: Judge): string =>
  `a judge (${sensitivity}, ${specificity}) on ${records} records, pass rate ${truth}`;

type Design = 'halfOfFailed' | 'proportional' | 'random';

const wordsOfDesign = (labels: number, design: Design): string =>
  ({
    halfOfFailed: `${labels} labels, half of them of what it failed`,
    proportional: `${labels} labels, by its verdict in proportion`,
    random: `${labels} labels at random`,
  })[design];

/** Records of one judge, with labels of some. */
const label = (
  random: Random,
  { records, truth, sensitivity, specificity }: Judge,
  labels: number,
  design: Design,
) => {
  const all = times(records, (i) => ({
    i,
    ...judged(random, flip(random, truth), sensitivity, specificity),
  }));
  const passes = all.filter(({ judge }) => judge === 1).length;
  const sizes = [records - passes, passes];
  const ofFailed = Math.round((labels * sizes[0]!) / records);
  const drawn =
    design === 'halfOfFailed'
      ? drawEqually(random, all, labels).filter(({ isLabelled }) => isLabelled)
      : design === 'random'
        ? all.slice(0, labels)
        : [
            ...all.filter(({ judge }) => judge === 0).slice(0, ofFailed),
            ...all.filter(({ judge }) => judge === 1).slice(0, labels - ofFailed),
          ];
  const labelled = drawn.map(
    ({ i, judge, human }): LabelledRecord => ({
      id: `${i}`,
      judge: judge === 1,
      human: human === 1,
      drawnFrom: design === 'random' ? null : { sample: '1', stratum: `${judge}`, records: sizes[judge]! },
    }),
  );
  return { labelled, passes };
};

const kappaOf = ({ truth, sensitivity, specificity }: Judge): number => {
  const observed = truth * sensitivity + (1 - truth) * specificity;
  const passed = truth * sensitivity + (1 - truth) * (1 - specificity);
  const expected = passed * truth + (1 - passed) * (1 - truth);
  return (observed - expected) / (1 - expected);
};

type Calibrated = 'sensitivity' | 'specificity' | 'agreement' | 'baseRate' | 'kappa';

const wordsOfRate: Record<Calibrated, string> = {
  sensitivity: 'sensitivity',
  specificity: 'specificity',
  agreement: 'agreement',
  baseRate: 'base rate',
  kappa: 'κ',
};

const truthOf = (judge: Judge): Record<Calibrated, number> => ({
  sensitivity: judge.sensitivity,
  specificity: judge.specificity,
  agreement: judge.truth * judge.sensitivity + (1 - judge.truth) * judge.specificity,
  baseRate: judge.truth,
  kappa: kappaOf(judge),
});

const calibrated = (judge: Judge, labels: number, design: Design, what: Calibrated): World => ({
  name: `${wordsOfRate[what]} of ${wordsOf(judge)}, ${wordsOfDesign(labels, design)}`,
  method: what === 'kappa' ? 'κ' : design === 'random' ? 'Wilson' : 'Wilson by strata',
  truth: truthOf(judge)[what],
  draw: (random): Estimate => calibrate(label(random, judge, labels, design).labelled)[what],
});

const corrected = (judge: Judge, labels: number, design: Design): World => ({
  name: `true pass rate of ${wordsOf(judge)}, ${wordsOfDesign(labels, design)}`,
  method: 'Rogan–Gladen by strata',
  truth: judge.truth,
  draw: (random) => {
    const { labelled, passes } = label(random, judge, labels, design);
    return roganGladen({ passes, n: judge.records }, errorsOf(labelled, 0.95));
  },
});

/**
 * Labels of questions that were asked several times, in several runs or by several testcases: seven of ten verdicts of people and of the judge
 * are those of the question.
 */
const repeated = (questions: number, asked: number, what: Calibrated): World => {
  const judge = { records: questions * asked, truth: 0.7, sensitivity: 0.9, specificity: 0.8 };
  return {
    name: `${wordsOfRate[what]} of a judge (0.9, 0.8), pass rate 0.7, ${questions} questions that were labelled ${asked} times each`,
    method: what === 'kappa' ? 'κ by units' : 'Wilson by units',
    truth: truthOf(judge)[what],
    draw: (random): Estimate => {
      const labelled = times(questions, (question) => {
        const usual = flip(random, judge.truth);
        const [ofPasses, ofFails] = [flip(random, judge.sensitivity), !flip(random, judge.specificity)];
        return times(asked, (i): LabelledRecord => {
          const human = flip(random, 0.7) ? usual : flip(random, judge.truth);
          const repeats = flip(random, 0.7);
          const fresh = flip(random, human ? judge.sensitivity : 1 - judge.specificity);
          return {
            id: `${question}-${i}`,
            unit: `${question}`,
            human,
            judge: repeats ? (human ? ofPasses : ofFails) : fresh,
          };
        });
      }).flat();
      return calibrate(labelled)[what];
    },
  };
};

/** People who err: each of `reviewers` blindly scores the same labelled records, a share of all. */
const reviewed = (
  { truth }: Pick<Judge, 'truth'>,
  { error, reviewers, shared }: { error: number; reviewers: number; shared: number },
  isCorrected: boolean,
): World => ({
  name: `true pass rate ${truth} from a judge (0.95, 0.8) on 1,000 records, 200 labelled; people err in ${100 * error} %, ${reviewers} review ${shared} of them`,
  method: isCorrected ? 'PPI++ and reviewers who err' : 'PPI++, people taken to be right',
  truth,
  draw: (random) => {
    const records = times(1_000, (i) => {
      const isGood = flip(random, truth);
      const { judge } = judged(random, isGood, 0.95, 0.8);
      const passes = times(i < shared ? reviewers : 1, () => flip(random, error) !== isGood).filter(
        Boolean,
      ).length;
      const reviews = i < shared ? reviewers : 1;
      return {
        judge,
        human: Number(passes > reviews / 2 || passes === reviews),
        reviews,
        passes,
        isMajority: true,
      };
    });
    const labels = records.slice(0, 200);
    const found = predictionPowered(labels, records.slice(200));
    const people = estimateReviewerError(labels, 0.95);
    if (!isCorrected || !people || !found.interval) return found;
    const { estimate, standardError, interval } = found;
    const rate = { estimate: estimate!, standardError: standardError!, interval };
    return { interval: correctForReviewers(rate, labels, people).interval, caveats: [] };
  },
});

const reviewedWorlds = (isCorrected: boolean): World[] =>
  [0.9, 0.7].flatMap((truth) =>
    [0.02, 0.05, 0.1].flatMap((error) => [
      reviewed({ truth }, { error, reviewers: 2, shared: 60 }, isCorrected),
      reviewed({ truth }, { error, reviewers: 3, shared: 200 }, isCorrected),
    ]),
  );

/** Labels of people who err, of the same testcases of two runs; two people review `shared` of each run, and the later review counts. */
const comparedBy = (
  { before, after, error }: { before: number; after: number; error: number },
  isCorrected: boolean,
): World => ({
  name: `pass rates ${before} and ${after} from a judge (0.95, 0.8) on 500 testcases, 150 labelled in both; people err in ${100 * error} %, two review 60 of each`,
  method: isCorrected ? 'paired PPI++ and reviewers who err' : 'paired PPI++, people taken to be right',
  truth: after - before,
  draw: (random) => {
    const reviewed: [ReviewedLabel[], ReviewedLabel[]] = [[], []];
    const pairs = times(500, (i) => {
      const hardness = uniform(random);
      const [one, two] = [before, after].map((rate, run) => {
        // Half of a testcase's outcome is its hardness, which both runs share.
        const isGood = flip(random, 0.5) ? hardness < rate : flip(random, rate);
        const { judge } = judged(random, isGood, 0.95, 0.8);
        if (i >= 150) return { judge, human: null };
        const reviews = times(i < 60 ? 2 : 1, () => Number(flip(random, error) !== isGood));
        const passes = reviews.reduce((a, b) => a + b, 0);
        reviewed[run]!.push({ reviews: reviews.length, passes, isMajority: false });
        return { judge, human: reviews.at(-1)! };
      });
      return { before: one!, after: two! };
    });
    const found = measureCorrection(pairs, { boolean: true });
    const people = estimateReviewerError(reviewed.flat(), 0.95);
    if (!isCorrected || !people) return { interval: found.interval, caveats: found.caveats };
    const { intervalAt } = correctDifferenceForReviewers(
      found.difference!,
      found.intervalAt,
      reviewed,
      people,
    )!;
    return { interval: intervalAt(0.95), caveats: found.caveats };
  },
});

const comparedWorlds = (isCorrected: boolean): World[] =>
  [0.05, 0.1].flatMap((error) => [
    comparedBy({ before: 0.9, after: 0.9, error }, isCorrected),
    comparedBy({ before: 0.9, after: 0.75, error }, isCorrected),
    comparedBy({ before: 0.8, after: 0.5, error }, isCorrected),
  ]);

/** Rates by labels of people who err, on the assumption that people are right. */
export const wrongLabels: World[] = [...reviewedWorlds(false), ...comparedWorlds(false)];

const strict: Judge = { records: 1_000, truth: 0.9, sensitivity: 0.95, specificity: 0.7 };
const small: Judge = { ...strict, records: 300 };
const hard: Judge = { records: 1_000, truth: 0.8, sensitivity: 0.9, specificity: 0.8 };
const good: Judge = { records: 1_000, truth: 0.9, sensitivity: 0.95, specificity: 0.8 };

const rates: readonly Calibrated[] = ['sensitivity', 'specificity', 'agreement', 'baseRate', 'kappa'];

const repeatedWorlds: World[] = rates.flatMap((what) => [
  repeated(100, 3, what),
  repeated(60, 5, what),
  repeated(40, 10, what),
]);

export const labelWorlds: World[] = [
  ...repeatedWorlds,
  ...comparedWorlds(true),
  ...reviewedWorlds(true),
  ...([strict, small] as const).flatMap((judge) => [
    ...rates.map((what) => calibrated(judge, 100, 'halfOfFailed', what)),
    corrected(judge, 100, 'halfOfFailed'),
  ]),
  ...rates.map((what) => calibrated(hard, 200, 'halfOfFailed', what)),
  corrected(hard, 200, 'halfOfFailed'),
  ...(['sensitivity', 'specificity'] as const).map((what) => calibrated(good, 40, 'halfOfFailed', what)),
  ...(['sensitivity', 'specificity', 'kappa'] as const).map((what) =>
    calibrated(strict, 100, 'proportional', what),
  ),
  corrected(strict, 100, 'proportional'),
  calibrated(good, 60, 'random', 'kappa'),
  calibrated(strict, 100, 'random', 'kappa'),
  calibrated(hard, 100, 'random', 'kappa'),
  calibrated({ records: 1_000, truth: 0.5, sensitivity: 0.9, specificity: 0.9 }, 60, 'random', 'kappa'),
];

/** Whether labels let a judge gate. */
const mayGate = (judge: Judge, labels: number, design: Design, nominal: string): Rate => ({
  name: `${wordsOf(judge)}: it is calibrated after ${wordsOfDesign(labels, design)}`,
  method: "Youden's index",
  nominal,
  happens: (random) =>
    judgeStatus(label(random, judge, labels, design).labelled, 0, 0.95).state === 'calibrated',
});

const coins: Judge[] = [
  { ...good, sensitivity: 0.5, specificity: 0.5 },
  { ...good, sensitivity: 0.7, specificity: 0.3 },
  { ...good, truth: 0.6, sensitivity: 0.5, specificity: 0.5 },
  { ...good, sensitivity: 0.9, specificity: 0.1 },
];

/** Whether a judge is said to have different error rates on two runs. */
const errsDifferently = (
  first: Judge,
  second: Judge,
  labels: number,
  design: Design,
  nominal: string,
): Rate => ({
  name: `${wordsOf(first)}, and (${second.sensitivity}, ${second.specificity}) on another run of pass rate ${second.truth}: ${wordsOfDesign(labels, design)} in each`,
  method: 'errors of a judge on two runs',
  nominal,
  happens: (random) => {
    const [before, after] = [first, second].map((judge) => label(random, judge, labels, design).labelled);
    return compareErrors(before!, after!)?.verdict === 'differs';
  },
});

/**
 * Whether a steady judge, which decides 5 % of records otherwise each time, is said to have drifted on labels that people gave where it was
 * wrong: from the verdicts that they put right, or from those of a first trial.
 */
const driftOfOverrides = (fromFirst: boolean, nominal: string): Rate => ({
  name: `a steady judge on 100 verdicts that people put right, against ${fromFirst ? 'a first trial' : 'these verdicts'}`,
  method: 'McNemar mid-p, twice at α/2',
  nominal,
  happens: (random) => {
    const records: PinnedRecord[] = [];
    while (records.length < 100) {
      const human = flip(random, 0.7);
      const usual = flip(random, human ? 0.9 : 0.2);
      const decide = () => (flip(random, 0.05) ? !usual : usual);
      const [pinned, first, now] = [decide(), decide(), decide()];
      if (pinned !== human)
        records.push({ id: `${records.length}`, human, before: fromFirst ? first : pinned, after: now });
    }
    return judgeDrift(records).verdict === 'drifted';
  },
});

export const labelRates: Rate[] = [
  mayGate(good, 40, 'random', 'in as many as labels allow'),
  mayGate(good, 40, 'halfOfFailed', 'in nearly all'),
  errsDifferently(good, good, 100, 'random', 'in at most 5 %'),
  errsDifferently(good, good, 100, 'halfOfFailed', 'in at most 5 %'),
  errsDifferently(hard, { ...hard, truth: 0.6 }, 40, 'halfOfFailed', 'in at most 5 %'),
  errsDifferently(hard, { ...hard, truth: 0.6 }, 200, 'random', 'in at most 5 %'),
  errsDifferently(
    { ...hard, truth: 0.65, specificity: 0.85 },
    { ...hard, truth: 0.65, specificity: 0.55 },
    100,
    'random',
    'in as many as labels allow',
  ),
  driftOfOverrides(false, 'nothing: the reference is one that the judge would not repeat'),
  driftOfOverrides(true, 'drift in at most 5 %'),
  ...coins.map((coin) => mayGate(coin, 40, 'halfOfFailed', 'in at most 5 %')),
];
