import { createHash, randomBytes } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { type Database, isUniqueViolation, type Sql, system } from '../../platform/db/database.ts';
import { ApiError, conflict, forbidden, invalid } from '../../platform/errors.ts';
import { insertAuditEvent } from '../../platform/http/audit.ts';
import { bodyOf } from '../../platform/http/http.ts';
import { newUuid } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { Asker } from '../../platform/turns.ts';
import { requireEmailAddress } from '../email-address.ts';
import { hashPassword, unmatched, verifyPassword } from './password.ts';
import {
  bindAccount,
  type Candidate,
  deleteLinks,
  deleteSessions,
  findByEmail,
  findFirstAdmin,
  findInvitation,
  findLink,
  findOnlyOrganization,
  findOtherPasswords,
  insertLink,
  insertSession,
  joinInvited,
  type LinkOrigin,
  lockPasswordHash,
  type Reach,
  replaceSession,
  takeLink,
  updatePassword,
  updateWhoJoins,
} from './queries.ts';
import type { Credentials, SignInLinkRedeem } from './schema.ts';
import type { SessionLimits } from './session-limits.ts';

/** 32 random bytes, like an API key: the stored hash needs neither salt nor stretching. */
const newToken = () => randomBytes(32).toString('base64url');
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

/** A new session: its token for the cookie, and the body of the answer. */
export type Begun = { token: string; body: string };

/**
 * Starts a session of the first member that the person proved to be. It can be switched to the others. `address` is the person's address,
 * for the audit log.
 */
export const beginSession = async (
  tx: Sql,
  sessions: SessionLimits,
  reach: Reach,
  address?: string,
): Promise<Begun> => {
  const token = newToken();
  const signInId = newUuid();
  const [made] = await insertSession(tx, sessions, reach, signInId, hashToken(token));
  const actor = { ...reach.proven[0], signInId, ...(address !== undefined && { address }) };
  await insertAuditEvent(tx, actor, { operation: 'signIn', resource: 'Sign-in' });
  return { token, body: made!.body };
};

type Sessions = { db: Database; sessions: SessionLimits };

/**
 * Replaces the session by one of another organization, and joins it first if `join` is set. Throws 404 unless the person proved to be a
 * member of it, and 409 if they have not joined it.
 */
export const switchOrganization = async (
  { db, sessions }: Sessions,
  scope: Scope,
  organizationId: bigint,
  join: boolean,
): Promise<Begun> => {
  const token = newToken();
  const made = await db.transaction(system, async (tx) => {
    if (join) await joinInvited(tx, scope, organizationId);
    else if ((await findInvitation(tx, scope, organizationId)).length > 0)
      throw conflict('Its admins added you, and you have not joined it. Send "join": true to join it.', {
        organizationId: String(organizationId),
      });
    return replaceSession(tx, sessions, scope, organizationId, newUuid(), hashToken(token));
  });
  return { token, body: bodyOf(made, 'organization', String(organizationId)) };
};

const decoy = unmatched();

/**
 * Whether a verified password is still the member's. It stays so until the commit. Verifying takes a quarter of a second; a password that
 * was changed in that time must not start a session.
 */
export const isStillPassword = async (
  tx: Sql,
  candidate: Candidate,
  verifiedHash: string,
): Promise<boolean> => {
  const [now] = await lockPasswordHash(tx, candidate);
  return now?.passwordHash === verifiedHash;
};

const wrongPassword = () => new ApiError('UNAUTHORIZED', 'The e-mail address or the password is wrong.');

/**
 * Adds a failed sign-in to the audit log of each organization with a member of this address. An address without a member
 * belongs to the only organization, if there is only one.
 */
const auditFailures = async (
  db: Database,
  candidates: Candidate[],
  email: string,
  address: string | undefined,
): Promise<void> => {
  // Other texts may be a password in the wrong field.
  const isAddress = /^[^\s@]+@[^\s@]+$/.test(email);
  const event = {
    operation: 'signIn',
    resource: 'Sign-in',
    failed: true,
    details: { email: isAddress ? email : null },
  };
  await db.transaction(system, async (tx) => {
    const actors = candidates.length > 0 ? candidates : await findOnlyOrganization(tx);
    for (const { organizationId, memberId } of actors) {
      const actor = {
        organizationId,
        ...(memberId && { memberId }),
        ...(address !== undefined && { address }),
      };
      await insertAuditEvent(tx, actor, event);
    }
  });
};

/**
 * Starts a session. A person in several organizations has a password in each: the session can be switched to those where it is the
 * same. Throws 401 for an unknown address and for a wrong password, after the same time, and 429 while too many
 * sign-ins wait. It gives up when `asker` has left.
 */
