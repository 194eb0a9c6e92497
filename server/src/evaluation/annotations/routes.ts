import { requireAuthor } from '../../accounts/require-author.ts';
import type { Sql } from '../../platform/db/database.ts';
import { invalid } from '../../platform/errors.ts';
import { type App, bodyOf, requireOne } from '../../platform/http/http.ts';
import { newUuid, type RecordKey, recordIdOf } from '../../platform/http/ids.ts';
import { wholeOf } from '../../platform/http/openapi.ts';
import { deleteRoute, getRoute, writeRoute } from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { ref } from '../../platform/named-schema.ts';
import { maskComment } from '../masking/mask-data.ts';
import type { Masking } from '../masking/masking.ts';
import { lockRecord } from '../records/queries.ts';
import { annotation, record } from '../resources.ts';
import { makerOf } from '../scores/made-by.ts';
import {
  deleteAnnotation,
  findRecordSpans,
  insertAnnotation,
  listAnnotations,
  lockAnnotation,
  updateAnnotation,
} from './queries.ts';
import { Annotation, AnnotationCreate, AnnotationUpdate } from './schema.ts';

const tags = ['Annotations'];

/** Throws 404 when there is no such annotation, 403 when the member may not change it. */
const requireOwn = async (tx: Sql, scope: Scope, key: RecordKey, id: string): Promise<void> => {
  const { memberId } = requireOne(await lockAnnotation(tx, scope, key, id), 'annotation', id);
  requireAuthor(scope, memberId, 'an annotation');
};

/** Returns the span that a body names. Throws 400 when the record has no such span, or several and the body names no trace. */
const requireSpan = async (
  tx: Sql,
  scope: Scope,
  key: RecordKey,
  { spanId, traceId }: Pick<AnnotationCreate, 'spanId' | 'traceId'>,
): Promise<{ traceId: string; spanId: string } | null> => {
  if (spanId == null) {
    if (traceId != null)
      throw invalid('/traceId', 'needs a spanId: an annotation is about a record or a span');
    return null;
  }
  const found = /^[0-9a-f]{16}$/i.test(spanId) ? await findRecordSpans(tx, scope, key, spanId) : [];
  if (found.length === 0) throw invalid('/spanId', 'must name a span of this record');
  const named = traceId == null ? found : found.filter((span) => span.traceId === traceId.toLowerCase());
  if (named.length === 0) throw invalid('/traceId', 'must name a trace of this record that has the span');
  if (named.length > 1)
    throw invalid('/traceId', 'is required: several traces of the record have a span of this id');
  return named[0]!;
};

export const annotationRoutes = (app: App, deps: RouteDeps & { masking: Masking }): void => {
  getRoute(app, deps, '/records/:recordId/annotations', {
    operationId: 'listAnnotations',
    summary: 'List the annotations of a record, oldest first.',
    tags,
    of: record,
    response: wholeOf(ref(Annotation), 'All annotations of the record.'),
    find: listAnnotations,
    by: 'lookUp',
  });

  writeRoute(app, deps, 'POST', '/records/:recordId/annotations', {
    operationId: 'createAnnotation',
    summary: 'Rate a record, one of its spans or a passage of its text.',
    description: 'A comment is optional.',
    tags,
    of: record,
    body: AnnotationCreate,
    status: 201,
    response: ref(Annotation),
    work: async (tx, scope, key, { rating, comment = '', passage, madeBy, ...named }) => {
      requireOne(await lockRecord(tx, scope, key), 'record', recordIdOf(key));
      const span = await requireSpan(tx, scope, key, named);
      const masked = await maskComment(deps.masking, tx, scope, key, comment);
      const given = {
        id: newUuid(),
        span,
        passage,
        rating,
        comment: masked,
        madeBy: makerOf(scope, madeBy),
      };
      return bodyOf(await insertAnnotation(tx, scope, key, given), 'annotation', '');
    },
  });

  writeRoute(app, deps, 'PATCH', '/records/:recordId/annotations/:annotationId', {
    operationId: 'updateAnnotation',
    summary: 'Change an annotation.',
    description: 'Only its author or an admin may do this.',
    tags,
    of: annotation,
    body: AnnotationUpdate,
    response: ref(Annotation),
    work: async (tx, scope, { key, id }, body) => {
      await requireOwn(tx, scope, key, id);
      const { comment } = body;
      const masked =
        typeof comment === 'string' && (await maskComment(deps.masking, tx, scope, key, comment));
      const changes = typeof masked === 'string' ? { ...body, comment: masked } : body;
      return bodyOf(await updateAnnotation(tx, scope, key, id, changes), 'annotation', id);
    },
  });

  deleteRoute(app, deps, '/records/:recordId/annotations/:annotationId', {
    operationId: 'deleteAnnotation',
    summary: 'Delete an annotation.',
    description: 'Only its author or an admin may do this.',
    tags,
    of: annotation,
    remove: async (tx, scope, { key, id }) => {
      await requireOwn(tx, scope, key, id);
      return deleteAnnotation(tx, scope, key, id);
    },
  });
};
