import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { type Sql, system } from '../../platform/db/database.ts';
import { insertAuditEvent } from '../../platform/http/audit.ts';
import { type App, bodyOf, requireOne } from '../../platform/http/http.ts';
import { numericId } from '../../platform/http/ids.ts';
import { pathParam } from '../../platform/http/openapi.ts';
import { oldestFirst } from '../../platform/http/pagination.ts';
import { ownOrganization, searchRoute, writeRoute } from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { ref } from '../../platform/named-schema.ts';
import { requireEmailAddress } from '../email-address.ts';
import { SignInLink } from '../sign-ins/schema.ts';
import { createLink, welcomeUrl } from '../sign-ins/sign-in.ts';
import { createInvitedOrganization } from './organizations.ts';
import {
  findCreated,
  findMemberByEmail,
  findOrganization,
  listOrganizations,
  readOrganization,
  updateOrganization,
} from './queries.ts';
import {
  OperatorLinkCreate,
  Organization,
  OrganizationCreate,
  OrganizationCreated,
  OrganizationUpdate,
  OwnOrganizationUpdate,
} from './schema.ts';

const tags = ['Operator'];
const operator = { operator: true, keyless: true };
const params = Type.Object({ organizationId: pathParam('organization') });

type OrganizationDeps = RouteDeps & {
  publicUrl: string | undefined;
  /** Gives the default judge model to the metrics that wait for one. Null: the default of the service. */
  nameDefault: (tx: Sql, scope: Scope, model: string | null) => Promise<unknown>;
};

/** Operations of the operator, with DOKIMA_OPERATOR_KEY: organizations, and the link for an admin who cannot sign in. */
export const organizationRoutes = (app: App, deps: OrganizationDeps): void => {
  const { db, publicUrl, nameDefault } = deps;
  const link = (request: FastifyRequest, { token, expiresAt }: { token: string; expiresAt: string }) =>
    JSON.stringify({ url: welcomeUrl(request, publicUrl, token), expiresAt } satisfies Static<
      typeof SignInLink.schema
    >);

  /** The log of the organization names the operation and the address. The operator is not a member and has no key of it. */
  const audit = (
    tx: Sql,
    request: FastifyRequest,
    organizationId: bigint,
    event: { resourceId: string; before?: string; after?: string },
  ) => {
    const { operationId } = request.routeOptions.schema as { operationId: string };
    return insertAuditEvent(
      tx,
      { organizationId, address: request.ip },
      { operation: operationId, resource: 'Operator', ...event },
    );
  };

  searchRoute(app, deps, '/organizations', {
    config: operator,
    operationId: 'listOrganizations',
    summary: 'List the organizations of this service, oldest first.',
    description: 'For the operator.',
    tags,
    of: ownOrganization,
    item: ref(Organization),
    first: oldestFirst,
    read: async () => undefined,
    find: (_input, after, count) => db.read(system, (sql) => listOrganizations(sql, after, count)),
  });

  app.post(
    '/organizations',
    {
      config: operator,
      schema: {
        operationId: 'createOrganization',
        summary: 'Create an organization and its first admin.',
        description: 'The admin chooses a password with the returned link. For the operator.',
        tags,
        body: OrganizationCreate,
        response: { 201: ref(OrganizationCreated) },
      },
    },
    async (request, reply) => {
      const { name, adminEmail, adminName = adminEmail } = request.body;
      requireEmailAddress('/adminEmail', adminEmail);
      const body = await db.transaction(system, async (tx) => {
        const made = await createInvitedOrganization(tx, name, { name: adminName, email: adminEmail });
        const [created] = await findCreated(tx, made);
        const { organization, user } = created!;
        await audit(tx, request, made.organizationId, {
          resourceId: String(made.organizationId),
          after: organization,
        });
        return `{"organization":${organization},"user":${user},"signInLink":${link(request, made)}}`;
      });
      return reply.json(body, 201);
    },
  );

  app.patch(
    '/organizations/:organizationId',
    {
      config: operator,
      schema: {
        operationId: 'updateOrganization',
        summary: 'Change the name of an organization.',
        description: 'For the operator.',
        tags,
        params,
        body: OrganizationUpdate,
        response: { 200: ref(Organization) },
      },
    },
    async (request, reply) => {
      const { organizationId } = request.params;
      const id = numericId('organization', organizationId);
      const text = await db.transaction(system, async (tx) => {
        const { body: before } = requireOne(await findOrganization(tx, id), 'organization', organizationId);
        const after = bodyOf(await updateOrganization(tx, id, request.body), 'organization', organizationId);
        await audit(tx, request, id, { resourceId: organizationId, before, after });
        return after;
      });
      return reply.json(text);
    },
  );

  writeRoute(app, deps, 'PATCH', '/organization', {
    config: { admin: true },
    operationId: 'updateMyOrganization',
    summary: 'Change the name or a setting of the organization of this request.',
    description: 'Admins only. Existing metrics keep their model, unless they wait for a default.',
    tags: ['Members'],
    of: ownOrganization,
    body: OwnOrganizationUpdate,
    response: ref(Organization),
    auditedAs: (sql, { organizationId }) => readOrganization(sql, organizationId),
    work: async (tx, scope, _, { name, judgeModelName, reportLinks }) => {
      const changes = {
        ...(name !== undefined && { name }),
        ...(judgeModelName !== undefined && { judge_model: judgeModelName }),
        ...(reportLinks !== undefined && { report_links: reportLinks }),
      };
      const changed = await updateOrganization(tx, scope.organizationId, changes);
      if (judgeModelName !== undefined) await nameDefault(tx, scope, judgeModelName);
      return bodyOf(changed, 'organization', '');
    },
  });

  app.post(
    '/organizations/:organizationId/sign-in-links',
    {
      config: operator,
      schema: {
        operationId: 'createOperatorLink',
        summary: 'Create a sign-in link for the member with this e-mail address.',
        description: 'It works also where single sign-on is required. For the operator.',
        tags,
        params,
        body: OperatorLinkCreate,
        response: { 201: ref(SignInLink) },
      },
    },
    async (request, reply) => {
      const { organizationId } = request.params;
      const { email } = request.body;
      const id = numericId('organization', organizationId);
      const made = await db.transaction(system, async (tx) => {
        const member = requireOne(await findMemberByEmail(tx, id, email), 'member', email);
        await audit(tx, request, id, { resourceId: member.memberId });
        return createLink(tx, member, 'operator');
      });
      return reply.json(link(request, made), 201);
    },
  );
};
