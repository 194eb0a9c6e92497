import { type Static, Type } from 'typebox';
import { FreeForm } from '../../platform/http/openapi.ts';
import { named } from '../../platform/named-schema.ts';

const fields = {
  name: Type.String({ minLength: 1, maxLength: 256, description: 'Name of the view.' }),
  shared: Type.Boolean({ description: 'Whether all members see it, or only its author.' }),
  search: Type.String({
    maxLength: 10_000,
    description:
      'The search as typed, for example `result:fail tag:"look again" refund`; empty finds all records.',
  }),
  display: FreeForm('Display settings: columns, their order and width, row height.'),
};

export const SavedView = named(
  'SavedView',
  Type.Object(
    {
      id: Type.String({ format: 'uuid', description: 'Id of the view.' }),
      ...fields,
      userId: Type.String({ format: 'uuid', description: 'Author of the view.' }),
      createdAt: Type.String({ description: 'When it was created.' }),
      updatedAt: Type.String({ description: 'When it was last changed.' }),
    },
    { description: "A saved search of a project's records." },
  ),
);

export const SavedViewCreate = Type.Object(fields, { additionalProperties: false });
export type SavedViewCreate = Static<typeof SavedViewCreate>;

export const SavedViewUpdate = Type.Partial(Type.Object(fields), {
  additionalProperties: false,
  minProperties: 1,
});
export type SavedViewUpdate = Static<typeof SavedViewUpdate>;
