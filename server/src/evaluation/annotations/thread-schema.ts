import { type Static, Type } from 'typebox';
import { named, ref } from '../../platform/named-schema.ts';
import { maxCommentLength } from './schema.ts';

const comment = Type.String({ minLength: 1, description: 'Text of the reply.' });
const timeOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

export const Reply = named(
  'Reply',
  Type.Object(
    {
      id: Type.String({ format: 'uuid', description: 'Id of the reply.' }),
      annotationId: Type.String({ format: 'uuid', description: 'Id of the annotation that it replies to.' }),
      comment,
      userId: Type.String({ description: 'Id of the author.' }),
      createdAt: Type.String({ description: 'When it was written.' }),
      updatedAt: timeOrNull('When its author last changed it; null if never.'),
    },
    { description: 'A reply to an annotation.' },
  ),
);

export const Thread = named(
  'Thread',
  Type.Object(
    {
      annotationId: Type.String({
        format: 'uuid',
        description: 'Id of the annotation that started the thread.',
      }),
      resolvedAt: timeOrNull('When it was resolved; null while it is open.'),
      resolvedByUserId: Type.Union([Type.String(), Type.Null()], { description: 'Who resolved it.' }),
      replies: Type.Array(ref(Reply), { description: 'Replies, oldest first.' }),
    },
    { description: 'Thread of an annotation: its replies, and whether it is resolved.' },
  ),
);

export const ReplyWrite = Type.Object(
  { comment: Type.String({ minLength: 1, maxLength: maxCommentLength, description: 'Text of the reply.' }) },
  { additionalProperties: false },
);
export const Resolution = Type.Object(
  { resolved: Type.Boolean({ description: 'true resolves the thread, false opens it again.' }) },
  { additionalProperties: false },
);
export type ReplyWrite = Static<typeof ReplyWrite>;
