import { isUniqueViolation, type Sql } from '../../platform/db/database.ts';
import { conflict } from '../../platform/errors.ts';
import { type App, bodyOf } from '../../platform/http/http.ts';
import { newUuid } from '../../platform/http/ids.ts';
import { firstUuid } from '../../platform/http/pagination.ts';
import {
  deleteRoute,
  getRoute,
  listRoute,
  ownOrganization,
  writeRoute,
} from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import type { ForgetKeys, Scope } from '../../platform/http/scope.ts';
import { ref } from '../../platform/named-schema.ts';
import { requireEmailAddress } from '../email-address.ts';
import { member } from '../resources.ts';
import { deleteMember, findMember, insertMember, listMembers, updateMember } from './queries.ts';
import { Member, MemberCreate, MemberUpdate } from './schema.ts';
import { isLastAdmin } from './set-role.ts';

const tags = ['Members'];

/** Throws 409 when the member is the only admin. */
const requireAnotherAdmin = async (tx: Sql, scope: Scope, memberId: string): Promise<void> => {
  if (await isLastAdmin(tx, { organizationId: scope.organizationId, memberId }))
    throw conflict('This is the last admin. Make another member an admin first.', { memberId });
};

export const memberRoutes = (app: App, deps: RouteDeps & { forgetKeys: ForgetKeys }): void => {
  const { forgetKeys } = deps;
  listRoute(app, deps, '/members', {
    operationId: 'listMembers',
    summary: 'List the members of the organization, oldest first.',
    tags,
    of: ownOrganization,
    item: ref(Member),
    first: firstUuid,
    rows: (sql, scope, _, after, count) => listMembers(sql, scope, after, count),
  });

  writeRoute(app, deps, 'POST', '/members', {
    config: { admin: true },
    operationId: 'createMember',
    summary: 'Add a member.',
    description: 'Admins only.',
    tags,
    of: ownOrganization,
    body: MemberCreate,
    status: 201,
    response: ref(Member),
    work: async (tx, scope, _, body) => {
      const { email } = body;
      requireEmailAddress('/email', email);
      const made = await insertMember(tx, scope, newUuid(), body).catch((error) => {
        if (!isUniqueViolation(error, 'member_email')) throw error;
        throw conflict(`A member with the address ${email} exists already.`, { email });
      });
      return bodyOf(made, 'member', '');
    },
  });

  getRoute(app, deps, '/members/:userId', {
    operationId: 'getMember',
    summary: 'Get a member.',
    tags,
    of: member,
    response: ref(Member),
    find: findMember,
    by: 'lookUp',
  });

  writeRoute(app, deps, 'PATCH', '/members/:userId', {
    operationId: 'updateMember',
    summary: 'Change the name or role of a member.',
    description: 'Admins only. The role of the last admin cannot be changed.',
    tags,
    of: member,
    config: { admin: true },
    onSend: forgetKeys,
    body: MemberUpdate,
    response: ref(Member),
    work: async (tx, scope, id, changes) => {
      if (changes.role && changes.role !== 'admin') await requireAnotherAdmin(tx, scope, id);
      return bodyOf(await updateMember(tx, scope, id, changes), 'member', id);
    },
  });

  deleteRoute(app, deps, '/members/:userId', {
    operationId: 'deleteMember',
    summary: 'Remove a member and their keys.',
    description: 'Admins only. Their records, scores and comments stay.',
    tags,
    of: member,
    config: { admin: true },
    onSend: forgetKeys,
    remove: async (tx, scope, id) => {
      await requireAnotherAdmin(tx, scope, id);
      return deleteMember(tx, scope, id);
    },
  });
};
