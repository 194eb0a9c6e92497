import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Tenant } from '../db/database.ts';

export type Role = 'admin' | 'member' | 'viewer';
export type Access = 'full' | 'read';

/** Whose request this is. Every statement takes it: there is no query without an organization. */
export type Scope = Tenant & {
  organizationId: bigint;
  memberId: string;
  role: Role;
  access: Access;
  /** The key that a program sent, or null. */
  keyId: string | null;
  /** The session of a person who is signed in, or null. */
  sessionId: string | null;
};

/** Whose rows a statement is about, where a worker may run it as well as a member. */
export type Owner = Pick<Scope, 'organizationId'>;

/** Finds whose request it is, at once where its key is trusted. Throws or rejects with 401. */
export type Authenticate = (request: FastifyRequest) => Scope | Promise<Scope>;
/** The onSend hook of routes that change keys or members: what they end has ended in this process before they answer. */
export type ForgetKeys = (request: FastifyRequest, reply: FastifyReply, payload: unknown) => Promise<unknown>;

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the authentication hook for every route under /api/v2 that is not public. */
    scope: Scope;
  }
}
