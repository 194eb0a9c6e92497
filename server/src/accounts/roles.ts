import type { Role } from '../platform/http/scope.ts';

const roles: readonly Role[] = ['viewer', 'annotator', 'member', 'admin'];
const isRole = (text: string): text is Role => (roles as readonly string[]).includes(text);

/** Roles of groups of the directory, by the name of the group. */
export type GroupRoles = ReadonlyMap<string, Role>;

/** Reads `dokima-admins:admin,ml:member`; undefined if it is not a list of groups and roles. The last colon ends the name. */
export const readGroupRoles = (text: string): GroupRoles | undefined => {
  const found = new Map<string, Role>();
  for (const part of text.split(',').map((part) => part.trim())) {
    if (part === '') continue;
    const [, group, role] = /^(.+):([a-z]+)$/s.exec(part) ?? [];
    if (!group || !role || !isRole(role)) return undefined;
    found.set(group.trim(), role);
  }
  return found;
};

/** Returns the highest role that these groups give, if any. */
export const roleOfGroups = (groupRoles: GroupRoles, groups: readonly string[]): Role | undefined =>
  groups
    .map((group) => groupRoles.get(group))
    .filter((role) => role !== undefined)
    .sort((a, b) => roles.indexOf(a) - roles.indexOf(b))
    .at(-1);
