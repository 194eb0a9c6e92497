import { scryptSync } from 'node:crypto';
import { type Candidate, updatePassword } from '../src/accounts/sign-ins/queries.ts';
import type { SessionLimits } from '../src/accounts/sign-ins/session-limits.ts';
import { beginSession } from '../src/accounts/sign-ins/sign-in.ts';
import { type Database, system } from '../src/platform/db/database.ts';

/** The stored form of a password that takes 3 ms to check instead of 250. It names its cost, so the service checks it as any other. */
export const cheapHash = (password: string): string => {
  const salt = Buffer.from('a salt for tests');
  const [N, r, p] = [1024, 8, 1];
  const hash = scryptSync(password, salt, 32, { N, r, p });
  return ['scrypt', N, r, p, salt.toString('base64url'), hash.toString('base64url')].join('$');
};

/** Gives a member a password and a session, as redeeming a link does, with a cheap hash. Returns the cookie. */
export const enter = async (
  db: Database,
  { organizationId, memberId }: Candidate,
  password: string,
  limits: SessionLimits = { hours: 1, idleMinutes: 0 },
): Promise<string> => {
  const { token } = await db.transaction(system, async (tx) => {
    await updatePassword(tx, { organizationId, memberId }, cheapHash(password));
    return beginSession(tx, limits, { proven: [{ organizationId, memberId }] });
  });
  return `dokima_session=${token}`;
};
