import type { FastifyRequest } from 'fastify';
import { forbidden } from '../platform/errors.ts';
import type { Right, Role, Scope } from '../platform/http/scope.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Needs neither key nor session: the URL is signed, or the body proves who it is. */
    public?: boolean;
    /** Only for a person who is signed in, with any role: the request is about themselves. */
    session?: boolean;
    /** Only members with the role admin. */
    admin?: boolean;
    /** Only members who administer the project of the path. */
    projectAdmin?: boolean;
    /** Only the operator of the service, who has DOKIMA_OPERATOR_KEY and belongs to no organization. */
    operator?: boolean;
  }
}

/** Rights of each role. A member who also has a role in the project has the rights of both. */
export const rightsOfRole: Record<Role, readonly Right[]> = {
  viewer: ['read'],
  annotator: ['review'],
  member: ['read', 'review', 'write'],
  admin: ['read', 'review', 'write', 'admin'],
};

/** The operations of people who only review: the queues, the records in them, and what belongs to these. */
export const ofReviews: ReadonlySet<string> = new Set([
  'getMe',
  'listProjects',
  'getProject',
  'getProjectAccess',
  'streamChanges',
  'nextReview',
  'undoReview',
  'getReviewProgress',
  'listReviews',
  'submitReview',
  'submitReviews',
  'leaveReviews',
  'skipReview',
  'listPreferenceStudies',
  'getPreferenceStudy',
  'getNextPreference',
  'submitPreference',
  'undoPreference',
  'getRecord',
  'listRecordSpans',
  'getRecordConversation',
  'listSessionAttachments',
  'getAttachment',
  'listAnnotations',
  'createAnnotation',
  'updateAnnotation',
  'deleteAnnotation',
  'listThreads',
  'createReply',
  'updateReply',
  'deleteReply',
]);

export const isRead = ({ method }: FastifyRequest): boolean => method === 'GET' || method === 'HEAD';

/** Returns the rights that allow a request; it needs one of them. */
const neededRights = (request: FastifyRequest): Right[] => {
  const { config, schema } = request.routeOptions;
  if (config.admin || config.projectAdmin) return ['admin'];
  const isReview = ofReviews.has((schema as { operationId?: string } | undefined)?.operationId ?? '');
  return [...(isReview ? (['review'] as const) : []), isRead(request) ? 'read' : 'write'];
};

const roleMayNot: Record<Role, string> = {
  viewer: 'Your role, viewer, may only read. Ask an admin for the role member.',
  annotator: 'Your role, annotator, may only review. Ask an admin for the role member.',
  member: 'Only an admin may do this.',
  admin: 'Only an admin may do this.',
};

/** The rights of the member of a request. */
const rightsOf = ({ rights, role }: Scope): ReadonlySet<Right> => rights ?? new Set(rightsOfRole[role]);

/** Throws 403 when the key or the member may not do this. An earlier hook answers 404 if the project is hidden from them. */
export const authorize = (request: FastifyRequest, scope: Scope = request.scope): void => {
  const { routeOptions } = request;
  if (routeOptions.config.session) {
    if (scope.signInId === null) throw forbidden('Only a person who is signed in may do this, not a key.');
    return;
  }
  if (!isRead(request) && scope.access === 'read')
    throw forbidden('This key may only read. Use a key with full access.');
  const rights = rightsOf(scope);
  if (!neededRights(request).some((right) => rights.has(right))) throw forbidden(roleMayNot[scope.role]);
};
