import type { Readable } from 'node:stream';
import { Type } from 'typebox';
import { system } from '../../platform/db/database.ts';
import { databaseTime, timeIn } from '../../platform/db/time.ts';
import { invalid, notFound } from '../../platform/errors.ts';
import { insertAuditEvent } from '../../platform/http/audit.ts';
import { type App, bodyOf, requireOne } from '../../platform/http/http.ts';
import { newUuid, numericId, uuidId } from '../../platform/http/ids.ts';
import { ApiErrorBody, pathParam, Success, successBody } from '../../platform/http/openapi.ts';
import { lastUuid, PageQuery } from '../../platform/http/pagination.ts';
import { projectsOf } from '../../platform/http/places.ts';
import {
  answerRoute,
  listRoute,
  ownOrganization,
  type Resource,
  resource,
  writeRoute,
} from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import { freeForm } from '../../platform/json/json.ts';
import { ref } from '../../platform/named-schema.ts';
import { findProjectOfFile } from './find-project.ts';
import { type AttachmentLimits, requireWithinLimits } from './limits.ts';
import { linkSigner } from './links.ts';
import {
  deleteAttachment,
  findAttachment,
  findSignedAttachment,
  findTwin,
  insertAttachment,
  listOrphanAttachments,
  listSessionAttachments,
  lockDeclarations,
  markUploaded,
  redeclareAttachment,
} from './queries.ts';
import { byteRangeOf } from './range.ts';
import { receive } from './receive.ts';
import {
  Attachment,
  AttachmentCreate,
  AttachmentInitiated,
  AttachmentWithDownload,
  OrphanAttachment,
} from './schema.ts';
import type { AttachmentStore } from './store.ts';

const tags = ['Attachments'];
const params = Type.Object({ attachmentId: pathParam('attachment') });
const attachment = resource('attachmentId', 'attachment', uuidId);
const sessionParams = Type.Object({
  sessionId: Type.String({
    minLength: 1,
    maxLength: 256,
    description: 'Id of the session, chosen by the client.',
  }),
});
const session: Resource<typeof sessionParams, string> = {
  name: 'session',
  params: sessionParams,
  keyOf: ({ sessionId }) => {
    if (sessionId.includes('\0') || !sessionId.isWellFormed()) throw notFound('session', sessionId);
    return sessionId;
  },
  idOf: ({ sessionId }) => sessionId,
};
const SessionQuery = Type.Object({
  ...PageQuery.properties,
  projectId: Type.Optional(
    Type.String({ description: 'Lists the files of this project. Default: of all projects that you see.' }),
  ),
});
const LinkQuery = Type.Object({
  expires: Type.Optional(Type.String({ description: 'When the link expires, in milliseconds since 1970.' })),
  signature: Type.Optional(Type.String({ description: 'Signature of the link.' })),
});

const DownloadQuery = Type.Object({
  ...LinkQuery.properties,
  inline: Type.Optional(
    Type.Literal('true', {
      description: "Shows a PDF in the browser's viewer. Files of all other types are downloaded.",
    }),
  ),
});

