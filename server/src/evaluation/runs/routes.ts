import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { type App, bodyOf, one } from '../../platform/http/http.ts';
import { numericId } from '../../platform/http/ids.ts';
import { pathParam, ref, Success, successBody } from '../../platform/http/openapi.ts';
import { newestFirst } from '../../platform/http/pagination.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import type { Authenticate } from '../../platform/http/scope.ts';
import { projectList } from '../projects/project-list.ts';
import { findRunProgress, progressEvents } from './progress.ts';
import { deleteRun, findRun, findRunNotes, listRuns, updateRunNotes } from './queries.ts';
import { Run, RunNotes, RunNotesUpdate, RunProgress } from './schema.ts';

const tags = ['Runs'];
const _projectParams = Type.Object({ projectId: pathParam('project') });
const params = Type.Object({ runId: pathParam('run') });

export const runRoutes = (app: App, deps: RouteDeps & { authenticate: Authenticate }): void => {
  const { db, write, authenticate } = deps;
  const stopping = new AbortController();
  app.addHook('preClose', async () => stopping.abort());
  app.addSchema({ $id: Run.name, ...Run.schema });
  app.addSchema({ $id: RunNotes.name, ...RunNotes.schema });

  projectList(app, deps, '/projects/:projectId/runs', {
    operationId: 'listRuns',
    summary: 'List the runs of a project, newest first.',
    tags,
    item: ref(Run),
    first: newestFirst,
    rows: listRuns,
  });

  app.get(
    '/runs/:runId',
    {
      schema: {
        operationId: 'getRun',
        summary: 'Get a run with its counts and its status.',
        tags,
        params,
        response: { 200: ref(Run) },
      },
    },
    async ({ scope, params: { runId } }, reply) => {
      const id = numericId('run', runId);
      return reply.json(bodyOf(await db.read(scope, (sql) => findRun(sql, scope, id)), 'run', runId));
    },
  );

  app.delete(
    '/runs/:runId',
    {
      schema: {
        operationId: 'deleteRun',
        summary:
          'Delete a run and its records, with their scores, tags and annotations. This cannot be undone.',
        tags,
        params,
        response: { 200: ref(Success) },
      },
    },
    (request, reply) => {
      const { runId } = request.params;
      const id = numericId('run', runId);
      return write(request, reply, 200, async (tx, scope) => {
        one(await deleteRun(tx, scope, id), 'run', runId);
        return successBody;
      });
    },
  );

  app.get(
    '/runs/:runId/notes',
    {
      schema: {
        operationId: 'getRunNotes',
        summary: 'Get the notes on a run.',
        tags,
        params,
        response: { 200: ref(RunNotes) },
      },
    },
    async ({ scope, params: { runId } }, reply) => {
      const id = numericId('run', runId);
      return reply.json(bodyOf(await db.read(scope, (sql) => findRunNotes(sql, scope, id)), 'run', runId));
    },
  );

  app.put(
    '/runs/:runId/notes',
    {
      schema: {
        operationId: 'updateRunNotes',
        summary: 'Replace the notes on a run.',
        tags,
        params,
        body: RunNotesUpdate,
        response: { 200: ref(RunNotes) },
      },
    },
    (request, reply) => {
      const { runId } = request.params;
      const id = numericId('run', runId);
      return write(request, reply, 200, async (tx, scope) =>
        bodyOf(await updateRunNotes(tx, scope, id, request.body.notes), 'run', runId),
      );
    },
  );

  app.get(
    '/runs/:runId/progress',
    {
      schema: {
        operationId: 'getRunProgress',
        summary: "Get the progress of a run's scores, metric by metric.",
        tags,
        params,
        response: { 200: RunProgress },
      },
    },
    async ({ scope, params: { runId } }, reply) => {
      const id = numericId('run', runId);
      return reply.json(bodyOf(await db.read(scope, (sql) => findRunProgress(sql, scope, id)), 'run', runId));
    },
  );

  app.get(
    '/runs/:runId/events',
    {
      schema: {
        operationId: 'streamRunProgress',
        summary: 'Stream the progress of a run as server-sent events until no work is pending.',
        tags,
        params,
        produces: ['text/event-stream'],
        response: { 200: Type.String({ description: 'Events `progress`, then `done` or `deleted`.' }) },
      },
    },
    async (request, reply) => {
      const {
        scope,
        params: { runId },
      } = request;
      const id = numericId('run', runId);
      const mayWatch = async () => {
        try {
          await authenticate(request);
          return true;
        } catch {
          return false;
        }
      };
      const read = () => db.read(scope, (sql) => findRunProgress(sql, scope, id));
      one(await read(), 'run', runId);
      return reply.events(
        Readable.from(progressEvents(async () => (await read())[0], mayWatch, stopping.signal)),
      );
    },
  );
};
