import { timeIn } from '../../platform/db/time.ts';
import { invalid, unauthorized } from '../../platform/errors.ts';
import { type App, bodyOf, requireOne } from '../../platform/http/http.ts';
import { idempotencyKey } from '../../platform/http/idempotency.ts';
import { newUuid, numericId, uuidId } from '../../platform/http/ids.ts';
import { ApiErrorBody } from '../../platform/http/openapi.ts';
import { firstUuid } from '../../platform/http/pagination.ts';
import {
  deleteRoute,
  listRoute,
  ownOrganization,
  resource,
  writeRoute,
} from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import type { ForgetKeys } from '../../platform/http/scope.ts';
import { ref } from '../../platform/named-schema.ts';
import { readTime } from '../../platform/validation.ts';
import { lockMember } from '../members/queries.ts';
import { newApiKey } from './api-key.ts';
import { deleteKey, findKey, findOwnExpiry, insertKey, listKeys, lockProject } from './queries.ts';
import { ApiKey, ApiKeyCreate, ApiKeyCreated } from './schema.ts';

const tags = ['API keys'];
const key = resource('keyId', 'key', uuidId);

export const keyRoutes = (app: App, deps: RouteDeps & { forgetKeys: ForgetKeys }): void => {
  const { forgetKeys } = deps;
  listRoute(app, deps, '/keys', {
    operationId: 'listKeys',
    summary: 'List your API keys, oldest first.',
    description: 'An admin gets the keys of all members.',
    tags,
    of: ownOrganization,
    item: ref(ApiKey),
    first: firstUuid,
    rows: (sql, scope, _, after, count) => listKeys(sql, scope, after, count),
  });

  writeRoute(app, deps, 'POST', '/keys', {
    config: { keyless: true },
    operationId: 'createKey',
    summary: 'Create an API key for yourself.',
    description: 'Only this answer shows the key.',
    tags,
    of: ownOrganization,
    body: ApiKeyCreate,
    status: 201,
    response: ref(ApiKeyCreated),
    others: { 404: ref(ApiErrorBody) },
    read: ({ name, access = 'full', expiresAt: until, defaultProjectId }, _, { request }) => {
      const expiresAt = until === undefined ? null : readTime('/expiresAt', until);
      // A stored answer would hold the key, which is stored only as a hash.
      if (idempotencyKey(request))
        throw invalid('/Idempotency-Key', 'is not accepted here: a new key is shown only once');
      return {
        name,
        access,
        expiresAt,
        defaultProjectId: defaultProjectId === undefined ? null : numericId('project', defaultProjectId),
      };
    },
    work: async (tx, scope, _, { name, access, expiresAt, defaultProjectId }) => {
      if (expiresAt !== null && Date.parse(expiresAt) <= (await timeIn(tx)).getTime())
        throw invalid('/expiresAt', 'must be in the future');
      // The member was deleted after this request was authenticated.
      if ((await lockMember(tx, scope, scope.memberId)).count === 0) throw unauthorized();
      if (defaultProjectId !== null)
        requireOne(await lockProject(tx, scope, defaultProjectId), 'project', String(defaultProjectId));
      const [own] = await findOwnExpiry(tx, scope);
      if (own && expiresAt !== null && Date.parse(expiresAt) > Date.parse(own.expiresAt))
        throw invalid(
          '/expiresAt',
          `must not be after ${own.expiresAt}, when the key of this request expires`,
        );
      const key = newApiKey();
      const made = bodyOf(
        await insertKey(tx, scope, newUuid(), key, {
          name,
          access,
          expiresAt: expiresAt ?? own?.expiresAt ?? null,
          defaultProjectId,
        }),
        'key',
        '',
      );
      return `${made.slice(0, -1)},"key":"${key}"}`;
    },
  });

  deleteRoute(app, deps, '/keys/:keyId', {
    operationId: 'deleteKey',
    auditedAs: findKey,
    summary: 'Delete an API key at once: your own or, as an admin, any key.',
    tags,
    of: key,
    onSend: forgetKeys,
    remove: deleteKey,
  });
};
