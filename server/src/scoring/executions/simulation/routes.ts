import type { Database } from '../../../platform/db/database.ts';
import type { App } from '../../../platform/http/http.ts';
import { answerRoute, resource } from '../../../platform/http/resource-routes.ts';
import type { PromptDeps } from '../ask-prompt.ts';
import { Simulated, Simulation } from './schema.ts';
import { simulateUser } from './simulate-user.ts';

export const agentRoutes = (app: App, deps: { db: Database; prompts: PromptDeps }): void => {
  answerRoute(app, 'POST', '/agents/:systemVersionId/simulate', {
    config: { keyless: true },
    operationId: 'simulateUser',
    summary: 'Simulate a user of a conversation.',
    description: 'A system version whose config is a prompt writes the next message.',
    tags: ['Systems'],
    of: resource('systemVersionId', 'system version', (_, id) => id),
    body: Simulation,
    response: Simulated,
    answer: ({ scope, key, leaves }, body) => simulateUser(deps, scope, key, body, leaves()),
  });
};
