import { type Static, Type } from 'typebox';
import {
  count,
  Estimate,
  level,
  nullable,
  nullableNumber,
  nullableText,
  number,
  states,
  text,
} from '../../evaluation/scores/estimate-schema.ts';
import { named, ref } from '../../platform/http/openapi.ts';
import { measure, power } from './compare-schema.ts';
import { metricConfig } from './schema.ts';

export const TrendsQuery = Type.Object({
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Most runs, the newest.' }),
  ),
  metricId: Type.Optional(Type.String({ description: 'Only this metric, and only runs started with it.' })),
  level,
});

const { metricId, metricName, outputType, metricConfigId } = metricConfig;

const TrendPoint = Type.Object({
  runId: text('Id of the run.'),
  createdAt: text('When it was started.'),
  testsetId: nullableText('Its testset: runs of different testsets are not one trend.'),
  systemVersionId: nullableText('Version of the system under test.'),
  metricConfigId,
  groupedBy: nullableText('Grouping field of the testset: intervals rest on groups.'),
  states,
  passRate: Type.Unsafe({ ...ref(Estimate), description: 'Share of testcases that pass.' }),
  mean: nullable(ref(Estimate), 'Mean score; null for a boolean.'),
});
export type TrendPoint = Static<typeof TrendPoint>;

export const Trends = named(
  'Trends',
  Type.Object(
    {
      level: number('Confidence level.'),
      numRuns: count('Runs looked at.'),
      metrics: Type.Array(
        Type.Object({
          metricId,
          metricName,
          outputType,
          points: Type.Array(TrendPoint, { description: 'One a run and configuration, oldest first.' }),
        }),
        { description: 'Each metric that these runs have scores of.' },
      ),
    },
    {
      description:
        'Each metric over the last runs. Overlapping intervals are no comparison: compare the runs.',
    },
  ),
);

export const PlanQuery = Type.Object({
  metricId: Type.String({ description: 'Metric that is to tell the systems apart.' }),
  difference: Type.Optional(
    Type.Number({
      minimum: 0.0001,
      maximum: 4,
      description: 'Difference that is to be seen, in the unit of the score; a rate’s 3 points are 0.03.',
    }),
  ),
  n: Type.Optional(
    Type.Integer({
      minimum: 2,
      maximum: 10_000_000,
      description:
        'Testcases of the coming run; by default those of the testset, or as many as the earlier run had.',
    }),
  ),
  testsetId: Type.Optional(Type.String({ description: 'Testset of the coming run.' })),
  trials: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1000, default: 1, description: 'Tries of each testcase.' }),
  ),
  measure,
  level,
  power,
});

export const Plan = named(
  'Plan',
  Type.Object(
    {
      metricId,
      measure: text('What is looked at of int and float metrics.'),
      difference: nullableNumber('Difference that is to be seen.'),
      method: text('Formula.'),
      n: count('Testcases of the coming run.'),
      level: number('Confidence level.'),
      power: number('Power.'),
      trials: count('Tries of each testcase.'),
      minimumDetectable: nullableNumber(
        'Smallest difference that n testcases see; null when nothing is known.',
      ),
      needed: nullableNumber('Testcases needed to see `difference`; null without one.'),
      assumption: text('What this takes for granted.'),
      reason: nullableText('Why there is no answer.'),
      basis: nullable(
        Type.Object({
          runId: text('Id of the run.'),
          method: text('How its variances were estimated.'),
          n: count('Its testcases.'),
          between: nullableNumber('Variance of testcases’ scores.'),
          within: nullableNumber('Variance of a testcase’s score when tried again; null when none was.'),
          reason: nullableText('Why one of them is not known.'),
        }),
        'The earlier run that this rests on.',
      ),
      correlation: Type.Object(
        {
          value: number('Correlation.'),
          source: text('The two runs that it was measured on, or that it is assumed.'),
          n: count('Testcases that these runs share.'),
        },
        { description: 'Of both systems’ scores over testcases.' },
      ),
    },
    { description: 'How many testcases a comparison needs, or how small a difference it can see.' },
  ),
);
