import { expect, it } from 'vitest';
import { createMetric, createProject, createTestcases, createTestset, ok } from '../../../test/fixtures.ts';
import { openApp } from '../../../test/opened.ts';
import { createRunOf } from '../../../test/scored-runs.ts';

const { own } = await openApp();
const { api } = own;

/** A project with a testset of ten testcases and one metric. */
const opened = async () => {
  const project = await createProject(api);
  const metric = await createMetric(api, project.id, {
    name: 'Right',
    evalType: 'heuristic',
    outputType: 'boolean',
  });
  const testset = await createTestset(api, project.id);
  const testcases = await createTestcases(api, testset.id, 10);
  const version = async () =>
    (
      await ok(
        api('POST', `/projects/${project.id}/systems`, { name: 'S', config: { at: Math.random() } }),
        201,
      )
    ).productionVersion.id as string;
  const run = async (passes: boolean, more: object = {}) =>
    (
      await createRunOf(
        api,
        project.id,
        [metric],
        testcases.map(({ id }: { id: string }) => ({ testcaseId: id, scores: { [metric.id]: passes } })),
        { testsetId: testset.id, ...more },
      )
    ).run.id as string;
  const looks = async () => (await ok(api('GET', `/testsets/${testset.id}/looks`))).data;
  const compare = (...runs: string[]) => ok(api('GET', `/runs/compare?runs=${runs}`));
  return { project, metric, testset, version, run, looks, compare };
};

it('notes a comparison once, whichever run is named first and however often it is asked for', async () => {
  const { metric, testset, run, looks, compare } = await opened();
  const [before, after] = [await run(true), await run(false)];
  await compare(before, after);
  await compare(after, before);
  await ok(api('GET', `/runs/compare?runs=${before},${after}&level=0.9`));
  await ok(api('GET', `/runs/${after}/summary`));
  await ok(api('GET', `/runs/${before}/summary`));
  const { data: snapshots } = await ok(api('GET', `/testsets/${testset.id}/snapshots`));
  expect(await looks()).toEqual([
    {
      number: 1,
      kind: 'compare',
      runId: after,
      baselineRunIds: [before],
      systemVersionId: null,
      hash: snapshots[0].hash,
      split: null,
      metrics: [
        {
          metricId: metric.id,
          metricName: 'Right',
          metricConfigId: expect.any(String),
          baselineRunId: before,
          verdict: 'worse',
        },
      ],
      outcome: null,
      level: null,
      userId: own.memberId,
      at: expect.any(String),
    },
  ]);
});

it('notes the summary of a new version, which becomes the look at its first comparison', async () => {
  const { testset, run, version, looks, compare } = await opened();
  const [first, second] = [await version(), await version()];
  const runs = [await run(true, { systemVersionId: first }), await run(true, { systemVersionId: first })];
  for (const id of runs) await ok(api('GET', `/runs/${id}/summary`));
  expect(await looks()).toMatchObject([{ number: 1, kind: 'summary', runId: runs[0], baselineRunIds: [] }]);
  const later = await run(false, { systemVersionId: second });
  await ok(api('GET', `/runs/${later}/summary`));
  await compare(runs[0]!, later);
  await compare(runs[1]!, later);
  const wear = await ok(api('GET', `/testsets/${testset.id}/wear?alpha=0.1`));
  expect(wear).toMatchObject({ numLooks: 3, numVersions: 2, numLooksEver: 3, per: 'year', split: null });
  expect(wear.sentence).toBe('3 looks at 2 versions on this testset this year.');
  expect([wear.next, wear.left]).toEqual([
    expect.closeTo(0.1 / (4 ** 1.5 * 2.612375), 6),
    expect.closeTo(0.1 * (1 - (1 + 2 ** -1.5 + 3 ** -1.5) / 2.612375), 6),
  ]);
  expect(await looks()).toMatchObject([
    { number: 3, runId: later, baselineRunIds: [runs[1]] },
    { number: 2, runId: later, baselineRunIds: [runs[0]], systemVersionId: second },
    { number: 1, runId: runs[0], baselineRunIds: [] },
  ]);
});

