import { type Database, type Sql, system } from '../../platform/db/database.ts';
import { newUuid } from '../../platform/http/ids.ts';
import type { Role } from '../../platform/http/scope.ts';
import { insertMember } from '../members/queries.ts';
import { setRole } from '../members/set-role.ts';
import { roleOfGroups } from '../roles.ts';
import { listGroupNames } from '../scim/queries.ts';
import { bindAccount, type Candidate, idsOf, type Proven } from '../sign-ins/queries.ts';
import type { SessionLimits } from '../sign-ins/session-limits.ts';
import { type Begun, beginSession, createLink } from '../sign-ins/sign-in.ts';
import { type Identity, SsoRefused } from './provider.ts';
import { type Account, findOldestOrganization, findOrganization, lockAccounts } from './queries.ts';
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

type Membership = { proven: Candidate[]; invited: Candidate[] };

/**
 * Adds the person's member of the organization of single sign-on, in which their groups decide the role and people can join. A person who
 * is in another organization already is only invited to it. Throws SsoRefused unless the person is a member elsewhere.
 */
const addHome = async (
  tx: Sql,
  settings: SsoSettings,
  identity: Identity,
  homeId: bigint,
  home: (Account & { hasJoined: boolean }) | undefined,
  { proven, invited }: Membership,
): Promise<void> => {
  try {
    const [provisioned] = home ? await listGroupNames(tx, home, [home.memberId]) : [];
    const role = givenRole(settings, identity, provisioned);
    if (home && role && settings.groupRoles.size > 0) await setRole(tx, home, role);
    const member = home ?? (role && (await joinHome(tx, homeId, identity, role)));
    if (!member) return;
    if (proven.length === 0 || home?.hasJoined) proven.unshift(member);
    else invited.push(member);
  } catch (error) {
    // Other organizations do not ask the directory.
    if (!(error instanceof SsoRefused) || proven.length + invited.length === 0) throw error;
  }
};

/**
 * The person's members: in organizations that they have joined with this account, and in those whose admins only added the address. The
 * member of the browser's own session counts as joined.
 */
const membershipOf = async (
  tx: Sql,
  settings: SsoSettings,
  identity: Identity,
  signedIn: Candidate | undefined,
): Promise<Membership> => {
  const { subject, email } = identity;
  const accounts = await lockAccounts(tx, subject, email);
  const homeId = await homeOrganization(tx, settings);
  const own = accounts
    .filter(({ isOwn }) => isOwn)
    .map((account) => ({
      ...account,
      hasJoined: account.isBound || account.memberId === signedIn?.memberId,
    }));
  const isHome = ({ organizationId }: Account) => organizationId === homeId;
  const elsewhere = own.filter((account) => account.active && !isHome(account));
  const membership: Membership = {
    proven: elsewhere.filter(({ hasJoined }) => hasJoined),
    invited: elsewhere.filter(({ hasJoined }) => !hasJoined),
  };
  const isShut = accounts.some((account) => isHome(account) && !(account.isOwn && account.active));
  if (homeId !== undefined && !isShut)
    await addHome(tx, settings, identity, homeId, own.find(isHome), membership);
  if (membership.proven.length + membership.invited.length > 0) return membership;
  if (accounts.some(({ isOwn }) => !isOwn))
    throw new SsoRefused('other-account', `${email} belongs to another account of the provider`);
  throw new SsoRefused('no-member', `${email} is not an active member, and may not join`);
};

/** A session, or the token of a link that asks the person whether they enter an organization. */
type Outcome = Begun | { question: string };

/**
 * Starts a session of a person whom the provider knows, in every organization that they have joined with their account. The first sign-in
 * binds a member to the account: another account that later has the same address is refused. A browser that is signed in stays in its
 * organization. The person is asked first if they would otherwise enter an organization that they have not joined, or leave that of
 * the browser. `signedIn` is the member of the browser's session. Throws SsoRefused.
 */
export const signInWithSso = (
  { db, sessions, settings }: { db: Database; sessions: SessionLimits; settings: SsoSettings },
  identity: Identity,
  signedIn: Candidate | undefined,
  address?: string,
): Promise<Outcome> =>
  db.transaction(system, async (tx) => {
    const { subject, session, email } = identity;
    // One sign-in of an address at a time, so that two at once do not both join.
    await tx`select pg_advisory_xact_lock(hashtext(${`dokima sso ${email.toLowerCase()}`}))`;
    const { proven, invited } = await membershipOf(tx, settings, identity, signedIn);
    const current = signedIn && proven.find(({ memberId }) => memberId === signedIn.memberId);
    const [first, ...others] = proven;
    if (!first || (signedIn && !current))
      return { question: (await createLink(tx, first ?? invited[0]!, { subject })).token };
    const reach: Proven = current
      ? [current, ...proven.filter((member) => member !== current)]
      : [first, ...others];
    await bindAccount(tx, idsOf(reach), subject);
    return beginSession(tx, sessions, { proven: reach, invited, account: { subject, session } }, address);
  });
