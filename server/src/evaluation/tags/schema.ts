import { Type } from 'typebox';
import { named } from '../../platform/named-schema.ts';

/** Longest tag, in characters. */
export const maxTagLength = 256;

export const RecordTag = named(
  'RecordTag',
  Type.Object(
    {
      id: Type.String({ description: 'Id of the tag on this record.' }),
      recordId: Type.String({ description: 'Id of the record.' }),
      text: Type.String({ description: 'The tag.' }),
      source: Type.Union([Type.Literal('user'), Type.Literal('otel')], {
        description: 'Origin of the tag: a user of the API, or a trace.',
      }),
      userId: Type.Union([Type.String(), Type.Null()], {
        description: 'Id of the user who added it; null for a trace.',
      }),
      createdAt: Type.String({ description: 'When it was added.' }),
    },
    { description: 'A tag on a record.' },
  ),
);

export const TagCreate = Type.Object({
  text: Type.String({
    description: `The tag: 1 to ${maxTagLength} characters after trimming, without a comma.`,
  }),
});

export const TagsDeleted = Type.Object({
  deleted: Type.Number({ description: 'Number of tags removed, 0 or 1.' }),
});

export const ProjectTag = named(
  'ProjectTag',
  Type.Object(
    {
      text: Type.String({ description: 'The tag.' }),
      numRecords: Type.Integer({ description: 'Number of records with the tag.' }),
    },
    { description: "A tag of a project's records." },
  ),
);
