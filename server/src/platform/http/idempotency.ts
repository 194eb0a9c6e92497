import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Database, isDeadlock, type Sql } from '../db/database.ts';
import { retry } from '../db/retry.ts';
import { ApiError, conflict, invalid } from '../errors.ts';
import { members } from '../json/json.ts';
import { audited, projectOf, textOf } from './audit.ts';
import { isConditional, requireUnchanged } from './preconditions.ts';
import type { Scope } from './scope.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Takes no Idempotency-Key: it writes nothing, or its answer must not be stored. */
    keyless?: boolean;
  }
}

const keptFor = '24 hours';
const maxKeyLength = 255;

/** Returns the Idempotency-Key of a POST; undefined without one. Throws 400 for an invalid one. */
export const idempotencyKey = (request: FastifyRequest): string | undefined => {
  const key = request.headers['idempotency-key'];
  if (key === undefined || request.method !== 'POST') return undefined;
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw invalid('/Idempotency-Key', `must be 1 to ${maxKeyLength} printable characters`);
  }
  return key;
};

/** Hash of method, URL, body and member, so that no member gets the answer to another's request. */
const fingerprint = ({ scope, method, url, rawBody }: FastifyRequest): Buffer =>
  createHash('sha256').update(`${scope.memberId} ${method} ${url}\n`).update(rawBody).digest();

type Answer = { status: 200 | 201; body: string };

/**
 * Takes the key for this transaction, or returns the answer that is stored with it. Throws 409 when the key was used for another
 * request. A repeated request that arrives at the same time waits on the row: it finds the answer when this transaction commits,
 * and takes the key when this one rolls back.
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
  const [before] = await tx<{ fingerprint: Buffer; status: Answer['status']; body: string | null }[]>`
    select fingerprint, status, body from idempotency_key
    where organization_id = ${scope.organizationId} and key = ${key}`;
  if (!before || !print.equals(before.fingerprint)) {
    throw conflict('This Idempotency-Key was used for another request. Use a new key for a new request.', {
      idempotencyKey: key,
    });
  }
  if (before.body === null)
    throw new ApiError(
      'NOT_FOUND',
      'What this request wrote has been deleted. Use a new Idempotency-Key to write it again.',
    );
  return { status: before.status, body: before.body };
};

/** What an answer tells about: ids of a run and a testset, the number of a record of the run. */
const subjectOf = (operationId: string, params: Record<string, string>, id: string | null) => {
  const isRecord = operationId === 'createRecord';
  const isTestcase = operationId === 'createTestcaseFromRecord';
  const [runOfRecord, n] = ((isRecord ? id : params.recordId) ?? '').split('-');
  const [testsetId] = ((isTestcase ? id : (params.testcaseId ?? params.testsetId)) ?? '').split('-');
  return {
    runId: operationId === 'createRun' ? id : params.runId || runOfRecord || null,
    n: n ?? null,
    testsetId: operationId === 'createTestset' ? id : testsetId || null,
    resourceId: id ?? Object.values(params).at(-1) ?? null,
  };
};

/** Stores the answer with what it tells about: a deletion of that erases the answer. */
const storeAnswer = (tx: Sql, request: FastifyRequest, key: string, { status, body }: Answer) => {
  const { scope } = request;
  const params = request.params as Record<string, string>;
  const { operationId = '' } = (request.routeOptions.schema ?? {}) as { operationId?: string };
  const id = body.startsWith('{') ? textOf(members(body).get('id')) : null;
  const { runId, n, testsetId, resourceId } = subjectOf(operationId, params, id);
  return tx`
  update idempotency_key set status = ${status}, body = ${body}, project_id = ${projectOf(tx, request, id)},
    run_id = ${runId}::text::bigint, n = ${n}::text::integer, testset_id = ${testsetId}::text::bigint,
    resource_id = ${resourceId}
  where organization_id = ${scope.organizationId} and key = ${key}`;
};

/**
 * Makes every change: `work` runs in one transaction and returns the answer as JSON text, which is sent after the commit. The
 * audit log's entry commits with the change. With an
 * Idempotency-Key the answer commits together with the change, so a repeated request gets the same answer, with a header. After a deadlock,
 * `work` runs again, so it must have no effect outside the transaction.
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
      if (before) {
        reply.header('idempotent-replayed', 'true');
        return before;
      }
      await requireUnchanged(tx, request);
      const made = { status, body: await audited(tx, request, () => work(tx, scope)) };
      if (key) await storeAnswer(tx, request, key, made);
      return made;
    };
    const answer = await retry(isDeadlock, () =>
      db.transaction(
        { ...scope, frees: request.method === 'DELETE', isSnapshot: isConditional(request) },
        change,
      ),
    );
    return reply.json(answer.body, answer.status);
  };

export type Writer = ReturnType<typeof writer>;

/** Deletes answers that have expired. */
export const purgeIdempotencyKeys = (tx: Sql) =>
  tx`delete from idempotency_key where created_at < now() - ${keptFor}::interval`;
