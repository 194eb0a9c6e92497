/** Comparison of two runs: the result of the engine and of the API. */
import { type Static, type TSchema, Type } from 'typebox';
import { ref } from '../../platform/named-schema.ts';
import { oneOf } from '../../platform/one-of.ts';
import {
  caveats,
  count,
  Interval,
  nullable,
  nullableInterval,
  nullableNumber,
  nullableText,
  number,
  text,
  warnings,
} from './estimate-schema.ts';

export const verdicts = ['better', 'worse', 'cannot tell'] as const;
export type Verdict = (typeof verdicts)[number];

const ofBoth = <T extends TSchema>(type: T, description: string) =>
  Type.Object({ before: type, after: type }, { description });

export const CorrectedDifference = Type.Object({
  method: text('Method of the correction.'),
  n: count('Testcases that the judge scored in both runs.'),
  level: number('Confidence level.'),
  labelled: Type.Object(
    {
      before: count('Labels in the first run.'),
      after: count('Labels in the second run.'),
      both: count('Testcases with a label in both runs.'),
    },
    { description: 'Number of labelled testcases.' },
  ),
  disagreements: ofBoth(count('Number of labels.'), 'Labels on which judge and people differ.'),
  uncorrected: nullableNumber('Difference according to the judge.'),
  difference: nullableNumber('Difference as people would judge it; null without labels.'),
  standardError: nullableNumber('Standard error of the difference.'),
  interval: nullableInterval("Interval of the difference, the judge's errors included."),
  simultaneousInterval: nullableInterval(
    'Interval at `simultaneousLevel` (Bonferroni). Those of all corrected differences of this answer hold together at `level`.',
  ),
  simultaneousLevel: number('Confidence level of `simultaneousInterval`: 1 − (1 − level)/tests.'),
  verdictInterval: nullableInterval(
    'Interval at `verdictLevel`, the level at which the verdict is decided: with a verdict it does not contain 0.',
  ),
  verdictLevel: number(
    "Confidence level of `verdictInterval`: 1 − (1 − level)·p/adjustedP, the step of Holm's method; `simultaneousLevel` with `test=planned` or a p of 0.",
  ),
  p: nullableNumber('Two-sided p. If only labels are used, it comes from inverting the interval.'),
  adjustedP: nullableNumber(
    'p adjusted by Holm over all corrected differences of this answer. The verdict rests on it.',
  ),
  tests: count("Number of corrected differences that Holm's adjustment covers."),
  lambda: nullable(
    ofBoth(
      number("Weight of the judge's verdicts, from 0 (unused) to 1 (fully used)."),
      'Weights in both runs.',
    ),
    "Weights of the judge's verdicts; null without labels.",
  ),
  numLabelsToHalve: nullableNumber(
    'Number of further testcases to label in both runs that halve the interval; null if labels for all of them do not.',
  ),
  moreLabels: nullableText('Effect of further labels, in words.'),
  sampled: Type.Boolean({
    description: 'Whether the service drew the labelled records of both runs at random.',
  }),
  reason: nullableText('Why there is no interval.'),
  verdict: oneOf(verdicts, 'Verdict on the second run by the corrected difference.'),
  sentence: text('The verdict in words.'),
  assumption: text('Assumption of the correction.'),
  caveats,
  warnings,
});

export type CorrectedDifference = Static<typeof CorrectedDifference>;

const McNemar = Type.Object({ exact: number('Exact p.'), midP: number('Mid-p.') });
export type McNemar = Static<typeof McNemar>;

const OddsRatio = Type.Object({
  estimate: nullableNumber('Odds of passing, second run to first run; null if infinite.'),
  low: number('Lower end of its interval.'),
  high: nullableNumber('Upper end of its interval; null if it has none.'),
  method: text('Method of the odds ratio.'),
});
export type OddsRatio = Static<typeof OddsRatio>;

const EffectSizes = Type.Object(
  {
    riskDifference: nullableNumber('Difference of the pass rates; null for scores.'),
    oddsRatio: nullable(OddsRatio, 'Odds ratio; null for scores, averaged trials and groups.'),
    cohensH: nullableNumber("Cohen's h of the pass rates: 0.2 is small, 0.5 medium, 0.8 large."),
    cohensHInterval: nullableInterval("Interval of Cohen's h: that of the difference on its scale."),
    cohensD: nullableNumber("Cohen's d of the mean scores, in standard deviations of a testcase."),
    cohensDInterval: nullableInterval("Interval of Cohen's d at `level`; null without spread."),
  },
  { description: 'Sizes of the difference that compare across metrics and studies.' },
);
export type EffectSizes = Static<typeof EffectSizes>;

const Watched = Type.Object({
  eValue: number('e-value: evidence against equal systems; 1 is no evidence.'),
  neededEvidence: number(
    'Evidence that decides the test among all tests of this answer: 1/(1 − simultaneousLevel).',
  ),
  numUntilDecided: nullableNumber(
    'Number of testcases, in their order, after which the evidence was reached; null if it was not.',
  ),
  numForFixedTest: nullableNumber(
    'Testcases that a single test at the end needs to detect the observed difference with `power`; null if the difference is 0.',
  ),
});
export type Watched = Static<typeof Watched>;

