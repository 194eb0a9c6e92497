import { expect, it } from 'vitest';
import { createProject, createRecord, createRun, ok } from './fixtures.ts';
import { createJudge, listScoreStates, openJudging } from './judging.ts';
import { until } from './until.ts';

const { app, models, own } = await openJudging();
models.answer({ reply: { reasoning: 'Right.', binaryScore: true } });

const endless = '{% for a in range(100000) %}{% for b in range(100000) %}{% endfor %}{% endfor %}';
const numEndless = 40;

it('a score does not wait for the endless templates of another organization, nor does a preview', async () => {
  const busy = await app.organization();
  const provider = { name: 'local', kind: 'openai-compatible', baseUrl: models.url, apiKey: 'k' };
  await ok(busy.api('POST', '/providers', provider), 201);
  const theirs = await createProject(busy.api);
  const metricIds: string[] = [];
  for (let i = 0; i < numEndless; i++)
    metricIds.push(
      (await createJudge(busy.api, theirs.id, { name: `m${i}`, promptTemplate: `{# ${i} #}${endless}` })).id,
    );
  const stuck = await createRun(busy.api, theirs.id, metricIds);
  const record = await createRecord(busy.api, stuck.id);
  await until(async () =>
    (await listScoreStates(busy.api, record.id)).some(({ state }) => state === 'failed'),
  );

  const project = await createProject(own.api);
  const metric = await createJudge(own.api, project.id);
  const run = await createRun(own.api, project.id, [metric.id]);
  const { id } = await createRecord(own.api, run.id, { outputs: { a: 'b' } });
  await until(async () => (await listScoreStates(own.api, id)).every(({ state }) => state === 'scored'));
  const previewed = await ok(
    own.api('POST', `/projects/${project.id}/metrics/preview`, {
      evalType: 'ai',
      outputType: 'boolean',
      promptTemplate: '{{ outputs.a }}',
      evalModelName: 'local/judge',
      record: { outputs: { a: 'b' } },
    }),
  );
  expect(previewed.state).toBe('scored');

  const waiting = (await listScoreStates(busy.api, record.id)).filter(({ state }) => state === 'pending');
  expect(waiting.length).toBeGreaterThan(numEndless / 2);
});
