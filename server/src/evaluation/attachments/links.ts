import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../platform/errors.ts';
import { subkey } from '../../platform/secret.ts';

type Method = 'PUT' | 'GET';

const lifetimeMs: Record<Method, number> = { PUT: 3_600_000, GET: 900_000 };

/** Makes and checks links to an attachment's bytes. Anyone with a link may use it, for its method, until it expires. */
export const linkSigner = (secret: Buffer, publicUrl: string | undefined) => {
  const key = subkey(secret, 'attachment');
  const sign = (method: Method, id: string, expires: number) =>
    createHmac('sha256', key).update(`${method} ${id} ${expires}`).digest();

  return {
    /** `now` is the time of the database: another process may check the link. */
    make: (
      request: FastifyRequest,
      method: Method,
      id: string,
      now: Date,
    ): { url: string; expiresAt: string } => {
      const expires = now.getTime() + lifetimeMs[method];
      const base = publicUrl ?? `${request.protocol}://${request.host}`;
      const signature = sign(method, id, expires).toString('base64url');
      return {
        url: `${base}/api/v2/attachments/${id}/content?expires=${expires}&signature=${signature}`,
        expiresAt: new Date(expires).toISOString(),
      };
    },
    /** Throws 401 for a link that was changed, has expired or is for another method. */
    check: async (
      method: Method,
      id: string,
      { expires, signature }: { expires?: string; signature?: string },
      now: () => Promise<Date>,
    ): Promise<void> => {
      const given = Buffer.from(signature ?? '', 'base64url');
      const wanted = sign(method, id, Number(expires));
      const isGenuine = given.length === wanted.length && timingSafeEqual(given, wanted);
      if (!isGenuine || Number(expires) < (await now()).getTime()) {
        throw new ApiError(
          'UNAUTHORIZED',
          'This link has expired or is not valid for this request. Get a new one.',
        );
      }
    },
  };
};
