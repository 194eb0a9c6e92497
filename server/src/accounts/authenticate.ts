import { hash, timingSafeEqual } from 'node:crypto';
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import { type Database, type Sql, system } from '../platform/db/database.ts';
import { forbidden, unauthorized } from '../platform/errors.ts';
import type { Scope } from '../platform/http/scope.ts';
import { isRead } from './authorize.ts';
import { openSessionCookie } from './sign-ins/session-cookie.ts';
import { isOpen, type SessionLimits } from './sign-ins/session-limits.ts';
import { hashToken } from './sign-ins/sign-in.ts';

type KeyScope = Scope & { keyId: string; signInId: null };

type FoundKey = KeyScope & { expiresAt: Date | null };

/** Whether the rights of `member` depend on the project. Reads project_restricted and project_member_member. */
const isLimited = (sql: Sql) => sql`
  member.role <> 'admin' and (member.role = 'annotator'
    or exists (select from project where project.organization_id = member.organization_id and project.restricted)
    or exists (select from project_member where project_member.member_id = member.id))`;

/** The key of this hash (`\\x…`, as PostgreSQL writes bytes), if it is valid now. Reads api_key_hash_key. */
const findKey = (sql: Sql, keyHash: string) => sql<FoundKey[]>`
  select key.organization_id as "organizationId", key.member_id as "memberId", member.role, key.id as "keyId", key.access,
    ${isLimited(sql)} as "isLimited",
    null as "signInId", key.expires_at as "expiresAt"
  from api_key key join member on member.id = key.member_id
  where key.hash = ${keyHash}::text::bytea and member.active
    and key.revoked_at is null and (key.expires_at is null or key.expires_at > now())`;

/** The session with this token's hash, until it ends. Reads sign_in_hash_key. */
export const findSession = (sql: Sql, limits: SessionLimits, hash: Buffer) => sql<Scope[]>`
  select sign_in.organization_id as "organizationId", sign_in.member_id as "memberId", member.role, 'full' as access,
    ${isLimited(sql)} as "isLimited",
    null as "keyId", sign_in.id as "signInId"
  from sign_in join member on member.id = sign_in.member_id
  where sign_in.hash = ${hash} and ${isOpen(sql, limits)} and member.active`;

/** Id of the key or session that a request was made with. */
export const credentialOf = ({ keyId, signInId }: Scope): string => keyId ?? signInId!;

/** Finds which of these keys and sessions are valid now. Reads api_key_pkey and sign_in_pkey. */
export const findValidCredentials = (sql: Sql, sessions: SessionLimits, scope: Scope, ids: string[]) => sql<
  { id: string }[]
>`
  select id from api_key
  where organization_id = ${scope.organizationId} and id = any(${ids}::uuid[])
    and revoked_at is null and (expires_at is null or expires_at > now())
  union all
  select id from sign_in
  where organization_id = ${scope.organizationId} and id = any(${ids}::uuid[]) and ${isOpen(sql, sessions)}`;

/** How long a found key is trusted without another look-up. A key that another process revoked is refused here after this time. */
const keyTrustedMs = 1_000;
/** Maximum number of remembered keys. */
const maxKeys = 10_000;

/**
 * Returns the time of a clock that cannot be set: if the machine's were set back an hour, a revoked key would be trusted for that
 * hour.
 */
const steadyNow = () => performance.timeOrigin + performance.now();

/**
 * Looks keys up. A key that was found is remembered for a second, or until `forget` is called, and is returned without a promise.
 * An unknown key is looked up each time. `clock`: now, in milliseconds.
 */
export const keyFinder = (db: Database, clock = steadyNow) => {
  const known = new Map<string, { scope: KeyScope; until: number }>();
  /** Number of `forget` calls: a look-up that began before one may have read revoked keys. */
  let epoch = 0;

  const lookUp = async (keyHash: string): Promise<KeyScope | undefined> => {
    const begun = epoch;
    const [found] = await db.lookUp(system, (sql) => findKey(sql, keyHash));
    if (!found) return undefined;
    const { expiresAt, ...scope } = found;
    if (begun === epoch) {
      if (known.size >= maxKeys) known.clear();
      const trusted = clock() + keyTrustedMs;
      known.set(keyHash, { scope, until: Math.min(trusted, expiresAt?.getTime() ?? trusted) });
    }
    return scope;
  };

  const find = (key: string): KeyScope | Promise<KeyScope | undefined> => {
    // As hex right away: through a Buffer it took three times as long.
    const keyHash = `\\x${hash('sha256', key, 'hex')}`;
    const found = known.get(keyHash);
    return found && clock() < found.until ? found.scope : lookUp(keyHash);
  };

  const forget = (): void => {
    epoch++;
    known.clear();
  };

  return { find, forget };
};

