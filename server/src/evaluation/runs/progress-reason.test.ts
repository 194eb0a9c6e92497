import { expect, it } from 'vitest';
import { createMetric, createProject, createRun, ok } from '../../../test/fixtures.ts';
import { openApp } from '../../../test/opened.ts';

const { own } = await openApp({ DOKIMA_WORKERS: '1' });

/** The progress of a metric over these outputs, once every record is scored. */
const progressOf = async (outputs: object[]) => {
  const project = await createProject(own.api);
  const metric = await createMetric(own.api, project.id, {
    evalType: 'heuristic',
    outputType: 'boolean',
    guidelines: 'function score(inputs, outputs, expected) { return exact(outputs.answer, outputs.same); }',
  });
  const run = await createRun(own.api, project.id, [metric.id]);
  const items = outputs.map((each) => ({ inputs: {}, expected: {}, outputs: each }));
  await ok(own.api('POST', `/runs/${run.id}/records/bulk-create`, { items }), 201);
  const read = () => ok(own.api('GET', `/runs/${run.id}/details`)).then(({ progress }) => progress);
  await expect.poll(async () => (await read()).working, { timeout: 30_000 }).toBe(false);
  return read();
};

it('a metric whose scores are all unscored for one reason has this reason', async () => {
  expect(await progressOf([{ same: 1 }, { same: 2 }, { same: 3 }])).toMatchObject({
    numErrors: 0,
    metrics: [{ unscored: 3, reason: 'missing_field: outputs.answer' }],
  });
});

it('a metric with a score, or with several reasons, has no reason', async () => {
  const some = await progressOf([{ same: 1 }, { same: 1, answer: 1 }]);
  expect(some.metrics).toMatchObject([{ unscored: 1, scored: 1, reason: null }]);
  const several = await progressOf([{ same: 1 }, { answer: 1 }]);
  expect(several.metrics).toMatchObject([{ unscored: 2, reason: null }]);
});
