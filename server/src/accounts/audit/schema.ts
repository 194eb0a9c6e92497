import { type Static, Type } from 'typebox';
import { FreeForm } from '../../platform/http/openapi.ts';
import { pageQuery } from '../../platform/http/pagination.ts';
import { named } from '../../platform/named-schema.ts';

const text = (description: string) => Type.Union([Type.String(), Type.Null()], { description });
const json = (description: string) => Type.Union([FreeForm(''), Type.Null()], { description });

export const AuditEvent = named(
  'AuditEvent',
  Type.Object(
    {
      id: Type.String({ description: 'Id of the entry.' }),
      createdAt: Type.String({ description: 'When it was done.' }),
      operation: Type.String({ description: 'operationId of the request, such as updateMetric or signIn.' }),
      resource: Type.String({ description: 'Group of the operation in this document, such as Metrics.' }),
      resourceId: text('Id of what was written; null if the write was about several.'),
      projectId: text('Id of its project; null outside of projects.'),
      userId: text(
        'Member who did it, or the SCIM token of a directory; null for the operator, the service itself and an unknown person.',
      ),
      userName: text('Current name of the member or SCIM token; null if it was deleted.'),
      keyId: text('API key of the request; null without one.'),
      signInId: text('Sign-in of the request; null without one.'),
      address: text('Address that the request came from; null for the service itself.'),
      failed: Type.Boolean({
        description: 'Whether it was refused, for example a sign-in with a wrong password.',
      }),
      details: json('For writes of data: number of rows, and the first and last of their ids.'),
      before: json('For settings: the resource before, without secrets.'),
      after: json('For settings: the resource after, without secrets.'),
      place: Type.Union([Type.Integer(), Type.Null()], {
        description: 'Place in the chain, from 1; null for a few seconds after the write.',
      }),
      hash: text('SHA-256 of the previous hash and of the content of this entry, in hexadecimal.'),
    },
    { description: 'An entry of the audit log: a write or a sign-in.' },
  ),
);

const filters = {
  createdAfter: Type.Optional(
    Type.String({ format: 'date-time', description: 'Only entries at or after this time.' }),
  ),
  createdBefore: Type.Optional(
    Type.String({ format: 'date-time', description: 'Only entries before this time.' }),
  ),
  userId: Type.Optional(Type.String({ description: 'Only what this member did.' })),
  operation: Type.Optional(Type.String({ description: 'Only this operation, such as updateMetric.' })),
  resource: Type.Optional(Type.String({ description: 'Only this group of operations, such as Metrics.' })),
  resourceId: Type.Optional(Type.String({ description: 'Only writes of the resource with this id.' })),
  projectId: Type.Optional(Type.String({ description: 'Only writes in this project.' })),
  failed: Type.Optional(
    Type.Boolean({ description: 'true: only refused requests and sign-ins. false: only the others.' }),
  ),
};
export const AuditFilters = Type.Object(filters);
export type AuditFilters = Static<typeof AuditFilters>;
export const AuditEventQuery = Type.Object({ ...pageQuery, ...filters });
export const AuditExportQuery = Type.Object({
  format: Type.Optional(
    Type.Union([Type.Literal('ndjson'), Type.Literal('csv')], {
      default: 'ndjson',
      description: 'One JSON object per line, or CSV with a header.',
    }),
  ),
  ...filters,
});

export const AuditVerifyQuery = Type.Object({
  place: Type.Optional(
    Type.Integer({ minimum: 1, description: 'Place of an entry that you have noted. Requires hash.' }),
  ),
  hash: Type.Optional(
    Type.String({
      pattern: '^[0-9a-f]{64}$',
      expects: 'a SHA-256 as 64 hexadecimal digits in lower case',
      description: 'Hash that the entry at this place had.',
    }),
  ),
});

export const AuditVerification = named(
  'AuditVerification',
  Type.Object(
    {
      intact: Type.Boolean({ description: 'Whether no entry of the chain was changed or removed.' }),
      chained: Type.Integer({ description: 'Number of entries in the chain.' }),
      unchained: Type.Integer({
        description:
          'Number of entries of the last seconds that are not in the chain yet. They are not protected.',
      }),
      numErased: Type.Integer({
        description:
          'Number of entries in the chain whose `before` and `after` were erased, because what they are about was deleted.',
      }),
      place: Type.Integer({
        description: 'Place of the last entry in the chain; 0 without one. Note it with hash.',
      }),
      hash: Type.String({ description: 'Hash of the last entry in the chain; empty without one.' }),
      breaks: Type.Array(
        Type.Object({
          place: Type.Integer({ description: 'Place in the chain.' }),
          id: text('Id of the entry at this place; null if it is missing.'),
          createdAt: text('Time of the entry; null if it is missing.'),
          kind: Type.Union(
            [Type.Literal('changed'), Type.Literal('missing'), Type.Literal('cut'), Type.Literal('replaced')],
            {
              description:
                'changed: its content is not what was hashed. missing: entries before it were removed. cut: entries after it were removed. replaced: its hash differs from the one that you noted.',
            },
          ),
        }),
        { description: 'Where the chain breaks, at most 100.' },
      ),
    },
    { description: 'Result of a check of the audit log.' },
  ),
);
export type AuditVerification = Static<(typeof AuditVerification)['schema']>;
