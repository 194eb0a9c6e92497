import { Type } from 'typebox';
import {
  count,
  Estimate,
  level,
  nullable,
  nullableNumber,
  number,
  text,
  texts,
} from '../../evaluation/scores/estimate-schema.ts';
import { named, ref } from '../../platform/http/openapi.ts';

export const AgreementQuery = Type.Object({
  level,
  metricConfigId: Type.Optional(
    Type.String({
      description: 'Configuration that was scored by; by default that of the run, else the current one.',
    }),
  ),
  runId: Type.Optional(
    Type.String({ description: 'Run whose reviews count; by default those of all runs.' }),
  ),
  measure: Type.Optional(
    Type.Union([Type.Literal('score'), Type.Literal('pass')], {
      default: 'score',
      description: '`pass` looks at whether int and float scores pass instead of at the scores.',
    }),
  ),
  sighted: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'Whether reviews count as well whose author could have seen what others had said. They agree more than they should.',
    }),
  ),
});

const estimate = (description: string) => Type.Unsafe({ ...ref(Estimate), description });

const Reviewer = Type.Object({
  userId: text('Who reviewed.'),
  reviews: count('Their reviews.'),
  shared: count('Of these, records that someone else reviewed too.'),
  agreement: nullableNumber('Share of the others who said the same, averaged over the shared records.'),
  difference: nullableNumber(
    'By how much they score higher than the others on the shared records; for pass or fail a share.',
  ),
  alphaWithout: nullableNumber('α of the reviewers without this one: higher than α, and they stand apart.'),
});

const Pair = Type.Object({
  userIds: Type.Array(Type.String(), { description: 'The two of them.' }),
  n: count('Records that both reviewed.'),
  agreement: estimate('Share of these on which both said the same.'),
  kappa: nullable(ref(Estimate), 'Cohen’s κ, of scores from 1 to 5 with quadratic weights; null for floats.'),
});

export const ReviewerAgreement = named(
  'ReviewerAgreement',
  Type.Object(
    {
      metricConfigId: text('Configuration that was scored by.'),
      outputType: text('Kind of score.'),
      passingThreshold: nullableNumber('Lowest score that passes; null for a boolean.'),
      measure: text('What is looked at: `score` or `pass`.'),
      level: number('Confidence level.'),
      reviews: count('Reviews that count, at most 200,000, those of the newest runs.'),
      reviewsLeftOut: count('Reviews that do not, as their authors could have seen others’.'),
      records: count('Records with a review.'),
      recordsWithSeveral: count('Records with two or more.'),
      agreement: estimate('Share of pairs of reviews of one record that are equal.'),
      alpha: estimate('Krippendorff’s α: nominal for pass or fail, ordinal for 1 to 5, interval for floats.'),
      ac: estimate('Gwet’s AC1; AC2 with quadratic weights for 1 to 5; none for floats.'),
      reviewers: Type.Array(Reviewer, {
        description: 'Each reviewer against the others: the 50 with the most reviews, these first.',
      }),
      reviewersLeftOut: count('Reviewers beyond these.'),
      pairs: Type.Array(Pair, { description: 'Each two of them: the 100 with the most records in common.' }),
      warnings: texts('What to bear in mind.'),
    },
    { description: 'How far the people agree who scored the same records.' },
  ),
);
