import { Type } from 'typebox';
import { findRunId } from '../../../evaluation/runs/queries.ts';
import type { Sql } from '../../../platform/db/database.ts';
import { type App, requireOne } from '../../../platform/http/http.ts';
import { numericId, uuidId } from '../../../platform/http/ids.ts';
import { pathParam } from '../../../platform/http/openapi.ts';
import { lastUuid, oldestFirst } from '../../../platform/http/pagination.ts';
import {
  answerRoute,
  type Resource,
  resource,
  searchRoute,
  writeRoute,
} from '../../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../../platform/http/route-deps.ts';
import type { Scope } from '../../../platform/http/scope.ts';
import { ref } from '../../../platform/named-schema.ts';
import type { ProvidersOf } from '../../providers/providers-of.ts';
import { type Scorers, withEstimate } from './estimate-rest.ts';
import { findRescoring, findRescoringId, listChanges, listRescorings } from './queries.ts';
import { adoptRescoring, beginRescoring, discardRescoring, extendRescoring } from './rescore.ts';
import {
  Rescoring,
  RescoringChange,
  RescoringChangeQuery,
  RescoringCreate,
  RescoringDecision,
  type RescoringKey,
} from './schema.ts';

const tags = ['Trials'];
const run = resource('runId', 'run', numericId);
const Params = Type.Object({ runId: pathParam('run'), rescoringId: pathParam('rescoring') });
const rescoring: Resource<typeof Params, RescoringKey> = {
  name: 'rescoring',
  params: Params,
  keyOf: ({ runId, rescoringId }) => ({
    runId: numericId('run', runId),
    id: uuidId('rescoring', rescoringId),
  }),
  idOf: ({ rescoringId }) => rescoringId,
};

type RescoringDeps = RouteDeps & {
  providersOf: ProvidersOf;
  /** Number of records that code scores at the same time in this process. */
  codeProcesses: number;
};

export const rescoringRoutes = (app: App, deps: RescoringDeps): void => {
  const { db, providersOf, codeProcesses } = deps;

  /** If providers can't be opened, only the estimated time is missing. */
  const scorersOf = async ({ organizationId }: Scope): Promise<Scorers> => {
    const providers = await providersOf(organizationId).catch(() => []);
    return { providers, codeProcesses };
  };

  const requireRun = async (scope: Scope, runId: bigint) =>
    requireOne(await db.lookUp(scope, (sql) => findRunId(sql, scope, runId)), 'run', String(runId));

  const readWritten = async (tx: Sql, scope: Scope, key: RescoringKey, scorers: Scorers) =>
    withEstimate(requireOne(await findRescoring(tx, scope, key), 'rescoring', key.id), scorers);

  searchRoute(app, deps, '/runs/:runId/rescorings', {
    operationId: 'listRescorings',
    summary: 'List the rescorings of a run, newest first.',
    tags,
    of: run,
    item: ref(Rescoring),
    first: lastUuid,
    read: ({ scope }) => scorersOf(scope),
    find: async (scorers, before, count, { scope, key }) => {
      const rows = await db.read(scope, (sql) => listRescorings(sql, scope, key, before, count));
      return rows.map((row) => ({ key: row.key, body: withEstimate(row, scorers) }));
    },
    whenEmpty: ({ scope, key }) => requireRun(scope, key),
  });

  writeRoute(app, deps, 'POST', '/runs/:runId/rescorings', {
    operationId: 'createRescoring',
    summary: 'Re-score a metric of a run.',
    description: 'The new scores are proposals until they are adopted; a sample can go first.',
    tags,
    of: run,
    body: RescoringCreate,
    status: 201,
    response: ref(Rescoring),
    read: async (body, _, { scope }) => ({ body, scorers: await scorersOf(scope) }),
    work: async (tx, scope, runId, { body, scorers }) =>
      readWritten(tx, scope, await beginRescoring(tx, scope, runId, body), scorers),
  });

  answerRoute(app, 'GET', '/runs/:runId/rescorings/:rescoringId', {
    operationId: 'getRescoring',
    summary: 'Get the progress of a rescoring.',
    description: 'With the number of verdicts that change, its cost so far and its estimated cost.',
    tags,
    of: rescoring,
    response: ref(Rescoring),
    answer: async ({ scope, key }) => {
      const scorers = await scorersOf(scope);
      const found = await db.read(scope, (sql) => findRescoring(sql, scope, key));
      if (found.length === 0) await requireRun(scope, key.runId);
      return withEstimate(requireOne(found, 'rescoring', key.id), scorers);
    },
  });

  searchRoute(app, deps, '/runs/:runId/rescorings/:rescoringId/changes', {
    operationId: 'listRescoringChanges',
    summary: 'List the records of a rescoring with their score and the proposed one.',
    tags,
    of: rescoring,
    query: RescoringChangeQuery,
    item: ref(RescoringChange),
    first: oldestFirst,
    read: async ({ query }) => query.change,
    find: (change, after, count, { scope, key }) =>
      db.read(scope, (sql) => listChanges(sql, scope, key, change, after, count)),
    whenEmpty: async ({ scope, key }) => {
      await requireRun(scope, key.runId);
      requireOne(await db.read(scope, (sql) => findRescoringId(sql, scope, key)), 'rescoring', key.id);
    },
  });

  writeRoute(app, deps, 'POST', '/runs/:runId/rescorings/:rescoringId/extend', {
    operationId: 'extendRescoring',
    summary: 'Extend a rescoring from the sample to every record.',
    description: 'Records that were added to the run since then are included.',
    tags,
    of: rescoring,
    response: ref(Rescoring),
    read: (_, __, { scope }) => scorersOf(scope),
    work: async (tx, scope, key, scorers) => {
      await extendRescoring(tx, scope, key);
      return readWritten(tx, scope, key, scorers);
    },
  });

  writeRoute(app, deps, 'POST', '/runs/:runId/rescorings/:rescoringId/decide', {
    operationId: 'decideRescoring',
    summary: 'Replace the scores by the proposals, or discard these.',
    tags,
    of: rescoring,
    body: RescoringDecision,
    response: ref(Rescoring),
    read: async ({ decision }, _, { scope }) => ({ decision, scorers: await scorersOf(scope) }),
    work: async (tx, scope, key, { decision, scorers }) => {
      await (decision === 'adopted' ? adoptRescoring : discardRescoring)(tx, scope, key);
      return readWritten(tx, scope, key, scorers);
    },
  });
};
