import { type Static, Type } from 'typebox';
import { named } from '../../platform/named-schema.ts';

const name = Type.String({ minLength: 1, maxLength: 256, description: 'Name of the group.' });
const description = Type.String({ maxLength: 10_000, description: 'Purpose of the group.' });
const metricIds = Type.Array(Type.String({ description: 'Id of a metric.' }), {
  maxItems: 1000,
  description: 'Metrics of the group in their order, each once.',
});

export const MetricGroup = named(
  'MetricGroup',
  Type.Object(
    {
      id: Type.String({ description: 'Id of the group.' }),
      name,
      description,
      metricIds,
      projectId: Type.String({ description: 'Project of the group and its metrics.' }),
      createdAt: Type.String({ description: 'When it was created.' }),
      updatedAt: Type.String({ description: 'When it was last changed.' }),
    },
    { description: 'A named set of metrics of a project. Deleting a metric removes it from its groups.' },
  ),
);

export const MetricGroupCreate = Type.Object({
  name,
  description: Type.Optional({ ...description, default: '' }),
  metricIds,
});
export type MetricGroupCreate = Static<typeof MetricGroupCreate>;

export const MetricGroupUpdate = Type.Partial(Type.Object({ name, description, metricIds }));
export type MetricGroupUpdate = Static<typeof MetricGroupUpdate>;
