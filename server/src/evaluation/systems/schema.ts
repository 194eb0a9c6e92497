import { type Static, Type } from 'typebox';
import { FreeForm } from '../../platform/http/openapi.ts';
import { named, ref } from '../../platform/named-schema.ts';

/** A name is in a unique index, whose entries PostgreSQL limits to 2,704 bytes. */
const maxNameLength = 256;
const uuid = (description: string) => Type.String({ format: 'uuid', description });
const config = FreeForm('Configuration of this version: model, prompt, parameters; any JSON object.');

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
      description: Type.String({ default: '', description: 'Description of the system.' }),
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

/** An addition of ours: the contract's SystemVersion has fixed fields. */
export const SystemVersionDetails = named(
  'SystemVersionDetails',
  Type.Object(
    {
      id: uuid('Id of the version.'),
      systemId: uuid('Id of the system.'),
      systemName: Type.String({ description: 'Name of the system.' }),
      name: Type.String({ description: 'Name of the version.' }),
      note: Type.String({ description: 'Why the version was made; empty if no reason was given.' }),
      labels: Type.Array(Type.String(), {
        description:
          'Labels that point to it: production, latest for the newest version, and those of the team.',
      }),
      protectedLabels: Type.Array(Type.String(), {
        description: 'Labels of the system that only admins of the project move.',
      }),
      createdAt: Type.String({ description: 'When it was created.' }),
      config,
      variables: Type.Array(Type.String(), { description: 'Inputs that its prompt reads by name.' }),
    },
    { description: 'A version of a system with its labels and its note.' },
  ),
);

export const SystemLabelSet = Type.Object(
  {
    systemVersionId: uuid('Version of the system that the label points to from now on.'),
    protected: Type.Optional(
      Type.Boolean({
        description:
          'Whether only admins of the project can move or remove the label from now on. Only they can change this. Default: unchanged.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type SystemLabelSet = Static<typeof SystemLabelSet>;

export const SystemUpsert = Type.Object({
  description: Type.Optional(Type.String({ default: '', description: 'Description of the system.' })),
  name: Type.Optional(
    Type.String({
      maxLength: maxNameLength,
      default: 'Default system',
      description: 'Name of the system, created if it does not exist.',
    }),
  ),
  config,
});
export type SystemUpsert = Static<typeof SystemUpsert>;

export const SystemUpdate = Type.Object({
  name: Type.Optional(
    Type.String({
      maxLength: maxNameLength,
      description: 'New name. Answers 409 if another system of the project has it.',
    }),
  ),
  description: Type.Optional(Type.String({ description: 'New description.' })),
  productionVersionId: Type.Optional(uuid('Id of the new production version.')),
});
export type SystemUpdate = Static<typeof SystemUpdate>;

export const SystemVersionUpsert = Type.Object({
  config,
  name: Type.Optional(
    Type.String({ description: 'Name of the version; renames an existing version with this configuration.' }),
  ),
  note: Type.Optional(Type.String({ maxLength: 10_000, description: 'Why the version was made.' })),
});
export type SystemVersionUpsert = Static<typeof SystemVersionUpsert>;
