import type { App } from '../../platform/http/http.ts';
import { numericId } from '../../platform/http/ids.ts';
import { answerRoute, resource } from '../../platform/http/resource-routes.ts';
import { ref } from '../../platform/named-schema.ts';
import { type DraftDeps, draftTestcases } from './draft-testcases.ts';
import { TestcaseDrafts, TestcasesDraft } from './schema.ts';

export const draftRoutes = (app: App, deps: DraftDeps): void => {
  answerRoute(app, 'POST', '/testsets/:testsetId/drafts', {
    config: { keyless: true },
    operationId: 'draftTestcases',
    summary: 'Let a model draft testcases for review.',
    description:
      'From a description, the testcases that exist, or records. Near-duplicates are marked. Nothing is written.',
    tags: ['Testsets'],
    of: resource('testsetId', 'testset', numericId),
    body: TestcasesDraft,
    response: ref(TestcaseDrafts),
    answer: ({ scope, key, leaves }, body) => draftTestcases(deps, scope, key, body, leaves()),
  });
};
