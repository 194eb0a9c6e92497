import { isUniqueViolation, type Sql } from '../../platform/db/database.ts';
import { newUuid } from '../../platform/http/ids.ts';
import type { Role, Scope } from '../../platform/http/scope.ts';
import { deleteMember } from '../members/queries.ts';
import { isLastAdmin, setRole } from '../members/set-role.ts';
import { type GroupRoles, roleOfGroups } from '../roles.ts';
import type { GroupChanges } from './patch.ts';
import {
  addMembers,
  deleteGroup,
  endAccess,
  findNamesake,
  insertGroup,
  insertUser,
  listGroupNames,
  listMemberIds,
  lockGroup,
  lockUser,
  removeMembers,
  updateGroup,
  updateUser,
} from './queries.ts';
import { notThere, ScimError } from './scim-error.ts';
import type { ScimUser } from './user.ts';

export type Roles = { groupRoles: GroupRoles; defaultRole: Role };

const taken = (what: string) => new ScimError(409, `${what} is already taken.`, 'uniqueness');

const refuseTaken = async (tx: Sql, scope: Scope, user: ScimUser, id: string): Promise<void> => {
  if ((await findNamesake(tx, scope, user.userName, id)).count > 0)
    throw taken(`The userName ${user.userName}`);
};
const emailTaken =
  ({ email }: ScimUser) =>
  (error: unknown): never => {
    throw isUniqueViolation(error, 'member_email') ? taken(`The address ${email}`) : error;
  };

const requireAnotherAdmin = async (tx: Sql, { organizationId }: Scope, memberId: string): Promise<void> => {
  if (await isLastAdmin(tx, { organizationId, memberId }))
    throw new ScimError(409, 'This is the last admin. Make another member an admin first.', 'mutability');
};

/** Adds a member. Returns their id. Throws 409 when their name or address is taken. */
export const createUser = async (tx: Sql, scope: Scope, user: ScimUser, role: Role): Promise<string> => {
  const id = newUuid();
  await refuseTaken(tx, scope, user, id);
  await insertUser(tx, scope, id, user, role).catch(emailTaken(user));
  return id;
};

/** Changes a member. A deactivated member loses their sessions, links and keys at once. */
export const changeUser = async (
  tx: Sql,
  scope: Scope,
  id: string,
  change: (before: ScimUser) => ScimUser,
): Promise<void> => {
  const [before] = await lockUser(tx, scope, id);
  if (!before) throw notThere('user', id);
  const user = change(before);
  await refuseTaken(tx, scope, user, id);
  if (before.active && !user.active) await requireAnotherAdmin(tx, scope, id);
  await updateUser(tx, scope, id, user).catch(emailTaken(user));
  if (!user.active) await endAccess(tx, scope, id);
};

/** Removes a member with their keys. Their data stays. */
export const removeUser = async (tx: Sql, scope: Scope, id: string): Promise<void> => {
  await requireAnotherAdmin(tx, scope, id);
  if ((await deleteMember(tx, scope, id)).count === 0) throw notThere('user', id);
};

/** Gives members the roles of the groups that they are in now. Does nothing if no group has a role. */
const giveRoles = async (tx: Sql, scope: Scope, { groupRoles, defaultRole }: Roles, ids: string[]) => {
  if (groupRoles.size === 0 || ids.length === 0) return;
  for (const { id, names } of await listGroupNames(tx, scope, ids)) {
    const member = { organizationId: scope.organizationId, memberId: id };
    await setRole(tx, member, roleOfGroups(groupRoles, names) ?? defaultRole);
  }
};

const idsIn = async (tx: Sql, scope: Scope, groupId: string) =>
  (await listMemberIds(tx, scope, groupId)).map(({ id }) => id);

const nameTaken =
  (name: string) =>
  (error: unknown): never => {
    throw isUniqueViolation(error, 'member_group_name') ? taken(`The group ${name}`) : error;
  };

/** Creates a group. Returns its id. Throws 409 when the name is taken. */
export const createGroup = async (
  tx: Sql,
  scope: Scope,
  group: { name: string; externalId: string | null; members: string[] },
  roles: Roles,
): Promise<string> => {
  const id = newUuid();
  await insertGroup(tx, scope, id, group).catch(nameTaken(group.name));
  await addMembers(tx, scope, id, group.members);
  await giveRoles(tx, scope, roles, await idsIn(tx, scope, id));
  return id;
};

/** Changes a group, and the roles of everyone who was in it or is in it now. */
export const changeGroup = async (
  tx: Sql,
  scope: Scope,
  id: string,
  { name, externalId, members, add, remove }: GroupChanges,
  roles: Roles,
): Promise<void> => {
  if ((await lockGroup(tx, scope, id)).length === 0) throw notThere('group', id);
  const before = await idsIn(tx, scope, id);
  await updateGroup(tx, scope, id, { name, externalId }).catch(nameTaken(name ?? ''));
  if (members) await removeMembers(tx, scope, id, before);
  await addMembers(tx, scope, id, [...(members ?? []), ...add]);
  await removeMembers(tx, scope, id, remove);
  const after = await idsIn(tx, scope, id);
  await giveRoles(tx, scope, roles, [...new Set([...before, ...after])]);
};

/** Deletes a group, not its members. */
export const removeGroup = async (tx: Sql, scope: Scope, id: string, roles: Roles): Promise<void> => {
  const before = await idsIn(tx, scope, id);
  if ((await deleteGroup(tx, scope, id)).count === 0) throw notThere('group', id);
  await giveRoles(tx, scope, roles, before);
};
