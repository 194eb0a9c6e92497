import { type Static, Type } from 'typebox';
import { FreeForm, named } from '../../platform/http/openapi.ts';

const fields = {
  name: Type.String({ minLength: 1, maxLength: 256, description: 'What it is called.' }),
  shared: Type.Boolean({ description: 'Whether everybody sees it, or only who made it.' }),
  search: Type.String({
    maxLength: 10_000,
    description:
      'The search, as it is typed: `result:fail tag:"look again" refund`; empty finds all records.',
  }),
  display: FreeForm('How the records are shown: columns, their order and width, the height of rows.'),
};

export const SavedView = named(
  'SavedView',
  Type.Object(
    {
      id: Type.String({ format: 'uuid', description: 'Id of the view.' }),
      ...fields,
      userId: Type.String({ format: 'uuid', description: 'Who made it.' }),
      createdAt: Type.String({ description: 'When it was made.' }),
      updatedAt: Type.String({ description: 'When it was last changed.' }),
    },
    { description: 'A search of a project’s records that was given a name.' },
  ),
);

export const SavedViewCreate = Type.Object(fields, { additionalProperties: false });
export type SavedViewCreate = Static<typeof SavedViewCreate>;

export const SavedViewUpdate = Type.Partial(Type.Object(fields), {
  additionalProperties: false,
  minProperties: 1,
});
export type SavedViewUpdate = Static<typeof SavedViewUpdate>;
