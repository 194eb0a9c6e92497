import { system } from '../../platform/db/database.ts';
import { type App, bodyOf } from '../../platform/http/http.ts';
import { answerRoute, ownOrganization } from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { ref } from '../../platform/named-schema.ts';
import { rightsOfRole } from '../authorize.ts';
import { findMe } from '../members/queries.ts';
import { findOrganizations } from './queries.ts';
import { Me } from './schema.ts';

export const meRoutes = (app: App, { db }: Pick<RouteDeps, 'db'>): void => {
  /** The organizations that a sign-in can switch to; none for a key, and none for a sign-in that has just ended. */
  const organizationsOf = async (scope: Scope): Promise<string> => {
    if (scope.signInId === null) return '[]';
    const [found] = await db.lookUp(system, (sql) => findOrganizations(sql, scope));
    return found?.body ?? '[]';
  };

  answerRoute(app, 'GET', '/me', {
    operationId: 'getMe',
    summary: 'Get the organization, the member and the key of this request.',
    tags: ['Members'],
    of: ownOrganization,
    response: ref(Me),
    answer: async ({ scope }) => {
      const organizations = await organizationsOf(scope);
      const rights = rightsOfRole[scope.role];
      const found = await db.lookUp(scope, (sql) => findMe(sql, scope, rights, organizations));
      return bodyOf(found, 'member', scope.memberId);
    },
  });
};
