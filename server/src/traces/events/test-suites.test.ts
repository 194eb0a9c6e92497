import { expect, it } from 'vitest';
import { createProject, ok } from '../../../test/fixtures.ts';
import { openApp } from '../../../test/opened.ts';
import { newTraceId, post, requestOf } from '../../../test/otlp.ts';

/** Runners of tests name the suite and its outcome on their spans. */

const { app, own } = await openApp();

it('a test suite is a run, and the outcome of each test a score', async () => {
  const { id: projectId } = await createProject(own.api);
  const send = (attributes: Record<string, unknown>, fields = {}) =>
    post(
      app,
      own.key,
      requestOf([{ traceId: newTraceId(), n: 1, attributes, ...fields }], { 'dokima.project_id': projectId }),
    );
  const test = (suite: string, status: string) => ({
    'test.suite.name': suite,
    'test.case.result.status': status,
  });
  await send(test('refunds', 'pass'));
  await send(test('refunds', 'fail'), { status: { code: 2, message: 'No refund.' } });
  await send(test('greetings', 'pass'));
  await send({});
  const { data: runs } = await ok(own.api('GET', `/projects/${projectId}/run-details`));
  const scoresIn: Record<string, object[]> = {};
  for (const { id, name } of runs) {
    const { data } = await ok(own.api('GET', `/projects/${projectId}/records?runId=${id}`));
    scoresIn[name] = data.map(
      ({ scoreStates: [first] }: { scoreStates: { score: object }[] }) => first?.score,
    );
  }
  const passed = { binaryScore: true, label: 'pass' };
  expect(scoresIn).toEqual({
    'refunds, 2026-11-20': [{ binaryScore: false, label: 'fail', reasoning: 'No refund.' }, passed],
    'greetings, 2026-11-20': [passed],
    null: [undefined],
  });
});
