import type { FastifyReply, FastifyRequest } from 'fastify';
import { openCookie } from '../cookie.ts';
import type { SessionLimits } from './session-limits.ts';

export type SessionCookie = {
  /** Returns the session token of a request. */
  token: (request: FastifyRequest) => string | undefined;
  begin: (request: FastifyRequest, reply: FastifyReply, token: string) => void;
  clear: (request: FastifyRequest, reply: FastifyReply) => void;
};

export const openSessionCookie = (publicUrl: string | undefined, { hours }: SessionLimits): SessionCookie => {
  const cookie = openCookie('dokima_session', publicUrl);
  return {
    token: cookie.read,
    begin: (request, reply, token) => cookie.set(request, reply, token, hours * 3600),
    clear: (request, reply) => cookie.set(request, reply, '', 0),
  };
};
