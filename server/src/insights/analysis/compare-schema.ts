import { type TSchema, Type } from 'typebox';
import {
  caveats,
  count,
  Interval,
  level,
  nullable,
  nullableInterval,
  nullableNumber,
  nullableText,
  number,
  text,
  texts,
  warnings,
} from '../../engine/statistics/estimate-schema.ts';
import { named, ref } from '../../platform/http/openapi.ts';
import { pageQuery } from '../../platform/http/pagination.ts';
import { changeOrders, changes } from './changes.ts';
import { JudgeStatus } from './judge-schema.ts';
import { by, metricConfig } from './schema.ts';
import { SplitChange } from './switch-schema.ts';

/** Most runs that are compared at once: 28 pairs. */
const maxRuns = 8;

const runs = (maxItems: number) =>
  Type.Array(Type.String(), {
    minItems: 2,
    maxItems,
    description: `Ids of ${maxItems > 2 ? `2 to ${maxItems}` : 'two'} runs, the baseline first. Repeat the parameter or separate ids with commas.`,
  });

export const measure = Type.Optional(
  Type.Union([Type.Literal('score'), Type.Literal('pass')], {
    default: 'score',
    description: 'What is compared for int and float metrics: `score`, or `pass` (whether the score passes).',
  }),
);

/** Seed of the random signs. */
export const seed = Type.Optional(
  Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1, default: 1, description: 'Seed of random draws.' }),
);
/** Power of the minimum detectable difference. */
export const power = Type.Optional(
  Type.Number({
    minimum: 0.5,
    maximum: 0.999,
    default: 0.8,
    description: 'Power of the minimum detectable difference.',
  }),
);

const test = Type.Optional(
  Type.Union([Type.Literal('fixed'), Type.Literal('sequential')], {
    default: 'fixed',
    description:
      'Test of paired runs. `fixed` holds for one look at finished runs. `sequential` may be looked at again and again while runs grow, and needs more testcases. Groups, and runs without common testcases, are always compared by `fixed`; then `watched` is null and a caveat (`notSequential`) says so.',
  }),
);

export const CompareQuery = Type.Object({
  runs: runs(maxRuns),
  level,
  power,
  seed,
  measure,
  test,
  by: by(
    'With `value`, compares one slice: the records with this tag (`tag`), or with this value of `metadata.<field>` (a field of the testcase) or `inputs.<field>`.',
  ),
  value: Type.Optional(Type.String({ description: 'Tag, or value of the field, of the slice.' })),
});

export const ChangesQuery = Type.Object({
  ...pageQuery,
  runs: runs(2),
  metricId: Type.String({ description: 'Metric whose scores are compared.' }),
  measure,
  change: Type.Optional(
    Type.Array(Type.Union(changes.map((change) => Type.Literal(change))), {
      description:
        'Changes to list; default those that are better or worse. Repeat the parameter or separate values with commas.',
    }),
  ),
  order: Type.Optional(
    Type.Union(
      changeOrders.map((order) => Type.Literal(order)),
      {
        default: 'testcase',
        description:
          'testcase: by id. worst: the largest losses first. best: the largest gains first. Testcases without a difference come last.',
      },
    ),
  ),
});

const dropped = (description: string) =>
  Type.Object(
    {
      count: count('Number of testcases.'),
      testcases: texts('The first 20; `listChangedTestcases` lists all.'),
    },
    { description },
  );

const ofBoth = (type: TSchema, description: string) =>
  Type.Object({ before: type, after: type }, { description });

const CorrectedDifference = Type.Object({
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
  p: nullableNumber('Two-sided p; where labels speak alone, by inverting the interval.'),
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
  labelsToHalve: nullableNumber(
    'Further testcases labelled in both runs that halve the interval; null if no number of them does.',
  ),
  moreLabels: nullableText('What further labels would do, in words.'),
  sampled: Type.Boolean({
    description: 'Whether the service drew the labelled records of both runs at random.',
  }),
  reason: nullableText('Why there is no interval.'),
  verdict: Type.Union(
    ['better', 'worse', 'cannot tell'].map((verdict) => Type.Literal(verdict)),
    { description: 'Verdict on the second run by the corrected difference.' },
  ),
  sentence: text('The verdict in words.'),
  assumption: text('Assumption of the correction.'),
  caveats,
  warnings,
});

