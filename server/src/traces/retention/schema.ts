import { type Static, Type } from 'typebox';
import { named } from '../../platform/http/openapi.ts';

const days = (what: string) =>
  Type.Union([Type.Integer({ minimum: 1, maximum: 36_500 }), Type.Null()], {
    description: `Days after which ${what} are deleted; null: never.`,
  });
const count = (description: string) => Type.Integer({ minimum: 0, description });

const settings = { recordDays: days('records'), traceDays: days('traces') };

export const RetentionUpdate = Type.Object(settings, { additionalProperties: false });
export type RetentionUpdate = Static<typeof RetentionUpdate>;

export const RetentionQuery = Type.Object({
  recordDays: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 36_500, description: 'Counts as if this were set.' }),
  ),
  traceDays: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 36_500, description: 'Counts as if this were set.' }),
  ),
});
export type RetentionQuery = Static<typeof RetentionQuery>;

export const Retention = named(
  'Retention',
  Type.Object(
    {
      ...settings,
      next: Type.Object(
        {
          records: count('Records that would be deleted, with their scores and traces.'),
          keptRecords: count('Older records that are kept, among the 100,000 oldest.'),
          traces: count('Traces that would be deleted for their age.'),
        },
        { description: 'What the next purge finds, each at most 100,000. A purge runs every minute.' },
      ),
    },
    { description: 'How long a project keeps records and traces.' },
  ),
);
