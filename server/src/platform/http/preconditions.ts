import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Sql } from '../db/database.ts';
import { ApiError, invalid } from '../errors.ts';
import { members, type RawJson } from '../json/json.ts';
import { findChanged, textOf } from './audit.ts';

/** The ETag of an answer. It is weak: the answer is the same compressed or not. */
export const etagOf = (body: string | Buffer): string => `W/"${hash('sha1', body, 'base64url')}"`;

/** Whether a header lists this tag. Weak tags are equal to strong ones: ours tell every byte of the JSON (RFC 9110, 8.8.3). */
export const listsTag = (header: string, tag: string): boolean =>
  header.split(',').some((known) => known.trim().replace(/^W\//, '') === tag.replace(/^W\//, ''));

/** Whether a request says which state of its resource it was made from. */
export const isConditional = ({ method, headers }: FastifyRequest): boolean =>
  headers['if-match'] !== undefined && ['PUT', 'PATCH', 'DELETE'].includes(method);

/** The tags of a resource: of its GET, and its time of the last change where it has one, which lists show too. */
const tagsOf = (body: RawJson): string[] => {
  const { updatedAt } = Object.fromEntries(members(body));
  return updatedAt === undefined ? [etagOf(body)] : [etagOf(body), `"${textOf(updatedAt)}"`];
};

/**
 * Throws 412 if the resource is not as the If-Match of a request says: another change came first (RFC 9110, 13.1.1). Call it in a
 * transaction with `isSnapshot`, which ends when another one changes the same row after this.
 */
export const requireUnchanged = async (tx: Sql, request: FastifyRequest): Promise<void> => {
  const known = request.headers['if-match'];
  if (known === undefined || !isConditional(request)) return;
  const find = findChanged(request);
  if (!find)
    throw invalid('/If-Match', 'must be left out: this operation changes nothing that can be read alone');
  const [found] = await find(tx, request.scope, request.params);
  if (known.trim() === '*' ? found : found && tagsOf(found.body).some((tag) => listsTag(known, tag))) return;
  throw new ApiError(
    'PRECONDITION_FAILED',
    'It was changed after you read it. Read it again, and repeat your change on what it is now.',
    { details: { etag: found ? etagOf(found.body) : null } },
  );
};
