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

type Test = { name: string; status?: string; suite?: string; at?: string };

const day = 24 * 3_600_000;
/** Sends tests of one execution, each as a trace in its own request. */
const sendTests = async (projectId: string, resource: object, tests: Test[], offset = 0) => {
  for (const { name, status = 'pass', suite = 'refunds' } of tests)
    await post(
      app,
      own.key,
      requestOf(
        [
          {
            traceId: newTraceId(),
            n: 1,
            startTimeUnixNano: String(BigInt(Date.UTC(2026, 10, 20, 23, 59) + offset) * 1_000_000n),
            endTimeUnixNano: String(BigInt(Date.UTC(2026, 10, 20, 23, 59) + offset + 5) * 1_000_000n),
            attributes: {
              'test.suite.name': suite,
              'test.case.name': name,
              'test.case.result.status': status,
            },
          },
        ],
        { 'dokima.project_id': projectId, ...resource },
      ),
    );
};

/** The runs of a project, oldest first, with the test and the score of each of their records. */
const runsOf = async (projectId: string) => {
  const { data: runs } = await ok(own.api('GET', `/projects/${projectId}/run-details`));
  const testsets = (await ok(own.api('GET', `/projects/${projectId}/testsets`))).data;
  const names = new Map<string, string>();
  for (const { id } of testsets)
    for (const { id: key, jsonData } of (await ok(own.api('GET', `/testsets/${id}/testcases`))).data)
      names.set(key, jsonData.test);
  const found = [];
  for (const { id } of runs.toReversed()) {
    const { data } = await ok(own.api('GET', `/projects/${projectId}/records?runId=${id}`));
    found.push(
      Object.fromEntries(
        data.map(
          ({
            testcaseId,
            scoreStates: [first],
          }: {
            testcaseId: string;
            scoreStates: { score: { binaryScore: boolean } }[];
          }) => [names.get(testcaseId), first?.score.binaryScore],
        ),
      ),
    );
  }
  return { found, testsets: testsets.map(({ name }: { name: string }) => name), numTests: names.size };
};

it('each execution of a suite is a run, also past midnight, and its tests are testcases that runs share', async () => {
  const { id } = await createProject(own.api);
  await sendTests(id, { 'test.suite.run.id': '1' }, [{ name: 'a' }, { name: 'b', status: 'fail' }]);
  await sendTests(id, { 'test.suite.run.id': '2' }, [{ name: 'b' }]);
  // The first execution goes on after midnight.
  await sendTests(id, { 'test.suite.run.id': '1' }, [{ name: 'c' }], day / 24);
  await sendTests(id, { 'test.suite.run.id': '2' }, [{ name: 'a' }, { name: 'a', suite: 'others' }]);
  expect(await runsOf(id)).toEqual({
    found: [{ a: true, b: false, c: true }, { b: true, a: true }, { a: true }],
    testsets: expect.arrayContaining(['refunds', 'others']),
    numTests: 4,
  });
});

it.each(['test.suite.run.id', 'cicd.pipeline.run.id', 'service.instance.id'])(
  '%s names the execution',
  async (key) => {
    const { id } = await createProject(own.api);
    for (const execution of ['x', 'y']) await sendTests(id, { [key]: execution }, [{ name: 'a' }]);
    expect((await runsOf(id)).found).toEqual([{ a: true }, { a: true }]);
  },
);

it('tests that arrive at the same time share their run and their testcases', async () => {
  const { id } = await createProject(own.api);
  const tests = Array.from({ length: 8 }, (_, i) => ({ name: `t${i % 4}` }));
  await Promise.all(tests.map((test) => sendTests(id, { 'test.suite.run.id': '1' }, [test])));
  const { found, numTests, testsets } = await runsOf(id);
  expect(found).toHaveLength(1);
  expect(Object.keys(found[0]!).toSorted()).toEqual(['t0', 't1', 't2', 't3']);
  expect({ numTests, testsets }).toEqual({ numTests: 4, testsets: ['refunds'] });
});

it('a long name of a test is shortened, and a testset of that name with other fields is left alone', async () => {
  const { id } = await createProject(own.api);
  await ok(
    own.api('POST', `/projects/${id}/testsets`, {
      name: 'refunds',
      description: '',
      jsonSchema: { type: 'object' },
      fieldMapping: { inputs: ['question'], expected: [], metadata: [] },
    }),
    201,
  );
  const name = `${'x'.repeat(300)}[1]`;
  await sendTests(id, {}, [{ name }, { name }, { name: `${'x'.repeat(300)}[2]` }]);
  expect(await runsOf(id)).toMatchObject({ testsets: ['refunds', 'refunds'], numTests: 2 });
});
