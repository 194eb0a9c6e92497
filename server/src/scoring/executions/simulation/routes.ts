import { Type } from 'typebox';
import type { Database } from '../../../platform/db/database.ts';
import type { App } from '../../../platform/http/http.ts';
import { pathParam } from '../../../platform/http/openapi.ts';
import type { PromptDeps } from '../ask-prompt.ts';
import { Simulated, Simulation } from './schema.ts';
import { simulateUser } from './simulate-user.ts';

export const agentRoutes = (app: App, deps: { db: Database; prompts: PromptDeps }): void => {
  app.post(
    '/agents/:systemVersionId/simulate',
    {
      config: { keyless: true },
      schema: {
        operationId: 'simulateUser',
        summary: 'Simulate a user of a conversation.',
        description: 'A system version whose config is a prompt writes the next message.',
        tags: ['Systems'],
        params: Type.Object({ systemVersionId: pathParam('system version') }),
        body: Simulation,
        response: { 200: Simulated },
      },
    },
    async (request, reply) => {
      const gone = new AbortController();
      reply.raw.on('close', () => gone.abort(new Error('the client left')));
      const { scope, params, body } = request;
      return reply.json(await simulateUser(deps, scope, params.systemVersionId, body, gone.signal));
    },
  );
};
