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
          'What they have cost so far, as far as it is known: verdicts since replaced, proposals and lost tries too, so that it ' +
          'never falls. What the system under test cost is not in it.',
      }),
      numUnpriced: Type.Integer({ description: 'Tries whose cost is not known, and so is not in spentUsd.' }),
      numWaiting: Type.Integer({ description: 'Scores and proposals that judges have still to give.' }),
      isStopped: Type.Boolean({
        description: 'Whether they wait because the budget is used up. A higher budget lets them go on.',
      }),
    },
    { description: 'What the judges of a run have cost and may cost.' },
  ),
);

export const JudgeBudgetUpdate = Type.Object(
  {
    budgetUsd: Type.Union([usd, Type.Null()], {
      description:
        'What the judges may cost in all, from the first verdict of the run on; null for no limit.',
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
        description: 'How often each testcase becomes one.',
      }),
    ),
    numRecords: Type.Optional(
      Type.Integer({ minimum: 0, description: 'How many records there will be, where no testset says it.' }),
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
                'and of the testcases, with 250 tokens for an output that nobody knows yet and 200 for the verdict. free: no judge.',
            },
          ),
          numMeasured: Type.Integer({
            description: 'Verdicts that it was measured on; of code, times that it was timed.',
          }),
          inputTokens: Type.Number({ description: 'Tokens that the judge will read.' }),
          outputTokens: Type.Number({ description: 'Tokens that it will write.' }),
          costUsd: nullableNumber('What it will cost; null when the price of its model is not known.'),
          seconds: nullableNumber(
            'How long it will take: a judge at the limits of its provider, code in the sandbox of one process of the service. Null where ' +
              'nothing is measured yet, and for people.',
          ),
        }),
        { description: 'In the order asked for.' },
      ),
    },
    { description: 'About what the judges of a run will take.' },
  ),
);
