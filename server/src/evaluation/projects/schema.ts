import { type Static, Type } from 'typebox';
import { named } from '../../platform/named-schema.ts';

const nullableText = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

export const Project = named(
  'Project',
  Type.Object(
    {
      id: Type.String({ description: 'Id of the project.' }),
      name: nullableText('Name of the project.'),
      description: nullableText('Description of the project.'),
    },
    { description: 'Holds the testsets, metrics, systems and runs of one AI system under test.' },
  ),
);

export const ProjectCreate = Type.Object({
  name: Type.String({ description: 'Name of the project.' }),
  description: Type.String({ description: 'Description of the project.' }),
  importKey: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        'Key that an import tool chooses for its source. A second create with the same key returns the first project.',
    }),
  ),
});
export type ProjectCreate = Static<typeof ProjectCreate>;

export const ProjectUpdate = Type.Object(
  {
    name: Type.Optional(nullableText('New name.')),
    description: Type.Optional(nullableText('New description.')),
  },
  { additionalProperties: false, minProperties: 1 },
);
export type ProjectUpdate = Static<typeof ProjectUpdate>;
