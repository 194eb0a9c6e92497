import { type Static, Type } from 'typebox';
import { judging } from '../../evaluation/metrics/schema.ts';
import { named } from '../../platform/named-schema.ts';
import { reviewing } from '../queues/schema.ts';

const fields = {
  ...judging,
  peopleMetricId: Type.Union([Type.String(), Type.Null()], {
    description:
      'Human metric whose scores are the truth about a judge: the one that was set, else the only one of the project with the same guidelines and kind of score. Null if it is not known; then no rate is corrected. Set null to remove the setting.',
  }),
  ...reviewing,
};

export const MetricSettings = named(
  'MetricSettings',
  Type.Object(fields, {
    description:
      'How many votes a judge gives, which people it is compared with, and how many people review a record.',
  }),
);
export const MetricSettingsUpdate = Type.Partial(Type.Object(fields), {
  additionalProperties: false,
  minProperties: 1,
});
export type MetricSettingsUpdate = Static<typeof MetricSettingsUpdate>;
