import { Type } from 'typebox';
import type { App } from '../../platform/http/http.ts';
import { numericId } from '../../platform/http/ids.ts';
import { pathParam, ref } from '../../platform/http/openapi.ts';
import { clientLeaves } from '../../platform/http/reply.ts';
import { type DraftDeps, draftTestcases } from './draft-testcases.ts';
import { TestcaseDrafts, TestcasesDraft } from './schema.ts';

export const draftRoutes = (app: App, deps: DraftDeps): void => {
  app.post(
    '/testsets/:testsetId/drafts',
    {
      config: { keyless: true },
      schema: {
        operationId: 'draftTestcases',
        summary: 'Let a model draft testcases for review.',
        description:
          'From a description, the testcases that exist, or records. Near-duplicates are marked. Nothing is written.',
        tags: ['Testsets'],
        params: Type.Object({ testsetId: pathParam('testset') }),
        body: TestcasesDraft,
        response: { 200: ref(TestcaseDrafts) },
      },
    },
    async ({ scope, params, body }, reply) => {
      const testsetId = numericId('testset', params.testsetId);
      return reply.json(await draftTestcases(deps, scope, testsetId, body, clientLeaves(reply)));
    },
  );
};
