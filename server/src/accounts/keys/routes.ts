import { invalid, unauthorized } from '../../platform/errors.ts';
import { type App, bodyOf, one } from '../../platform/http/http.ts';
import { idempotencyKey } from '../../platform/http/idempotency.ts';
import { newUuid, numericId, uuidId } from '../../platform/http/ids.ts';
import { ApiErrorBody, ref } from '../../platform/http/openapi.ts';
import { firstUuid, PageQuery, pageOf } from '../../platform/http/pagination.ts';
import { deleteRoute, resource } from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import type { ForgetKeys } from '../../platform/http/scope.ts';
import { readTime } from '../../platform/validation.ts';
import { lockMember } from '../members/queries.ts';
import { newApiKey } from './api-key.ts';
import { deleteKey, findKey, findOwnExpiry, insertKey, listKeys, lockProject } from './queries.ts';
import { ApiKey, ApiKeyCreate, ApiKeyCreated } from './schema.ts';

const tags = ['API keys'];
const key = resource('keyId', 'key', uuidId);

export const keyRoutes = (app: App, deps: RouteDeps & { forgetKeys: ForgetKeys }): void => {
  const { db, page, write, forgetKeys } = deps;
  app.get(
    '/keys',
    {
      schema: {
        operationId: 'listKeys',
        summary: 'List your API keys, oldest first.',
        description: 'An admin gets the keys of all members.',
        tags,
        querystring: PageQuery,
        response: { 200: pageOf(ref(ApiKey)) },
      },
    },
    (request, reply) =>
      page(request, reply, firstUuid, (after, count) =>
        db.read(request.scope, (sql) => listKeys(sql, request.scope, after, count)),
      ),
  );

  app.post(
    '/keys',
    {
      config: { keyless: true },
      schema: {
        operationId: 'createKey',
        summary: 'Create an API key for yourself.',
        description: 'Only this answer shows the key.',
        tags,
        body: ApiKeyCreate,
        response: { 201: ref(ApiKeyCreated), 404: ref(ApiErrorBody) },
      },
    },
    (request, reply) => {
      const { name, access = 'full' } = request.body;
      const expiresAt =
        request.body.expiresAt === undefined ? null : readTime('/expiresAt', request.body.expiresAt);
      if (expiresAt !== null && Date.parse(expiresAt) <= Date.now())
        throw invalid('/expiresAt', 'must be in the future');
      const defaultProjectId =
        request.body.defaultProjectId === undefined
          ? null
          : numericId('project', request.body.defaultProjectId);
      // A stored answer would hold the key, which is stored only as a hash.
      if (idempotencyKey(request))
        throw invalid('/Idempotency-Key', 'is not accepted here: a new key is shown only once');
      return write(request, reply, 201, async (tx, scope) => {
        // The member was deleted after this request was authenticated.
        if ((await lockMember(tx, scope, scope.memberId)).count === 0) throw unauthorized();
        if (defaultProjectId !== null)
          one(await lockProject(tx, scope, defaultProjectId), 'project', String(defaultProjectId));
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
      });
    },
  );

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
