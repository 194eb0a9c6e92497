import { Type } from 'typebox';
import { named } from '../../platform/named-schema.ts';

const name = Type.String({ minLength: 1, maxLength: 200, description: 'Purpose of the token.' });
const fields = {
  id: Type.String({ description: 'Id of the token.' }),
  name,
  prefix: Type.String({ description: 'First characters of the token, to tell tokens apart.' }),
  createdAt: Type.String({ description: 'When it was created.' }),
  lastUsedAt: Type.Union([Type.String(), Type.Null()], {
    description: 'When it was last used, to the minute; null if never.',
  }),
};

export const ScimToken = named(
  'ScimToken',
  Type.Object(fields, { description: 'A token for SCIM, without its secret part.' }),
);

export const ScimTokenCreated = named(
  'ScimTokenCreated',
  Type.Object(
    {
      ...fields,
      token: Type.String({
        description: 'The token itself. It is shown only here; the service stores a hash.',
      }),
      url: Type.String({ description: 'Base URL of SCIM, for the directory.' }),
    },
    { description: 'A new token for SCIM.' },
  ),
);

export const ScimTokenCreate = Type.Object({ name }, { additionalProperties: false });
