import { Type } from 'typebox';
import { FreeForm, named } from '../../platform/http/openapi.ts';
import { pageQuery } from '../../platform/http/pagination.ts';

const states = ['pending', 'done', 'failed', 'cancelled'] as const;
const State = (description: string) =>
  Type.Union(
    states.map((state) => Type.Literal(state)),
    { description },
  );
const nullable = <T extends ReturnType<typeof Type.String | typeof Type.Number>>(
  type: T,
  description: string,
) => Type.Union([type, Type.Null()], { description });

export const Execution = named(
  'Execution',
  Type.Object(
    {
      testcaseId: Type.String({ description: 'Testcase that is put to the system.' }),
      trial: Type.Integer({ description: 'Which time, from 1 to the trials of the run.' }),
      state: State(
        'pending: it will be made, or is being made. done: there is a record. failed, cancelled: there is none and none will come, unless it is retried.',
      ),
      attempts: Type.Integer({ description: 'Calls that reached the system.' }),
      error: nullable(
        Type.String(),
        'What the last call that failed came to; null when none did, or a later one succeeded.',
      ),
      recordId: nullable(Type.String(), 'The record that it made.'),
      latencyMs: nullable(Type.Number(), 'How long the system took to answer.'),
      inputTokens: nullable(Type.Number(), 'Tokens that the system read; null when it did not say.'),
      outputTokens: nullable(Type.Number(), 'Tokens that the system wrote; null when it did not say.'),
      costUsd: nullable(
        Type.Number(),
        'What the system cost; null when that is not known. Judges are not in it.',
      ),
      evidence: Type.Union([FreeForm('Prompt as sent, model asked and model that answered.'), Type.Null()], {
        description:
          'How a prompt system came to its answer: prompt as sent, model asked and model that answered.',
      }),
      updatedAt: Type.String({ description: 'When it last changed.' }),
    },
    { description: 'One call of the system of a run, with one testcase.' },
  ),
);

export const ExecutionListQuery = Type.Object({
  ...pageQuery,
  state: Type.Optional(State('Keeps executions in this state.')),
});

export const ExecutionSummary = named(
  'ExecutionSummary',
  Type.Object(
    {
      runId: Type.String({ description: 'Id of the run.' }),
      total: Type.Integer({ description: 'Executions of the run; 0 when its records come from outside.' }),
      pending: Type.Integer({ description: 'To be made, or under way.' }),
      done: Type.Integer({ description: 'Made, with a record.' }),
      failed: Type.Integer({ description: 'Given up.' }),
      cancelled: Type.Integer({ description: 'Cancelled.' }),
      inputTokens: nullable(
        Type.Number(),
        'Tokens that the system read, over those done; null when one did not say.',
      ),
      outputTokens: nullable(Type.Number(), 'Tokens that the system wrote, likewise.'),
      costUsd: nullable(
        Type.Number(),
        'What the system cost over those done, judges apart; null when one is not known.',
      ),
      medianLatencyMs: nullable(Type.Number(), 'Half of the answers took at most this.'),
      p95LatencyMs: nullable(Type.Number(), '95 of 100 answers took at most this.'),
    },
    { description: 'The executions of a run in numbers.' },
  ),
);

export const ExecutionsChanged = Type.Object({
  changed: Type.Integer({ description: 'How many executions it was.' }),
});
