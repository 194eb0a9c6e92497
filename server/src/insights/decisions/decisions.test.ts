import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { canonicalJson } from '../../../../client/src/passport/passport.ts';
import { createMetric, createProject, createTestcases, createTestset, ok } from '../../../test/fixtures.ts';
import { openApp } from '../../../test/opened.ts';
import { createRunOf } from '../../../test/scored-runs.ts';

const { own } = await openApp();
const { api } = own;

const system = async (projectId: string, version: number) =>
  (await ok(api('POST', `/projects/${projectId}/systems`, { name: 'S', config: { version } }), 201))
    .productionVersion.id;

/** A project with a baseline run of ten testcases, whose judge has the model fake/a. */
const opened = async () => {
  const project = await createProject(api);
  const metric = await createMetric(api, project.id, {
    name: 'Right',
    evalType: 'ai',
    outputType: 'boolean',
    guidelines: 'Right?',
    evalModelName: 'fake/a',
    promptTemplate: '{{ guidelines }} {{ outputs }}',
    temperature: 0,
  });
  const testset = await createTestset(api, project.id);
  const testcases = await createTestcases(api, testset.id, 10);
  const run = async (version: number, answered = testcases) =>
    (
      await createRunOf(
        api,
        project.id,
        [metric],
        answered.map(({ id }: { id: string }) => ({ testcaseId: id, scores: { [metric.id]: true } })),
        { testsetId: testset.id, systemVersionId: await system(project.id, version) },
      )
    ).run.id as string;
  const baselineRunId = await run(1);
  const register = () =>
    ok(
      api('POST', `/projects/${project.id}/decisions`, {
        question: 'Is version 2 as good?',
        owner: 'Ada',
        testsetId: testset.id,
        baselineRunId,
        metricIds: [metric.id],
        rules: { metrics: [{ metric: 'Right', nonInferiority: { margin: 0.05 } }] },
        minTestcases: 10,
      }),
      201,
    );
  const read = (id: string, runId: string) =>
    ok(api('GET', `/projects/${project.id}/decisions/${id}/reading?runId=${runId}`));
  return { project, metric, testset, testcases, baselineRunId, run, register, read };
};

it('a decision has the hash of its canonical JSON as its id, and stands in the audit log', async () => {
  const { project, testset, register, run, read } = await opened();
  const decision = await register();
  const { data: snapshots } = await ok(api('GET', `/testsets/${testset.id}/snapshots`));
  expect(decision.id).toBe(createHash('sha256').update(canonicalJson(decision.document)).digest('hex'));
  expect(decision.document).toMatchObject({
    owner: 'Ada',
    testset: { numTestcases: 10, snapshot: 1, hash: snapshots[0].hash },
    metrics: [{ name: 'Right', evalModelName: 'fake/a' }],
  });
  expect(await ok(api('GET', `/projects/${project.id}/decisions/${decision.id}`))).toEqual(decision);
  const { data } = await ok(api('GET', `/audit-events?operation=createDecision&resourceId=${decision.id}`));
  expect(data).toMatchObject([{ after: { id: decision.id }, projectId: project.id }]);
  const runId = await run(2);
  expect(await read(decision.id, runId)).toEqual({
    decisionId: decision.id,
    runId,
    deviations: [],
    numLooks: 1,
    waivers: [],
  });

  const waiver = { runId, reason: 'A security fix' };
  await ok(api('POST', `/projects/${project.id}/decisions/${decision.id}/waivers`, waiver), 201);
  expect((await read(decision.id, runId)).waivers).toMatchObject([
    { reason: 'A security fix', waivedBy: expect.any(String) },
  ]);
});

it('names who registers after looking, drops testcases, swaps the judge, reruns, and hides a look', async () => {
  const { metric, testcases, register, run, read } = await opened();
  const early = await run(2);
  const decision = await register();
  const sentences = async (runId: string) =>
    (await read(decision.id, runId)).deviations.map(({ sentence }: { sentence: string }) => sentence);
  expect(await sentences(early)).toEqual([
    expect.stringMatching(/^the decision was registered at .*: its results could be known$/),
  ]);

  const hidden = await run(3);
  await ok(api('DELETE', `/runs/${hidden}`));
  await ok(api('POST', '/testcases/bulk-delete', { ids: [testcases[8].id, testcases[9].id] }));
  await ok(
    api('PATCH', `/metrics/${metric.id}`, {
      evalType: 'ai',
      outputType: 'boolean',
      guidelines: 'Right?',
      promptTemplate: '{{ guidelines }} {{ outputs }}',
      temperature: 0,
      evalModelName: 'fake/b',
    }),
  );
  const first = await run(4, testcases.slice(0, 8));
  const last = await run(4, testcases.slice(0, 8));
  expect(await sentences(last)).toEqual([
    `0 testcases added, 0 changed and 2 removed between the registration (snapshot 1) and run ${last} (snapshot 2)`,
    'another judge scores Right: fake/b in place of fake/a',
    `run ${last} answers 8 of the 10 registered testcases`,
    'it rests on 8 testcases, and 10 were planned',
    `the same version was run 2 times since the registration: run ${first} too`,
    '1 run was deleted in this project since the registration: looks may be hidden',
  ]);
});

it('400 and 404 for what a decision cannot name', async () => {
  const { project, metric, testset, register } = await opened();
  const body = {
    question: 'q',
    owner: 'o',
    testsetId: testset.id,
    metricIds: [metric.id],
    rules: {},
    minTestcases: 1,
  };
  const status = async (fields: object) =>
    (await api('POST', `/projects/${project.id}/decisions`, { ...body, ...fields })).status;
  expect(await status({ testsetId: '999999' })).toBe(404);
  expect(await status({ metricIds: ['999999'] })).toBe(404);
  expect(await status({ rules: { long: 'x'.repeat(60_000) } })).toBe(400);
  expect(await status({ minTestcases: 0 })).toBe(400);
  for (const rules of [{ token: 'x' }, { metrics: { Right: { apiKey: 'x' } } }, { headers: { a: 1 } }]) {
    const { body: said } = await api('POST', `/projects/${project.id}/decisions`, { ...body, rules });
    expect(JSON.stringify(said)).toContain('the audit log hides fields that may hold secrets');
  }
  const other = await createProject(api);
  const foreign = await createTestset(api, other.id);
  await createTestcases(api, foreign.id, 1);
  expect(await status({ testsetId: foreign.id })).toBe(404);
  expect((await ok(api('GET', `/testsets/${foreign.id}/snapshots`))).data).toEqual([]);
  const { id } = await register();
  expect((await api('GET', `/projects/${other.id}/decisions/${id}`)).status).toBe(404);
  expect((await api('GET', `/projects/${project.id}/decisions/nothing`)).status).toBe(404);
});
