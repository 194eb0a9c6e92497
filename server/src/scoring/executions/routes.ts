import type { FastifyRequest } from 'fastify';
import { project, run } from '../../evaluation/resources.ts';
import { findRunId } from '../../evaluation/runs/queries.ts';
import { invalid } from '../../platform/errors.ts';
import type { App } from '../../platform/http/http.ts';
import { numericId } from '../../platform/http/ids.ts';
import { oldestFirst } from '../../platform/http/pagination.ts';
import { answerRoute, listRoute } from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import { freeForm } from '../../platform/json/json.ts';
import { ref } from '../../platform/named-schema.ts';
import { listExecutions } from './queries.ts';
import { Execution, ExecutionListQuery, SystemTried, SystemTry } from './schema.ts';
import { defaultTurns, userOf } from './simulation/check-simulation.ts';
import { type Call, prepareTry, type TryDeps, tryEvents } from './try-system.ts';

const tags = ['Executions'];

export const executionRoutes = (app: App, deps: RouteDeps & Omit<TryDeps, 'db'>): void => {
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

  /** Reads the testcase and the system from the body, without rounding numbers, and finds them. */
  const prepare = ({ scope, body, rawBody, params }: FastifyRequest): Promise<Call> => {
    const { systemVersionId, config, testcaseId, inputs, simulation } = body as SystemTry;
    if ((systemVersionId === undefined) === (config === undefined))
      throw invalid('/config', 'is required, unless systemVersionId is given');
    if ((testcaseId === undefined) === (inputs === undefined))
      throw invalid('/testcaseId', 'is required, unless inputs is given');
    const raw = freeForm(rawBody, ['config', 'inputs', 'simulation']);
    const { projectId } = params as { projectId: string };
    return prepareTry(deps, scope, numericId('project', projectId), {
      ...(systemVersionId === undefined ? { config: raw.config! } : { systemVersionId }),
      ...(testcaseId === undefined ? { inputs: raw.inputs! } : { testcaseId }),
      ...(simulation && {
        simulation: {
          user: userOf(
            freeForm(raw.simulation!, ['userConfig'], '/simulation').userConfig!,
            '/simulation/userConfig',
          ),
          maxTurns: simulation.maxTurns ?? defaultTurns,
        },
      }),
    });
  };

  answerRoute(app, 'POST', '/projects/:projectId/systems/try', {
    config: { keyless: true },
    operationId: 'trySystem',
    summary: 'Send one testcase, or inputs, to a system before a run starts.',
    description:
      'Nothing is written. With `Accept: text/event-stream`, the text of a prompt comes while the model writes it. With `simulation`, a simulated user talks to the system, and each message comes as it is said; `outputs` has the conversation.',
    tags: ['Systems'],
    of: project,
    body: SystemTry,
    response: SystemTried,
    answer: async ({ request, leaves }) => (await prepare(request))(leaves()),
    events: {
      description:
        'Events `text`, a JSON string each, or `message`, a JSON object with `role` and `content`; then `result`.',
      answer: async ({ request, leaves }) => tryEvents(await prepare(request), leaves()),
    },
  });
};
