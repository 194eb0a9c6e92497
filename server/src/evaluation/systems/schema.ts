import { type Static, Type } from 'typebox';
import { FreeForm, named, ref } from '../../platform/http/openapi.ts';

/** A name stands in a unique index, whose entries PostgreSQL limits to 2,704 bytes. */
const maxNameLength = 256;
const uuid = (description: string) => Type.String({ format: 'uuid', description });
const config = FreeForm(
  'What this version of the system is made of: model, prompt, parameters; any JSON object.',
);

export const SystemVersion = named(
  'SystemVersion',
  Type.Object(
    {
      id: uuid('Id of the version.'),
      systemId: uuid('Id of the system.'),
      name: Type.String({ description: 'Name of the version.' }),
      config,
    },
    { description: 'One immutable configuration of a system.' },
  ),
);

export const System = named(
  'System',
  Type.Object(
    {
      id: uuid('Id of the system.'),
      name: Type.String({ description: 'Name, unique in the project.' }),
      description: Type.String({ default: '', description: 'What the system does.' }),
      productionVersion: ref(SystemVersion),
      versions: Type.Array(
        Type.Object({
          id: uuid('Id of the version.'),
          name: Type.String({ description: 'Name of the version.' }),
        }),
        { description: 'All versions, oldest first.' },
      ),
    },
    { description: 'An AI system under test, with its versions.' },
  ),
);

export const SystemUpsert = Type.Object({
  description: Type.Optional(Type.String({ default: '', description: 'What the system does.' })),
  name: Type.Optional(
    Type.String({
      maxLength: maxNameLength,
      default: 'Default system',
      description: 'The system of this name is taken, or made.',
    }),
  ),
  config,
});
export type SystemUpsert = Static<typeof SystemUpsert>;

export const SystemUpdate = Type.Object({
  name: Type.Optional(
    Type.String({
      maxLength: maxNameLength,
      description: 'New name; 409 when another system of the project has it.',
    }),
  ),
  description: Type.Optional(Type.String({ description: 'New description.' })),
  productionVersionId: Type.Optional(uuid('The version that is in production from now on.')),
});
export type SystemUpdate = Static<typeof SystemUpdate>;

export const SystemVersionUpsert = Type.Object({
  config,
  name: Type.Optional(
    Type.String({ description: 'Name of the version; renames the one that has this configuration already.' }),
  ),
});
export type SystemVersionUpsert = Static<typeof SystemVersionUpsert>;
