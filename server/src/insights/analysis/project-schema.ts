import { type Static, Type } from 'typebox';
import {
  count,
  Estimate,
  level,
  nullable,
  nullableInterval,
  nullableNumber,
  nullableText,
  number,
  states,
  text,
  texts,
} from '../../engine/statistics/estimate-schema.ts';
import { forecast, runVariances } from '../../engine/statistics/plan-schema.ts';
import { SplitChange } from '../../engine/statistics/switch-schema.ts';
import { wantedTestcases } from '../../evaluation/runs/schema.ts';
import { named, ref } from '../../platform/named-schema.ts';
import { oneOf } from '../../platform/one-of.ts';
import { measure, power } from './compare-schema.ts';
import { JudgeOfRun } from './judge-schema.ts';
import { Cost, labelShares, metricConfig } from './schema.ts';
import { AnchoredRate } from './switch-schema.ts';
import { weightParameters } from './weights-schema.ts';

export const TrendsQuery = Type.Object({
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      default: 20,
      description: 'Maximum number of runs, newest first.',
    }),
  ),
  metricId: Type.Optional(
    Type.String({ description: 'Only this metric and the runs that were started with it, or scored by it.' }),
  ),
  kind: Type.Optional(oneOf(['evaluation', 'traces'], 'Only runs of this kind.')),
  scored: Type.Optional(Type.Boolean({ description: 'true: only runs that have scores.' })),
  judges: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Whether each point comes with its judge, and `runs` with what people were asked.',
    }),
  ),
  ...weightParameters,
  level,
});

const { metricId, metricName, outputType, metricConfigId } = metricConfig;

const TrendPoint = Type.Object({
  runId: text('Id of the run.'),
  createdAt: text('When it was started.'),
  testsetId: nullableText('Testset of the run. Runs of different testsets do not form one trend.'),
  systemVersionId: nullableText('Version of the system under test.'),
  metricConfigId,
  groupedBy: nullableText('Grouping field of the testset, whose groups the intervals are based on.'),
  states,
  passRate: ref(Estimate, 'Share of testcases that pass.'),
  mean: nullable(ref(Estimate), 'Mean score; null for a boolean and for a category.'),
  labels: labelShares,
  anchored: nullable(
    ref(AnchoredRate),
    'The pass rate anchored to the judge that succeeded this one; null without a successor.',
  ),
  change: nullable(
    ref(SplitChange),
    'Change since the previous point of the same testset, if another judge gave that point and a trial leads from that judge to this one; else null.',
  ),
  cost: nullable(Cost, 'Cost of the judge; null unless a model judges.'),
  judge: Type.Optional(
    nullable(ref(JudgeOfRun), 'Only with `judges`. The judge of the run; null unless a model judges.'),
  ),
});
export type TrendPoint = Static<typeof TrendPoint>;

export const Trends = named(
  'Trends',
  Type.Object(
    {
      level: number('Confidence level.'),
      numRuns: count('Number of runs considered.'),
      numUnweighted: Type.Optional(
        count(
          'Only with weights. Number of runs without points, because their testcases have no such field or too few testcases of a value.',
        ),
      ),
      metrics: Type.Array(
        Type.Object({
          metricId,
          metricName,
          outputType,
          points: Type.Array(TrendPoint, {
            description: 'One point for each run and configuration, oldest first.',
          }),
        }),
        { description: 'One entry for each metric with scores in these runs.' },
      ),
      runs: Type.Optional(
        Type.Array(
          Type.Object({
            runId: text('Id of the run.'),
            metricIds: texts('Metrics that the run was started with.'),
            numRecords: count('Number of records.'),
            samples: Type.Array(
              Type.Object({
                metricId: text('Human metric whose queue the sample fills.'),
                numDrawn: count('Number of records in the sample.'),
              }),
              { description: 'Random samples for people to score, oldest first.' },
            ),
          }),
          { description: 'Only with `judges`. The runs, oldest first, with what people were asked.' },
        ),
      ),
    },
    {
      description:
        'Each metric over the latest runs. Overlapping intervals do not compare runs; use compareRuns for that.',
    },
  ),
);

