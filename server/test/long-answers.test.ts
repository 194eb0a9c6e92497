import { expect, it } from 'vitest';
import { createProject, ok } from './fixtures.ts';
import { openJudging } from './judging.ts';

const { models, own } = await openJudging();

it('a preview, a try-out and the test of a provider wait as long as timeoutMs says, then answer with the reason', async () => {
  models.answer({ after: new Promise(() => {}), reply: 'Never' });
  const late = {
    name: 'late',
    kind: 'openai-compatible',
    baseUrl: models.url,
    apiKey: 'k',
    timeoutMs: 1_000,
  };
  const provider = await ok(own.api('POST', '/providers', late), 201);
  const { id: projectId } = await createProject(own.api);
  const [previewed, tested, tried] = await Promise.all([
    ok(
      own.api('POST', `/projects/${projectId}/metrics/preview`, {
        evalType: 'ai',
        outputType: 'boolean',
        promptTemplate: '{{ outputs.a }}',
        evalModelName: 'late/judge',
        record: { outputs: { a: 'b' } },
      }),
    ),
    ok(own.api('POST', `/providers/${provider.id}/test`, { modelName: 'judge' })),
    ok(
      own.api('POST', `/projects/${projectId}/systems/try`, {
        config: { promptTemplate: 'Hi', modelName: 'late/judge', timeoutMs: 900 },
        inputs: {},
      }),
    ),
  ]);
  const tooLate = expect.stringContaining("provider 'late' took longer than 1 s");
  expect(previewed).toMatchObject({ state: 'failed', reason: tooLate });
  expect(tested).toMatchObject({ ok: false, message: tooLate });
  expect(tried).toMatchObject({ state: 'failed', error: expect.stringContaining('took longer than 0.9 s') });
});
