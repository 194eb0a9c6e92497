import { Type } from 'typebox';
import { findRunId } from '../../../evaluation/runs/queries.ts';
import type { Sql } from '../../../platform/db/database.ts';
import { type App, one } from '../../../platform/http/http.ts';
import { numericId, uuidId } from '../../../platform/http/ids.ts';
import { pathParam, ref } from '../../../platform/http/openapi.ts';
import { lastUuid, oldestFirst, PageQuery, pageOf } from '../../../platform/http/pagination.ts';
import type { RouteDeps } from '../../../platform/http/route-deps.ts';
import type { Scope } from '../../../platform/http/scope.ts';
import type { ProvidersOf } from '../../providers/providers-of.ts';
import { type Scorers, withEstimate } from './estimate-rest.ts';
import {
  cancelProposals,
  findRescoring,
  findRescoringId,
  listChanges,
  listRescorings,
  retryProposals,
} from './queries.ts';
import {
  adoptRescoring,
  beginRescoring,
  changeProposals,
  discardRescoring,
  extendRescoring,
} from './rescore.ts';
import {
  Rescoring,
  RescoringChange,
  RescoringChangeQuery,
  RescoringCreate,
  type RescoringKey,
} from './schema.ts';

const tags = ['Trials'];
const runParams = Type.Object({ runId: pathParam('run') });
const params = Type.Object({ runId: pathParam('run'), rescoringId: pathParam('rescoring') });

const keyOf = ({ runId, rescoringId }: { runId: string; rescoringId: string }): RescoringKey => ({
  runId: numericId('run', runId),
  id: uuidId('rescoring', rescoringId),
});

type RescoringDeps = RouteDeps & {
  providersOf: ProvidersOf;
  /** How many records code scores at the same time in this process. */
  codeProcesses: number;
};

export const rescoringRoutes = (
  app: App,
  { db, page, write, providersOf, codeProcesses }: RescoringDeps,
): void => {
  /** If providers can't be opened, only the estimated time is missing. */
  const scorersOf = async ({ organizationId }: Scope): Promise<Scorers> => {
    const providers = await providersOf(organizationId).catch(() => []);
    return { providers, codeProcesses };
  };

  const requireRun = async (scope: Scope, runId: bigint) =>
    one(await db.lookUp(scope, (sql) => findRunId(sql, scope, runId)), 'run', String(runId));

  const readWritten = async (tx: Sql, scope: Scope, key: RescoringKey, scorers: Scorers) =>
    withEstimate(one(await findRescoring(tx, scope, key), 'rescoring', key.id), scorers);

  app.get(
    '/runs/:runId/rescorings',
    {
      schema: {
        operationId: 'listRescorings',
        summary: 'List the rescorings of a run, newest first.',
        tags,
        params: runParams,
        querystring: PageQuery,
        response: { 200: pageOf(ref(Rescoring)) },
      },
    },
    async (request, reply) => {
      const { scope } = request;
      const id = numericId('run', request.params.runId);
      const scorers = await scorersOf(scope);
      return page(
        request,
        reply,
        lastUuid,
        async (before, count) => {
          const rows = await db.read(scope, (sql) => listRescorings(sql, scope, id, before, count));
          return rows.map((row) => ({ key: row.key, body: withEstimate(row, scorers) }));
        },
        () => requireRun(scope, id),
      );
    },
  );

  app.post(
    '/runs/:runId/rescorings',
    {
      schema: {
        operationId: 'createRescoring',
        summary: 'Re-score a metric of a run.',
        description: 'The new scores are proposals until they are adopted; a sample can go first.',
        tags,
        params: runParams,
        body: RescoringCreate,
        response: { 201: ref(Rescoring) },
      },
    },
    async (request, reply) => {
      const runId = numericId('run', request.params.runId);
      const scorers = await scorersOf(request.scope);
      return write(request, reply, 201, async (tx, scope) =>
        readWritten(tx, scope, await beginRescoring(tx, scope, runId, request.body), scorers),
      );
    },
  );

  app.get(
    '/runs/:runId/rescorings/:rescoringId',
    {
      schema: {
        operationId: 'getRescoring',
        summary: 'Get the progress of a rescoring.',
        description: 'With the number of verdicts that change, its cost so far and its estimated cost.',
        tags,
        params,
        response: { 200: ref(Rescoring) },
      },
    },
    async ({ scope, params }, reply) => {
      const key = keyOf(params);
      const scorers = await scorersOf(scope);
      const found = await db.read(scope, (sql) => findRescoring(sql, scope, key));
      if (found.length === 0) await requireRun(scope, key.runId);
      return reply.json(withEstimate(one(found, 'rescoring', key.id), scorers));
    },
  );

  app.get(
    '/runs/:runId/rescorings/:rescoringId/changes',
    {
      schema: {
        operationId: 'listRescoringChanges',
        summary: 'List the records of a rescoring with their score and the proposed one.',
        tags,
        params,
        querystring: RescoringChangeQuery,
        response: { 200: pageOf(ref(RescoringChange)) },
      },
    },
    (request, reply) => {
      const { scope, query } = request;
      const key = keyOf(request.params);
      return page(
        request,
        reply,
        oldestFirst,
        (after, count) => db.read(scope, (sql) => listChanges(sql, scope, key, query.change, after, count)),
        async () => {
          await requireRun(scope, key.runId);
          one(await db.read(scope, (sql) => findRescoringId(sql, scope, key)), 'rescoring', key.id);
        },
      );
    },
  );

  const action = (
    path: string,
    described: { operationId: string; summary: string; description?: string },
    act: (tx: Sql, scope: Scope, key: RescoringKey) => Promise<void>,
  ) =>
    app.post(
      `/runs/:runId/rescorings/:rescoringId/${path}`,
      { schema: { ...described, tags, params, response: { 200: ref(Rescoring) } } },
      async (request, reply) => {
        const key = keyOf(request.params as { runId: string; rescoringId: string });
        const scorers = await scorersOf(request.scope);
        return write(request, reply, 200, async (tx, scope) => {
          await act(tx, scope, key);
          return readWritten(tx, scope, key, scorers);
        });
      },
    );
  action(
    'extend',
    {
      operationId: 'extendRescoring',
      summary: 'Extend a rescoring from the sample to every record.',
      description: 'Records that were added to the run since then are included.',
    },
    extendRescoring,
  );
  action(
    'retry',
    {
      operationId: 'retryRescoring',
      summary: 'Retry the proposals that failed or could not be scored.',
    },
    (tx, scope, key) => changeProposals(tx, scope, key, () => retryProposals(tx, scope, key)),
  );
  action(
    'cancel',
    {
      operationId: 'cancelRescoring',
      summary: 'Cancel the pending proposals.',
      description: 'Finished proposals can still be adopted; a retry queues the cancelled ones again.',
    },
    (tx, scope, key) => changeProposals(tx, scope, key, () => cancelProposals(tx, scope, key.runId, key.id)),
  );
  action(
    'adopt',
    {
      operationId: 'adoptRescoring',
      summary: 'Replace the scores by the proposals.',
      description: 'Replaced scores become history; scores of people and clients stay.',
    },
    adoptRescoring,
  );
  action(
    'discard',
    {
      operationId: 'discardRescoring',
      summary: 'Discard the proposals.',
      description: 'No score changes.',
    },
    discardRescoring,
  );
};
