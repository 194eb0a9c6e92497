import { type Database, type Sql, system } from '../../platform/db/database.ts';
import { newUuid } from '../../platform/http/ids.ts';
import type { Role } from '../../platform/http/scope.ts';
import { insertMember } from '../members/queries.ts';
import { setRole } from '../members/set-role.ts';
import { roleOfGroups } from '../roles.ts';
import { listGroupNames } from '../scim/queries.ts';
import type { Candidate } from '../sign-ins/queries.ts';
import type { SessionLimits } from '../sign-ins/session-limits.ts';
import { type Begun, beginSession } from '../sign-ins/sign-in.ts';
import { type Identity, SsoRefused } from './provider.ts';
import {
  type Account,
  findOldestOrganization,
  findOrganization,
  linkAccount,
  lockAccounts,
} from './queries.ts';
import type { SsoSettings } from './settings.ts';

/**
 * The role that the directory gives in the organization of single sign-on, by the groups of the ID token and of SCIM. Throws if the
 * directory decides and gives no role. A member of SCIM is not refused: SCIM deactivates the members that it provisions.
 */
const givenRole = (
  { groupRoles, defaultRole }: SsoSettings,
  { groups, email }: Identity,
  provisioned: { names: string[]; isProvisioned: boolean } | undefined,
): Role | undefined => {
  const role = roleOfGroups(groupRoles, [...groups, ...(provisioned?.names ?? [])]);
  if (role || provisioned?.isProvisioned) return role;
  if (groupRoles.size > 0 && defaultRole === undefined)
    throw new SsoRefused('no-group', `no group of ${email} has a role`);
  return defaultRole;
};

const homeOrganization = async (tx: Sql, { organizationId }: SsoSettings): Promise<bigint | undefined> => {
  const [found] = await (organizationId === undefined
    ? findOldestOrganization(tx)
    : findOrganization(tx, organizationId));
  return found?.id;
};

/** Makes the person a member of the organization of single sign-on. */
const joinHome = async (
  tx: Sql,
  organizationId: bigint,
  identity: Identity,
  role: Role,
): Promise<Candidate> => {
  const made = { organizationId, memberId: newUuid() };
  await insertMember(tx, made, made.memberId, { name: identity.name, email: identity.email, role });
  return made;
};

/**
 * Starts a session of a person whom the provider knows, in every organization that has a member with their account or their verified
 * address. A member's first sign-in binds it to the account: another account that later has the same address is refused. In the
 * organization of single sign-on the groups decide the role, and people can join. Throws SsoRefused.
 */
export const signInWithSso = (
  { db, sessions, settings }: { db: Database; sessions: SessionLimits; settings: SsoSettings },
  identity: Identity,
  address?: string,
): Promise<Begun> =>
  db.transaction(system, async (tx) => {
    const { subject, email } = identity;
    // One sign-in of an address at a time, so that two at once do not both join.
    await tx`select pg_advisory_xact_lock(hashtext(${`dokima sso ${email.toLowerCase()}`}))`;
    const accounts = await lockAccounts(tx, subject, email);
    const homeId = await homeOrganization(tx, settings);
    const own = accounts.filter(({ isOwn }) => isOwn);
    const isHome = ({ organizationId }: Account) => organizationId === homeId;
    const proven: Candidate[] = own.filter((account) => account.active && !isHome(account));
    const home = own.find(isHome);
    if (
      homeId !== undefined &&
      !accounts.some((account) => isHome(account) && !(account.isOwn && account.active))
    ) {
      try {
        const [provisioned] = home ? await listGroupNames(tx, home, [home.memberId]) : [];
        const role = givenRole(settings, identity, provisioned);
        if (home) {
          if (role && settings.groupRoles.size > 0) await setRole(tx, home, role);
          proven.unshift(home);
        } else if (role) proven.unshift(await joinHome(tx, homeId, identity, role));
      } catch (error) {
        // Other organizations do not ask the directory.
        if (!(error instanceof SsoRefused) || proven.length === 0) throw error;
      }
    }
    const [first, ...others] = proven;
    if (!first) {
      if (accounts.some(({ isOwn }) => !isOwn))
        throw new SsoRefused('other-account', `${email} belongs to another account of the provider`);
      throw new SsoRefused('no-member', `${email} is not an active member, and may not join`);
    }
    await linkAccount(
      tx,
      proven.map(({ memberId }) => memberId),
      subject,
    );
    return beginSession(tx, sessions, [first, ...others], address);
  });
