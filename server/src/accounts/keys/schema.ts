import { type Static, Type } from 'typebox';
import { named } from '../../platform/named-schema.ts';

const name = Type.String({ minLength: 1, maxLength: 200, description: 'Purpose of the key.' });
const access = Type.Union([Type.Literal('full'), Type.Literal('read')], {
  description: 'full: the key may do what its member may do. read: the key may only read.',
});
const nullableTime = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

const fields = {
  id: Type.String({ description: 'Id of the key.' }),
  userId: Type.String({
    description: "Id of the key's member, who is the author of all that the key writes.",
  }),
  name,
  prefix: Type.String({ description: 'First characters of the key, to tell keys apart.' }),
  access,
  defaultProjectId: Type.Union([Type.String(), Type.Null()], {
    description: 'Project for traces that are sent with this key and name no project; null without one.',
  }),
  createdAt: Type.String({ description: 'When it was created.' }),
  expiresAt: nullableTime('When it expires; null if never.'),
  lastUsedAt: nullableTime('When it was last used, to the minute; null if never.'),
};

export const ApiKey = named(
  'ApiKey',
  Type.Object(fields, { description: 'An API key without its secret part.' }),
);

export const ApiKeyCreated = named(
  'ApiKeyCreated',
  Type.Object(
    {
      ...fields,
      key: Type.String({ description: 'The key itself. It is shown only here; the service stores a hash.' }),
    },
    { description: 'A new API key.' },
  ),
);

export const ApiKeyCreate = Type.Object(
  {
    name,
    access: Type.Optional(access),
    defaultProjectId: Type.Optional(
      Type.String({ description: 'Project for traces that are sent with this key and name no project.' }),
    ),
    expiresAt: Type.Optional(
      Type.String({
        format: 'date-time',
        description:
          'When the key expires. Default: never, or together with the key of this request; a key cannot create one that outlives it.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type ApiKeyCreate = Static<typeof ApiKeyCreate>;