const PlannedLook = Type.Object({
  look: Type.Integer({
    description:
      'Place of this look in the plan, from 1; 0 before the first. Between two looks it is the earlier one.',
  }),
  numLooks: count('Number of looks of the plan.'),
  numSeen: count(
    'Testcases with scores in both runs, and with all trials in the later run. The look uses the first ones, in the order of the later run.',
  ),
  numPlanned: count('Testcases of the last look.'),
  next: nullable(
    Type.Integer(),
    'Testcases of the next look; null after the last, and if the rest of the run was cancelled.',
  ),
  fraction: number('Information fraction: share of the planned testcases that this look uses.'),
  boundary: nullableNumber(
    'Standardized difference that decides this look, among all tests of this answer; null before the first look.',
  ),
  nominal: nullableNumber('Two-sided p of a single test at this boundary; null before the first look.'),
  boundaryAlone: nullableNumber(
    'The boundary at `level` if this were the only test of the answer, for a reader who adjusts for several tests; null before the first look.',
  ),
  nominalAlone: nullableNumber('Two-sided p of a single test at `boundaryAlone`.'),
  conditionalPower: nullableNumber(
    'Chance that the last look decides, given what this look sees, if the true difference is one that a single test at the end detects with `power`; null before the first look and at the last.',
  ),
  futile: Type.Boolean({
    description:
      'Whether this chance is below 10 %. Advice that does not bind: the error rate holds whether you stop or go on.',
  }),
});

const MissingVerdicts = Type.Object({
  numMissing: count('Testcases of both runs that lack a score in at least one.'),
  numTestcases: count('Testcases of both runs.'),
  range: ref(Interval, 'Range of the difference over all values that the missing scores can have.'),
  tippingPoint: nullableNumber(
    'Number of these testcases that would have to go against the verdict to undo it; null without a verdict, or if even all of them cannot.',
  ),
  holds: nullable(
    Type.Boolean(),
    'Whether the verdict holds whatever the missing scores are; null without a verdict.',
  ),
  sentence: text('The same in words.'),
});
export type MissingVerdicts = Static<typeof MissingVerdicts>;

/** A difference with its interval, its test and its verdict. */
export const comparison = {
  method: text('Method of interval and test.'),
  n: count('Number of testcases compared; without pairs, those of both runs together.'),
  paired: Type.Boolean({
    description: 'Whether the runs share testcases; without any, all testcases are compared unpaired.',
  }),
  effectiveN: number(
    'Effective sample size: number of independent units of equal weight with the same information; below `n` if groups are of unequal size.',
  ),
  level: number('Confidence level.'),
  power: number('Power of the minimum detectable difference.'),
  seed: nullableNumber('Seed of the random signs; null if none were drawn.'),
  before: nullableNumber('Mean of the first run.'),
  after: nullableNumber('Mean of the second run.'),
  difference: nullableNumber('Second run minus first run.'),
  standardError: nullableNumber('Standard error of the difference.'),
  interval: nullableInterval('Interval of the difference; null with too little data.'),
  simultaneousInterval: nullableInterval(
    'Interval of the difference at `simultaneousLevel` (Bonferroni). Those of all tests of this answer hold together at `level`, as the verdicts do.',
  ),
  simultaneousLevel: number('Confidence level of `simultaneousInterval`: 1 − (1 − level)/tests.'),
  verdictInterval: nullableInterval(
    'Interval at `verdictLevel`, the level at which the verdict is decided: with a verdict it does not contain 0.',
  ),
  verdictLevel: number(
    "Confidence level of `verdictInterval`: 1 − (1 − level)·p/adjustedP, the step of Holm's method; `simultaneousLevel` with `test=planned` or a p of 0.",
  ),
  reason: nullableText('Why there is no interval.'),
  p: nullableNumber('Two-sided p of the test that belongs to the interval.'),
  adjustedP: nullableNumber(
    'p adjusted by Holm over all tests of this answer. The verdict rests on it. With `test=planned` also for the looks: p times α/nominal at its step of Holm.',
  ),
  mcnemar: nullable(McNemar, "McNemar's test, for booleans with one trial."),
  effectSizes: EffectSizes,
  watched: nullable(
    Watched,
    'Evidence of the sequential test; null for other tests, groups and unpaired runs.',
  ),
  look: Type.Optional({
    ...PlannedLook,
    description: 'Only with `test=planned`. This look at the runs.',
  }),
  missing: nullable(
    MissingVerdicts,
    'Possible effect of missing scores; null if none is missing, if the runs share no testcase, and before the last of planned looks.',
  ),
  numBaselineTestcases: count('Testcases of the first run, compared or not.'),
  wins: count('Number of testcases that are better in the second run.'),
  losses: count('Number of testcases that are worse.'),
  ties: count('Number of testcases that are the same.'),
  correlation: nullableNumber(
    'Correlation between the runs over testcases. The higher it is, the more pairing helps.',
  ),
  unpairedInterval: nullableInterval('Interval without pairing.'),
  minimumDetectable: nullableNumber(
    'Smallest true difference that such a comparison detects with this power.',
  ),
  verdict: oneOf(verdicts, 'Verdict on the second run; a difference needs both interval and test.'),
  sentence: text('The verdict in words.'),
  assumption: text('Assumption of the interval.'),
  caveats,
  warnings,
};
const Comparison = Type.Object(comparison);
export type AdjustedComparison = Static<typeof Comparison>;
