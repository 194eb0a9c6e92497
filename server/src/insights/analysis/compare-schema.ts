import { Type } from 'typebox';
import {
  count,
  level,
  nullable,
  nullableInterval,
  nullableNumber,
  nullableText,
  number,
  text,
  texts,
} from '../../evaluation/scores/estimate-schema.ts';
import { named } from '../../platform/http/openapi.ts';
import { pageQuery } from '../../platform/http/pagination.ts';
import { changes } from './changes.ts';
import { metricConfig } from './schema.ts';

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

export const CompareQuery = Type.Object({ runs: runs(maxRuns), level, power, seed, measure });

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
});

const dropped = (description: string) =>
  Type.Object(
    {
      count: count('Number of testcases.'),
      testcases: texts('The first 20; `listChangedTestcases` lists all.'),
    },
    { description },
  );

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
  level: number('Confidence level.'),
  power: number('Power of the minimum detectable difference.'),
  seed: nullableNumber('Seed of the random signs; null if none were drawn.'),
  before: nullableNumber('Mean of the first run.'),
  after: nullableNumber('Mean of the second run.'),
  difference: nullableNumber('Second run minus first run.'),
  standardError: nullableNumber('Standard error of the difference.'),
  interval: nullableInterval('Interval of the difference; null with too little data.'),
  reason: nullableText('Why there is no interval.'),
  p: nullableNumber('Two-sided p of the test that belongs to the interval.'),
  adjustedP: nullableNumber('p adjusted by Holm over all tests of this answer. The verdict rests on it.'),
  mcnemar: nullable(
    Type.Object({ exact: number('Exact p.'), midP: number('Mid-p.') }),
    "McNemar's test, for booleans with one trial.",
  ),
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
  warnings: texts('Warnings for the reader.'),
});

export const RunComparison = named(
  'RunComparison',
  Type.Object(
    {
      runs: Type.Array(
        Type.Object({
          runId: text('Id of the run.'),
          numRecords: count('Number of records of the run.'),
          groupedBy: nullableText('Grouping field of the testset, if any. The test then compares groups.'),
        }),
        { description: 'The runs in the order of the request.' },
      ),
      level: number('Confidence level.'),
      power: number('Power of the minimum detectable differences.'),
      seed: number('Seed of random draws.'),
      measure: text('What is compared for int and float metrics.'),
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
