import { type Static, Type } from 'typebox';
import { named, ref } from '../../platform/http/openapi.ts';
import { maxCommentLength } from './schema.ts';

const comment = Type.String({ minLength: 1, description: 'What is answered.' });
const timeOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

export const Reply = named(
  'Reply',
  Type.Object(
    {
      id: Type.String({ format: 'uuid', description: 'Id of the reply.' }),
      annotationId: Type.String({ format: 'uuid', description: 'The annotation that it answers.' }),
      comment,
      userId: Type.String({ description: 'The user who wrote it.' }),
      createdAt: Type.String({ description: 'When it was written.' }),
      updatedAt: timeOrNull('When its author last changed it; null when never.'),
    },
    { description: 'An answer to an annotation.' },
  ),
);

export const Thread = named(
  'Thread',
  Type.Object(
    {
      annotationId: Type.String({
        format: 'uuid',
        description: 'The annotation that the thread began with.',
      }),
      resolvedAt: timeOrNull('When it was settled; null while it is open.'),
      resolvedByUserId: Type.Union([Type.String(), Type.Null()], { description: 'Who settled it.' }),
      replies: Type.Array(ref(Reply), { description: 'The answers, oldest first.' }),
    },
    { description: 'What became of an annotation: its answers, and whether it is settled.' },
  ),
);

export const ReplyWrite = Type.Object(
  { comment: Type.String({ minLength: 1, maxLength: maxCommentLength, description: 'What is answered.' }) },
  { additionalProperties: false },
);
export const Resolution = Type.Object(
  { resolved: Type.Boolean({ description: 'True settles the thread, false opens it again.' }) },
  { additionalProperties: false },
);
export type ReplyWrite = Static<typeof ReplyWrite>;
