import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ModelServer, openOpenAiServer } from '../../server/test/model-server.ts';
import { asPinned } from '../src/trials.ts';
import { openTerminal, type Terminal } from './terminal.ts';

let terminal: Terminal;
let models: ModelServer;

beforeAll(async () => {
  models = await openOpenAiServer();
  terminal = await openTerminal({ DOKIMA_WORKERS: '1', DOKIMA_ALLOW_PRIVATE_ADDRESSES: 'true' });
});
afterAll(() => Promise.all([terminal.close(), models.close()]));

/** Creates a judge with 120 pinned records that people have scored. */
const pinned = async (): Promise<string> => {
  const { client } = terminal;
  const project = await client.createProject({ name: 'Judged', description: '' });
  const judge = await client.createMetric(project.id, {
    name: 'Judge',
    evalType: 'ai',
    outputType: 'boolean',
    promptTemplate: 'Is it right? {{ outputs.answer }}',
    evalModelName: 'fake/judge',
  });
  const people = await client.createMetric(project.id, {
    name: 'People',
    evalType: 'human',
    outputType: 'boolean',
  });
  const run = await client.createRun(project.id, { metricIds: [judge.id, people.id] });
  const items = Array.from({ length: 120 }, (_, i) => ({
    inputs: { i },
    expected: {},
    outputs: { answer: `answer ${i}` },
  }));
  await client.createAllRecords(run.id, items);
  for await (const { id, inputs } of client.listRecords(run.id))
    await client.upsertScore(id, run.metricVersionIds[1]!, {
      score: { binaryScore: Number(inputs.i) % 2 === 0 },
    });
  for await (const { status } of client.watchRun(run.id)) if (status === 'completed') break;
  await client.upsertPinnedSet(judge.id, { against: people.id });
  return judge.id;
};

it('succession ends with 3 before a trial, with 0 when a candidate is proposed, and adopts it', async () => {
  const metricId = await pinned();
  const before = await terminal.dokima(['succession', metricId]);
  expect([before.code, before.out]).toEqual([3, 'There is no trial yet.\n']);

  // The stand-in gives one verdict for one prompt, so the same model agrees with itself.
  const words = ['--try', 'fake/judge', '--margin', '0.2'];
  const tried = await terminal.dokima(['succession', metricId, ...words]);
  expect([tried.code, tried.out]).toEqual([0, expect.stringContaining('120 labels, margin 20.00 %')]);

  const json = await terminal.dokima(['succession', metricId, '--json']);
  const { proposedConfigId } = json.json();
  const adopted = await terminal.dokima(['succession', metricId, '--adopt', proposedConfigId]);
  expect([adopted.code, adopted.err]).toEqual([0, '']);
  const [trial] = (await terminal.client.listTrials({ metricId })).data.map(asPinned);
  expect(trial).toMatchObject({ state: 'adopted', adopted: expect.anything() });
  await terminal.client.deleteRun(trial!.candidates[0]!.runId!);
  expect((await terminal.dokima(['succession', metricId])).out).toContain('no verdict');
}, 60_000);

it('succession ends with 4 for one run: past gates compare two', async () => {
  const metricId = await pinned();
  const { code, err } = await terminal.dokima(['succession', metricId, '--try', 'fake/judge', '--run', '1']);
  expect([code, err]).toEqual([4, expect.stringContaining('from 2 to 10')]);
}, 60_000);

it('the summary and the gate of a run warn of a judge whose model ends, and name the command that tries others', async () => {
  const { client } = terminal;
  const endsOn = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
  models.list([{ id: 'old', shutdown_date: endsOn }]);
  await client.createProvider({ name: 'local', kind: 'openai-compatible', baseUrl: models.url });
  await client.refreshJudgeModels();
  const project = await client.createProject({ name: 'Ending', description: '' });
  const judge = await client.createMetric(project.id, {
    name: 'Judge',
    evalType: 'ai',
    outputType: 'boolean',
    promptTemplate: '{{ outputs.answer }}',
    evalModelName: 'local/old',
  });
  const run = await client.createRun(project.id, { metricIds: [judge.id] });
  const warning = `The provider shuts down local/old on ${endsOn}, in 30 days. Try others: dokima succession ${judge.id} --try MODEL`;
  expect((await terminal.dokima(['summary', run.id])).out).toContain(warning);
  const rules = { project: project.id, metrics: { Judge: { atLeast: 0.5 } } };
  await terminal.write('dokima.yaml', JSON.stringify(rules));
  expect((await terminal.dokima(['gate', run.id])).out).toContain(warning);
}, 60_000);
