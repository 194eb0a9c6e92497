import { type Static, Type } from 'typebox';
import { judging } from '../../evaluation/metrics/schema.ts';
import { named } from '../../platform/named-schema.ts';
import { reviewing } from '../queues/schema.ts';

const fields = { ...judging, ...reviewing };

export const MetricSettings = named(
  'MetricSettings',
  Type.Object(fields, { description: 'How many votes a judge gives, and how many people review a record.' }),
);
export const MetricSettingsUpdate = Type.Partial(Type.Object(fields), {
  additionalProperties: false,
  minProperties: 1,
});
export type MetricSettingsUpdate = Static<typeof MetricSettingsUpdate>;
