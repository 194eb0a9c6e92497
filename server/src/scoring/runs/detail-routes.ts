import { run } from '../../evaluation/resources.ts';
import { replaceMarks } from '../../evaluation/runs/facts-queries.ts';
import { progressStreams } from '../../evaluation/runs/progress.ts';
import { updateRun } from '../../evaluation/runs/queries.ts';
import { RunUpdate } from '../../evaluation/runs/schema.ts';
import { type App, bodyOf } from '../../platform/http/http.ts';
import { answerRoute, writeRoute } from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import type { Authenticate, Scope } from '../../platform/http/scope.ts';
import { ref } from '../../platform/named-schema.ts';
import { setJudgeBudget } from '../budgets/queries.ts';
import { findModelEndings, listJudgesOfRun } from '../providers/judge-models.ts';
import type { ProvidersOf } from '../providers/providers-of.ts';
import { findRunDetail, RunDetail } from './details.ts';

const tags = ['Runs'];

/** Routes that read and change the details of a run, as its page shows them. */
export const runDetailRoutes = (
  app: App,
  deps: RouteDeps & { providersOf: ProvidersOf; authenticate: Authenticate },
): void => {
  const { db, providersOf, authenticate } = deps;
  const streamProgress = progressStreams(app, db, authenticate);

  const readEndings = (scope: Scope, id: bigint) =>
    findModelEndings({ db, providersOf, clock: Date.now }, scope, (sql) => listJudgesOfRun(sql, scope, id));
  const withEndings = (body: string, endings: Awaited<ReturnType<typeof readEndings>>) =>
    `${body.slice(0, -1)},"modelEndings":${JSON.stringify(endings)}}`;

  answerRoute(app, 'GET', '/runs/:runId/details', {
    operationId: 'getRunDetails',
    summary: 'Get a run with its notes, progress, calls of the system and judge budget.',
    description: 'With `Accept: text/event-stream`, its progress comes until no work is pending.',
    tags,
    of: run,
    response: ref(RunDetail),
    answer: async ({ scope, key, params }) => {
      const found = await db.read(scope, (sql) => findRunDetail(sql, scope, key));
      return withEndings(bodyOf(found, 'run', params.runId), await readEndings(scope, key));
    },
    events: {
      description: 'Events `progress`, each with `progress` of the run, then `done` or `deleted`.',
      answer: ({ request, key }) => streamProgress(request, key),
    },
  });

  writeRoute(app, deps, 'PATCH', '/runs/:runId/details', {
    operationId: 'updateRunDetails',
    summary: 'Change the name, tags, marks, notes or judge budget of a run.',
    tags,
    of: run,
    body: RunUpdate,
    response: ref(RunDetail),
    read: async (changes, _, { scope, key }) => ({ changes, endings: await readEndings(scope, key) }),
    work: async (tx, scope, id, { changes: { judgeBudgetUsd, marks, ...changes }, endings }) => {
      if (judgeBudgetUsd !== undefined) await setJudgeBudget(tx, scope, id, judgeBudgetUsd);
      if (marks !== undefined) await replaceMarks(tx, scope, id, marks);
      if (Object.keys(changes).length > 0) await updateRun(tx, scope, id, changes);
      return withEndings(bodyOf(await findRunDetail(tx, scope, id), 'run', String(id)), endings);
    },
  });
};
