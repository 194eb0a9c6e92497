import { type Static, Type } from 'typebox';
import { FreeForm } from '../../platform/http/openapi.ts';
import { named } from '../../platform/named-schema.ts';

const sessionId = Type.String({
  minLength: 1,
  maxLength: 256,
  description: 'Session that the file belongs to.',
});
const filePath = Type.String({
  minLength: 1,
  maxLength: 1024,
  description: 'Path of the file in the session.',
});
const nullableTime = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

const fields = {
  id: Type.String({ format: 'uuid', description: 'Id of the attachment.' }),
  sessionId,
  filePath,
  filename: Type.Union([Type.String(), Type.Null()], {
    description: 'File name for people; null if none was given.',
  }),
  contentType: Type.Union([Type.String(), Type.Null()], { description: 'Media type as declared.' }),
  sizeBytes: Type.Union([Type.Integer(), Type.Null()], { description: 'Size in bytes.' }),
  sha256: Type.Union([Type.String({ pattern: '^[0-9a-f]{64}$' }), Type.Null()], {
    description: 'SHA-256 of the bytes, in hexadecimal.',
  }),
  status: Type.Union([Type.Literal('pending'), Type.Literal('uploaded')], {
    description: 'pending until the bytes have arrived.',
  }),
  uploadedAt: nullableTime('When the bytes arrived; null while pending.'),
  metadata: Type.Union([FreeForm('Any JSON object.'), Type.Null()], {
    description: 'Metadata from the client.',
  }),
};

export const Attachment = named(
  'Attachment',
  Type.Object(fields, { description: 'A file of a session. It is declared first and then uploaded.' }),
);

export const AttachmentWithDownload = named(
  'AttachmentWithDownload',
  Type.Object(
    {
      ...fields,
      downloadUrl: Type.Union([Type.String(), Type.Null()], {
        description: 'Signed link; null while pending.',
      }),
      downloadExpiresAt: nullableTime('When the link expires; null while pending.'),
    },
    { description: 'An attachment with a link to its bytes.' },
  ),
);

export const OrphanAttachment = named(
  'OrphanAttachment',
  Type.Object(
    {
      ...fields,
      projectId: Type.Union([Type.String(), Type.Null()], {
        description: 'Project that the file was declared in; null if none has it yet.',
      }),
      createdByUserId: Type.Union([Type.String(), Type.Null()], {
        description: 'Member who declared it; null if an archive brought it.',
      }),
      createdAt: Type.String({ description: 'When it was declared.' }),
    },
    { description: 'A file that no record and no trace uses.' },
  ),
);

export const AttachmentCreate = Type.Object({
  projectId: Type.Optional(
    Type.String({ description: 'Project that the file belongs to. Default: the project of the session.' }),
  ),
  sessionId,
  filePath,
  sha256: Type.String({
    pattern: '^[0-9a-f]{64}$',
    expects: 'a SHA-256 as 64 hexadecimal digits in lower case',
    description: 'SHA-256 of the bytes. The upload must match it.',
  }),
  sizeBytes: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'Size in bytes. The upload must match it.',
  }),
  contentType: Type.String({
    minLength: 1,
    maxLength: 256,
    pattern: '^[\\x20-\\x7e]+$',
    expects: 'a media type of 1 to 256 printable ASCII characters',
    description: 'Media type of the bytes.',
  }),
  filename: Type.Optional(
    Type.String({ minLength: 1, maxLength: 512, description: 'File name for people.' }),
  ),
  metadata: Type.Optional(FreeForm('Any JSON object.')),
});
export type AttachmentCreate = Static<typeof AttachmentCreate>;

export const AttachmentInitiated = Type.Object({
  id: Type.String({ format: 'uuid', description: 'Id of the attachment.' }),
  alreadyExists: Type.Boolean({ description: 'Whether these bytes are already stored under this path.' }),
  uploadUrl: Type.Union([Type.String(), Type.Null()], { description: 'Signed link for the upload.' }),
  uploadMethod: Type.Union([Type.Literal('PUT'), Type.Null()], { description: 'Method of the upload.' }),
  expiresAt: nullableTime('When the link expires.'),
});
