import type { Models } from '../../engine/models/ask.ts';
import { findDefaultModel } from '../../evaluation/metrics/queries.ts';
import { findProject } from '../../evaluation/projects/queries.ts';
import { project } from '../../evaluation/resources.ts';
import type { Database } from '../../platform/db/database.ts';
import { invalid } from '../../platform/errors.ts';
import { type App, bodyOf } from '../../platform/http/http.ts';
import { clientLeaves } from '../../platform/http/reply.ts';
import { clientOf } from '../call-service.ts';
import { askProject } from './ask-project.ts';
import { ProjectAnswer, ProjectQuestion } from './schema.ts';

type AskRouteDeps = { db: Database; models: Models; judgeModel: string | undefined };

export const askRoutes = (app: App, { db, models, judgeModel }: AskRouteDeps): void => {
  app.post(
    '/projects/:projectId/ask',
    {
      config: { keyless: true },
      schema: {
        operationId: 'askProject',
        summary: 'Let a model answer a question about a project.',
        description:
          'The default model of the organization answers, with tools that only read. Each claim names the runs and records that it rests on.',
        tags: ['Projects'],
        params: project.params,
        body: ProjectQuestion,
        response: { 200: ProjectAnswer },
      },
    },
    async (request, reply) => {
      const { scope, params, body } = request;
      const id = project.keyOf(params);
      bodyOf(await db.lookUp(scope, (sql) => findProject(sql, scope, id)), 'project', params.projectId);
      const [own] = await db.read(scope, (sql) => findDefaultModel(sql, scope));
      const modelName = own?.model ?? judgeModel;
      if (modelName === undefined)
        throw invalid('', 'needs a default model: an admin chooses one in Settings → Providers');
      const deps = {
        client: clientOf(app, request),
        models,
        model: { organizationId: scope.organizationId, modelName },
      };
      const answer = await askProject(deps, params.projectId, body.question, clientLeaves(reply));
      return reply.json(JSON.stringify(answer));
    },
  );
};
