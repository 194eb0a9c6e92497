import { describe, expect, it } from 'vitest';
import { createMetric, createProject, createRun, ok } from '../../../test/fixtures.ts';
import { openJudging } from '../../../test/judging.ts';

const { models, own } = await openJudging({ name: 'stand-in' });

describe('GET /metrics/:metricId/calibration?jury=true', () => {
  it('says of each model how often it agrees with the jury and with people, and how often it has no verdict', async () => {
    // Even answers are good. `a` knows it, `b` passes all, `c` knows it but for answer 8, on which it says nothing.
    models.answer(({ body: { model }, messages }) => {
      const answer = Number(/answer (\d+)/.exec(messages[0]!)?.[1]);
      if (model === 'c' && answer === 8) return { reply: 'Well.' };
      return { reply: { reasoning: 'R', binaryScore: model === 'b' || answer % 2 === 0 } };
    });
    const projectId = (await createProject(own.api)).id;
    const judge = await createMetric(own.api, projectId, {
      evalType: 'ai',
      outputType: 'boolean',
      promptTemplate: '{{ outputs.text }}',
      evalModelName: 'stand-in/a',
    });
    const people = await createMetric(own.api, projectId, { evalType: 'human', outputType: 'boolean' });
    const juryModelNames = ['stand-in/b', 'stand-in/c'];
    await ok(own.api('PATCH', `/metrics/${judge.id}/settings`, { judgeRepeats: 1, juryModelNames }));
    const run = await createRun(own.api, projectId, [judge.id, people.id]);
    const [, peopleConfig] = run.metricVersionIds;
    const items = Array.from({ length: 10 }, (_, i) => ({
      inputs: {},
      expected: {},
      outputs: { text: `answer ${i}` },
    }));
    const { ids } = await ok(own.api('POST', `/runs/${run.id}/records/bulk-create`, { items }), 201);
    const juryOf = async (query: string) =>
      (await ok(own.api('GET', `/metrics/${judge.id}/calibration?jury=true&${query}`))).jury;
    const progress = async () => (await juryOf('')).numRecords;
    await expect.poll(progress, { timeout: 30_000, interval: 50 }).toBe(10);
    // People agree with the rule but on answer 0, and label eight records.
    for (const i of [0, 1, 2, 3, 4, 5, 6, 7])
      await ok(
        own.api('PUT', `/records/${ids[i]}/scores/${peopleConfig}`, {
          score: { binaryScore: i % 2 === 0 && i > 0 },
        }),
      );
    const jury = await juryOf(`against=${people.id}`);
    expect(jury).toMatchObject({
      source: 'metric',
      numRecords: 10,
      juryWithPeople: { estimate: 7 / 8, n: 8 },
      models: [
        {
          modelName: 'stand-in/a',
          numVerdicts: 10,
          withJury: { estimate: 1 },
          withPeople: { estimate: 7 / 8 },
        },
        {
          modelName: 'stand-in/b',
          numVerdicts: 10,
          withJury: { estimate: 0.5 },
          withPeople: { estimate: 3 / 8 },
        },
        { modelName: 'stand-in/c', numVerdicts: 9, withJury: { estimate: 1, n: 9 }, withPeople: { n: 8 } },
      ],
    });
    expect(jury.models[1].withPeople.interval.low).toBeLessThan(0.2);

    // A person's score in the jury's place is a label; what the models said stays.
    const [judgeConfig] = run.metricVersionIds;
    await ok(own.api('PUT', `/records/${ids[0]}/scores/${judgeConfig}`, { score: { binaryScore: false } }));
    const replaced = await juryOf('labels=overrides');
    expect(replaced).toMatchObject({ numRecords: 10, juryWithPeople: { estimate: 0, n: 1 } });
    expect(replaced.models[0]).toMatchObject({
      withJury: { estimate: 1 },
      withPeople: { estimate: 0, n: 1 },
    });
  });

  it('is null for a judge without a jury', async () => {
    const projectId = (await createProject(own.api)).id;
    const judge = await createMetric(own.api, projectId, {
      evalType: 'ai',
      outputType: 'boolean',
      promptTemplate: 'Good?',
      evalModelName: 'stand-in/a',
    });
    expect((await ok(own.api('GET', `/metrics/${judge.id}/calibration?jury=true`))).jury).toBeNull();
  });
});
