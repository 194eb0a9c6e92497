/** A number with its uncertainty: the result of the engine and of the API. */
import { type Static, type TSchema, Type } from 'typebox';
import { named, ref } from '../../platform/named-schema.ts';
import { oneOf } from '../../platform/one-of.ts';

export const nullable = <T extends TSchema>(type: T, description: string) =>
  Type.Union([type, Type.Null()], { description });
export const number = (description: string) => Type.Number({ description });
export const count = (description: string) => Type.Integer({ description });
export const text = (description: string) => Type.String({ description });
export const nullableNumber = (description: string) => nullable(Type.Number(), description);
export const nullableText = (description: string) => nullable(Type.String(), description);
export const texts = (description: string) => Type.Array(Type.String(), { description });

/** Confidence level, a parameter of every endpoint that returns an interval. */
export const level = Type.Optional(
  Type.Number({
    minimum: 0.5,
    // The later looks of a ledger, among many rules.
    maximum: 0.999999999,
    default: 0.95,
    description: 'Confidence level of every interval.',
  }),
);

export const Interval = named(
  'Interval',
  Type.Object(
    { low: number('Lower end.'), high: number('Upper end.') },
    { description: 'A confidence interval.' },
  ),
);
export type Interval = Static<typeof Interval.schema>;
export const nullableInterval = (description: string) => nullable(ref(Interval), description);

/** A caveat that readers of a number need. */
const caveatCodes = [
  'fewTestcases',
  'fewGroups',
  'spanMeans',
  'spanLabels',
  'fewLabels',
  'fewRecords',
  'nearBound',
  'noSpread',
  'noEvent',
  'skewed',
  'unpaired',
  'missingScores',
  'missingVerdicts',
  'invalidScores',
  'belowFloor',
  'dependentRecords',
  'metricChanged',
  'judgeError',
  'judgeNoBetterThanChance',
  'judgeNotCalibrated',
  'judgeErrsDifferently',
  'peopleErr',
  'sampleIncomplete',
  'notSampled',
  'labelsOfModels',
  'abstained',
  'reviewsLeftOut',
  'reviewsSeen',
  'partialCoverage',
  'notSequential',
  'orderNotDrawn',
  'mixedScorers',
  'repeatedInputs',
  'nearDuplicates',
  'unequalWeights',
  'withoutWeight',
  'notCorrected',
] as const;
const Caveat = Type.Object({
  code: oneOf(caveatCodes, 'Kind of warning, for programs.'),
  sentence: text('The warning, for readers.'),
});
export type Caveat = Static<typeof Caveat>;
export const caveats = Type.Array(Caveat, { description: 'Warnings with their codes.' });
export const warnings = texts('Warnings for the reader: the sentences of `caveats`.');

/** A number with its uncertainty. */
export const estimate = {
  method: text('Method of the interval.'),
  n: count('Number of independent units: testcases, or groups of testcases.'),
  effectiveN: number(
    'Effective sample size: number of independent units of equal weight with the same information; below `n` if groups are of unequal size or testcases have unequal weights.',
  ),
  level: number('Confidence level.'),
  estimate: nullableNumber('The estimate; null without data.'),
  standardError: nullableNumber('Standard error of the estimate.'),
  interval: nullableInterval('The interval; null with too little data.'),
  reason: nullableText('Why there is no interval.'),
  assumption: text('Assumption of the interval.'),
  caveats,
  warnings,
};
export const Estimate = named(
  'Estimate',
  Type.Object(estimate, {
    description: 'A number with its uncertainty, or with the reason why it has none.',
  }),
);

export type Estimate = Static<typeof Estimate.schema>;

export const states = Type.Object(
  {
    scored: count('Valid scores.'),
    pending: count('Pending scores.'),
    unscored: count('Scores that could not be given or do not fit the metric.'),
    failed: count('Scores whose judge failed.'),
  },
  {
    description: 'Number of records by the state of their score. A failed judge does not count as a no.',
  },
);
