import { Type } from 'typebox';
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
} from '../../engine/statistics/estimate-schema.ts';
import { summary } from '../../engine/statistics/summary-schema.ts';
import { outputTypes } from '../../evaluation/metrics/schema.ts';
import { named, ref } from '../../platform/named-schema.ts';
import { oneOf } from '../../platform/one-of.ts';
import { criterionFacts } from './calibration-schema.ts';
import { JudgeOfRun } from './judge-schema.ts';
import { WeightedBy, weightParameters } from './weights-schema.ts';

const Trials = Type.Object({
  testcaseId: text('Id of the testcase.'),
  trials: count('Number of trials.'),
  numPasses: count('Number of trials that passed.'),
});

export const RunEstimate = named(
  'RunEstimate',
  Type.Object(
    {
      ...summary,
      flaky: Type.Object(
        {
          numTestcases: count('Number of testcases.'),
          testcases: Type.Array(Trials, { description: 'The first 100.' }),
        },
        { description: 'Testcases that passed in one trial and failed in another.' },
      ),
    },
    { description: 'Estimate of one metric of a run. Trials of a testcase are averaged first.' },
  ),
);

export const metricConfig = {
  metricId: text('Id of the metric.'),
  metricName: text('Name of the metric.'),
  metricConfigId: text('Configuration that gave the scores.'),
  evalType: oneOf(
    ['ai', 'human', 'heuristic'],
    'ai: a model scores. human: people score. heuristic: code or a client scores.',
  ),
  outputType: oneOf([...outputTypes], 'Kind of score.'),
  passingThreshold: nullableNumber(
    'Lowest score that passes; null for a boolean, which passes when true, and for a category, whose labels pass or not.',
  ),
  pinned: Type.Boolean({ description: 'Whether the run was started with this configuration.' }),
};

/** How often each label of a category was given. */
export const labelShares = Type.Optional(
  Type.Object(
    {
      ordered: Type.Boolean({ description: 'Whether the labels go from worst to best.' }),
      shares: Type.Array(
        Type.Object({
          label: text('The label.'),
          passes: Type.Boolean({ description: 'Whether it passes.' }),
          numScores: count('Number of scores with it.'),
          share: ref(
            Estimate,
            'Share of testcases with it. Its `level` is higher than that of the summary, so that the intervals of all labels hold at once.',
          ),
        }),
        { description: 'One entry for each label, in the order of the metric.' },
      ),
    },
    { description: 'Only for a category: how often each label was given.' },
  ),
);

const metricSummary = {
  ...metricConfig,
  states,
  passRate: ref(RunEstimate, 'Share of testcases that pass.'),
  mean: nullable(ref(RunEstimate), 'Mean score; null for a boolean and for a category.'),
  numSpans: Type.Optional(
    count(
      'Number of spans with a score, for a metric that scores spans: passRate and mean are over them, clustered by record.',
    ),
  ),
  criterion: Type.Optional(
    Type.Object(
      {
        ...criterionFacts,
        numVoted: count('Number of records on which several votes were given.'),
        numSplit: count('Number of these on which the votes differ: a criterion with many is vague.'),
      },
      { description: 'Only with `criteriaOf`: the criterion that this entry is about.' },
    ),
  ),
  labels: labelShares,
  distribution: Type.Array(
    Type.Object({
      low: number('Smallest score of the bin.'),
      high: number('Largest score of the bin.'),
      numScores: count('Number of scores.'),
    }),
    {
      description: 'Number of records by score; floats in 20 bins. Empty for a category, which has `labels`.',
    },
  ),
};

const versusRest = Type.Object(
  {
    difference: nullableNumber(
      'Pass rate of the group minus that of all other records; null without either.',
    ),
    interval: nullableInterval('Its interval at `level`, not adjusted for the number of groups.'),
    p: nullableNumber('Two-sided p.'),
    adjustedP: nullableNumber(
      'p adjusted by Benjamini and Hochberg over all groups and metrics of the breakdown: of the groups at or below 0.05, about 5 % differ by chance only.',
    ),
  },
  { description: 'The group compared with the other records of the run.' },
);

