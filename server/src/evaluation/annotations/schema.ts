import { type Static, Type } from 'typebox';
import { named, ref } from '../../platform/http/openapi.ts';

const rating = Type.Boolean({ description: 'True is positive, false is negative.' });
const comment = Type.String({ description: 'Free text of the user; empty when none was given.' });

/** Longest comment, in characters. A record's are listed all at once: those of 15 MB could be written, but never read again. */
export const maxCommentLength = 100_000;
const newComment = Type.String({
  maxLength: maxCommentLength,
  description: 'Free text; empty when none was given.',
});

export const Passage = named(
  'Passage',
  Type.Object(
    {
      path: Type.String({
        // No more is needed for a pointer, and a pattern of its steps runs out of stack on one of a million.
        pattern: '^/',
        maxLength: 2000,
        expects: 'a JSON Pointer to a text, such as /outputs/answer',
        description:
          'Where the text is: a JSON Pointer into the record as the API gives it (`/outputs/answer`), or with `spanId` into the span (`/output/0/content`, `/attributes/prompt`).',
      }),
      start: Type.Integer({
        minimum: 0,
        maximum: 2 ** 31 - 1,
        description: 'Where in the text the passage begins, in UTF-16 code units.',
      }),
      text: Type.String({
        minLength: 1,
        maxLength: 10_000,
        description: 'The passage itself: it is found by this when the text has changed.',
      }),
    },
    { additionalProperties: false, description: 'A part of a text of a record or a span.' },
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
        description: 'Span within the record; null when the annotation is on the record as a whole.',
      }),
      passage: Type.Optional(ref(Passage)),
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
    comment: Type.Optional(newComment),
    spanId: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description: 'A span of this record that the annotation is on.',
      }),
    ),
    passage: Type.Optional(Passage.schema),
  },
  { additionalProperties: false },
);
export type AnnotationCreate = Static<typeof AnnotationCreate>;

export const AnnotationUpdate = Type.Object(
  { rating: Type.Optional(rating), comment: Type.Optional(newComment) },
  { additionalProperties: false, minProperties: 1 },
);
export type AnnotationUpdate = Static<typeof AnnotationUpdate>;
