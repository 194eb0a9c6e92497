import { expect, it } from 'vitest';
import { createProject, createTestcases, createTestset, ok } from '../../../test/fixtures.ts';
import { startApp } from '../../../test/harness.ts';

it('a call that is tried says which setting allows a private address', async () => {
  const app = await startApp();
  const { api } = await app.organization();
  const { id: projectId } = await createProject(api);
  const testset = await createTestset(api, projectId);
  const [testcase] = await createTestcases(api, testset.id, 1);
  const body = { config: { endpoint: 'http://127.0.0.1:9/answer' }, testcaseId: testcase.id };
  expect(await ok(api('POST', `/projects/${projectId}/systems/try`, body))).toMatchObject({
    state: 'failed',
    error: expect.stringMatching(
      /127\.0\.0\.1 is a private, .*DOKIMA_ALLOW_PRIVATE_ADDRESSES=127\.0\.0\.1:\d+/,
    ),
  });
  await app.close();
});
