import { Type } from 'typebox';
import {
  caveats,
  count,
  Estimate,
  level,
  nullable,
  nullableNumber,
  number,
  text,
  warnings,
} from '../../engine/statistics/estimate-schema.ts';
import { named, ref } from '../../platform/named-schema.ts';
import { criterionFacts } from './calibration-schema.ts';

export const AgreementQuery = Type.Object({
  level,
  metricConfigId: Type.Optional(
    Type.String({
      description: 'Configuration that people scored; default that of the run, else the current one.',
    }),
  ),
  runId: Type.Optional(Type.String({ description: 'Run whose reviews count; default all runs.' })),
  measure: Type.Optional(
    Type.Union([Type.Literal('score'), Type.Literal('pass')], {
      default: 'score',
      description:
        'What is compared for int and float metrics: `score`, or `pass` (whether the score passes).',
    }),
  ),
  criteria: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'Whether the agreement on each criterion comes with the answer, for a metric with criteria.',
    }),
  ),
  sighted: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'Whether to count reviews whose author could have seen the reviews of others. Such reviews agree more than independent ones. Those of spans always count, with the caveat `reviewsSeen`.',
    }),
  ),
});

const estimate = (description: string) => ref(Estimate, description);

const Reviewer = Type.Object({
  userId: text('Id of the reviewer.'),
  numReviews: count('Number of their reviews.'),
  numShared: count('Number of these records that others reviewed too.'),
  agreement: nullableNumber('Share of the others who gave the same score, averaged over the shared records.'),
  difference: nullableNumber(
    'How much higher they score than the others on the shared records; for pass or fail, a difference of shares.',
  ),
  alphaWithout: nullableNumber(
    'α without this reviewer. If it is higher than α, this reviewer disagrees with the rest.',
  ),
});

const Pair = Type.Object({
  userIds: Type.Array(Type.String(), { description: 'Ids of the two reviewers.' }),
  n: count('Number of records that both reviewed.'),
  agreement: estimate('Share of these on which both said the same.'),
  kappa: nullable(
    ref(Estimate),
    "Cohen's κ, with quadratic weights for scores from 1 to 5; null for floats.",
  ),
});

export const ReviewerAgreement = named(
  'ReviewerAgreement',
  Type.Object(
    {
      metricConfigId: text('Configuration that people scored.'),
      outputType: text('Kind of score.'),
      passingThreshold: nullableNumber('Lowest score that passes; null for a boolean.'),
      measure: text('What is compared: `score` or `pass`.'),
      unit: Type.Enum(['record', 'span'], {
        description:
          'What was reviewed. For a metric that scores spans, what is called a record here is a span, and the last score that each person gave it is their review.',
      }),
      level: number('Confidence level.'),
      numReviews: count('Number of reviews that count, at most the 200,000 of the newest runs.'),
      numReviewsLeftOut: count(
        'Number of reviews that do not count, because their authors could have seen others.',
      ),
      numRecords: count('Number of records with a review.'),
      numRecordsWithSeveral: count('Number of records with two or more reviews.'),
      agreement: estimate('Share of pairs of reviews of one record that are equal.'),
      alpha: estimate('Krippendorff’s α: nominal for pass or fail, ordinal for 1 to 5, interval for floats.'),
      ac: estimate('Gwet’s AC1; AC2 with quadratic weights for 1 to 5; none for floats.'),
      reviewers: Type.Array(Reviewer, {
        description: 'Each reviewer compared with the others: the 50 with the most reviews, most first.',
      }),
      numReviewersLeftOut: count('Number of further reviewers.'),
      pairs: Type.Array(Pair, {
        description: 'Pairs of reviewers: the 100 with the most records in common.',
      }),
      criteria: Type.Optional(
        Type.Array(
          Type.Object({
            id: criterionFacts.id,
            text: criterionFacts.text,
            numRecordsWithSeveral: count('Number of records with two or more reviews of it.'),
            agreement: estimate('Share of pairs of reviews of one record that say the same.'),
            alpha: estimate('Krippendorff’s α, nominal.'),
            ac: estimate('Gwet’s AC1.'),
          }),
          {
            description:
              'Only with `criteria`. Each criterion that was reviewed, first those of the metric; at most 200.',
          },
        ),
      ),
      caveats,
      warnings,
    },
    { description: 'How far people who reviewed the same records agree.' },
  ),
);