export const signIn = async (
  db: Database,
  sessions: SessionLimits,
  { email, password }: Credentials,
  asker: Asker,
  address?: string,
): Promise<Begun> => {
  const candidates = await db.read(system, (sql) => findByEmail(sql, email));
  if (candidates.length === 0) await verifyPassword(password, decoy, asker);
  const verified: typeof candidates = [];
  for (const candidate of candidates)
    if (await verifyPassword(password, candidate.passwordHash, asker)) verified.push(candidate);
  if (verified.length === 0) {
    await auditFailures(db, candidates, email, address);
    throw wrongPassword();
  }
  return db.transaction(system, async (tx) => {
    const proven: Candidate[] = [];
    for (const { passwordHash, ...candidate } of verified)
      if (await isStillPassword(tx, candidate, passwordHash)) proven.push(candidate);
    const [first, ...others] = proven;
    if (!first) throw wrongPassword();
    return beginSession(tx, sessions, { proven: [first, ...others] }, address);
  });
};

/**
 * Changes the person's password in the other organizations of their session where it was the same. Returns the ids of these
 * members. `hash` is the new password's.
 */
export const changeOtherPasswords = async (
  db: Database,
  scope: Scope,
  currentPassword: string,
  hash: string,
  asker: Asker,
): Promise<string[]> => {
  const changed: string[] = [];
  for (const { passwordHash, ...other } of await db.read(system, (sql) => findOtherPasswords(sql, scope))) {
    if (!(await verifyPassword(currentPassword, passwordHash, asker))) continue;
    await db.transaction(other, async (tx) => {
      if (!(await isStillPassword(tx, other, passwordHash))) return;
      await updatePassword(tx, other, hash);
      await deleteSessions(tx, other, null);
      changed.push(other.memberId);
    });
  }
  return changed;
};

export const passwordsOff = () =>
  forbidden(
    'Passwords are off on this service. Sign in with single sign-on, or ask the operator for a link.',
  );

export const linkEnded = () =>
  new ApiError('UNAUTHORIZED', 'This link has been used or has expired. Ask an admin for a new one.');

/** Lets a person whom the provider has signed in enter the organization that a link asked them about. */
const enter = ({ db, sessions }: Sessions, hash: Buffer, subject: string, address?: string): Promise<Begun> =>
  db.transaction(system, async (tx) => {
    const [candidate] = await takeLink(tx, hash);
    if (!candidate || (await bindAccount(tx, [candidate.memberId], subject)).length === 0) throw linkEnded();
    return beginSession(tx, sessions, { proven: [candidate], account: { subject, session: null } }, address);
  });

/** Redeems a sign-in link, once. One without an account of single sign-on sets the member's password, ends their sessions and starts a new one. */
export const redeemLink = async (
  { db, sessions, sso }: Sessions & { sso: { isRequired: boolean } },
  { token, password, ...changes }: SignInLinkRedeem,
  asker: Asker,
  address?: string,
): Promise<Begun> => {
  const hash = hashToken(token);
  // Hashing a password is slow: it is done only for a link that exists.
  const [link] = await db.lookUp(system, (sql) =>
    findLink(sql, hash, { limits: sessions, sessionHash: null }),
  );
  if (!link) throw linkEnded();
  const { ssoSubject, byOperator } = link;
  if (ssoSubject) return enter({ db, sessions }, hash, ssoSubject, address);
  if (sso.isRequired && !byOperator) throw passwordsOff();
  if (password === undefined) throw invalid('/password', 'is required');
  if (changes.email !== undefined) requireEmailAddress('/email', changes.email);
  const passwordHash = await hashPassword(password, asker);
  return db.transaction(system, async (tx) => {
    const [candidate] = await takeLink(tx, hash);
    if (!candidate) throw linkEnded();
    if (Object.keys(changes).length > 0) {
      await updateWhoJoins(tx, candidate, changes).catch((error) => {
        if (!isUniqueViolation(error, 'member_email')) throw error;
        throw conflict(`A member with the address ${changes.email} exists already.`, {
          email: changes.email,
        });
      });
    }
    await updatePassword(tx, candidate, passwordHash);
    await deleteLinks(tx, candidate);
    await deleteSessions(tx, candidate, null);
    return beginSession(tx, sessions, { proven: [candidate] }, address);
  });
};

/** The page that a sign-in link opens. The token is behind the #, which browsers do not send. */
export const welcomeUrl = (request: FastifyRequest, publicUrl: string | undefined, token: string): string =>
  `${publicUrl ?? `${request.protocol}://${request.host}`}/welcome#${token}`;

/** Creates a sign-in link for the member. The token is returned once and stored as a hash. */
export const createLink = async (
  tx: Sql,
  candidate: Candidate,
  by: LinkOrigin,
): Promise<{ token: string; expiresAt: string }> => {
  const token = newToken();
  const [made] = await insertLink(tx, candidate, hashToken(token), by);
  return { token, expiresAt: made!.expiresAt };
};

/** Returns a token with which the first admin sets a password, or undefined once a member has a password. */
export const firstSignIn = (db: Database): Promise<string | undefined> =>
  db.transaction(system, async (tx) => {
    const [admin] = await findFirstAdmin(tx);
    return admin && (await createLink(tx, admin, 'operator')).token;
  });
