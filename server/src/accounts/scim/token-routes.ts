import { randomBytes } from 'node:crypto';
import type { Sql } from '../../platform/db/database.ts';
import { invalid } from '../../platform/errors.ts';
import { type App, bodyOf } from '../../platform/http/http.ts';
import { idempotencyKey } from '../../platform/http/idempotency.ts';
import { newUuid, uuidId } from '../../platform/http/ids.ts';
import { firstUuid, type PageRow } from '../../platform/http/pagination.ts';
import {
  deleteRoute,
  listRoute,
  ownOrganization,
  resource,
  writeRoute,
} from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { ref } from '../../platform/named-schema.ts';
import { hashScimToken } from './authenticate.ts';
import { ScimToken, ScimTokenCreate, ScimTokenCreated } from './token-schema.ts';

const tags = ['Members'];
const token = resource('tokenId', 'SCIM token', uuidId);

const tokenJson = (sql: Sql) => sql`
  json_build_object('id', id, 'name', name, 'prefix', prefix, 'createdAt', iso_time(created_at),
    'lastUsedAt', iso_time(last_used_at))`;

const listTokens = (sql: Sql, scope: Scope, after: string, count: number) => sql<PageRow[]>`
  select ${tokenJson(sql)}::text as body, id::text as key from scim_token
  where organization_id = ${scope.organizationId} and id > ${after} order by id limit ${count}`;

const insertToken = (tx: Sql, scope: Scope, name: string, secret: string) => tx<{ body: string }[]>`
  insert into scim_token (id, organization_id, name, prefix, hash)
  values (${newUuid()}, ${scope.organizationId}, ${name}, ${secret.slice(0, 11)}, ${hashScimToken(secret)})
  returning ${tokenJson(tx)}::text as body`;

export const scimTokenRoutes = (app: App, deps: RouteDeps & { publicUrl: string | undefined }): void => {
  const { publicUrl } = deps;
  listRoute(app, deps, '/scim-tokens', {
    operationId: 'listScimTokens',
    summary: 'List the tokens with which a directory provisions the organization, oldest first.',
    tags,
    of: ownOrganization,
    item: ref(ScimToken),
    first: firstUuid,
    rows: (sql, scope, _, after, count) => listTokens(sql, scope, after, count),
  });

  writeRoute(app, deps, 'POST', '/scim-tokens', {
    config: { admin: true, keyless: true },
    operationId: 'createScimToken',
    summary: 'Create a token for SCIM.',
    description: 'Only this answer shows it. Admins only.',
    tags,
    of: ownOrganization,
    body: ScimTokenCreate,
    status: 201,
    response: ref(ScimTokenCreated),
    read: ({ name }, _, { request }) => {
      if (idempotencyKey(request))
        throw invalid('/Idempotency-Key', 'is not accepted here: a new token is shown only once');
      return { name, base: publicUrl ?? `${request.protocol}://${request.host}` };
    },
    work: async (tx, scope, _, { name, base }) => {
      const secret = `scim_${randomBytes(32).toString('base64url')}`;
      const made = bodyOf(await insertToken(tx, scope, name, secret), 'SCIM token', '');
      return `${made.slice(0, -1)},${JSON.stringify({ token: secret, url: `${base}/scim/v2` }).slice(1)}`;
    },
  });

  deleteRoute(app, deps, '/scim-tokens/:tokenId', {
    operationId: 'deleteScimToken',
    summary: 'Delete a token for SCIM at once.',
    description: 'The members stay. Admins only.',
    tags,
    of: token,
    config: { admin: true },
    remove: (tx, scope, id) => tx`
      delete from scim_token where organization_id = ${scope.organizationId} and id = ${id} returning id`,
  });
};
