import { type Static, Type } from 'typebox';
import {
  count,
  Estimate,
  nullableNumber,
  nullableText,
  text,
  texts,
} from '../../engine/statistics/estimate-schema.ts';
import { named, ref } from '../../platform/named-schema.ts';

/** Most failures that are grouped, the newest. */
export const mostFailures = 500;

export const FailureGrouping = Type.Object(
  {
    metricId: Type.Optional(text('Metric whose failures are grouped; default those of any metric.')),
    modelName: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'Model that names the clusters; default the model of judges.',
      }),
    ),
    embeddingModelName: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'Model of embeddings by which failures are grouped; default by their words.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type FailureGrouping = Static<typeof FailureGrouping>;

export const FailureClusters = named(
  'FailureClusters',
  Type.Object(
    {
      clusters: Type.Array(
        Type.Object({
          name: text('Common feature of its failures: a name from the model, else its typical words.'),
          words: texts('Words that its failures have and others lack.'),
          recordIds: texts('Its records, the most typical first.'),
          share: ref(Estimate),
        }),
        { description: 'Clusters, the largest first. `share` is of all grouped failures.' },
      ),
      others: texts('Records that fit no cluster.'),
      numFailures: count('Records of the run that failed.'),
      numGrouped: count(`Failures that were grouped: the newest ${mostFailures}.`),
      basis: Type.Union([Type.Literal('reasoning'), Type.Literal('content')], {
        description: 'Texts that were compared: the reasonings of the scores, or inputs and outputs.',
      }),
      embeddingModelName: nullableText('Model of embeddings; null if words were compared.'),
      namedBy: nullableText('Model that named the clusters; null if the clusters are named by their words.'),
      error: nullableText('Why a call of a model failed; null if none failed.'),
      costUsd: nullableNumber('Cost of the naming in US dollars; null if unknown or no model was asked.'),
    },
    { description: 'The failures of a run in groups.' },
  ),
);
