import { createHash, randomBytes } from 'node:crypto';
import { type Database, isUniqueViolation, type Sql, system } from '../../platform/db/database.ts';
import { ApiError, conflict } from '../../platform/errors.ts';
import { newUuid } from '../../platform/http/ids.ts';
import type { Asker } from './hash-turns.ts';
import { hashPassword, unmatched, verifyPassword } from './password.ts';
import {
  type Candidate,
  deleteLinks,
  deleteSessions,
  findByEmail,
  findFirstAdmin,
  findLink,
  insertLink,
  insertSession,
  lockPasswordHash,
  takeLink,
  updatePassword,
  updateWhoJoins,
} from './queries.ts';
import type { SignIn, SignInLinkRedeem } from './schema.ts';

/** 32 random bytes, like an API key: the stored hash needs neither salt nor stretching. */
const newToken = () => randomBytes(32).toString('base64url');
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

/** A new session: its token for the cookie, and the body of the answer. */
export type Begun = { token: string; body: string };

const beginSession = async (tx: Sql, candidate: Candidate): Promise<Begun> => {
  const token = newToken();
  const [made] = await insertSession(tx, candidate, newUuid(), hashToken(token));
  return { token, body: made!.body };
};

const decoy = unmatched();

/**
 * Whether a verified password is still the member's, until the commit. Verifying takes a quarter of a second; a password that was
 * changed in that time must not start a session.
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
 * Starts a session. Throws 401 for an unknown address and for a wrong password, after the same time, and 429 while too many
 * sign-ins wait. It gives up when `asker` has left.
 */
export const signIn = async (db: Database, { email, password }: SignIn, asker: Asker): Promise<Begun> => {
  const candidates = await db.read(system, (sql) => findByEmail(sql, email));
  if (candidates.length === 0) await verifyPassword(password, decoy, asker);
  for (const { passwordHash, ...candidate } of candidates) {
    if (await verifyPassword(password, passwordHash, asker)) {
      return db.transaction(candidate, async (tx) => {
        if (!(await isStillPassword(tx, candidate, passwordHash))) throw wrongPassword();
        return beginSession(tx, candidate);
      });
    }
  }
  throw wrongPassword();
};

export const linkEnded = () =>
  new ApiError('UNAUTHORIZED', 'This link has been used or has expired. Ask an admin for a new one.');

/** Redeems a sign-in link, once: sets the member's password, ends their sessions and starts a new one. */
export const redeemLink = async (
  db: Database,
  { token, password, ...changes }: SignInLinkRedeem,
  asker: Asker,
): Promise<Begun> => {
  const hash = hashToken(token);
  // Hashing a password is slow: it is done only for a link that exists.
  const [link] = await db.lookUp(system, (sql) => findLink(sql, hash));
  if (!link) throw linkEnded();
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
    return beginSession(tx, candidate);
  });
};

/** Creates a sign-in link for the member. The token is returned once and stored as a hash. */
export const createLink = async (
  tx: Sql,
  candidate: Candidate,
): Promise<{ token: string; expiresAt: string }> => {
  const token = newToken();
  const [made] = await insertLink(tx, candidate, hashToken(token));
  return { token, expiresAt: made!.expiresAt };
};

/** Returns a token with which the first admin sets a password, or undefined once a member has a password. */
export const firstSignIn = (db: Database): Promise<string | undefined> =>
  db.transaction(system, async (tx) => {
    const [admin] = await findFirstAdmin(tx);
    return admin && (await createLink(tx, admin)).token;
  });
