import { type Static, Type } from 'typebox';
import { named } from '../../platform/named-schema.ts';

const count = (description: string) => Type.Integer({ minimum: 0, description });
const days = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 36_500, description: 'Counts as if this were set.' }),
);

export const RetentionQuery = Type.Object({ recordDays: days, traceDays: days });
export type RetentionQuery = Static<typeof RetentionQuery>;

export const RetentionPreview = named(
  'RetentionPreview',
  Type.Object(
    {
      numRecords: count('Records that would be deleted, with their scores and traces.'),
      numKeptRecords: count('Older records that are kept, among the 100,000 oldest.'),
      keptBecause: Type.Object(
        {
          annotated: count('With an annotation.'),
          assigned: count('Assigned to someone.'),
          tagged: count('With a tag by a person.'),
          reviewed: count('With a review.'),
          scored: count(
            'With a score by a person: of a metric that people score, or given on the pages. Scores that a client sends for other metrics do not count.',
          ),
          pinned: count('Pinned to check a judge.'),
          inKeptRun: count('In the newest run with a mark on a testset, or in a trial of a judge.'),
        },
        { description: 'Kept records by reason. A record with several reasons counts in each.' },
      ),
      numTraces: count('Traces that would be deleted for their age.'),
    },
    { description: 'Counts of the next purge, each at most 100,000. A purge runs every minute.' },
  ),
);
