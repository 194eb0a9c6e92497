import { userSchema } from './user.ts';

/** Description of the service for directories: RFC 7643, sections 5 to 7. */

export const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group';
/** Maximum number of resources on a page. */
export const maxResults = 200;

export const serviceProviderConfig = (base: string) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: false },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'A token that an admin of the organization made.',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
});

const typeOf = (base: string, name: string, endpoint: string, schema: string) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
  id: name,
  name,
  endpoint,
  schema,
  meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${name}` },
});

export const resourceTypes = (base: string) => [
  typeOf(base, 'User', '/Users', userSchema),
  typeOf(base, 'Group', '/Groups', groupSchema),
];

type Options = { required?: boolean; multiValued?: boolean; uniqueness?: 'none' | 'server'; type?: string };
const attribute = (name: string, options: Options = {}, subAttributes?: unknown[]) => ({
  name,
  type: 'string',
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...options,
  ...(subAttributes && { subAttributes }),
});

const schemaOf = (base: string, id: string, name: string, attributes: unknown[]) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
  id,
  name,
  attributes,
  meta: { resourceType: 'Schema', location: `${base}/Schemas/${id}` },
});

const complex = { type: 'complex' };
const several = { type: 'complex', multiValued: true };

export const schemas = (base: string) => [
  schemaOf(base, userSchema, 'User', [
    attribute('userName', { required: true, uniqueness: 'server' }),
    attribute(
      'name',
      complex,
      ['formatted', 'givenName', 'familyName'].map((part) => attribute(part)),
    ),
    attribute('displayName'),
    attribute('active', { type: 'boolean' }),
    attribute('emails', several, [
      attribute('value'),
      attribute('type'),
      attribute('primary', { type: 'boolean' }),
    ]),
  ]),
  schemaOf(base, groupSchema, 'Group', [
    attribute('displayName', { required: true, uniqueness: 'server' }),
    attribute('members', several, [attribute('value'), attribute('display')]),
  ]),
];