const touchEveryMs = 60_000;

/** Whether a person made this request. A stream of changes, and what a page reads again because of it, keep no session alive. */
const isUse = (request: FastifyRequest): boolean =>
  !(isRead(request) && request.headers.accept === 'text/event-stream') &&
  request.headers['x-requested-with'] !== 'Dokima without a person';

/**
 * `authenticate` finds the member of a request, at once if its key is trusted; throws or rejects with 401 when the credential is missing,
 * malformed, unknown, revoked or expired. `forgetKeys` is the hook of routes that change keys or members, between their commit and their
 * answer: a revoked key ends in this process at once, and within a second in others. A session is looked up for every request.
 */
export const authenticator = (
  db: Database,
  log: FastifyBaseLogger,
  publicUrl: string | undefined,
  sessions: SessionLimits,
) => {
  const cookie = openSessionCookie(publicUrl, sessions);
  const keys = keyFinder(db);
  const touchedAt = new Map<string, number>();

  /** Notes the use of a key or a session, once a minute. */
  const touch = (scope: Scope) => {
    const id = credentialOf(scope);
    const now = Date.now();
    if (now - (touchedAt.get(id) ?? 0) < touchEveryMs) return;
    if (touchedAt.size >= maxKeys) touchedAt.clear();
    touchedAt.set(id, now);
    db.transaction(
      scope,
      (tx) => tx`update ${tx(scope.keyId ? 'api_key' : 'sign_in')} set last_used_at = now() where id = ${id}`,
    ).catch((error) => log.warn({ err: error }, 'the last use of a key or a session was not stored'));
  };

  const bySession = async (request: FastifyRequest, token: string): Promise<Scope> => {
    const [scope] = await db.lookUp(system, (sql) => findSession(sql, sessions, hashToken(token)));
    if (!scope) throw unauthorized();
    // The browser adds the cookie to requests that other sites make; those sites can't send this header without our permission.
    if (!isRead(request) && request.headers['x-requested-with'] === undefined)
      throw forbidden('A change made with the session cookie needs the header X-Requested-With.');
    if (isUse(request)) touch(scope);
    return scope;
  };

  const byKey = (scope: KeyScope | undefined): Scope => {
    if (!scope) throw unauthorized();
    touch(scope);
    return scope;
  };

  const authenticate = (request: FastifyRequest): Scope | Promise<Scope> => {
    const { authorization } = request.headers;
    const token = authorization === undefined ? cookie.token(request) : undefined;
    if (token) return bySession(request, token);
    const key = /^Bearer +(ak_\S+)$/i.exec(authorization ?? '')?.[1];
    if (!key) throw unauthorized();
    const found = keys.find(key);
    return found instanceof Promise ? found.then(byKey) : byKey(found);
  };

  const forgetKeys = async (_request: FastifyRequest, _reply: FastifyReply, payload: unknown) => {
    keys.forget();
    return payload;
  };

  return { authenticate, forgetKeys };
};

/**
 * Returns the check of the operator's key: it throws 401 for a request without it. Compares hashes, so that the duration reveals nothing
 * about the key.
 */
export const operatorCheck = (operatorKey: string | undefined) => {
  const expected = operatorKey === undefined ? undefined : hash('sha256', operatorKey, 'buffer');
  return ({ headers: { authorization } }: FastifyRequest): void => {
    const given = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
    if (!expected || !given || !timingSafeEqual(hash('sha256', given, 'buffer'), expected)) {
      throw unauthorized(
        'Only the operator may do this. Send the value of DOKIMA_OPERATOR_KEY as Bearer token.',
      );
    }
  };
};
