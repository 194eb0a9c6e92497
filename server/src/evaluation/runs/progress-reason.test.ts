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

it('unscored scores beside a score keep their reason; of several reasons the most frequent is named with its count', async () => {
  const some = await progressOf([{ same: 1 }, { same: 1, answer: 1 }]);
  expect(some.metrics).toMatchObject([{ unscored: 1, scored: 1, reason: 'missing_field: outputs.answer' }]);
  const several = await progressOf([{ same: 1 }, { answer: 1 }, { same: 2 }]);
  expect(several.metrics).toMatchObject([{ unscored: 3, reason: '2 of 3: missing_field: outputs.answer' }]);
});

it.each([
  ['a text for a boolean', { binaryScore: 'True' }],
  ['a number for a boolean', { binaryScore: 1 }],
  ['the value of another type', { floatScore: 0.5 }],
  ['nothing', {}],
])(
  'a run whose scores have %s is not completed in silence: it counts them and says why',
  async (_, score) => {
    const project = await createProject(own.api);
    const metric = await createMetric(own.api, project.id, { evalType: 'human', outputType: 'boolean' });
    const run = await createRun(own.api, project.id, [metric.id]);
    const [configId] = run.metricVersionIds;
    const items = [score, { binaryScore: true }, score].map((each) => ({
      inputs: {},
      expected: {},
      outputs: {},
      scores: [{ metricConfigId: configId, score: each }],
    }));
    await ok(own.api('POST', `/runs/${run.id}/records/bulk-create`, { items }), 201);
    const { status, progress } = await ok(own.api('GET', `/runs/${run.id}/details`));
    expect(status).toBe('completed');
    expect(progress).toMatchObject({
      numErrors: 2,
      metrics: [
        { scored: 3, invalid: 2, reason: expect.stringMatching(/^2 scores do not fit the metric: \w+ /) },
      ],
    });
  },
);