/** Returns a Content-Disposition header: RFC 6266, with the file name in RFC 5987's encoding. */
const disposition = (kind: 'attachment' | 'inline', filename: string) =>
  `${kind}; filename*=UTF-8''${encodeURIComponent(filename).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`)}`;

/** `secret` signs links; `publicUrl` is the address under which clients reach the service. */
type AttachmentDeps = RouteDeps & {
  secret: Buffer;
  store: AttachmentStore;
  publicUrl: string | undefined;
  limits: AttachmentLimits;
};

export const attachmentRoutes = (app: App, deps: AttachmentDeps): void => {
  const { db, secret, store, write, publicUrl, limits } = deps;
  const links = linkSigner(secret, publicUrl);
  writeRoute(app, deps, 'POST', '/attachments', {
    config: { concerns: (_, id) => ({ kind: 'attachmentId', id: id! }) },
    operationId: 'initiateAttachment',
    summary: 'Declare a file of a session and get a link for its upload.',
    description:
      'The file belongs to `projectId`. Without it, to the only project in which the session has a record or a trace and you may write, or to the default project of the key if that has one. Otherwise it has no project until you store a record or a trace of the session: until then only you and admins see it.',
    tags,
    of: ownOrganization,
    body: AttachmentCreate,
    status: 201,
    response: AttachmentInitiated,
    others: { 404: ref(ApiErrorBody) },
    read: (body, raw, { request }) => ({
      body,
      request,
      metadata: freeForm(raw, ['metadata']).metadata ?? null,
    }),
    work: async (tx, scope, _key, { body, request, metadata }) => {
      await lockDeclarations(tx, scope, body.sessionId);
      const projectId = await findProjectOfFile(tx, scope, body);
      const [twin] = await findTwin(tx, scope, projectId, body);
      const id = twin?.id ?? newUuid();
      if (twin?.status === 'uploaded')
        return JSON.stringify({
          id,
          alreadyExists: true,
          uploadUrl: null,
          uploadMethod: null,
          expiresAt: null,
        });
      await requireWithinLimits(tx, scope, body.sizeBytes, limits);
      if (twin) await redeclareAttachment(tx, scope, id, body, metadata);
      else await insertAttachment(tx, scope, projectId, id, body, metadata);
      const { url, expiresAt } = links.make(request, 'PUT', id, await timeIn(tx));
      return JSON.stringify({ id, alreadyExists: false, uploadUrl: url, uploadMethod: 'PUT', expiresAt });
    },
  });

  answerRoute(app, 'GET', '/attachments/:attachmentId', {
    operationId: 'getAttachment',
    summary: 'Get an attachment with a link to its bytes.',
    tags,
    of: attachment,
    response: ref(AttachmentWithDownload),
    answer: async ({ scope, key: id, params, request }) => {
      const rows = await db.read(scope, (sql) => findAttachment(sql, scope, id));
      const { body, status } = requireOne(rows, 'attachment', params.attachmentId);
      const link = status === 'uploaded' ? links.make(request, 'GET', id, await databaseTime(db)) : undefined;
      const download = { downloadUrl: link?.url ?? null, downloadExpiresAt: link?.expiresAt ?? null };
      return `${body.slice(0, -1)},${JSON.stringify(download).slice(1)}`;
    },
  });

  writeRoute(app, deps, 'POST', '/attachments/:attachmentId/commit', {
    config: { ignoresBody: true },
    operationId: 'commitAttachment',
    summary: 'Confirm an upload.',
    description: 'Answers 400 if the bytes have not arrived.',
    tags,
    of: attachment,
    response: ref(Attachment),
    // Before the transaction, so that none stays open during a request to another service.
    read: async (_body, _raw, { scope, key: id, params }) => {
      const rows = await db.read(scope, (sql) => findAttachment(sql, scope, id));
      const { status, sizeBytes } = requireOne(rows, 'attachment', params.attachmentId);
      if (status === 'pending' && (await store.size(id)) !== sizeBytes)
        throw invalid('', 'must come after the upload: the bytes have not arrived');
      return sizeBytes;
    },
    work: async (tx, scope, id, sizeBytes) =>
      bodyOf(await markUploaded(tx, scope, id, sizeBytes), 'attachment', id),
  });

  app.delete(
    '/attachments/:attachmentId',
    {
      config: { ignoresBody: true },
      schema: {
        operationId: 'deleteAttachment',
        summary: 'Delete an attachment and its bytes.',
        tags,
        params,
        response: { 200: ref(Success) },
      },
    },
    async (request, reply) => {
      const { attachmentId } = request.params;
      const id = uuidId('attachment', attachmentId);
      await write(request, reply, 200, async (tx, scope) => {
        requireOne(await deleteAttachment(tx, scope, id), 'attachment', attachmentId);
        return successBody;
      });
      // After the commit: a file without a row is harmless, a row without its file is not.
      await store
        .remove(id)
        .catch((error) =>
          request.log.warn({ err: error, id }, 'the bytes of an attachment were not removed'),
        );
      return reply;
    },
  );

  listRoute(app, deps, '/sessions/:sessionId/attachments', {
    operationId: 'listSessionAttachments',
    summary: 'List the attachments of a session, newest first.',
    tags,
    of: session,
    query: SessionQuery,
    item: ref(Attachment),
    // Clients choose the ids of sessions, so any session may exist and have no attachments.
    first: lastUuid,
    read: ({ query: { projectId } }) =>
      projectId === undefined ? undefined : numericId('project', projectId),
    rows: listSessionAttachments,
  });

  listRoute(app, deps, '/attachments/orphans', {
    config: { admin: true },
    operationId: 'listOrphanAttachments',
    summary: 'List the files that no record and no trace uses, newest first.',
    description:
      'A file whose record or trace has not been stored yet is among them: look at `createdAt` before you delete it. Admins only.',
    tags,
    of: ownOrganization,
    item: ref(OrphanAttachment),
    others: { 403: ref(ApiErrorBody) },
    first: lastUuid,
    rows: (sql, scope, _, before, count) => listOrphanAttachments(sql, scope, before, count),
  });

  // A separate Fastify scope: only its bodies are streamed, of any type and size.
  app.register(async (content: App) => {
    content.removeAllContentTypeParsers();
    content.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    contentRoutes(content, deps);
  });
};

const contentRoutes = (app: App, { db, secret, store, publicUrl }: AttachmentDeps): void => {
  const links = linkSigner(secret, publicUrl);
  const now = () => databaseTime(db);
  const find = async (attachmentId: string) => {
    const id = uuidId('attachment', attachmentId);
    return requireOne(
      await db.read(system, (sql) => findSignedAttachment(sql, id)),
      'attachment',
      attachmentId,
    );
  };

  app.put(
    '/attachments/:attachmentId/content',
    {
      config: { public: true },
      bodyLimit: Number.MAX_SAFE_INTEGER,
      // The declared type counts. Fastify would answer 415 to a header that is not a media type.
      onRequest: async ({ raw }) => {
        delete raw.headers['content-type'];
      },
      schema: {
        operationId: 'uploadAttachment',
        summary: 'Upload the bytes with the link from initiateAttachment.',
        description: 'Size and SHA-256 must match.',
        tags,
        params,
        querystring: LinkQuery,
        response: { 200: ref(Attachment) },
      },
    },
    async (request, reply) => {
      const { attachmentId } = request.params;
      await links.check('PUT', attachmentId, request.query, now);
      const attachment = await find(attachmentId);
      // A request without a body has no parser, so an empty file is read from the request itself.
      const upload = (request.body as Readable | undefined) ?? request.raw;
      await receive(store, attachment.id, upload, attachment);
      const rows = await db.transaction(attachment, async (tx) => {
        const marked = await markUploaded(tx, attachment, attachment.id, attachment.sizeBytes);
        const { organizationId, id } = attachment;
        const projectId = tx`(${projectsOf({ kind: 'attachmentId', id })!(tx, organizationId)})`;
        const event = { operation: 'uploadAttachment', resource: 'Attachments', resourceId: id, projectId };
        if (marked.length > 0) await insertAuditEvent(tx, { organizationId, address: request.ip }, event);
        return marked;
      });
      // The attachment was deleted during the upload, and its bytes arrived afterwards.
      if (rows.length === 0) await store.remove(attachment.id);
      return reply.json(bodyOf(rows, 'attachment', attachmentId));
    },
  );

  app.get(
    '/attachments/:attachmentId/content',
    {
      config: { public: true },
      schema: {
        operationId: 'downloadAttachment',
        summary: 'Download the bytes, or a Range of them, with the link from getAttachment.',
        tags,
        params,
        querystring: DownloadQuery,
        produces: ['application/octet-stream'],
      },
    },
    async (request, reply) => {
      const { attachmentId } = request.params;
      await links.check('GET', attachmentId, request.query, now);
      const { id, status, contentType, sizeBytes, sha256, filename } = await find(attachmentId);
      // The bytes of an attachment never change, so a client's part always belongs to the same file.
      const etag = `"${sha256}"`;
      const { range: asked, 'if-range': condition = etag } = request.headers;
      const range = condition === etag ? byteRangeOf(asked, sizeBytes) : undefined;
      const bytes = status === 'uploaded' ? await store.read(id, range) : undefined;
      if (!bytes) {
        // The file was deleted at this moment, or it is lost, which the operator must know.
        if (status === 'uploaded')
          request.log.error({ id }, 'the bytes of an uploaded attachment are not there');
        throw notFound('attachment', attachmentId);
      }
      // A file may be a page with scripts, so it is saved and never run under our address. A PDF can't be a page, since nosniff
      // holds browsers to the type; their viewers need it without a sandbox.
      const isShown = request.query.inline !== undefined && contentType.toLowerCase() === 'application/pdf';
      if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${sizeBytes}`);
      return reply
        .header('accept-ranges', 'bytes')
        .header('etag', etag)
        .header('content-type', isShown ? 'application/pdf' : contentType)
        .header('content-length', range ? range.end - range.start + 1 : sizeBytes)
        .header(
          'content-disposition',
          disposition(isShown ? 'inline' : 'attachment', filename ?? 'attachment'),
        )
        .header('content-security-policy', isShown ? "frame-ancestors 'self'" : "sandbox; default-src 'none'")
        .send(bytes);
    },
  );
};
