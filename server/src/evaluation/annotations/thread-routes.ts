import { Type } from 'typebox';
import { requireAuthor } from '../../accounts/require-author.ts';
import type { Sql } from '../../platform/db/database.ts';
import { type App, bodyOf, requireOne } from '../../platform/http/http.ts';
import { newUuid, uuidId } from '../../platform/http/ids.ts';
import { pathParam } from '../../platform/http/openapi.ts';
import { firstUuid } from '../../platform/http/pagination.ts';
import { deleteRoute, listRoute, type Resource, writeRoute } from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { ref } from '../../platform/named-schema.ts';
import { maskComment } from '../masking/mask-data.ts';
import type { Masking } from '../masking/masking.ts';
import { findRecord } from '../records/queries.ts';
import { annotation, record } from '../resources.ts';
import {
  deleteReply,
  insertReply,
  listThreads,
  lockReply,
  type ReplyKey,
  resolveAnnotation,
  updateReply,
} from './thread-queries.ts';
import { Reply, ReplyWrite, Resolution, Thread } from './thread-schema.ts';

const tags = ['Annotations'];

const replyParams = Type.Object({ ...annotation.params.properties, replyId: pathParam('reply') });
const reply: Resource<typeof replyParams, ReplyKey> = {
  name: 'reply',
  params: replyParams,
  keyOf: ({ replyId, ...params }) => {
    const { key, id } = annotation.keyOf(params);
    return { key, annotationId: id, id: uuidId('reply', replyId) };
  },
  idOf: ({ replyId }) => replyId,
};

/** Throws 404 when there is no such reply, 403 when the member may not change it. */
const requireOwn = async (tx: Sql, scope: Scope, reply: ReplyKey): Promise<void> => {
  const { memberId } = requireOne(await lockReply(tx, scope, reply), 'reply', reply.id);
  requireAuthor(scope, memberId, 'a reply');
};

/** Threads: replies to annotations, and whether the thread is resolved. */
export const threadRoutes = (app: App, deps: RouteDeps & { masking: Masking }): void => {
  listRoute(app, deps, '/records/:recordId/threads', {
    operationId: 'listThreads',
    summary: 'List the threads of a record, oldest first.',
    description: 'A thread is an annotation that has replies or is resolved.',
    tags,
    of: record,
    parent: findRecord,
    item: ref(Thread),
    first: firstUuid,
    rows: listThreads,
  });

  writeRoute(app, deps, 'PUT', '/records/:recordId/annotations/:annotationId/resolution', {
    operationId: 'resolveAnnotation',
    summary: 'Resolve the thread of an annotation, or open it again.',
    tags,
    of: annotation,
    body: Resolution,
    response: ref(Thread),
    work: async (tx, scope, { key, id }, { resolved }) =>
      bodyOf(await resolveAnnotation(tx, scope, key, id, resolved), 'annotation', id),
  });

  writeRoute(app, deps, 'POST', '/records/:recordId/annotations/:annotationId/replies', {
    operationId: 'createReply',
    summary: 'Reply to an annotation.',
    tags,
    of: annotation,
    body: ReplyWrite,
    status: 201,
    response: ref(Reply),
    work: async (tx, scope, { key, id }, given) => {
      const comment = await maskComment(deps.masking, tx, scope, key, given.comment);
      return bodyOf(await insertReply(tx, scope, key, id, { id: newUuid(), comment }), 'annotation', id);
    },
  });

  writeRoute(app, deps, 'PATCH', '/records/:recordId/annotations/:annotationId/replies/:replyId', {
    operationId: 'updateReply',
    summary: 'Change a reply.',
    description: 'Only its author or an admin may do this.',
    tags,
    of: reply,
    body: ReplyWrite,
    response: ref(Reply),
    work: async (tx, scope, own, given) => {
      await requireOwn(tx, scope, own);
      const comment = await maskComment(deps.masking, tx, scope, own.key, given.comment);
      return bodyOf(await updateReply(tx, scope, own, comment), 'reply', own.id);
    },
  });

  deleteRoute(app, deps, '/records/:recordId/annotations/:annotationId/replies/:replyId', {
    operationId: 'deleteReply',
    summary: 'Delete a reply.',
    description: 'Only its author or an admin may do this.',
    tags,
    of: reply,
    remove: async (tx, scope, own) => {
      await requireOwn(tx, scope, own);
      return deleteReply(tx, scope, own);
    },
  });
};
