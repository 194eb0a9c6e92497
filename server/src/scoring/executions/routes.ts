import { project, run } from '../../evaluation/resources.ts';
import { findRunId } from '../../evaluation/runs/queries.ts';
import type { Sql } from '../../platform/db/database.ts';
import { invalid } from '../../platform/errors.ts';
import { type App, one } from '../../platform/http/http.ts';
import { numericId } from '../../platform/http/ids.ts';
import { ref } from '../../platform/http/openapi.ts';
import { oldestFirst } from '../../platform/http/pagination.ts';
import { clientLeaves } from '../../platform/http/reply.ts';
import { getRoute, listRoute } from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { freeForm } from '../../platform/json/json.ts';
import type { Systems } from './open-systems.ts';
import { cancelExecutions, findExecutionSummary, listExecutions, retryExecutions } from './queries.ts';
import {
  Execution,
  ExecutionListQuery,
  ExecutionSummary,
  ExecutionsChanged,
  SystemTried,
  SystemTry,
} from './schema.ts';
import { trySystem } from './try-system.ts';

const tags = ['Executions'];

export const executionRoutes = (app: App, deps: RouteDeps & { systems: Pick<Systems, 'answer'> }): void => {
  const { write } = deps;
  app.addSchema({ $id: Execution.name, ...Execution.schema });
  app.addSchema({ $id: ExecutionSummary.name, ...ExecutionSummary.schema });

  listRoute(app, deps, '/runs/:runId/executions', {
    operationId: 'listExecutions',
    summary: 'List the executions of a run, including failed ones.',
    tags,
    of: run,
    parent: findRunId,
    query: ExecutionListQuery,
    item: ref(Execution),
    first: oldestFirst,
    rows: (sql, scope, runId, after, count, { state }) =>
      listExecutions(sql, scope, runId, state, after, count),
  });

  getRoute(app, deps, '/runs/:runId/executions/summary', {
    operationId: 'getExecutionSummary',
    summary: "Get the progress of a run's executions, with latency, tokens and cost.",
    tags,
    of: run,
    response: ref(ExecutionSummary),
    find: findExecutionSummary,
  });

  app.post(
    '/projects/:projectId/systems/try',
    {
      config: { keyless: true },
      schema: {
        operationId: 'trySystem',
        summary: 'Send one testcase to a system before a run starts. Nothing is written.',
        tags: ['Systems'],
        params: project.params,
        body: SystemTry,
        response: { 200: SystemTried },
      },
    },
    async (request, reply) => {
      const { scope, params, body } = request;
      const { systemVersionId, testcaseId } = body;
      if ((systemVersionId === undefined) === (body.config === undefined))
        throw invalid('/config', 'is required, unless systemVersionId is given');
      const tried =
        systemVersionId === undefined
          ? { config: freeForm(request.rawBody, ['config']).config! }
          : { systemVersionId };
      const projectId = numericId('project', params.projectId);
      return reply.json(await trySystem(deps, scope, projectId, tried, testcaseId, clientLeaves(reply)));
    },
  );

  const change = (
    path: string,
    operationId: string,
    summary: string,
    statement: (tx: Sql, scope: Scope, runId: bigint) => PromiseLike<{ count: number }>,
  ) =>
    app.post(
      `/runs/:runId/executions/${path}`,
      { schema: { operationId, summary, tags, params: run.params, response: { 200: ExecutionsChanged } } },
      (request, reply) => {
        const { runId } = request.params as { runId: string };
        const id = numericId('run', runId);
        return write(request, reply, 200, async (tx, scope) => {
          one(await findRunId(tx, scope, id), 'run', runId);
          const { count } = await statement(tx, scope, id);
          return `{"changed":${count}}`;
        });
      },
    );
  change('retry', 'retryExecutions', 'Retry the failed and cancelled executions of a run.', retryExecutions);
  change(
    'cancel',
    'cancelExecutions',
    'Cancel the pending executions of a run. Records stay.',
    cancelExecutions,
  );
};
