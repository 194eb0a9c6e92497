import { type Static, Type } from 'typebox';
import {
  count,
  nullableNumber,
  nullableText,
  number,
  text,
  texts,
} from '../../engine/statistics/estimate-schema.ts';
import { named } from '../../platform/named-schema.ts';

/** Most failures that a model reads to write criteria. */
export const mostRead = 20;

const optional = Type.Optional;

export const CriteriaDraft = Type.Object(
  {
    guidelines: optional(
      Type.String({
        maxLength: 20_000,
        description: 'What a good answer is, such as the guidelines of the metric.',
      }),
    ),
    runId: optional(
      text(`Run whose failures show what goes wrong: ${mostRead} of them, spread over the newest 500.`),
    ),
    metricId: optional(text('Metric whose failures count; default those of any metric of the run.')),
    criteria: optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 4_000 }), {
        maxItems: 100,
        description: 'Texts of criteria that there are: the model writes others, and repetitions are marked.',
      }),
    ),
    numCriteria: optional(
      Type.Integer({ minimum: 1, maximum: 20, default: 6, description: 'Most criteria to write.' }),
    ),
    modelName: optional(
      Type.String({ minLength: 1, description: 'Model that writes them; default the model of judges.' }),
    ),
    dryRun: optional(
      Type.Boolean({
        default: false,
        description: 'Whether only the cost is estimated, and no model is asked.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type CriteriaDraft = Static<typeof CriteriaDraft>;

const usage = (what: string) => ({
  inputTokens: nullableNumber(`Input tokens ${what}.`),
  outputTokens: nullableNumber(`Output tokens ${what}.`),
  costUsd: nullableNumber(`Cost in US dollars ${what}; null if unknown.`),
});

export const CriteriaDrafts = named(
  'CriteriaDrafts',
  Type.Object(
    {
      drafts: Type.Array(
        Type.Object({
          id: text('Id that is made of the text.'),
          text: text('One question with a yes or a no.'),
          weight: number('Weight; negative for what must not happen.'),
          mustPass: Type.Boolean({ description: 'Whether the model would fail the record without it.' }),
          why: text('Why the model wrote it; may be empty.'),
          recordIds: texts('Failures that the model names for it.'),
          similarTo: nullableText(
            'Criterion that it nearly repeats: one of `criteria`, or an earlier draft.',
          ),
        }),
        {
          description:
            'Criteria in the order of the model. Nothing is stored: someone accepts them one by one into `criteria.items` of the metric.',
        },
      ),
      numFailures: count('Number of failures that the model reads.'),
      modelName: text('Model that writes them.'),
      estimate: Type.Object(usage('of the call, by the length of the question'), {
        description: 'What the call costs, estimated before it.',
      }),
      error: nullableText('Why there are no drafts; null if the model answered or was not asked.'),
      ...usage('of the call'),
    },
    { description: 'Criteria that a model wrote, for review.' },
  ),
);
