import { type TSchema, Type } from 'typebox';
import { named, ref } from '../openapi.ts';

export const nullable = (type: TSchema, description: string) =>
  Type.Union([type, Type.Null()], { description });
export const number = (description: string) => Type.Number({ description });
export const count = (description: string) => Type.Integer({ description });
export const text = (description: string) => Type.String({ description });
export const nullableNumber = (description: string) => nullable(Type.Number(), description);
export const nullableText = (description: string) => nullable(Type.String(), description);
export const texts = (description: string) => Type.Array(Type.String(), { description });

/** How sure an answer is to be; every endpoint that gives an interval takes it. */
export const level = Type.Optional(
  Type.Number({
    minimum: 0.5,
    maximum: 0.999,
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
export const nullableInterval = (description: string) => nullable(ref(Interval), description);

/** A number with its uncertainty. */
export const estimate = {
  method: text('Method of the interval.'),
  n: count('Independent units that the interval rests on: testcases, or groups of them.'),
  level: number('Confidence level.'),
  estimate: nullableNumber('Null when there is nothing to estimate from.'),
  standardError: nullableNumber('Standard error of the estimate.'),
  interval: nullableInterval('Null when the data is too little.'),
  reason: nullableText('Why there is no interval.'),
  assumption: text('What the interval takes for granted.'),
  warnings: texts('What to bear in mind.'),
};
export const Estimate = named(
  'Estimate',
  Type.Object(estimate, {
    description: 'A number with its uncertainty, or with the reason why it has none.',
  }),
);

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

export const states = Type.Object(
  {
    scored: count('Scores that are there and valid.'),
    pending: count('Scores that are still to come.'),
    unscored: count('Scores that could not be given, or do not fit the metric.'),
    failed: count('Scores whose judge failed.'),
  },
  {
    description: 'Records by what became of their score: a judge that failed is not a judge that said no.',
  },
);

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
