import { type Static, Type } from 'typebox';
import { named, ref } from '../../platform/named-schema.ts';
import { StatedMaker } from '../scores/made-by.ts';

const rating = Type.Boolean({ description: 'true is positive, false is negative.' });
const comment = Type.String({ description: 'Free text of the user; empty if none was given.' });

/** Longest comment, in characters. One answer lists all comments of a record: comments of 15 MB could be written, but never read again. */
export const maxCommentLength = 100_000;
const newComment = Type.String({
  maxLength: maxCommentLength,
  description: 'Free text; empty if none was given.',
});

export const Passage = named(
  'Passage',
  Type.Object(
    {
      path: Type.String({
        // Long enough for any pointer. A pattern of its steps would overflow the stack for a million characters.
        pattern: '^/',
        maxLength: 2000,
        expects: 'a JSON Pointer to a text, such as /outputs/answer',
        description:
          'JSON Pointer to the text in the record as the API returns it (`/outputs/answer`) or, with `spanId`, in the span (`/output/0/content`, `/attributes/prompt`).',
      }),
      start: Type.Integer({
        minimum: 0,
        maximum: 2 ** 31 - 1,
        description: 'Start of the passage in the text, in UTF-16 code units.',
      }),
      text: Type.String({
        minLength: 1,
        maxLength: 10_000,
        description: 'Text of the passage. It locates the passage if the text around it has changed.',
      }),
    },
    { additionalProperties: false, description: 'Part of a text of a record or a span.' },
  ),
);
export type Passage = Static<typeof Passage.schema>;

export const Annotation = named(
  'Annotation',
  Type.Object(
    {
      id: Type.String({ description: 'Id of the annotation.' }),
      recordId: Type.String({ description: 'Id of the record.' }),
      spanId: Type.Union([Type.String(), Type.Null()], {
        description: 'Span of the record; null if the annotation is about the whole record.',
      }),
      traceId: Type.Optional(Type.String({ description: 'Trace of the span; left out without a span.' })),
      passage: Type.Optional(ref(Passage)),
      rating,
      comment,
      userId: Type.String({ description: 'Id of the author.' }),
      madeBy: Type.Optional(
        Type.Literal('model', {
          description: 'Present if a model made it. Its thumb never calibrates a judge.',
        }),
      ),
      createdAt: Type.String({
        pattern: String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$`,
        description: 'When it was written: ISO 8601, UTC, milliseconds.',
      }),
    },
    { description: 'A rating of a record by a person, with a comment.' },
  ),
);

export const AnnotationCreate = Type.Object(
  {
    rating,
    comment: Type.Optional(newComment),
    spanId: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description: 'Span of this record that the annotation is about.',
      }),
    ),
    traceId: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description: 'Trace of the span. Needed only if two traces of the record have a span of this id.',
      }),
    ),
    passage: Type.Optional(Passage.schema),
    madeBy: StatedMaker,
  },
  { additionalProperties: false },
);
export type AnnotationCreate = Static<typeof AnnotationCreate>;

export const AnnotationUpdate = Type.Object(
  { rating: Type.Optional(rating), comment: Type.Optional(newComment) },
  { additionalProperties: false, minProperties: 1 },
);
export type AnnotationUpdate = Static<typeof AnnotationUpdate>;
