import { type Static, Type } from 'typebox';
import { named } from '../../platform/http/openapi.ts';

const name = Type.String({ minLength: 1, maxLength: 200, description: 'What the key is for.' });
const access = Type.Union([Type.Literal('full'), Type.Literal('read')], {
  description: 'full: whatever its member may do. read: only reading.',
});
const nullableTime = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

const fields = {
  id: Type.String({ description: 'Id of the key.' }),
  userId: Type.String({ description: 'The member whom the key belongs to: the userId of what it writes.' }),
  name,
  prefix: Type.String({ description: 'Its first characters, to tell keys apart.' }),
  access,
  defaultProjectId: Type.Union([Type.String(), Type.Null()], {
    description: 'Project of the traces that are sent with this key and name none; null when there is none.',
  }),
  createdAt: Type.String({ description: 'When it was made.' }),
  expiresAt: nullableTime('When it ends; null is never.'),
  lastUsedAt: nullableTime('When it was last used, to the minute; null is never.'),
};

export const ApiKey = named(
  'ApiKey',
  Type.Object(fields, { description: 'An API key, without the secret part.' }),
);

export const ApiKeyCreated = named(
  'ApiKeyCreated',
  Type.Object(
    {
      ...fields,
      key: Type.String({ description: 'The key itself. Shown this once, stored only as a hash.' }),
    },
    { description: 'A new API key.' },
  ),
);

export const ApiKeyCreate = Type.Object(
  {
    name,
    access: Type.Optional(access),
    defaultProjectId: Type.Optional(
      Type.String({ description: 'Project of the traces that are sent with this key and name none.' }),
    ),
    expiresAt: Type.Optional(
      Type.String({
        format: 'date-time',
        description:
          'When the key ends. Without it never, or when the key that makes it ends: no key makes one that outlives it.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type ApiKeyCreate = Static<typeof ApiKeyCreate>;
