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
      numTraces: count('Traces that would be deleted for their age.'),
    },
    { description: 'Counts of the next purge, each at most 100,000. A purge runs every minute.' },
  ),
);
