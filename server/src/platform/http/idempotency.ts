import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Database, isDeadlock, type Sql } from '../db/database.ts';
import { retry } from '../db/retry.ts';
import { conflict, invalid } from '../errors.ts';
import type { Scope } from './scope.ts';

const keptFor = '24 hours';
const maxKeyLength = 255;

/** The request's Idempotency-Key, on a POST. */
export const idempotencyKey = (request: FastifyRequest): string | undefined => {
  const key = request.headers['idempotency-key'];
  if (key === undefined || request.method !== 'POST') return undefined;
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw invalid('/Idempotency-Key', `must be 1 to ${maxKeyLength} printable characters`);
  }
  return key;
};

/** Of the whole request, its member included: what they write bears their name, so nobody is given another's answer. */
const fingerprint = ({ scope, method, url, rawBody }: FastifyRequest): Buffer =>
  createHash('sha256').update(`${scope.memberId} ${method} ${url}\n`).update(rawBody).digest();

type Answer = { status: 200 | 201; body: string };

/**
 * Takes the key for this transaction. A twin that comes at the same time waits on the row until this one has committed, and
 * then finds the answer; when this one rolls back, the twin goes ahead in its place.
 */
const takeKey = async (
  tx: Sql,
  scope: Scope,
  request: FastifyRequest,
  key: string,
): Promise<Answer | undefined> => {
  const print = fingerprint(request);
  await tx`
    delete from idempotency_key
    where organization_id = ${scope.organizationId} and key = ${key} and created_at < now() - ${keptFor}::interval`;
  const taken = await tx`
    insert into idempotency_key (organization_id, key, fingerprint) values (${scope.organizationId}, ${key}, ${print})
    on conflict do nothing`;
  if (taken.count === 1) return undefined;
  const [before] = await tx<(Answer & { fingerprint: Buffer })[]>`
    select fingerprint, status, body from idempotency_key
    where organization_id = ${scope.organizationId} and key = ${key}`;
  if (!before || !print.equals(before.fingerprint)) {
    throw conflict('This Idempotency-Key was used for another request. Use a new key for a new request.', {
      idempotencyKey: key,
    });
  }
  return before;
};

const keepAnswer = (tx: Sql, scope: Scope, key: string, { status, body }: Answer) => tx`
  update idempotency_key set status = ${status}, body = ${body}
  where organization_id = ${scope.organizationId} and key = ${key}`;

/**
 * How every change is made: `work` runs in one transaction and returns the answer as JSON text, which is sent after the
 * commit. With an Idempotency-Key the answer commits together with the change, so a repeated request gets it again. After a
 * deadlock, such as of the deletion of a run with spans on their way to it, `work` is done anew: it leaves nothing behind but
 * what the transaction writes.
 */
export const writer =
  (db: Database) =>
  async (
    request: FastifyRequest,
    reply: FastifyReply,
    status: 200 | 201,
    work: (tx: Sql, scope: Scope) => Promise<string>,
  ): Promise<FastifyReply> => {
    const { scope } = request;
    const key = idempotencyKey(request);
    const change = async (tx: Sql): Promise<Answer> => {
      const before = key && (await takeKey(tx, scope, request, key));
      if (before) return before;
      const made = { status, body: await work(tx, scope) };
      if (key) await keepAnswer(tx, scope, key, made);
      return made;
    };
    const answer = await retry(isDeadlock, () => db.transaction(scope, change));
    return reply.json(answer.body, answer.status);
  };

export type Writer = ReturnType<typeof writer>;

/** Forgets the answers that are too old to be asked for. */
export const purgeIdempotencyKeys = (tx: Sql) =>
  tx`delete from idempotency_key where created_at < now() - ${keptFor}::interval`;
