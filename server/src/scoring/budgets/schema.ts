import { type Static, Type } from 'typebox';
import { named } from '../../platform/http/openapi.ts';

const usd = Type.Number({ minimum: 0 });

export const JudgeBudget = named(
  'JudgeBudget',
  Type.Object(
    {
      runId: Type.String({ description: 'Id of the run.' }),
      budgetUsd: Type.Union([usd, Type.Null()], {
        description: 'What its judges may cost; null without a limit.',
      }),
      spentUsd: Type.Number({
        description:
          'What they have cost so far, as far as it is known. Includes replaced verdicts, proposals and lost attempts, so it never falls. ' +
          'Does not include the system under test.',
      }),
      numUnpriced: Type.Integer({ description: 'Attempts whose cost is unknown and missing in spentUsd.' }),
      numWaiting: Type.Integer({ description: 'Pending scores and proposals of judges.' }),
      isStopped: Type.Boolean({
        description: 'Whether they wait because the budget is used up. Raise it to go on.',
      }),
    },
    { description: 'What the judges of a run have cost and may cost.' },
  ),
);

export const JudgeBudgetUpdate = Type.Object(
  {
    budgetUsd: Type.Union([usd, Type.Null()], {
      description:
        'What the judges may cost in total, from the first verdict of the run; null removes the limit.',
    }),
  },
  { additionalProperties: false },
);

export const RunEstimateRequest = Type.Object(
  {
    metricIds: Type.Array(Type.String(), { description: 'Metrics that would score, each once.' }),
    testsetId: Type.Optional(Type.String({ description: 'Testset whose testcases become records.' })),
    trials: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        default: 1,
        description: 'How many records each testcase becomes.',
      }),
    ),
    numRecords: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Number of records, where no testset determines it.' }),
    ),
  },
  { additionalProperties: false },
);
export type RunEstimateRequest = Static<typeof RunEstimateRequest>;

const nullableNumber = (description: string) => Type.Union([Type.Number(), Type.Null()], { description });

export const RunCostEstimate = named(
  'RunCostEstimate',
  Type.Object(
    {
      numRecords: Type.Integer({ description: 'Records that the estimate is for.' }),
      costUsd: nullableNumber('What all judges will cost; null when one of their prices is not known.'),
      metrics: Type.Array(
        Type.Object({
          metricId: Type.String({ description: 'Id of the metric.' }),
          basis: Type.Union(
            ['earlierScores', 'template', 'free'].map((basis) => Type.Literal(basis)),
            {
              description:
                'earlierScores: measured on verdicts of this configuration in its newest runs. template: from the length of the prompt ' +
                'and of the testcases, with 250 tokens for the unknown output and 200 for the verdict. free: no judge.',
            },
          ),
          numMeasured: Type.Integer({
            description: 'Verdicts that it was measured on; for code, how often it was timed.',
          }),
          inputTokens: Type.Number({ description: 'Tokens that the judge will read.' }),
          outputTokens: Type.Number({ description: 'Tokens that it will write.' }),
          costUsd: nullableNumber('What it will cost; null when the price of its model is not known.'),
          seconds: nullableNumber(
            'Seconds of a judge within the limits of its provider, or of code in the sandbox of one process of the service. Null where ' +
              'nothing is measured yet, and for people.',
          ),
        }),
        { description: 'In the order asked for.' },
      ),
    },
    { description: 'Estimate of what the judges of a run will cost.' },
  ),
);
