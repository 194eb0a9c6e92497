import type { Models } from '../../engine/models/ask.ts';
import { findDefaultModel } from '../../evaluation/metrics/queries.ts';
import { findProject } from '../../evaluation/projects/queries.ts';
import { project } from '../../evaluation/resources.ts';
import type { Database } from '../../platform/db/database.ts';
import { invalid } from '../../platform/errors.ts';
import { type App, bodyOf } from '../../platform/http/http.ts';
import { answerRoute } from '../../platform/http/resource-routes.ts';
import { clientOf } from '../call-service.ts';
import { askProject } from './ask-project.ts';
import { ProjectAnswer, ProjectQuestion } from './schema.ts';

type AskRouteDeps = { db: Database; models: Models; judgeModel: string | undefined };

export const askRoutes = (app: App, { db, models, judgeModel }: AskRouteDeps): void => {
  answerRoute(app, 'POST', '/projects/:projectId/ask', {
    config: { keyless: true },
    operationId: 'askProject',
    summary: 'Let a model answer a question about a project.',
    description:
      'The default model of the organization answers, with tools that only read. Each claim names the runs and records that it rests on.',
    tags: ['Projects'],
    of: project,
    body: ProjectQuestion,
    response: ProjectAnswer,
    answer: async ({ scope, key, params: { projectId }, request, leaves }, { question }) => {
      bodyOf(await db.lookUp(scope, (sql) => findProject(sql, scope, key)), 'project', projectId);
      const [own] = await db.read(scope, (sql) => findDefaultModel(sql, scope));
      const modelName = own?.model ?? judgeModel;
      if (modelName === undefined)
        throw invalid('', 'needs a default model: an admin chooses one in Settings → Providers');
      const deps = {
        client: clientOf(app, request),
        models,
        model: { organizationId: scope.organizationId, modelName },
      };
      return JSON.stringify(await askProject(deps, projectId, question, leaves()));
    },
  });
};
