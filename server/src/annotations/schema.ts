import { type Static, Type } from 'typebox';
import { named } from '../openapi.ts';

const rating = Type.Boolean({ description: 'True is positive, false is negative.' });
const comment = Type.String({ description: 'Free text of the user; empty when none was given.' });

export const Annotation = named(
  'Annotation',
  Type.Object(
    {
      id: Type.String({ description: 'Id of the annotation.' }),
      recordId: Type.String({ description: 'Id of the record.' }),
      spanId: Type.Union([Type.String(), Type.Null()], {
        description: 'Span within the record; null when the annotation is on the record as a whole.',
      }),
      rating,
      comment,
      userId: Type.String({ description: 'The user who wrote it.' }),
      createdAt: Type.String({
        pattern: String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$`,
        description: 'When it was written: ISO 8601, UTC, milliseconds.',
      }),
    },
    { description: "A person's rating of a record, with a comment." },
  ),
);

export const AnnotationCreate = Type.Object(
  {
    rating,
    comment: Type.Optional(comment),
    spanId: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description: 'A span of this record that the annotation is on.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type AnnotationCreate = Static<typeof AnnotationCreate>;

export const AnnotationUpdate = Type.Object(
  { rating: Type.Optional(rating), comment: Type.Optional(comment) },
  { additionalProperties: false, minProperties: 1 },
);
export type AnnotationUpdate = Static<typeof AnnotationUpdate>;
