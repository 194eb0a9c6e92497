import type { FastifyReply, FastifyRequest } from 'fastify';

const cookieName = 'dokima_session';
const tokenPattern = new RegExp(`(?:^|;\\s*)${cookieName}=([\\w-]+)`);
const maxAgeSeconds = 30 * 24 * 3600;

/** The session token that a request carries. */
export const sessionToken = (request: FastifyRequest): string | undefined =>
  tokenPattern.exec(request.headers.cookie ?? '')?.[1];

const isHttps = (request: FastifyRequest, publicUrl: string | undefined): boolean =>
  publicUrl?.startsWith('https:') || request.headers['x-forwarded-proto'] === 'https';

/**
 * Sets the cookie, or clears it for the token ''. No script can read it, and no other site's form can send it; over https
 * it never travels in the clear.
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
    `${cookieName}=${token}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${age}${secure}`,
  );
};