const Comparison = Type.Object({
  metricId: metricConfig.metricId,
  metricName: metricConfig.metricName,
  evalType: metricConfig.evalType,
  outputType: metricConfig.outputType,
  passingThreshold: metricConfig.passingThreshold,
  metricConfigIds: Type.Object(
    { before: text('Configuration in the first run.'), after: text('Configuration in the second run.') },
    { description: 'Configurations that gave the scores.' },
  ),
  method: text('Method of interval and test.'),
  n: count('Number of testcases compared; without pairs, those of both runs together.'),
  paired: Type.Boolean({
    description: 'Whether the runs share testcases; without any, all testcases are compared unpaired.',
  }),
  effectiveN: number(
    'Number of independent units of equal weight that tell as much; below `n` where groups count.',
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
  reason: nullableText('Why there is no interval.'),
  p: nullableNumber('Two-sided p of the test that belongs to the interval.'),
  adjustedP: nullableNumber('p adjusted by Holm over all tests of this answer. The verdict rests on it.'),
  mcnemar: nullable(
    Type.Object({ exact: number('Exact p.'), midP: number('Mid-p.') }),
    "McNemar's test, for booleans with one trial.",
  ),
  effectSizes: Type.Object(
    {
      riskDifference: nullableNumber('Difference of the pass rates; null for scores.'),
      oddsRatio: nullable(
        Type.Object({
          estimate: nullableNumber('Odds of passing, second run to first run; null if infinite.'),
          low: number('Lower end of its interval.'),
          high: nullableNumber('Upper end of its interval; null if it has none.'),
          method: text('Method of the odds ratio.'),
        }),
        'Odds ratio; null for scores, averaged trials and groups.',
      ),
      cohensH: nullableNumber("Cohen's h of the pass rates: 0.2 is small, 0.5 medium, 0.8 large."),
      cohensD: nullableNumber("Cohen's d of the mean scores, in standard deviations of a testcase."),
    },
    { description: 'Sizes of the difference that compare across metrics and studies.' },
  ),
  watched: nullable(
    Type.Object({
      eValue: number('Evidence against equal systems; 1 is none.'),
      neededEvidence: number(
        'Evidence that decides the test among all tests of this answer: 1/(1 − simultaneousLevel).',
      ),
      decidedAfter: nullableNumber(
        'Number of testcases, in their order, after which the evidence was reached; null if it was not.',
      ),
      fixedTestNeeds: nullableNumber(
        'Testcases that one look at the end needs to detect the difference seen, with `power`; null if it is 0.',
      ),
    }),
    'Evidence of the sequential test; null for `test=fixed`, groups and unpaired runs.',
  ),
  missing: nullable(
    Type.Object({
      testcases: count('Testcases of both runs that lack a score in at least one.'),
      of: count('Testcases of both runs.'),
      range: Type.Unsafe({
        ...ref(Interval),
        description: 'Range of the difference over all values that the missing scores can have.',
      }),
      tippingPoint: nullableNumber(
        'Number of these testcases that would have to go against the verdict to undo it; null without a verdict, or if all cannot.',
      ),
      holds: nullable(
        Type.Boolean(),
        'Whether the verdict holds whatever the missing scores are; null without a verdict.',
      ),
      sentence: text('The same in words.'),
    }),
    'What missing scores can change; null if none is missing, or if the runs share no testcase.',
  ),
  judge: nullable(
    Type.Object({
      before: JudgeStatus,
      after: JudgeStatus,
      errorInInterval: Type.Boolean({
        description: "Whether `interval` includes the judge's errors. It does not; that of `corrected` does.",
      }),
    }),
    'What is known of the judges of both runs; null unless a model judges.',
  ),
  corrected: nullable(
    CorrectedDifference,
    "The difference as people would judge it; null unless a model judges, or if people's scores are of another kind.",
  ),
  split: nullable(
    ref(SplitChange),
    'The difference, split into the part of the system and that of the judge; null unless a trial leads from the judge of one run to that of the other, and pass rates are compared.',
  ),
  baselineTestcases: count('Testcases of the first run, compared or not.'),
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
  dropped: Type.Object(
    {
      onlyBefore: dropped('Testcases in the first run only.'),
      onlyAfter: dropped('Testcases in the second run only.'),
      revised: dropped('Testcases that changed between the runs.'),
      unscored: dropped('Testcases without a score in one of the runs.'),
    },
    {
      description: 'Testcases that were not compared, by reason.',
    },
  ),
  verdict: Type.Union(
    ['better', 'worse', 'cannot tell'].map((verdict) => Type.Literal(verdict)),
    { description: 'Verdict on the second run; a difference needs both interval and test.' },
  ),
  sentence: text('The verdict in words.'),
  assumption: text('Assumption of the interval.'),
  caveats,
  warnings,
});

export const RunComparison = named(
  'RunComparison',
  Type.Object(
    {
      runs: Type.Array(
        Type.Object({
          runId: text('Id of the run.'),
          numRecords: count('Number of records of the run; with `by`, of the slice.'),
          groupedBy: nullableText('Grouping field of the testset, if any. The test then compares groups.'),
        }),
        { description: 'The runs in the order of the request.' },
      ),
      level: number('Confidence level.'),
      power: number('Power of the minimum detectable differences.'),
      seed: number('Seed of random draws.'),
      measure: text('What is compared for int and float metrics.'),
      test: text('Test of paired runs: `fixed` or `sequential`.'),
      slice: nullable(
        Type.Object({ by: text('Criterion of the slice.'), value: text('Its tag, or value of the field.') }),
        'Slice that is compared; null for all records. Tests of other slices are not in the adjustment.',
      ),
      tests: count("Number of tests that Holm's adjustment covers."),
      pairs: Type.Array(
        Type.Object({
          before: text('Id of the baseline run.'),
          after: text('Id of the run compared with it.'),
          metrics: Type.Array(Comparison, { description: 'Results of the metrics that both runs have.' }),
          notCompared: Type.Array(
            Type.Object({
              metricId: text('Id of the metric.'),
              metricName: text('Name of the metric.'),
              reason: text('Reason.'),
            }),
            { description: 'Metrics that were not compared.' },
          ),
        }),
        { description: 'Each run paired with each later run of the list.' },
      ),
    },
    {
      description: 'Comparison of runs on the testcases that both have in the same revision.',
    },
  ),
);

const side = nullable(
  Type.Object({
    mean: nullableNumber('Mean over its trials; null without a score.'),
    trials: count('Number of scores.'),
    missing: count('Number of records without a score.'),
    revision: nullableNumber('Revision of the testcase.'),
    recordIds: texts('Ids of its records, at most 20.'),
  }),
  'Result in this run; null if the run does not have the testcase.',
);

export const ChangedTestcase = named(
  'ChangedTestcase',
  Type.Object(
    {
      id: text('Id of the testcase, or `record <id>` for a record without one.'),
      testcaseId: nullableText('Id of the testcase; null for a record without one.'),
      change: Type.Union(
        changes.map((change) => Type.Literal(change)),
        { description: 'How its score changed in the second run.' },
      ),
      before: side,
      after: side,
    },
    { description: 'A testcase in two runs.' },
  ),
);
