import type { KeyObject } from 'node:crypto';
import type { AllowedAddresses } from '../../engine/models/allowed-addresses.ts';
import { type App, one } from '../../platform/http/http.ts';
import { uuidId } from '../../platform/http/ids.ts';
import { ref } from '../../platform/http/openapi.ts';
import { firstUuid, PageQuery, pageOf } from '../../platform/http/pagination.ts';
import { deleteRoute, resource, writeRoute } from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import type { Judge } from '../judges/judge.ts';
import { changeProvider, createProvider, requireBaseUrl } from './configure-provider.ts';
import { deleteProvider, findProvider, findShownProvider, listProviders } from './queries.ts';
import { Provider, ProviderCreate, ProviderTest, ProviderTested, ProviderUpdate } from './schema.ts';
import { openProvider } from './secrets.ts';
import { testProvider } from './test-provider.ts';

const tags = ['Providers'];
const provider = resource('providerId', 'provider', uuidId);
const admin = { admin: true };

type ProviderDeps = RouteDeps & {
  judge: Judge;
  /** Seals the secrets of providers. */
  providerKey: KeyObject;
  allowedAddresses: AllowedAddresses;
};

export const providerRoutes = (app: App, deps: ProviderDeps): void => {
  const { db, page, write, judge, providerKey, allowedAddresses } = deps;
  app.get(
    '/providers',
    {
      schema: {
        operationId: 'listProviders',
        summary: "List the organization's providers of models, oldest first.",
        tags,
        querystring: PageQuery,
        response: { 200: pageOf(ref(Provider)) },
      },
    },
    (request, reply) =>
      page(request, reply, firstUuid, (after, count) =>
        db.read(request.scope, (sql) => listProviders(sql, request.scope, after, count)),
      ),
  );

  app.post(
    '/providers',
    {
      config: admin,
      schema: {
        operationId: 'createProvider',
        summary: 'Add a provider of models.',
        description: 'Admins only.',
        tags,
        body: ProviderCreate,
        response: { 201: ref(Provider) },
      },
    },
    async (request, reply) => {
      await requireBaseUrl(request.body.baseUrl, allowedAddresses);
      return write(request, reply, 201, (tx, scope) => createProvider(tx, scope, providerKey, request.body));
    },
  );

  writeRoute(app, deps, 'PATCH', '/providers/:providerId', {
    operationId: 'updateProvider',
    auditedAs: findShownProvider,
    summary: 'Change a provider.',
    description: 'A new base URL requires the secrets again. Admins only.',
    tags,
    of: provider,
    config: admin,
    body: ProviderUpdate,
    response: ref(Provider),
    read: async (changes) => {
      await requireBaseUrl(changes.baseUrl, allowedAddresses);
      return changes;
    },
    work: (tx, scope, id, changes) => changeProvider(tx, scope, providerKey, id, changes),
  });

  deleteRoute(app, deps, '/providers/:providerId', {
    operationId: 'deleteProvider',
    auditedAs: findShownProvider,
    summary: 'Delete a provider with its key.',
    description: 'Scores that need it fail with that reason. Admins only.',
    tags,
    of: provider,
    config: admin,
    remove: deleteProvider,
  });

  app.post(
    '/providers/:providerId/test',
    {
      config: { ...admin, keyless: true },
      schema: {
        operationId: 'testProvider',
        summary: 'Test a provider: one of its models judges a small record.',
        description: 'Admins only.',
        tags,
        params: provider.params,
        body: ProviderTest,
        response: { 200: ProviderTested },
      },
    },
    async (request, reply) => {
      const {
        scope,
        params: { providerId },
        body: { model },
      } = request;
      const id = uuidId('provider', providerId);
      const stored = one(await db.read(scope, (sql) => findProvider(sql, scope, id)), 'provider', providerId);
      const provider = openProvider(providerKey, scope.organizationId, stored);
      return reply.json(await testProvider(judge, provider, model));
    },
  );
};