it('counts each later run of a comparison, says what asked, and keeps looks at deleted runs', async () => {
  const { run, looks, project } = await opened();
  const runs = [await run(true), await run(true), await run(false)];
  await ok(api('GET', `/runs/compare?runs=${runs}`, undefined, { headers: { 'dokima-look': 'gate' } }));
  const unscored = await ok(api('POST', `/projects/${project.id}/runs`, { metricIds: [] }), 201);
  await ok(api('GET', `/runs/${unscored.id}/summary`));
  await ok(api('DELETE', `/runs/${runs[2]}`));
  expect(await looks()).toMatchObject([
    { number: 2, kind: 'gate', runId: runs[2], metrics: [{ verdict: 'worse' }] },
    { number: 1, kind: 'gate', runId: runs[1], metrics: [{ verdict: 'cannot tell' }] },
  ]);
});

it('gives a gate its number among the looks at its split, in its period, and keeps it', async () => {
  const { project, metric, run, looks, testset } = await opened();
  const look = async (runId: string, baselineRunIds: string[], more: object = {}) =>
    ok(api('POST', `/runs/${runId}/looks`, { baselineRunIds, alpha: 0.05, per: 'quarter', ...more }));
  await ok(api('PATCH', `/testsets/${testset.id}/testcases`, { split: 'test', share: 0.5 }));
  await ok(api('PATCH', `/testsets/${testset.id}/testcases`, { q: '-split:test', split: 'dev' }));
  const whole = [await run(true), await run(false)];
  const split = [await run(true, { split: 'test' }), await run(false, { split: 'test' })];
  const dev = [await run(true, { split: 'dev' }), await run(false, { split: 'dev' })];
  const first = await look(split[1]!, [split[0]!]);
  expect(first).toMatchObject({
    testsetId: testset.id,
    number: 1,
    level: expect.closeTo(0.05 / 2.612375, 6),
  });
  expect(await look(dev[1]!, [dev[0]!])).toMatchObject({ look: 2, number: 1 });
  expect(await look(whole[1]!, [whole[0]!])).toMatchObject({ look: 3, number: 3 });
  // A baseline and an anchor are one look.
  const both = await look(split[1]!, [split[0]!, whole[0]!]);
  expect(both).toMatchObject({ look: 4, number: 3 });
  expect(await look(split[1]!, [split[0]!], { outcome: 'worse' })).toEqual(first);
  expect((await looks()).at(-1)).toMatchObject({
    number: 1,
    kind: 'gate',
    outcome: 'worse',
    level: first.level,
  });
  // A gate without a baseline always counts; a run without scores is no look yet.
  const alone = await look(whole[1]!, []);
  expect([alone.look, await look(whole[1]!, [])]).toEqual([5, alone]);
  const { id } = await ok(
    api('POST', `/projects/${project.id}/runs`, { testsetId: testset.id, metricIds: [] }),
    201,
  );
  expect(await look(id, [])).toMatchObject({ testsetId: testset.id, number: null, level: null });
  // Five looks were taken: a decision that is registered now has the level of the sixth.
  const asked = { question: 'q', owner: 'o', testsetId: testset.id, metricIds: [metric.id], minTestcases: 1 };
  const rules = { ledger: { alpha: 0.05, per: 'quarter' }, metrics: {} };
  const decision = await ok(api('POST', `/projects/${project.id}/decisions`, { ...asked, rules }), 201);
  expect(1 - decision.document.level).toBeCloseTo(0.05 / (6 ** 1.5 * 2.612375), 6);
  const other = await createProject(api);
  const stranger = await ok(api('POST', `/projects/${other.id}/runs`, { metricIds: [] }), 201);
  expect(
    (await api('POST', `/runs/${id}/looks`, { baselineRunIds: [stranger.id], alpha: 0.05, per: 'year' }))
      .status,
  ).toBe(404);
});