export const PlanQuery = Type.Object({
  metricId: Type.String({ description: 'Metric that compares the systems.' }),
  difference: Type.Optional(
    Type.Number({
      minimum: 0.0001,
      maximum: 4,
      description: 'Difference to detect, in the unit of the score; 0.03 for 3 percentage points.',
    }),
  ),
  n: Type.Optional(
    Type.Integer({
      minimum: 2,
      maximum: 10_000_000,
      description:
        'Testcases of the coming run; default those of the testset, else as many as the earlier run had.',
    }),
  ),
  testsetId: Type.Optional(Type.String({ description: 'Testset of the coming run.' })),
  split: Type.Optional({
    ...wantedTestcases.split,
    description: 'Split of the testset that the coming run is about; default all testcases.',
  }),
  trials: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1000, default: 1, description: 'Trials of each testcase.' }),
  ),
  tests: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1000,
      default: 1,
      description:
        'Number of tests of a pair that are read together: its metrics. With `candidates`, Holm covers tests × candidates; each then needs the level 1 − (1 − level)/(tests × candidates).',
    }),
  ),
  candidates: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 7,
      default: 1,
      description: 'Runs that are compared with the baseline, not with each other (`pairs=first`).',
    }),
  ),
  baselineRuns: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 10,
      default: 1,
      description:
        'Runs of the baseline, the others as `pooled`. They lower its noise if an earlier run has trials, or if two earlier runs are of the same version.',
    }),
  ),
  looks: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 10,
      default: 1,
      description: 'Planned looks at the growing run, at equal shares of its testcases (`test=planned`).',
    }),
  ),
  measure,
  level,
  power,
});

const detects = {
  minimumDetectable: nullableNumber('Smallest difference that shows; null if unknown.'),
  numNeeded: nullableNumber('Testcases that `difference` needs; null without it, or if unknown.'),
};

export const CriteriaPlan = Type.Object(
  {
    numCriteria: count('Number of criteria with verdicts in the earlier runs.'),
    share: Type.Object(detects, { description: 'The mean share of the criteria that are met.' }),
    alone: Type.Object(detects, { description: 'One criterion alone: the median over at most 30 of them.' }),
  },
  {
    description:
      'What the criteria of the metric detect together, and what one of them would alone. A loss that all criteria have is the same loss of the share.',
  },
);

export const Plan = named(
  'Plan',
  Type.Object(
    {
      metricId,
      measure: text('What is compared for int and float metrics.'),
      difference: nullableNumber('Difference to detect.'),
      ...forecast,
      labels: nullable(
        Type.Object({
          before: text('Id of the earlier run.'),
          after: text('Id of the newest run.'),
          labelled: Type.Object(
            {
              before: count('Labels in the earlier run.'),
              after: count('Labels in the newest run.'),
              both: count('Testcases with a label in both.'),
            },
            { description: 'Number of labelled testcases.' },
          ),
          interval: nullableInterval("Interval of their difference, corrected for the judge's errors."),
          numLabelsToHalve: nullableNumber(
            'Number of further testcases to label in both runs that halve the interval; null if labels for all of them do not.',
          ),
          moreLabels: nullableText('The same in words.'),
        }),
        "Effect of further labels on a comparison corrected for the judge's errors; null without a model that judges, or without labels of two runs.",
      ),
      basis: nullable(
        Type.Object({
          runId: text('Id of the run.'),
          ...runVariances,
        }),
        'The earlier run that the plan is based on.',
      ),
      correlation: Type.Object(
        {
          value: number('Correlation.'),
          source: text('The two runs that it was measured on, or a note that it is assumed.'),
          n: count('Number of testcases that these runs share.'),
        },
        {
          description:
            'Correlation of the expected scores of both systems over testcases, without the noise of trials.',
        },
      ),
      criteria: Type.Optional(CriteriaPlan),
    },
    { description: 'How many testcases a comparison needs, or how small a difference it can detect.' },
  ),
);
