import { type Static, Type } from 'typebox';
import { mostTurns } from '../../evaluation/runs/schema.ts';
import { FreeForm } from '../../platform/http/openapi.ts';
import { pageQuery } from '../../platform/http/pagination.ts';
import { named } from '../../platform/named-schema.ts';
import { oneOf } from '../../platform/one-of.ts';

const states = ['pending', 'done', 'failed', 'cancelled'] as const;
const State = (description: string) => oneOf(states, description);
const nullable = <T extends ReturnType<typeof Type.String | typeof Type.Number>>(
  type: T,
  description: string,
) => Type.Union([type, Type.Null()], { description });

export const Execution = named(
  'Execution',
  Type.Object(
    {
      testcaseId: Type.String({ description: 'Testcase that is sent to the system.' }),
      trial: Type.Integer({ description: 'Number of the trial, from 1 to the trials of the run.' }),
      state: State(
        'pending: queued or running. done: the record exists. failed, cancelled: there is no record unless you retry.',
      ),
      numAttempts: Type.Integer({ description: 'Calls that reached the system.' }),
      lastError: nullable(
        Type.String(),
        'Error of the latest failed call; null if no call failed or a later one succeeded.',
      ),
      recordId: nullable(Type.String(), 'Record that the execution created.'),
      latencyMs: nullable(Type.Number(), 'Latency of the system in milliseconds.'),
      inputTokens: nullable(Type.Number(), 'Input tokens of the system; null if it did not report them.'),
      outputTokens: nullable(Type.Number(), 'Output tokens of the system; null if it did not report them.'),
      costUsd: nullable(
        Type.Number(),
        'Cost of the system in US dollars, without judges: the sum of all attempts whose cost it reported; null if unknown.',
      ),
      userCostUsd: nullable(
        Type.Number(),
        'Cost of the simulated user in US dollars; null if unknown, and without a simulation.',
      ),
      evidence: Type.Union([FreeForm('Prompt as sent, model asked and model that answered.'), Type.Null()], {
        description:
          'Evidence of a prompt system: prompt as sent, model asked and model that answered. In a simulation: who played the user, and the `messages` if the conversation broke off.',
      }),
      updatedAt: Type.String({ description: 'When it last changed.' }),
    },
    { description: 'One call of the system of a run, with one testcase.' },
  ),
);

export const ExecutionListQuery = Type.Object({
  ...pageQuery,
  state: Type.Optional(State('Only executions in this state.')),
});

export const ExecutionSummary = named(
  'ExecutionSummary',
  Type.Object(
    {
      numExecutions: Type.Integer({ description: 'Executions of the run; 0 when clients send its records.' }),
      pending: Type.Integer({ description: 'Queued or running.' }),
      done: Type.Integer({ description: 'Done, with a record.' }),
      failed: Type.Integer({ description: 'Failed for good.' }),
      cancelled: Type.Integer({ description: 'Cancelled.' }),
      inputTokens: nullable(
        Type.Number(),
        'Sum of the input tokens, attempts without a record included; null if one is unknown.',
      ),
      outputTokens: nullable(
        Type.Number(),
        'Sum of the output tokens, attempts without a record included; null if one is unknown.',
      ),
      costUsd: nullable(
        Type.Number(),
        'Cost of the system in US dollars, without judges, attempts without a record included; null if one is unknown.',
      ),
      userCostUsd: nullable(
        Type.Number(),
        'Cost of the simulated users in US dollars; null if one is unknown, and without a simulation.',
      ),
      medianLatencyMs: nullable(Type.Number(), 'Median latency in milliseconds.'),
      p95LatencyMs: nullable(Type.Number(), '95th percentile of the latency in milliseconds.'),
      errors: Type.Array(
        Type.Object({
          state: Type.Union([Type.Literal('pending'), Type.Literal('failed')], {
            description: 'pending: the calls wait for their next attempt. failed: there is none.',
          }),
          error: Type.String({ description: 'Error of the last attempt.' }),
          numExecutions: Type.Integer({ description: 'Number of executions with this error.' }),
          maxAttempts: Type.Integer({ description: 'Highest number of attempts of one of them.' }),
        }),
        { description: 'Errors of executions that are not done, most frequent first; at most 20.' },
      ),
      measured: Type.Object(
        {
          numRecords: Type.Integer({
            description: 'Number of records with a call or a trace that reports latency, tokens or cost.',
          }),
          medianLatencyMs: nullable(Type.Number(), 'Median latency in milliseconds of those that have one.'),
          tokensPerRecord: nullable(
            Type.Number(),
            'Mean of input and output tokens of those that have them, earlier attempts included.',
          ),
          costUsdPerRecord: nullable(
            Type.Number(),
            'Mean cost in US dollars of those that have one: earlier attempts included, without judges and simulated users.',
          ),
        },
        {
          description:
            'Latency, tokens and cost of the records, from the calls of the service and from traces that clients sent.',
        },
      ),
    },
    { description: 'The executions of a run in numbers.' },
  ),
);

export const SystemTry = Type.Object(
  {
    config: Type.Optional(
      FreeForm('Configuration of the system, as of a version. Required without systemVersionId.'),
    ),
    systemVersionId: Type.Optional(
      Type.String({
        format: 'uuid',
        description: 'Version of a system of the project. Required without config.',
      }),
    ),
    testcaseId: Type.Optional(
      Type.String({
        description: 'Testcase of the project that is sent to the system. Required without inputs.',
      }),
    ),
    inputs: Type.Optional(FreeForm('Inputs that are sent to the system. Required without testcaseId.')),
    simulation: Type.Optional(
      Type.Object(
        {
          userConfig: FreeForm('Configuration of the prompt that plays the user, as of a version.'),
          maxTurns: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: mostTurns,
              default: 10,
              description: 'Maximum number of replies of the system.',
            }),
          ),
        },
        {
          additionalProperties: false,
          description:
            'Holds one conversation of a simulation. Fields of the testcase or inputs such as `persona` describe the user.',
        },
      ),
    ),
  },
  { additionalProperties: false },
);
export type SystemTry = Static<typeof SystemTry>;

export const SystemTried = Type.Object({
  state: Type.Union([Type.Literal('answered'), Type.Literal('failed')], {
    description: 'Whether the system answered.',
  }),
  outputs: Type.Union([FreeForm('Outputs of the system.'), Type.Null()], {
    description: 'Outputs of the system; null when it failed.',
  }),
  error: nullable(Type.String(), 'Why the system failed; null when it answered.'),
  latencyMs: Type.Number({ description: 'Time of the answer in milliseconds.' }),
  inputTokens: nullable(Type.Number(), 'Tokens that the system read; null if it did not report them.'),
  outputTokens: nullable(Type.Number(), 'Tokens that the system wrote; null if it did not report them.'),
  costUsd: nullable(
    Type.Number(),
    'Cost of the call in US dollars, with that of the simulated user; null when unknown.',
  ),
});
