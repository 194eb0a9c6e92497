import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Tenant } from '../db/database.ts';

export type Role = 'admin' | 'member' | 'annotator' | 'viewer';
export type Access = 'full' | 'read';

/** The organization and the member of a request. Every statement takes it, so there is no query without an organization. */
export type Scope = Tenant & {
  organizationId: bigint;
  memberId: string;
  role: Role;
  access: Access;
  /** Id of the request's API key, or null. */
  keyId: string | null;
  /** Id of the session of a signed-in person, or null. */
  sessionId: string | null;
};

/** Whose rows a statement is about, where a worker may run it as well as a member. */
export type Owner = Pick<Scope, 'organizationId'>;

/** Returns the scope of a request, without a promise when its key is trusted. Throws or rejects with 401. */
export type Authenticate = (request: FastifyRequest) => Scope | Promise<Scope>;
/** The onSend hook of routes that change keys or members. Revoked keys end in this process before the answer is sent. */
export type ForgetKeys = (request: FastifyRequest, reply: FastifyReply, payload: unknown) => Promise<unknown>;

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the authentication hook for every route under /api/v2 that is not public. */
    scope: Scope;
  }
}
