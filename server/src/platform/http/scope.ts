import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Tenant } from '../db/database.ts';

export type Role = 'admin' | 'member' | 'annotator' | 'viewer';
export type Access = 'full' | 'read';
/** Rights of a role: reading, reviewing, writing, administering. */
export type Right = 'read' | 'review' | 'write' | 'admin';

/** The organization and the member of a request. Every statement takes it, so there is no query without an organization. */
export type Scope = Tenant & {
  organizationId: bigint;
  memberId: string;
  /** The role in the organization; for a request about a project, the role there. */
  role: Role;
  /** For a request about a project: the rights of the member there. Without it the role decides. */
  rights?: ReadonlySet<Right>;
  /** Whether the rights of the member depend on the project: a project is restricted, or gives them a role, or they are an annotator. */
  isLimited?: boolean;
  access: Access;
  /** Id of the request's API key, or null. */
  keyId: string | null;
  /** Id of the session of a signed-in person, or null. */
  signInId: string | null;
  /** Address that the request came from, for the audit log; none for the service's own work. */
  address?: string;
};

/** The service itself, reading in an organization. */
export const serviceScope = (organizationId: bigint): Scope => ({
  organizationId,
  memberId: '00000000-0000-0000-0000-000000000000',
  role: 'admin',
  access: 'read',
  keyId: null,
  signInId: null,
});

/** Organization of a statement that both workers and members may run. */
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
