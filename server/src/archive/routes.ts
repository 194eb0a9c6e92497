import { Readable } from 'node:stream';
import type { AttachmentStore } from '../evaluation/attachments/store.ts';
import type { Masking } from '../evaluation/masking/masking.ts';
import { findProject } from '../evaluation/projects/queries.ts';
import { project } from '../evaluation/resources.ts';
import type { SchemaChecker } from '../evaluation/testsets/json-schema.ts';
import { unsupportedMediaType } from '../platform/errors.ts';
import { weights } from '../platform/http/byte-budget.ts';
import { type App, bodyOf } from '../platform/http/http.ts';
import { getRoute } from '../platform/http/resource-routes.ts';
import type { RouteDeps } from '../platform/http/route-deps.ts';
import { ref } from '../platform/named-schema.ts';
import { exportProject } from './export-project.ts';
import { importProject } from './import-project.ts';
import { findImport } from './queries.ts';
import { ProjectImport } from './schema.ts';

const tags = ['Projects'];
const mediaType = 'application/x-ndjson';
const description =
  'Lines of JSON: a header, the rows of every part, and a line that says that the archive is complete.';
const content = { [mediaType]: { schema: { description } } };

/** Memory of an export: a page of rows, several times. A larger row takes more. */
const exportBytes = 4 * 1024 * 1024;
/** Memory of an import: the rows of one transaction, and what the database makes of them. A longer line takes more. */
const importBytes = 16 * 1024 * 1024;

type ArchiveDeps = RouteDeps & { store: AttachmentStore; schemas: SchemaChecker; masking: Masking };

export const archiveRoutes = (app: App, deps: ArchiveDeps): void => {
  const { db, store, schemas, masking } = deps;
  app.get(
    '/projects/:projectId/archive',
    {
      schema: {
        operationId: 'exportProject',
        summary: 'Export a project with everything in it.',
        tags,
        params: project.params,
        response: { 200: { description: 'The archive.', content } },
      },
    },
    async (request, reply) => {
      const { scope, params, log } = request;
      const projectId = project.keyOf(params);
      const found = await db.read(scope, (sql) => findProject(sql, scope, projectId));
      const head = JSON.parse(bodyOf(found, 'project', params.projectId));
      const hold = await reply.holdStream(exportBytes);
      const holdPage = (bytes: number) => hold(weights.answer * bytes);
      const archive = Readable.from(exportProject({ db, store, holdPage }, scope, projectId, head));
      archive.once('error', (err) => log.error({ err }, 'an export broke off'));
      return reply.type(mediaType).send(archive);
    },
  );

  getRoute(app, deps, '/projects/:projectId/import', {
    operationId: 'getProjectImport',
    summary: 'Get the status of the import of a project; 404 for a project that was not imported.',
    tags,
    of: project,
    response: ref(ProjectImport),
    find: findImport,
  });

  // A separate scope: a body of any size is passed on as a stream instead of being read.
  app.register(async (upload: App) => {
    upload.removeAllContentTypeParsers();
    upload.addContentTypeParser(mediaType, (_request, payload, done) => done(null, payload));
    upload.addContentTypeParser('*', (_request, _payload, done) =>
      done(unsupportedMediaType(`Send the archive with the header Content-Type: ${mediaType}.`)),
    );
    upload.put(
      '/projects/:projectId/archive',
      {
        bodyLimit: Number.MAX_SAFE_INTEGER,
        schema: {
          operationId: 'importProject',
          summary: 'Import an archive into an empty project.',
          description: 'Send the archive again to continue an interrupted import.',
          tags,
          params: project.params,
          body: { content },
          response: { 200: ref(ProjectImport) },
        },
      },
      async (request, reply) => {
        const projectId = project.keyOf(request.params);
        // Without a body there is no type, and so no parser.
        const body = (request.body as Readable | undefined) ?? request.raw;
        try {
          const holdLine = await reply.holdStream(importBytes);
          return reply.json(
            await importProject({ db, store, schemas, masking, holdLine }, request.scope, projectId, body),
          );
        } finally {
          // The rest of an archive that was refused is read and dropped, or the client would never read the answer.
          body.resume();
        }
      },
    );
  });
};
