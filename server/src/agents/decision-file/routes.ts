import { decision } from '../../insights/decisions/resource.ts';
import type { PassportKey } from '../../insights/passports/key.ts';
import type { Database } from '../../platform/db/database.ts';
import type { App } from '../../platform/http/http.ts';
import { answerRoute } from '../../platform/http/resource-routes.ts';
import { ref } from '../../platform/named-schema.ts';
import { clientOf } from '../call-service.ts';
import { DecisionExport, SignedDecision } from './schema.ts';
import { writeDecisionFile } from './write-file.ts';

export type DecisionFileDeps = { db: Database; key: PassportKey; clock: () => number };

export const decisionFileRoutes = (app: App, deps: DecisionFileDeps): void => {
  answerRoute(app, 'POST', '/projects/:projectId/decisions/:decisionId/file', {
    config: { keyless: true },
    operationId: 'exportDecision',
    summary: 'Get a decision about a run as one signed file.',
    description:
      'The registration, the rules, the data of the runs, judges, waivers, deviations and all numbers, as an in-toto statement. `dokima verify` checks it without the service. Up to 50,000 records.',
    tags: ['Decisions'],
    of: decision,
    body: DecisionExport,
    response: ref(SignedDecision),
    answer: ({ scope, key: { projectId, decisionId }, request }, body) =>
      writeDecisionFile(
        { ...deps, scope, client: clientOf(app, request, 'gate') },
        projectId,
        decisionId,
        body as DecisionExport,
      ),
  });
};
