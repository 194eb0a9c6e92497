import { type Static, type TSchema, Type } from 'typebox';
import { CriteriaSettings } from '../../evaluation/metrics/criteria.ts';
import { labelFields } from '../../evaluation/metrics/labels.ts';
import { outputTypes } from '../../evaluation/metrics/schema.ts';
import { Record } from '../../evaluation/records/schema.ts';
import { StatedMaker } from '../../evaluation/scores/made-by.ts';
import { FreeForm } from '../../platform/http/openapi.ts';
import { pageQuery } from '../../platform/http/pagination.ts';
import { named, ref } from '../../platform/named-schema.ts';
import { oneOf } from '../../platform/one-of.ts';

const recordId = Type.String({ description: 'Id of the record.' });
const metricId = Type.String({ description: 'Id of the metric.' });
const metricName = Type.String({ description: 'Name of the metric.' });
const metricConfigId = Type.String({ format: 'uuid', description: 'Configuration of the metric.' });
const userId = Type.String({ description: 'Id of the reviewer.' });
const score = FreeForm(
  'The value field of the metric (binaryScore, intScore, floatScore or categoryScore), with reasoning.',
);
const nullable = <T extends TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });
const count = (description: string) => Type.Integer({ minimum: 0, description });

/** Settings of a human metric. */
export const reviewing = {
  numReviewers: Type.Integer({
    minimum: 1,
    maximum: 9,
    description:
      "Number of people who score each record, without seeing each other's scores. The score is pending until all have submitted theirs.",
  }),
  reviewRule: oneOf(
    ['latest', 'majority'],
    'How the current score follows from theirs: the latest, or the majority (for integers and floats the ' +
      'median; with an even number, the lower of the two in the middle; for labels without an order the one of more than half). A metric with criteria has a majority on each criterion.',
  ),
};
export type ReviewRule = Static<typeof reviewing.reviewRule>;
export type Reviewing = { numReviewers: number; reviewRule: ReviewRule };

/** Filters of a queue. */
export const QueueQuery = Type.Object({
  metricId: Type.Optional(
    Type.String({ description: 'Only records whose score for this metric is pending.' }),
  ),
  runId: Type.Optional(Type.String({ description: 'Only records of this run.' })),
});
export type QueueQuery = Static<typeof QueueQuery>;

/** What a reviewer needs of a metric to score by it. */
const askedMetric = {
  metricId,
  metricConfigId,
  metricName,
  guidelines: Type.String({ description: 'Instructions for reviewers.' }),
  outputType: oneOf([...outputTypes], 'Kind of score.'),
  criteria: nullable(
    ref(CriteriaSettings),
    'Criteria to score one by one: send `criteria: [{ id, met }]` in place of a value. null: the metric has none.',
  ),
  labels: nullable(labelFields.shown, 'Labels to choose from, for a category; null for other metrics.'),
  numReviewers: reviewing.numReviewers,
};

/** What the member has done with a record by a metric. */
const ownReview = {
  claimedUntil: nullable(Type.String(), 'When your claim on the record expires; null if you have none.'),
  previousScore: nullable(
    score,
    'Your last score of this record, even if undone since; null if there is none.',
  ),
};

export const ReviewTask = named(
  'ReviewTask',
  Type.Object(
    {
      recordId,
      ...askedMetric,
      assigned: Type.Boolean({ description: 'Whether the record is assigned to you.' }),
      hasSpans: Type.Boolean({ description: 'Whether traces belong to the record: it has a conversation.' }),
      ...ownReview,
      record: ref(Record),
    },
    {
      description: 'A record for you to score. Other scores are left out, so that they do not influence you.',
    },
  ),
);

export const ReviewMetric = named(
  'ReviewMetric',
  Type.Object(
    { ...askedMetric, ...ownReview },
    { description: 'A metric by which a record waits for your score.' },
  ),
);

export const NextReview = Type.Object({
  review: Type.Union([ref(ReviewTask), Type.Null()], {
    description: 'The record to score, by the first of its metrics; null if nothing is left for you.',
  }),
  metrics: Type.Array(ref(ReviewMetric), {
    description:
      'All metrics by which this record waits for your score, in the order of their creation. You have claimed the record for each.',
  }),
});

