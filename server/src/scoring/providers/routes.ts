import type { KeyObject } from 'node:crypto';
import type { AllowedAddresses } from '../../engine/models/allowed-addresses.ts';
import { type App, requireOne } from '../../platform/http/http.ts';
import { uuidId } from '../../platform/http/ids.ts';
import { firstUuid } from '../../platform/http/pagination.ts';
import {
  answerRoute,
  deleteRoute,
  listRoute,
  ownOrganization,
  resource,
  writeRoute,
} from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import { ref } from '../../platform/named-schema.ts';
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
  const { db, judge, providerKey, allowedAddresses } = deps;
  listRoute(app, deps, '/providers', {
    operationId: 'listProviders',
    summary: "List the organization's providers of models, oldest first.",
    tags,
    of: ownOrganization,
    item: ref(Provider),
    first: firstUuid,
    rows: (sql, scope, _, after, count) => listProviders(sql, scope, after, count),
  });

  writeRoute(app, deps, 'POST', '/providers', {
    config: admin,
    operationId: 'createProvider',
    summary: 'Add a provider of models.',
    description: 'Admins only.',
    tags,
    of: ownOrganization,
    body: ProviderCreate,
    status: 201,
    response: ref(Provider),
    read: async (body) => {
      await requireBaseUrl(body.baseUrl, allowedAddresses);
      return body;
    },
    work: (tx, scope, _, body) => createProvider(tx, scope, providerKey, body),
  });

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

  answerRoute(app, 'POST', '/providers/:providerId/test', {
    config: { ...admin, keyless: true },
    operationId: 'testProvider',
    summary: 'Test a provider: one of its models judges a small record.',
    description: 'Admins only.',
    tags,
    of: provider,
    body: ProviderTest,
    response: ProviderTested,
    answer: async ({ scope, key: id }, { modelName }) => {
      const stored = requireOne(await db.read(scope, (sql) => findProvider(sql, scope, id)), 'provider', id);
      return testProvider(
        judge,
        scope.organizationId,
        openProvider(providerKey, scope.organizationId, stored),
        modelName,
      );
    },
  });
};
