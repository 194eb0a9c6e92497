import type { FastifyReply, FastifyRequest } from 'fastify';
import { basePathOf } from '../../platform/http/base-path.ts';

const cookieName = 'dokima_session';
const tokenPattern = new RegExp(`(?:^|;\\s*)${cookieName}=([\\w-]+)`);
const maxAgeSeconds = 30 * 24 * 3600;

/** Returns the session token of a request. */
export const sessionToken = (request: FastifyRequest): string | undefined =>
  tokenPattern.exec(request.headers.cookie ?? '')?.[1];

const isHttps = (request: FastifyRequest, publicUrl: string | undefined): boolean =>
  publicUrl?.startsWith('https:') || request.headers['x-forwarded-proto'] === 'https';

/**
 * Sets the session cookie, or clears it when the token is ''. Scripts cannot read it, forms of other sites cannot send it, and
 * under https it is sent over https only.
 */
export const setSessionCookie = (
  request: FastifyRequest,
  reply: FastifyReply,
  publicUrl: string | undefined,
  token: string,
): void => {
  const age = token ? maxAgeSeconds : 0;
  const secure = isHttps(request, publicUrl) ? '; Secure' : '';
  reply.header(
    'set-cookie',
    `${cookieName}=${token}; Path=${basePathOf(publicUrl) || '/'}; HttpOnly; SameSite=Lax; Max-Age=${age}${secure}`,
  );
};