export const Review = named(
  'Review',
  Type.Object(
    {
      id: Type.String({ description: 'Id of the review.' }),
      recordId,
      metricConfigId,
      userId,
      madeBy: oneOf(
        ['person', 'client', 'model'],
        'Who made it: a person, a client that did not say who did, or a model.',
      ),
      score,
      blind: Type.Boolean({
        description:
          "Whether the reviewer could not have seen another person's review of the record before. It says nothing about the judge's verdict: the queue hides that, but a member who may read the project can have seen it elsewhere, which is not known. Reviewers who may only review can't have seen it.",
      }),
      submittedAt: Type.String({ description: 'When it was submitted.' }),
    },
    { description: 'Score of a record by one person.' },
  ),
);

export const ReviewSubmit = Type.Object({ score, madeBy: StatedMaker }, { additionalProperties: false });

const state = oneOf(
  ['pending', 'scored', 'unscored', 'failed'],
  "State of the record's score: pending until all its reviewers have submitted.",
);
const reviewsOfRecord = {
  state,
  numReviewers: reviewing.numReviewers,
  numReviews: count('Number of people who have reviewed the record.'),
};

export const ReviewSubmitted = Type.Object({ review: ref(Review), ...reviewsOfRecord });

/** Maximum number of scores in one request: more than people score of one record. */
const mostReviews = 100;

export const ReviewsSubmit = Type.Object(
  {
    reviews: Type.Array(
      Type.Object({ metricConfigId, score, madeBy: StatedMaker }, { additionalProperties: false }),
      { maxItems: mostReviews, description: 'Your score by each metric.' },
    ),
    skip: Type.Optional(
      Type.Array(metricConfigId, {
        maxItems: mostReviews,
        description: 'Configurations by which you skip the record.',
      }),
    ),
    replace: Type.Optional(
      Type.Boolean({
        default: true,
        description:
          'Whether your earlier reviews of the record may be replaced. false: the answer is 409 if there is one by these metrics.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type ReviewsSubmit = Static<typeof ReviewsSubmit>;

export const ReviewsSubmitted = Type.Object({
  data: Type.Array(ReviewSubmitted, { description: 'The reviews, in the order of the request.' }),
});

export const RecordReviews = Type.Object({
  ...reviewsOfRecord,
  data: Type.Array(ref(Review), {
    description:
      'Reviews, oldest first. Reviews of others are left out while the score is pending and you have not submitted yours.',
  }),
});

export const ReviewSkipped = Type.Object({
  skipped: Type.Boolean({ description: 'Always true.' }),
});

export const ReviewProgress = Type.Object({
  queues: Type.Array(
    Type.Object({
      metricId,
      metricName,
      metricConfigId,
      numReviewers: reviewing.numReviewers,
      numPending: count('Number of records whose score is pending.'),
      numStarted: count('Number of these records that someone has reviewed.'),
      numReviewed: count('Number of records that people have reviewed and that have a score.'),
      numForYou: count(
        'Number of records that wait for your score: they are assigned to you, or have a review left that is reserved for no one.',
      ),
    }),
    { description: 'One queue for each configuration that people score.' },
  ),
  members: Type.Array(
    Type.Object({
      userId,
      name: Type.String({ description: 'Name of the user.' }),
      numReviewed: count('Number of records that they have reviewed.'),
      numSkipped: count('Number of pending records that they have skipped and not reviewed since.'),
      numRemaining: count('Number of pending records that they have not reviewed.'),
      numAssigned: count('Number of records that are assigned to them and wait for their score.'),
    }),
    {
      description: 'You and all who have reviewed, skipped or claimed a record, or to whom one is assigned.',
    },
  ),
  forYou: Type.Object(
    {
      numRecords: count('Number of records that wait for your score by any of the metrics.'),
      numAssigned: count('Number of these records that are assigned to you.'),
    },
    { description: 'What waits for you. A record counts once, whatever the number of its metrics.' },
  ),
});

export const ReviewDisagreement = named(
  'ReviewDisagreement',
  Type.Object(
    {
      recordId,
      metricConfigId,
      spread: Type.Number({ description: 'Highest minus lowest value, with 1 for true and 0 for false.' }),
      reviews: Type.Array(ref(Review), { description: 'Reviews, oldest first.' }),
    },
    { description: 'A record on which reviewers disagree.' },
  ),
);
export const DisagreementQuery = Type.Object({
  ...pageQuery,
  runId: Type.Optional(Type.String({ description: 'Only records of this run.' })),
});
