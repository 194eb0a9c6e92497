import { type Static, Type } from 'typebox';
import { FreeForm, named } from '../../platform/http/openapi.ts';

const sessionId = Type.String({
  minLength: 1,
  maxLength: 256,
  description: 'Session that the file belongs to.',
});
const filePath = Type.String({
  minLength: 1,
  maxLength: 1024,
  description: 'Where the file was in the session.',
});
const nullableTime = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

const fields = {
  id: Type.String({ format: 'uuid', description: 'Id of the attachment.' }),
  sessionId,
  filePath,
  filename: Type.Union([Type.String(), Type.Null()], {
    description: 'Name for people; null when none was given.',
  }),
  contentType: Type.Union([Type.String(), Type.Null()], { description: 'Media type, as declared.' }),
  sizeBytes: Type.Union([Type.Integer(), Type.Null()], { description: 'Size in bytes.' }),
  sha256: Type.Union([Type.String({ pattern: '^[0-9a-f]{64}$' }), Type.Null()], {
    description: 'SHA-256 of the bytes, in hexadecimal.',
  }),
  status: Type.Union([Type.Literal('pending'), Type.Literal('uploaded')], {
    description: 'pending until the bytes are there.',
  }),
  uploadedAt: nullableTime('When the bytes came; null while pending.'),
  metadata: Type.Union([FreeForm('Any JSON object.'), Type.Null()], {
    description: 'What the client noted of it.',
  }),
};

export const Attachment = named(
  'Attachment',
  Type.Object(fields, { description: 'A file of a session: declared first, then uploaded.' }),
);

export const AttachmentWithDownload = named(
  'AttachmentWithDownload',
  Type.Object(
    {
      ...fields,
      downloadUrl: Type.Union([Type.String(), Type.Null()], {
        description: 'Signed link; null while pending.',
      }),
      downloadExpiresAt: nullableTime('When the link ends; null while pending.'),
    },
    { description: 'An attachment with a link to its bytes.' },
  ),
);

export const AttachmentCreate = Type.Object({
  sessionId,
  filePath,
  sha256: Type.String({
    pattern: '^[0-9a-f]{64}$',
    expects: 'a SHA-256 as 64 hexadecimal digits in lower case',
    description: 'SHA-256 that the bytes must have.',
  }),
  sizeBytes: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'Size that the bytes must have.',
  }),
  contentType: Type.String({
    minLength: 1,
    maxLength: 256,
    pattern: '^[\\x20-\\x7e]+$',
    expects: 'a media type of 1 to 256 printable ASCII characters',
    description: 'Media type of the bytes.',
  }),
  filename: Type.Optional(Type.String({ minLength: 1, maxLength: 512, description: 'Name for people.' })),
  metadata: Type.Optional(FreeForm('Any JSON object.')),
});
export type AttachmentCreate = Static<typeof AttachmentCreate>;

export const AttachmentInitiated = Type.Object({
  id: Type.String({ format: 'uuid', description: 'Id of the attachment.' }),
  alreadyExists: Type.Boolean({ description: 'True when these bytes are there already under this path.' }),
  uploadUrl: Type.Union([Type.String(), Type.Null()], { description: 'Signed link to send the bytes to.' }),
  uploadMethod: Type.Union([Type.Literal('PUT'), Type.Null()], { description: 'Method to send them with.' }),
  expiresAt: nullableTime('When the link ends.'),
});
