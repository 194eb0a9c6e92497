import { type Static, type TSchema, Type } from 'typebox';
import { evalTypes, outputTypes } from '../../evaluation/metrics/schema.ts';
import { named } from '../../platform/http/openapi.ts';
import { ReviewSettingsUpdate } from '../../reviews/queues/schema.ts';

const nullable = <T extends TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });
const time = (description: string) => Type.String({ format: 'date-time', description });

const version = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'Id of the configuration.' }),
    evalType: Type.Enum([...evalTypes], { description: 'Who or what scores.' }),
    outputType: Type.Enum([...outputTypes], { description: 'Kind of score.' }),
    guidelines: Type.String({ description: 'How it scores.' }),
    promptTemplate: nullable(Type.String(), 'Of a judge, what it is asked.'),
    evalModelName: nullable(Type.String(), 'Of a judge, the model.'),
    temperature: nullable(Type.Number(), 'Of a judge.'),
    passingThreshold: nullable(
      Type.Number(),
      'Lowest score that passes; null where scores are true or false.',
    ),
    judgeRepeats: Type.Integer({ minimum: 1, maximum: 9, description: 'How often a judge is asked.' }),
    createdAt: time('When it was made.'),
  },
  { additionalProperties: false },
);
export type ExportedVersion = Static<typeof version>;

const fields = {
  name: Type.String({ minLength: 1, description: 'What it is called.' }),
  description: nullable(Type.String(), 'What it is for.'),
  ...ReviewSettingsUpdate.properties,
  createdAt: time('When it was made.'),
  versions: Type.Array(version, {
    minItems: 1,
    maxItems: 10_000,
    description: 'Its configurations, oldest first; the last is the current one.',
  }),
};

export const ExportedMetric = named(
  'ExportedMetric',
  Type.Object(
    {
      id: Type.String({ description: 'Id of the metric.' }),
      ...fields,
      deletedAt: nullable(time('When.'), 'When it was deleted; its scores are still there.'),
    },
    { description: 'A metric with all configurations that it had, for another place to store it.' },
  ),
);

export const MetricImport = Type.Object(fields, { additionalProperties: false });
export type MetricImport = Static<typeof MetricImport>;

export const MetricImported = Type.Object({
  id: Type.String({ description: 'Id of the metric here.' }),
  versionIds: Type.Array(Type.String(), { description: 'Ids of its configurations here, in their order.' }),
});
