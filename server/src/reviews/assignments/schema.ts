import { type Static, Type } from 'typebox';
import { QueueQuery } from '../queues/schema.ts';

const userId = Type.String({ description: 'Id of a user.' });

/** Maximum number of records that one request assigns. */
export const mostAssigned = 10_000;

export const AssignReviews = Type.Object(
  {
    userIds: Type.Array(userId, {
      maxItems: 100,
      description:
        'People who get the records, in turn. Empty: with `fromUserId`, the records are then for anyone.',
    }),
    numPerRecord: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 9,
        default: 1,
        description: 'Number of these people who get each record.',
      }),
    ),
    fromUserId: Type.Optional(
      Type.String({
        description:
          'Reassigns the records of this user that still wait for their score. Without it, only records without an assigned user are assigned.',
      }),
    ),
    maxRecords: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: mostAssigned,
        default: mostAssigned,
        description: 'Maximum number of records, oldest first.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type AssignReviews = Static<typeof AssignReviews>;

const numRecords = Type.Integer({ minimum: 0, description: 'Number of records.' });

export const ReviewsAssigned = Type.Object({
  numRecords,
  people: Type.Array(Type.Object({ userId, numRecords }), {
    description: 'The people, each with the number of records that they got.',
  }),
});

export const LeaveQuery = Type.Object({
  ...QueueQuery.properties,
  recordId: Type.Optional(Type.String({ description: 'Only this record.' })),
});

export const ReviewsLeft = Type.Object({ numRecords });
