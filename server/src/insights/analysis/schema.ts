import { Type } from 'typebox';
import {
  count,
  Estimate,
  estimate,
  level,
  nullable,
  nullableInterval,
  nullableNumber,
  nullableText,
  number,
  states,
  text,
} from '../../evaluation/scores/estimate-schema.ts';
import { named, ref } from '../../platform/http/openapi.ts';

const Trials = Type.Object({
  testcase: text('Id of the testcase.'),
  trials: count('Times it was tried.'),
  passes: count('Times it passed.'),
});

export const RunEstimate = named(
  'RunEstimate',
  Type.Object(
    {
      ...estimate,
      testcases: count('Testcases with at least one score.'),
      range: nullableInterval(
        'The estimate had every missing score been the worst, and the best, possible; null when none is missing.',
      ),
      passK: Type.Array(
        Type.Object({
          k: count('Number of tries.'),
          passAtK: Type.Unsafe({ ...ref(Estimate), description: 'At least one of k tries passes.' }),
          passHatK: Type.Unsafe({ ...ref(Estimate), description: 'All of k tries pass.' }),
        }),
        { description: 'pass@k and pass^k; empty unless testcases were tried more than once.' },
      ),
      flaky: Type.Object(
        {
          count: count('How many there are.'),
          testcases: Type.Array(Trials, { description: 'The first 100 of them.' }),
        },
        { description: 'Testcases that passed in one trial and failed in another.' },
      ),
    },
    { description: 'What a run says of one metric. Trials of a testcase are averaged first.' },
  ),
);

export const metricConfig = {
  metricId: text('Id of the metric.'),
  metricName: text('Name of the metric.'),
  metricConfigId: text('Configuration that gave the scores.'),
  evalType: Type.Union(
    ['ai', 'human', 'heuristic'].map((type) => Type.Literal(type)),
    { description: 'Who or what scores.' },
  ),
  outputType: Type.Union(
    ['int', 'float', 'boolean'].map((type) => Type.Literal(type)),
    { description: 'Kind of score.' },
  ),
  passingThreshold: nullableNumber('Lowest score that passes; null for a boolean, which passes when true.'),
  pinned: Type.Boolean({ description: 'Whether the run was started with this configuration.' }),
};

const metricSummary = {
  ...metricConfig,
  states,
  passRate: Type.Unsafe({ ...ref(RunEstimate), description: 'Share of testcases that pass.' }),
  mean: nullable(ref(RunEstimate), 'Mean score; null for a boolean, whose mean is the pass rate.'),
  distribution: Type.Array(
    Type.Object({
      low: number('Smallest score counted here.'),
      high: number('Largest score counted here.'),
      count: count('Scores.'),
    }),
    { description: 'How often each score was given; floats in 20 bins.' },
  ),
};

const Cost = Type.Object(
  {
    costUsd: nullableNumber('US dollars; null when no cost is known.'),
    inputTokens: nullableNumber('Tokens sent.'),
    outputTokens: nullableNumber('Tokens received.'),
    priced: count('Scores whose cost is known; `costUsd` is the sum of these.'),
  },
  { description: 'What the judge took in all, attempts that failed and scores that were replaced included.' },
);

export const RunSummary = named(
  'RunSummary',
  Type.Object(
    {
      runId: text('Id of the run.'),
      createdAt: text('When it was started.'),
      level: number('Confidence level.'),
      numRecords: count('Records of the run.'),
      groupedBy: nullableText('Grouping field of the testset: intervals rest on groups. Null without one.'),
      metrics: Type.Array(
        Type.Object({ ...metricSummary, cost: nullable(Cost, 'Null unless a model judges.') }),
        {
          description: 'Each configuration with scores in the run; first those that it was started with.',
        },
      ),
      breakdown: nullable(
        Type.Object({
          by: text('What the records are grouped by.'),
          groups: Type.Array(
            Type.Object({
              value: text('The tag, or the value of the field.'),
              numRecords: count('Records of this group.'),
              metrics: Type.Array(Type.Object(metricSummary), { description: 'As for the whole run.' }),
            }),
            { description: 'The 100 largest groups, largest first.' },
          ),
          groupsLeftOut: count('Groups beyond these.'),
        }),
        'Null unless `by` asks for it. With many groups, some look odd by chance: these are no tests.',
      ),
    },
    { description: 'What a run says, metric by metric, each number with its uncertainty.' },
  ),
);

export const SummaryQuery = Type.Object({
  level,
  by: Type.Optional(
    Type.String({
      pattern: '^(tag|(metadata|inputs)\\..+)$',
      expects: 'tag, metadata.<field> or inputs.<field>',
      description:
        'Breaks the summary down: `tag`, `metadata.<field>` (a field of the testcase) or `inputs.<field>`.',
    }),
  ),
});
