import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Sql } from '../../platform/db/database.ts';
import { type App, requireOne } from '../../platform/http/http.ts';
import { isUuid } from '../../platform/http/ids.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import type { ForgetKeys, Scope } from '../../platform/http/scope.ts';
import { toApiError } from '../../platform/http/send-error.ts';
import { scimScope } from './authenticate.ts';
import { groupSchema, maxResults, resourceTypes, schemas, serviceProviderConfig } from './discovery.ts';
import { type Equals, readFilter } from './filter.ts';
import { groupExternalId, groupName, patchUser, readGroupChanges } from './patch.ts';
import {
  changeGroup,
  changeUser,
  createGroup,
  createUser,
  type Roles,
  removeGroup,
  removeUser,
} from './provision.ts';
import {
  countGroups,
  countUsers,
  type FoundGroup,
  type FoundUser,
  findGroup,
  findUser,
  listGroups,
  listUsers,
} from './queries.ts';
import { errorBody, notThere, ScimError } from './scim-error.ts';
import { readUser, userSchema } from './user.ts';

const scimType = 'application/scim+json; charset=utf-8';
const hidden = { schema: { hide: true } };

type Query = Record<string, string | undefined>;

/** The page of a list: RFC 7644, 3.4.2.4. Its indexes begin with 1. */
const pageOf = ({ startIndex, count }: Query) => {
  const whole = (text: string | undefined, fallback: number) =>
    text !== undefined && /^-?\d{1,9}$/.test(text) ? Number(text) : fallback;
  return {
    offset: Math.max(1, whole(startIndex, 1)) - 1,
    count: Math.min(maxResults, Math.max(0, whole(count, 100))),
  };
};

const listBody = (total: number, offset: number, resources: unknown[]) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
  totalResults: total,
  startIndex: offset + 1,
  itemsPerPage: resources.length,
  Resources: resources,
});

const userBody = (base: string, user: FoundUser) => ({
  schemas: [userSchema],
  id: user.id,
  ...(user.externalId !== null && { externalId: user.externalId }),
  userName: user.userName,
  name: { formatted: user.displayName, givenName: user.givenName, familyName: user.familyName },
  displayName: user.displayName,
  emails: [{ value: user.email, type: 'work', primary: true }],
  active: user.active,
  meta: { resourceType: 'User', created: user.createdAt, location: `${base}/Users/${user.id}` },
});

const groupBody = (base: string, group: FoundGroup, excluded: string) => ({
  schemas: [groupSchema],
  id: group.id,
  ...(group.externalId !== null && { externalId: group.externalId }),
  displayName: group.name,
  ...(!/\bmembers\b/i.test(excluded) && { members: JSON.parse(group.members) as unknown[] }),
  meta: {
    resourceType: 'Group',
    created: group.createdAt,
    lastModified: group.updatedAt,
    location: `${base}/Groups/${group.id}`,
  },
});

type ScimDeps = RouteDeps & { forgetKeys: ForgetKeys; publicUrl: string | undefined; roles: Roles };

/**
 * SCIM 2.0 (RFC 7643 and 7644), with which a directory provisions the members and groups of one organization, the one of its token.
 * Users are members, and never leave their organization.
 */
