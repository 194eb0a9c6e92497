import { type Static, type TSchema, Type } from 'typebox';
import { Record } from '../../evaluation/records/schema.ts';
import { FreeForm, named, ref } from '../../platform/http/openapi.ts';
import { pageQuery } from '../../platform/http/pagination.ts';

const recordId = Type.String({ description: 'Id of the record.' });
const metricId = Type.String({ description: 'Id of the metric.' });
const metricName = Type.String({ description: 'Name of the metric.' });
const metricConfigId = Type.String({ format: 'uuid', description: 'Configuration of the metric.' });
const userId = Type.String({ description: 'The user.' });
const score = FreeForm('The value field of the metric (binaryScore, intScore or floatScore), and reasoning.');
const nullable = <T extends TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });
const count = (description: string) => Type.Integer({ minimum: 0, description });

const settings = {
  reviewers: Type.Integer({
    minimum: 1,
    maximum: 9,
    description:
      'How many people score each record, each without sight of the others. The score is pending until then.',
  }),
  rule: Type.Union([Type.Literal('latest'), Type.Literal('majority')], {
    description:
      'Which of their scores becomes the current one: the latest, or the majority (of integers and floats the median; of ' +
      'two in the middle the lower).',
  }),
};
export const ReviewSettings = named(
  'ReviewSettings',
  Type.Object(settings, { description: 'How people score the records of a metric.' }),
);
export const ReviewSettingsUpdate = Type.Object(settings, { additionalProperties: false });
export type ReviewSettings = Static<typeof ReviewSettingsUpdate>;
export type ReviewRule = ReviewSettings['rule'];

/** What a queue may be narrowed to. */
export const QueueQuery = Type.Object({
  metricId: Type.Optional(Type.String({ description: 'Only records that this metric waits for.' })),
  runId: Type.Optional(Type.String({ description: 'Only records of this run.' })),
});
export type QueueQuery = Static<typeof QueueQuery>;

export const ReviewTask = named(
  'ReviewTask',
  Type.Object(
    {
      recordId,
      metricId,
      metricConfigId,
      metricName,
      guidelines: Type.String({ description: 'What reviewers go by.' }),
      outputType: Type.Union(
        ['int', 'float', 'boolean'].map((type) => Type.Literal(type)),
        { description: 'Kind of score that is asked for.' },
      ),
      reviewers: settings.reviewers,
      assigned: Type.Boolean({ description: 'Whether the record is assigned to you.' }),
      claimedUntil: nullable(
        Type.String(),
        'Until then nobody else is given your place at this record. Null when you have no claim on it.',
      ),
      previousScore: nullable(
        score,
        'What you submitted for it last, even if undone since; null when nothing.',
      ),
      record: ref(Record),
    },
    { description: 'A record for you to score. It comes without its other scores, so that none sways you.' },
  ),
);

export const NextReview = Type.Object({
  review: Type.Union([ref(ReviewTask), Type.Null()], { description: 'Null when nothing is left for you.' }),
});

export const Review = named(
  'Review',
  Type.Object(
    {
      id: Type.String({ description: 'Id of the review.' }),
      recordId,
      metricConfigId,
      userId,
      score,
      blind: Type.Boolean({
        description: 'True when the reviewer could not have seen another review of the record before.',
      }),
      submittedAt: Type.String({ description: 'When it was submitted.' }),
    },
    { description: 'What one person says of a record.' },
  ),
);

export const ReviewSubmit = Type.Object({ score }, { additionalProperties: false });

const state = Type.Union(
  ['pending', 'scored', 'unscored', 'failed'].map((value) => Type.Literal(value)),
  { description: 'State of the record’s score: pending until all its reviewers have submitted.' },
);
const reviewsOfRecord = {
  state,
  reviewers: settings.reviewers,
  numReviews: count('How many people have reviewed the record.'),
};

export const ReviewSubmitted = Type.Object({ review: ref(Review), ...reviewsOfRecord });

export const RecordReviews = Type.Object({
  ...reviewsOfRecord,
  data: Type.Array(ref(Review), {
    description:
      'Reviews, oldest first. Those of others are left out while the score is pending and you have not submitted yours.',
  }),
});

export const ReviewSkipped = Type.Object({
  skipped: Type.Boolean({ description: 'Always true: it comes back to you after all others.' }),
});

export const ReviewProgress = Type.Object({
  queues: Type.Array(
    Type.Object({
      metricId,
      metricName,
      metricConfigId,
      reviewers: settings.reviewers,
      numPending: count('Records whose score is pending.'),
      numStarted: count('Of these, records that somebody has reviewed already.'),
      numReviewed: count('Records whose score is there and that people have reviewed.'),
    }),
    { description: 'One for each configuration that people score.' },
  ),
  members: Type.Array(
    Type.Object({
      userId,
      name: Type.String({ description: 'Name of the user.' }),
      numReviewed: count('Records that they have reviewed.'),
      numSkipped: count('Pending records that they have skipped and not reviewed since.'),
      numRemaining: count('Pending records that they have not reviewed.'),
    }),
    { description: 'You, and everybody who has reviewed, skipped or claimed a record.' },
  ),
});

export const ReviewDisagreement = named(
  'ReviewDisagreement',
  Type.Object(
    {
      recordId,
      metricConfigId,
      spread: Type.Number({ description: 'Highest less lowest value; true is 1 and false 0.' }),
      reviews: Type.Array(ref(Review), { description: 'What each of them says, oldest first.' }),
    },
    { description: 'A record on which reviewers differ.' },
  ),
);
export const DisagreementQuery = Type.Object({
  ...pageQuery,
  runId: Type.Optional(Type.String({ description: 'Only records of this run.' })),
});
