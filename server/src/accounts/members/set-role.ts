import type { Sql } from '../../platform/db/database.ts';
import type { Role } from '../../platform/http/scope.ts';
import { lockAdmins } from './queries.ts';

type MemberKey = { organizationId: bigint; memberId: string };

/** Whether the member is the only admin: without one, no one can make another. Locks the admins until the commit. */
export const isLastAdmin = async (tx: Sql, { organizationId, memberId }: MemberKey): Promise<boolean> => {
  const admins = await lockAdmins(tx, { organizationId });
  return admins.length === 1 && admins[0]?.id === memberId;
};

/** Gives a member the role that their groups have. The last admin keeps theirs. */
export const setRole = async (tx: Sql, member: MemberKey, role: Role): Promise<void> => {
  if (role !== 'admin' && (await isLastAdmin(tx, member))) return;
  await tx`
    update member set role = ${role}
    where organization_id = ${member.organizationId} and id = ${member.memberId} and role <> ${role}`;
};