export const Cost = Type.Object(
  {
    costUsd: nullableNumber('Cost in US dollars; null if no cost is known.'),
    inputTokens: nullableNumber('Tokens sent.'),
    outputTokens: nullableNumber('Tokens received.'),
    priced: count('Number of scores whose cost is known; `costUsd` is their sum.'),
  },
  { description: 'Total cost of the judge, including failed attempts and replaced scores.' },
);

const grouped = {
  by: text('Criterion of the groups.'),
  groups: Type.Array(
    Type.Object({
      value: text('The tag, or the value of the field.'),
      numRecords: count('Number of records of this group.'),
      metrics: Type.Array(Type.Object({ ...metricSummary, versusRest }), {
        description: 'Results of this group, as for the whole run.',
      }),
    }),
    { description: 'The 100 largest groups, largest first.' },
  ),
  numGroupsLeftOut: count('Number of further groups.'),
};

const Cell = Type.Object({
  row: text('Value of `by`.'),
  column: text('Value of `across`.'),
  numRecords: count('Number of records with both.'),
  metrics: Type.Array(
    Type.Object({
      metricConfigId: text('Configuration that gave the scores.'),
      scored: count('Number of records with a score.'),
      passed: count('Number of records that passed.'),
    }),
    { description: 'One entry for each metric of the summary.' },
  ),
});

/** How many criteria an answer leaves out. */
export const numCriteriaLeftOut = Type.Optional(
  count(
    'Only with `criteriaOf`. Number of further criteria: at most 1,000 are in the answer, first those of the metric, then those of testcases with the most verdicts.',
  ),
);

export const RunSummary = named(
  'RunSummary',
  Type.Object(
    {
      runId: text('Id of the run.'),
      createdAt: text('When it was started.'),
      level: number('Confidence level.'),
      numRecords: count('Number of records of the run.'),
      groupedBy: nullableText(
        'Grouping field of the testset, whose groups the intervals are based on; null without one.',
      ),
      weightedBy: Type.Optional(ref(WeightedBy, 'Only with `weightBy` or `shares`.')),
      numCriteriaLeftOut,
      metrics: Type.Array(
        Type.Object({
          ...metricSummary,
          cost: nullable(Cost, 'Cost of the judge; null unless a model judges.'),
          judge: nullable(
            ref(JudgeOfRun),
            'How well the judge is calibrated; null unless a model judges. The intervals leave its errors out.',
          ),
        }),
        {
          description:
            'One entry for each configuration with scores in the run, first those that the run was started with.',
        },
      ),
      breakdown: nullable(
        Type.Object({
          ...grouped,
          crossed: nullable(
            Type.Object({
              ...grouped,
              cells: Type.Array(Cell, {
                description: 'Cells of the table that have records, at most 1,000.',
              }),
              passRates: Type.Array(
                Type.Object({
                  metricConfigId: text('Configuration that gave the scores.'),
                  passRate: ref(
                    Estimate,
                    'Pass rate, with an interval for other rows and columns like these.',
                  ),
                }),
                { description: 'Pass rate of each metric over the table.' },
              ),
            }),
            'The groups by `across`, which make a table with those by `by`; null without it.',
          ),
        }),
        'Breakdown by `by`; null without it. With many groups some differ by chance: read `versusRest.adjustedP`.',
      ),
    },
    { description: 'Summary of a run, metric by metric, each number with its uncertainty.' },
  ),
);

/** Criterion of groups of records. */
export const by = (description: string) =>
  Type.Optional(
    Type.String({
      pattern: '^(tag|(metadata|inputs)\\..+)$',
      expects: 'tag, metadata.<field> or inputs.<field>',
      description,
    }),
  );

/** Asks for the criteria of a metric in place of metrics. */
export const criteriaOf = Type.Optional(
  Type.String({
    description:
      'Id of a metric with criteria. `metrics` then has its criteria, each as a boolean metric of its own: its metricId is `<metric>/<criterion>`, and its name `<metric> › <criterion>`.',
  }),
);

export const SummaryQuery = Type.Object({
  level,
  criteriaOf,
  by: by(
    'Breaks the summary down by `tag`, `metadata.<field>` (a field of the testcase) or `inputs.<field>`.',
  ),
  across: by(
    'With `by`, a second criterion: both make a table, such as persona by scenario. Not with `weightBy` or `shares`.',
  ),
  ...weightParameters,
});
