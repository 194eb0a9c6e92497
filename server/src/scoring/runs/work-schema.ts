import { type Static, Type } from 'typebox';
import { retriedStates } from '../../evaluation/scores/requeue.ts';
import { oneOf } from '../../platform/one-of.ts';

const id = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 64, description }));

const which = {
  of: Type.Optional(
    oneOf(['executions', 'scores', 'proposals'], 'Only this kind of work. Default: all three.'),
  ),
  metricId: id('Only scores, or proposals, of this metric. Needs `of: scores` or `of: proposals`.'),
  recordId: id('Only the score of this record by `metricConfigId`. Needs `of: scores`.'),
  metricConfigId: id('Only the score of `recordId` by this configuration of a metric.'),
  trialNumber: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: 'Only proposals of this rescoring of `metricId`. Needs `of: proposals`.',
    }),
  ),
};

export const WorkCancel = Type.Object(which, { additionalProperties: false });
export const WorkRetry = Type.Object(
  {
    ...which,
    states: Type.Optional(
      Type.Array(oneOf(retriedStates), {
        minItems: 1,
        description: 'Only scores in these states. Default: both. Needs `of: scores`.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type WorkAsked = Static<typeof WorkRetry>;

export const WorkChanged = Type.Object({
  numExecutions: Type.Integer({ description: 'Number of executions changed.' }),
  numScores: Type.Integer({ description: 'Number of scores changed.' }),
  numProposals: Type.Integer({ description: 'Number of proposals changed.' }),
});
