import type { FastifyRequest } from 'fastify';
import type { Client } from '../../../../client/src/main.ts';
import type { Models } from '../../engine/models/ask.ts';
import { findDefaultModel } from '../../evaluation/metrics/queries.ts';
import { findProject } from '../../evaluation/projects/queries.ts';
import { project } from '../../evaluation/resources.ts';
import type { Database } from '../../platform/db/database.ts';
import { invalid } from '../../platform/errors.ts';
import { type App, bodyOf } from '../../platform/http/http.ts';
import { answerRoute } from '../../platform/http/resource-routes.ts';
import { tellEvents } from '../../platform/http/tell-events.ts';
import { clientOf } from '../call-service.ts';
import { type AskedBy, askProject } from './ask-project.ts';
import { ProjectAnswer, ProjectQuestion } from './schema.ts';

type AskRouteDeps = { db: Database; models: Models; judgeModel: string | undefined };

export const askRoutes = (app: App, { db, models, judgeModel }: AskRouteDeps): void => {
  /** Finds the project and the model. Returns what asks it. */
  const prepare = async ({ scope, params, body }: FastifyRequest, key: bigint) => {
    const { projectId } = params as { projectId: string };
    bodyOf(await db.lookUp(scope, (sql) => findProject(sql, scope, key)), 'project', projectId);
    const [own] = await db.read(scope, (sql) => findDefaultModel(sql, scope));
    const modelName = own?.model ?? judgeModel;
    if (modelName === undefined)
      throw invalid('', 'needs a default model: an admin chooses one in Settings → Providers');
    return (client: Client, by: AskedBy): Promise<string> => {
      const deps = { client, models, model: { organizationId: scope.organizationId, modelName } };
      const { question } = body as ProjectQuestion;
      return askProject(deps, projectId, question, by).then((answer) => JSON.stringify(answer));
    };
  };

  answerRoute(app, 'POST', '/projects/:projectId/ask', {
    config: { keyless: true },
    operationId: 'askProject',
    summary: 'Let a model answer a question about a project.',
    description:
      'The default model of the organization answers, with tools that only read. Each claim names the runs and records that it rests on. With `Accept: text/event-stream`, calls of tools and the words of the answer come as they are made.',
    tags: ['Projects'],
    of: project,
    body: ProjectQuestion,
    response: ProjectAnswer,
    answer: async ({ key, request, leaves }) =>
      (await prepare(request, key))(clientOf(app, request, 'ask'), { signal: leaves() }),
    events: {
      description:
        'Events `step`, a call of a tool each; `text`, a part of the claims as a JSON string each, with a line break before each further claim; then `result`, in which claims that rest on nothing are left out.',
      answer: async ({ key, request, leaves }) => {
        const ask = await prepare(request, key);
        const signal = leaves();
        return tellEvents((tell) => ask(clientOf(app, request, 'ask'), { signal, tell }));
      },
    },
  });
};
