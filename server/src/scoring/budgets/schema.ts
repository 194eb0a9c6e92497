import { type Static, Type } from 'typebox';
import { SimulationCreate, wantedTestcases } from '../../evaluation/runs/schema.ts';
import { FreeForm } from '../../platform/http/openapi.ts';
import { named } from '../../platform/named-schema.ts';
import { oneOf } from '../../platform/one-of.ts';

const usd = Type.Number({ minimum: 0 });

export const JudgeBudget = named(
  'JudgeBudget',
  Type.Object(
    {
      budgetUsd: Type.Union([usd, Type.Null()], {
        description: 'Budget in US dollars; null means no limit.',
      }),
      spentUsd: Type.Number({
        description:
          'Known cost so far, in US dollars. Includes replaced verdicts, proposals and lost attempts, so it never falls. ' +
          'Does not include the system under test.',
      }),
      numUnpriced: Type.Integer({
        description:
          'Number of verdicts whose cost is unknown, each retry included; spentUsd does not include them.',
      }),
      numWaiting: Type.Integer({ description: 'Number of pending scores and proposals of judges.' }),
      stopped: Type.Boolean({
        description:
          'Whether pending verdicts wait because the budget is used up. Raise the budget to continue.',
      }),
    },
    { description: 'Cost and budget of the judges of a run.' },
  ),
);

export const RunEstimateRequest = Type.Object(
  {
    metricIds: Type.Array(Type.String(), { description: 'Metrics that would score, each once.' }),
    testsetId: Type.Optional(Type.String({ description: 'Testset whose testcases become records.' })),
    ...wantedTestcases,
    trials: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        default: 1,
        description: 'Number of trials of each testcase.',
      }),
    ),
    numRecords: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Number of records, if there is no testset.' }),
    ),
    testcases: Type.Optional(
      Type.Array(FreeForm('Fields of the testcase.'), {
        minItems: 1,
        maxItems: 1_000,
        description: 'Testcases that are not stored yet, in place of testsetId.',
      }),
    ),
    systemVersionId: Type.Optional(
      Type.String({
        format: 'uuid',
        description:
          'System under test. With simulation, this or systemConfig is required; else it gives systemCostUsd.',
      }),
    ),
    systemConfig: Type.Optional(
      FreeForm('Configuration of a system that is not stored yet, in place of systemVersionId.'),
    ),
    simulation: Type.Optional(SimulationCreate),
    userConfig: Type.Optional(
      FreeForm('Prompt of a simulated user that is not stored yet, in place of userVersionId in simulation.'),
    ),
  },
  { additionalProperties: false },
);
export type RunEstimateRequest = Static<typeof RunEstimateRequest>;

const nullableNumber = (description: string) => Type.Union([Type.Number(), Type.Null()], { description });

const SimulationEstimate = Type.Object(
  {
    numConversations: Type.Integer({ description: 'Number of conversations.' }),
    maxUserCalls: Type.Integer({ description: 'Maximum number of calls of the model that plays the user.' }),
    maxSystemCalls: Type.Integer({ description: 'Maximum number of calls of the system under test.' }),
    userCostUsd: nullableNumber(
      'Highest cost of the user in US dollars; null if the price of its model is unknown.',
    ),
    systemCostUsd: nullableNumber(
      'Highest cost of the system in US dollars; null for an endpoint, whose cost the service does not know, and if the price of its model is unknown.',
    ),
  },
  {
    description:
      'Assumes that every conversation goes on to maxTurns with 100 tokens a message. Most end earlier.',
  },
);

export const RunCostEstimate = named(
  'RunCostEstimate',
  Type.Object(
    {
      numRecords: Type.Integer({ description: 'Number of records that the estimate is for.' }),
      costUsd: nullableNumber('Cost of all judges in US dollars; null if one of their prices is unknown.'),
      leavesOutFiles: Type.Boolean({
        description:
          'Whether testcases hold images, PDF or audio whose tokens are not in the estimate, because no verdict was measured yet.',
      }),
      metrics: Type.Array(
        Type.Object({
          metricId: Type.String({ description: 'Id of the metric.' }),
          basis: oneOf(['earlierScores', 'template', 'free'], {
            description:
              'earlierScores: measured on verdicts of this configuration in its newest runs. template: from the length of the prompt ' +
              'and of the testcases, with 250 tokens for the unknown output, 200 for the verdict and 100 for each further criterion; with `isolate`, one call for each. free: no judge.',
          }),
          numMeasured: Type.Integer({
            description: 'Number of verdicts that the estimate is measured on; for code, number of timings.',
          }),
          inputTokens: Type.Number({ description: 'Tokens that the judge will read.' }),
          outputTokens: Type.Number({ description: 'Tokens that it will write.' }),
          costUsd: nullableNumber(
            'Cost of the judge in US dollars; null if the price of its model is unknown.',
          ),
          seconds: nullableNumber(
            'Estimated duration in seconds: of a judge within the limits of its provider, of code in the sandbox of one process. Null until ' +
              'something is measured, and for people.',
          ),
        }),
        { description: 'One entry for each metric, in the order of the request.' },
      ),
      systemCostUsd: nullableNumber(
        'Cost of calling the system once for each record, in US dollars, with 250 tokens for the unknown output; null without a system, for an endpoint, for an unknown price and with simulation.',
      ),
      simulation: Type.Union([SimulationEstimate, Type.Null()], {
        description: 'Estimated cost of the conversations, without judges; null without simulation.',
      }),
    },
    { description: 'Estimate of what the judges of a run will cost.' },
  ),
);
