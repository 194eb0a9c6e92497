import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { type Database, type Sql, system } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { ScimError } from './scim-error.ts';

type FoundToken = { id: string; organizationId: bigint; isUsedNow: boolean };

/** Finds a token. Reads scim_token_hash_key. */
const findToken = (sql: Sql, tokenHash: Buffer) => sql<FoundToken[]>`
  select id, organization_id as "organizationId", coalesce(last_used_at > now() - interval '1 minute', false) as "isUsedNow"
  from scim_token where hash = ${tokenHash}`;

export const hashScimToken = (token: string): Buffer => hash('sha256', token, 'buffer');

/**
 * Returns the scope of a directory's request: the scope of an admin, with the token's id instead of a member's. Rejects with 401. It
 * is looked up each time, so a deleted token ends at once.
 */
export const scimScope = async (db: Database, request: FastifyRequest): Promise<Scope> => {
  const token = /^Bearer +(scim_\S{1,200})$/i.exec(request.headers.authorization ?? '')?.[1];
  const [found] = token ? await db.lookUp(system, (sql) => findToken(sql, hashScimToken(token))) : [];
  if (!found) throw new ScimError(401, 'Send the SCIM token of an organization as Bearer token.');
  const { id, organizationId, isUsedNow } = found;
  const scope: Scope = {
    organizationId,
    memberId: id,
    role: 'admin',
    access: 'full',
    keyId: null,
    signInId: null,
  };
  if (!isUsedNow)
    await db.transaction(scope, (tx) => tx`update scim_token set last_used_at = now() where id = ${id}`);
  return scope;
};