export const scimRoutes = (app: App, { db, write, forgetKeys, publicUrl, roles }: ScimDeps): void => {
  const baseOf = (request: FastifyRequest) =>
    `${publicUrl ?? `${request.protocol}://${request.host}`}/scim/v2`;

  app.addHook('onRequest', async (request) => {
    request.scope = await scimScope(db, request);
    // Directories repeat requests by their own rules, and know no Idempotency-Key.
    delete request.headers['idempotency-key'];
    if (/^application\/scim\+json\b/i.test(request.headers['content-type'] ?? ''))
      request.headers['content-type'] = 'application/json; charset=utf-8';
  });
  app.addHook('onSend', forgetKeys);
  app.addHook('onSend', async (_request, reply: FastifyReply, payload) => {
    if (payload) reply.header('content-type', scimType);
    return payload;
  });
  app.setErrorHandler((error, request, reply) => {
    if (error instanceof ScimError) {
      if (error.status === 401) reply.header('www-authenticate', 'Bearer');
      return reply
        .code(error.status)
        .send(JSON.stringify(errorBody(error.status, error.message, error.scimType)));
    }
    const answer = toApiError(error, request);
    if (answer.status >= 500) request.log.error({ err: answer.cause ?? answer }, answer.message);
    if (answer.retryAfterSeconds !== undefined) reply.header('retry-after', answer.retryAfterSeconds);
    return reply.code(answer.status).send(JSON.stringify(errorBody(answer.status, answer.message)));
  });

  const idOf = (resource: string, { params }: FastifyRequest): string => {
    const { id } = params as { id: string };
    if (!isUuid(id)) throw notThere(resource, id);
    return id.toLowerCase();
  };
  const filterOf = (query: unknown): Equals[] => readFilter((query as { filter?: unknown }).filter);
  const bodyOf = (request: FastifyRequest) => request.body as Record<string, unknown> | undefined;

  const userText = async (sql: Sql, request: FastifyRequest, id: string): Promise<string> =>
    JSON.stringify(userBody(baseOf(request), requireOne(await findUser(sql, request.scope, id), 'user', id)));
  const groupText = async (sql: Sql, request: FastifyRequest, id: string): Promise<string> => {
    const { excludedAttributes = '' } = request.query as Query;
    const [group] = await findGroup(sql, request.scope, id);
    if (!group) throw notThere('group', id);
    return JSON.stringify(groupBody(baseOf(request), group, excludedAttributes));
  };

  /** Adds a route that changes a resource and answers with it. */
  const change = (
    method: 'PUT' | 'PATCH',
    resource: 'user' | 'group',
    work: (tx: Sql, scope: Scope, id: string, body: unknown) => Promise<void>,
  ) =>
    app.route({
      method,
      url: resource === 'user' ? '/Users/:id' : '/Groups/:id',
      ...hidden,
      handler: (request, reply) => {
        const id = idOf(resource, request);
        return write(request, reply, 200, async (tx, scope) => {
          await work(tx, scope, id, request.body);
          return resource === 'user' ? userText(tx, request, id) : groupText(tx, request, id);
        });
      },
    });

  /** Adds the route that deletes a resource. The writer answers 200 with a body; SCIM asks for 204 without. */
  const remove = (resource: 'user' | 'group', work: (tx: Sql, scope: Scope, id: string) => Promise<void>) =>
    app.delete(
      resource === 'user' ? '/Users/:id' : '/Groups/:id',
      {
        ...hidden,
        onSend: async (_request, reply, payload) => {
          if (reply.statusCode !== 200) return payload;
          reply.code(204).removeHeader('content-type').removeHeader('content-length');
          return null;
        },
      },
      (request, reply) => {
        const id = idOf(resource, request);
        return write(request, reply, 200, async (tx, scope) => {
          await work(tx, scope, id);
          return '{}';
        });
      },
    );

  app.get('/Users', hidden, async (request, reply) => {
    const { scope, query } = request;
    const filter = filterOf(query);
    const page = pageOf(query as Query);
    const found = await db.read(scope, (sql) => listUsers(sql, scope, filter, page));
    const [counted] =
      found.length > 0 ? found : await db.read(scope, (sql) => countUsers(sql, scope, filter));
    const users = found.map((user) => userBody(baseOf(request), user));
    return reply.json(JSON.stringify(listBody(counted!.total, page.offset, users)));
  });
  app.get('/Users/:id', hidden, async (request, reply) => {
    const id = idOf('user', request);
    const [user] = await db.read(request.scope, (sql) => findUser(sql, request.scope, id));
    if (!user) throw notThere('user', id);
    return reply.json(JSON.stringify(userBody(baseOf(request), user)));
  });
  app.post('/Users', hidden, (request, reply) => {
    const user = readUser(request.body);
    return write(request, reply, 201, async (tx, scope) =>
      userText(tx, request, await createUser(tx, scope, user, roles.defaultRole)),
    );
  });
  change('PUT', 'user', (tx, scope, id, body) => {
    const user = readUser(body);
    return changeUser(tx, scope, id, () => user);
  });
  change('PATCH', 'user', (tx, scope, id, body) =>
    changeUser(tx, scope, id, (before) => patchUser(before, body)),
  );
  remove('user', removeUser);

  app.get('/Groups', hidden, async (request, reply) => {
    const { scope, query } = request;
    const { excludedAttributes = '' } = query as Query;
    const filter = filterOf(query);
    const page = pageOf(query as Query);
    const found = await db.read(scope, (sql) => listGroups(sql, scope, filter, page));
    const [counted] =
      found.length > 0 ? found : await db.read(scope, (sql) => countGroups(sql, scope, filter));
    const groups = found.map((group) => groupBody(baseOf(request), group, excludedAttributes));
    return reply.json(JSON.stringify(listBody(counted!.total, page.offset, groups)));
  });
  app.get('/Groups/:id', hidden, async (request, reply) => {
    const id = idOf('group', request);
    const [group] = await db.read(request.scope, (sql) => findGroup(sql, request.scope, id));
    if (!group) throw notThere('group', id);
    const { excludedAttributes = '' } = request.query as Query;
    return reply.json(JSON.stringify(groupBody(baseOf(request), group, excludedAttributes)));
  });

  /** Reads a whole group, by the same rules as the operations of a PATCH. */
  const readGroup = (body: Record<string, unknown> | undefined) => {
    const { displayName, externalId, members = [] } = body ?? {};
    const name = groupName(displayName);
    const operations = [{ op: 'replace', path: 'members', value: members ?? [] }];
    const changes = readGroupChanges({ Operations: operations });
    return { name, externalId: groupExternalId(externalId), members: changes.members ?? [] };
  };
  app.post('/Groups', hidden, (request, reply) => {
    const group = readGroup(bodyOf(request));
    return write(request, reply, 201, async (tx, scope) =>
      groupText(tx, request, await createGroup(tx, scope, group, roles)),
    );
  });
  change('PUT', 'group', (tx, scope, id, body) => {
    const { name, externalId, members } = readGroup(body as Record<string, unknown>);
    const changes = { name, ...(externalId !== null && { externalId }), members, add: [], remove: [] };
    return changeGroup(tx, scope, id, changes, roles);
  });
  change('PATCH', 'group', (tx, scope, id, body) =>
    changeGroup(tx, scope, id, readGroupChanges(body), roles),
  );
  remove('group', (tx, scope, id) => removeGroup(tx, scope, id, roles));

  app.get('/ServiceProviderConfig', hidden, (request, reply) =>
    reply.json(JSON.stringify(serviceProviderConfig(baseOf(request)))),
  );
  const described = (path: string, resources: (base: string) => { id: string }[]) => {
    app.get(`/${path}`, hidden, (request, reply) => {
      const all = resources(baseOf(request));
      return reply.json(JSON.stringify(listBody(all.length, 0, all)));
    });
    app.get(`/${path}/:id`, hidden, (request, reply) => {
      const { id } = request.params as { id: string };
      const found = resources(baseOf(request)).find((resource) => resource.id === id);
      if (!found) throw notThere(path === 'Schemas' ? 'schema' : 'resource type', id);
      return reply.json(JSON.stringify(found));
    });
  };
  described('ResourceTypes', resourceTypes);
  described('Schemas', schemas);
};
