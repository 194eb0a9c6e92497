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
    description: `Ids of the runs, repeated or joined with commas${maxItems > 2 ? `, 2 to ${maxItems}` : ''}: the baseline first.`,
  });

export const measure = Type.Optional(
  Type.Union([Type.Literal('score'), Type.Literal('pass')], {
    default: 'score',
    description: 'What is compared of int and float metrics: the score itself, or whether it passes.',
  }),
);

/** Seed of the random signs. */
export const seed = Type.Optional(
  Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1, default: 1, description: 'Seed of whatever is drawn.' }),
);
/** Power of the minimum detectable difference. */
export const power = Type.Optional(
  Type.Number({
    minimum: 0.5,
    maximum: 0.999,
    default: 0.8,
    description: 'Power at which the minimum detectable difference is seen.',
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
        'Which testcases are listed, repeated or joined with commas; by default those that are better or worse.',
    }),
  ),
});

const dropped = (description: string) =>
  Type.Object(
    {
      count: count('How many there are.'),
      testcases: texts('The first 20 of them; `listChangedTestcases` has them all.'),
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
    { before: text('In the first run.'), after: text('In the second.') },
    { description: 'Configurations that gave the scores.' },
  ),
  method: text('Method of interval and test.'),
  n: count('Testcases compared; when nothing pairs, those of both runs together.'),
  level: number('Confidence level.'),
  power: number('Power of the minimum detectable difference.'),
  seed: nullableNumber('Seed of the signs; null where none were drawn.'),
  before: nullableNumber('Mean of the first run.'),
  after: nullableNumber('Mean of the second run.'),
  difference: nullableNumber('Second minus first.'),
  standardError: nullableNumber('Standard error of the difference.'),
  interval: nullableInterval('Of the difference; null when the data is too little.'),
  reason: nullableText('Why there is no interval.'),
  p: nullableNumber('Two-sided p of the test that belongs to the interval.'),
  adjustedP: nullableNumber('The same after Holm, over all tests of this answer; the verdict rests on it.'),
  mcnemar: nullable(
    Type.Object({ exact: number('Exact p.'), midP: number('Mid-p.') }),
    'For booleans tried once.',
  ),
  wins: count('Testcases that are better in the second run.'),
  losses: count('Testcases that are worse.'),
  ties: count('Testcases that are the same.'),
  correlation: nullableNumber('Between both runs over testcases: what pairing gained.'),
  unpairedInterval: nullableInterval('What would have been said without pairing.'),
  minimumDetectable: nullableNumber('Smallest true difference that such a comparison sees with this power.'),
  dropped: Type.Object(
    {
      onlyBefore: dropped('In the first run only.'),
      onlyAfter: dropped('In the second run only.'),
      revised: dropped('Changed between the runs.'),
      unscored: dropped('Without any score in one of the runs.'),
    },
    {
      description: 'Testcases that were not compared: in one run only, changed in between, without a score.',
    },
  ),
  verdict: Type.Union(
    ['better', 'worse', 'cannot tell'].map((verdict) => Type.Literal(verdict)),
    { description: 'Of the second run, where interval and test agree.' },
  ),
  sentence: text('The verdict in words.'),
  assumption: text('What the interval takes for granted.'),
  warnings: texts('What to bear in mind.'),
});

export const RunComparison = named(
  'RunComparison',
  Type.Object(
    {
      runs: Type.Array(
        Type.Object({
          runId: text('Id of the run.'),
          numRecords: count('Records of the run.'),
          groupedBy: nullableText('Grouping field of its testset: the test then rests on groups.'),
        }),
        { description: 'The runs in the order asked for.' },
      ),
      level: number('Confidence level.'),
      power: number('Power of the minimum detectable differences.'),
      seed: number('Seed of whatever is drawn.'),
      measure: text('What is compared of int and float metrics.'),
      tests: count('How many tests Holm’s adjustment is over.'),
      pairs: Type.Array(
        Type.Object({
          before: text('Id of the run that is the baseline.'),
          after: text('Id of the run that is held against it.'),
          metrics: Type.Array(Comparison, { description: 'Metrics that both runs have.' }),
          notCompared: Type.Array(
            Type.Object({
              metricId: text('Id of the metric.'),
              metricName: text('Name of the metric.'),
              reason: text('Why.'),
            }),
            { description: 'Metrics that were not compared.' },
          ),
        }),
        { description: 'Each run with each that comes after it.' },
      ),
    },
    {
      description: 'Whether runs are really different, on the testcases that both have at the same revision.',
    },
  ),
);

const side = nullable(
  Type.Object({
    mean: nullableNumber('Mean over its trials; null without a score.'),
    trials: count('Scores.'),
    missing: count('Records without a score.'),
    revision: nullableNumber('Revision of the testcase.'),
    recordIds: texts('Its records, at most 20.'),
  }),
  'In this run; null where the run does not have it.',
);

export const ChangedTestcase = named(
  'ChangedTestcase',
  Type.Object(
    {
      id: text('The testcase, or `record <id>` for a record without one.'),
      testcaseId: nullableText('Id of the testcase; null for a record without one.'),
      change: Type.Union(
        changes.map((change) => Type.Literal(change)),
        { description: 'What became of it in the second run.' },
      ),
      before: side,
      after: side,
    },
    { description: 'A testcase in two runs.' },
  ),
);
