import type { IncomingMessage, ServerResponse } from 'node:http';
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyRequest,
  FastifyTypeProvider,
  RawServerDefault,
} from 'fastify';
import type { Static, TSchema } from 'typebox';
import { invalid, notFound } from '../errors.ts';

/** Types handlers by the schemas of their requests. Answers are finished JSON text and have no type. */
export interface TypeBoxTypeProvider extends FastifyTypeProvider {
  validator: this['schema'] extends TSchema ? Static<this['schema']> : unknown;
  serializer: unknown;
}

export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** Largest request body, 15 MB. */
export const bodyLimitBytes = 15 * 1024 * 1024;

/**
 * Most marks of structure in a body of JSON: 200,000 members of objects, or 400,000 elements of arrays. Parsing that many takes
 * 0.2 s, in which the process answers no one else; five million `{}` took 3 s.
 */
export const bodyLimitMarks = 400_000;

/** Largest body of a request without a credential. */
export const publicBodyLimitBytes = 64 * 1024;

/** Returns the one row that was asked for; throws 404 when there is none. */
export const requireOne = <T>(rows: readonly T[], resource: string, id: string): T => {
  const [row] = rows;
  if (row === undefined) throw notFound(resource, id);
  return row;
};

/** Returns the body of the one row that was asked for; throws 404 when there is none. */
export const bodyOf = (rows: readonly { body: string }[], resource: string, id: string): string =>
  requireOne(rows, resource, id).body;

const isDecodable = (text: string): boolean => {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
};

/** 400 for a query string that can't be percent-decoded. A lenient reading would change its meaning. */
export const refuseBadQuery = (request: FastifyRequest): void => {
  // The query may hold further question marks.
  const query = request.url.slice(request.url.indexOf('?') + 1);
  if (!isDecodable(query)) throw invalid('', 'must have a URL that can be percent-decoded');
};
