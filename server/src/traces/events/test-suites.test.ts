import { expect, it } from 'vitest';
import { createProject, ok } from '../../../test/fixtures.ts';
import { openApp } from '../../../test/opened.ts';
import {
  logsOf,
  newTraceId,
  post,
  requestOf,
  spanId,
  type TestEvent,
  type TestSpan,
} from '../../../test/otlp.ts';

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

/** The spans of one session of a plugin of pytest, dagger-pytest-otel 0.3.1: tests below the session, each with its module as suite. */
const session = (traceId: string, outcomes: Record<string, string>): TestSpan[] => [
  ...Object.entries(outcomes).flatMap(([test, status], i): TestSpan[] => [
    {
      traceId,
      n: 100 + i,
      parent: 10 + i,
      name: 'chat gpt',
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': 'gpt',
        'gen_ai.usage.input_tokens': 10 * (i + 1),
        'gen_ai.usage.output_tokens': 1,
        'gen_ai.input.messages': JSON.stringify([
          { role: 'user', parts: [{ type: 'text', content: `Q ${test}` }] },
        ]),
        'gen_ai.output.messages': JSON.stringify([
          { role: 'assistant', parts: [{ type: 'text', content: `A ${test}` }] },
        ]),
      },
    },
    {
      traceId,
      n: 10 + i,
      parent: 1,
      name: test,
      attributes: {
        'test.case.name': `tests/test_a.py::${test}`,
        'test.suite.name': 'tests/test_a.py',
        'test.case.result.status': status,
      },
      ...(status === 'fail' && {
        status: { code: 2, message: 'test failed' },
        events: [{ name: 'exception', attributes: { 'exception.message': 'assert 1 == 2' } }],
      }),
    },
  ]),
  {
    traceId,
    n: 1,
    name: 'pytest session',
    attributes: { 'test.suite.name': 'agent', 'test.suite.run.status': 'failure' },
  },
];

/** A test's record has the conversation and the spans of its test, for pages and metrics, and none of the other tests in its trace. */
const readsItsSpansAlone = async (projectId: string, recordId: string) => {
  const conversation = await ok(own.api('GET', `/records/${recordId}/conversation`));
  expect(conversation.data.map(({ content }: { content: string }) => content)).toEqual([
    'Q test_a',
    'A test_a',
  ]);
  const { data: spans } = await ok(own.api('GET', `/records/${recordId}/spans`));
  expect(spans.map(({ spanId: id, depth }: { spanId: string; depth: number }) => [id, depth])).toEqual([
    [spanId(10), 0],
    [spanId(100), 1],
  ]);
  const guidelines = `function score(inputs, outputs, expected, record) {
    const { conversation, trace } = record;
    return conversation.length === 2 && trace.length === 2 && conversation[1].content === 'A test_a';
  }`;
  const metric = { evalType: 'heuristic', outputType: 'boolean', guidelines, recordId };
  expect(await ok(own.api('POST', `/projects/${projectId}/metrics/preview`, metric))).toMatchObject({
    score: { binaryScore: true },
  });
  const annotate = (id: string) =>
    own.api('POST', `/records/${recordId}/annotations`, { rating: true, comment: 'Why?', spanId: id });
  await ok(annotate(spanId(100)), 201);
  expect((await annotate(spanId(999))).status).toBe(400);
};

it('a suite within one trace is a run too: a record for each test, with its testcase, outcome, answer, tokens and latency', async () => {
  const { id } = await createProject(own.api);
  const send = async (spans: TestSpan[]) => {
    const { status, body } = await post(app, own.key, requestOf(spans, { 'dokima.project_id': id }));
    expect(`${status} ${body}`).toBe('200 {}');
  };
  const [first, second] = [newTraceId(), newTraceId()];
  await send(session(first, { test_a: 'pass', test_b: 'fail', test_c: 'skipped' }));
  // One span in a request, and all of them a second time: a test that was sent before keeps its record.
  for (const span of session(second, { test_a: 'fail', test_b: 'pass' })) await send([span]);
  await send(session(second, { test_a: 'fail', test_b: 'pass' }));
  const { data: runs } = await ok(own.api('GET', `/projects/${id}/run-details`));
  const suites = runs.filter(({ name }: { name: string | null }) => name?.startsWith('tests/test_a.py'));
  expect(suites).toHaveLength(2);
  const recordsIn = async (run: { id: string }) =>
    (await ok(own.api('GET', `/projects/${id}/records?runId=${run.id}`))).data.toReversed();
  const [earlier, later] = [await recordsIn(suites[1]), await recordsIn(suites[0])];
  expect(earlier).toMatchObject([
    {
      otelLinkId: `test:${first}:${spanId(10)}`,
      outputs: { output: 'A test_a' },
      inputs: { input: 'Q test_a' },
    },
    { scoreStates: [{ passed: false, score: { reasoning: 'assert 1 == 2' } }] },
    { scoreStates: [{ state: 'unscored', reason: expect.stringContaining('skipped') }] },
  ]);
  expect(
    later.map(({ scoreStates }: { scoreStates: { passed: boolean }[] }) => scoreStates[0]!.passed),
  ).toEqual([false, true]);
  expect(earlier.map((one: { testcaseId: string }) => one.testcaseId).slice(0, 2)).toEqual(
    later.map((one: { testcaseId: string }) => one.testcaseId),
  );
  const found = async (q: string) =>
    (await ok(own.api('GET', `/projects/${id}/records?runId=${suites[1].id}&q=${encodeURIComponent(q)}`)))
      .data.length;
  expect([await found('tokens:>20'), await found('error:yes')]).toEqual([2, 1]);
  const { pairs } = await ok(own.api('GET', `/runs/compare?runs=${suites[1].id},${suites[0].id}`));
  expect(pairs[0].metrics[0]).toMatchObject({ paired: true, n: 2, before: 0.5, after: 0.5 });
  await readsItsSpansAlone(id, earlier[0].id);
  // The session has the record of its trace, in the run of its day.
  const { data: traces } = await ok(own.api('GET', `/projects/${id}/traces`));
  expect(traces.map(({ numSpans }: { numSpans: number }) => numSpans).toSorted()).toEqual([5, 7]);
  for (const { recordId } of traces) {
    const record = await ok(own.api('GET', `/records/${recordId}`));
    expect([record.testcaseId ?? null, record.scoreStates]).toEqual([null, []]);
  }
});

/** A test within a trace whose call of a model has no messages itself: they are the details of the call, which come as a log record. */
const quietCall = (traceId: string): [TestSpan, TestEvent] => {
  const [call] = session(traceId, { test_a: 'pass' });
  const { 'gen_ai.input.messages': input, 'gen_ai.output.messages': output, ...others } = call!.attributes!;
  const attributes = {
    'gen_ai.input.messages': JSON.parse(String(input)),
    'gen_ai.output.messages': JSON.parse(String(output)),
  };
  return [
    { ...call!, attributes: others },
    { name: 'gen_ai.client.inference.operation.details', traceId, n: call!.n, attributes },
  ];
};

it('details of a call that come after its test, as log records, are in the record of the test', async () => {
  const { id } = await createProject(own.api);
  const resource = { 'dokima.project_id': id };
  const traceId = newTraceId();
  const [call, details] = quietCall(traceId);
  const [, ...others] = session(traceId, { test_a: 'pass' });
  await post(app, own.key, requestOf([call, ...others], resource));
  const [test] = (await ok(own.api('GET', `/projects/${id}/records?q=test_a`))).data;
  expect([test.inputs, test.outputs]).toEqual([{ test: 'tests/test_a.py::test_a' }, { result: 'pass' }]);
  await post(app, own.key, logsOf([details], resource), {}, '/otel/v1/logs');
  const after = await ok(own.api('GET', `/records/${test.id}`));
  expect([after.inputs.input, after.outputs.output]).toEqual(['Q test_a', 'A test_a']);
  // The span alone, a second time: an exporter that repeats a batch does not send its log records again.
  await post(app, own.key, requestOf([{ ...call, attributes: { ...call.attributes, more: 1 } }], resource));
  expect((await ok(own.api('GET', `/records/${test.id}`))).outputs.output).toBe('A test_a');
});

it.each([
  ['the test and its calls', [0, 1, 2]],
  ['the calls', [0]],
  ['the test', [1]],
])(
  'a test in a trace whose project is named later has its record there: %s came before',
  async (_, early) => {
    const stranger = await app.organization();
    const oldest = (await createProject(stranger.api)).id;
    const { id } = await createProject(stranger.api);
    const spans = session(newTraceId(), { test_a: 'fail' });
    const send = async (some: TestSpan[], resource = {}) => {
      const { status } = await post(app, stranger.key, requestOf(some, resource));
      expect(status).toBe(200);
    };
    // Another suite ran in the project before.
    await send(session(newTraceId(), { test_z: 'pass' }), { 'dokima.project_id': id });
    await send(spans.filter((_span, i) => early.includes(i)));
    await send(
      spans.filter((_span, i) => !early.includes(i)).concat({ traceId: spans[0]!.traceId, n: 70, parent: 1 }),
      { 'dokima.project_id': id },
    );
    const recordsIn = async (project: string) =>
      (await ok(stranger.api('GET', `/projects/${project}/records`))).data;
    const found = (await recordsIn(id)).filter((one: { otelLinkId: string }) =>
      one.otelLinkId?.includes(spans[0]!.traceId),
    );
    expect(found).toMatchObject([
      {
        inputs: { input: 'Q test_a' },
        outputs: { output: 'A test_a' },
        measures: { inputTokens: 10 },
        scoreStates: [{ passed: false, score: { label: 'fail', reasoning: 'assert 1 == 2' } }],
      },
    ]);
    expect(found[0].testcaseId).toBeTruthy();
    expect(await recordsIn(oldest)).toEqual([]);
  },
);

it('a call of a model that a framework and its client both report counts once for a test within a trace', async () => {
  const { id } = await createProject(own.api);
  const spans = session(newTraceId(), { test_a: 'pass' });
  const client = spans.find(({ n }) => n === 100)!;
  await post(
    app,
    own.key,
    requestOf([{ ...client, n: 500, parent: 100 }, ...spans], { 'dokima.project_id': id }),
  );
  const { data } = await ok(own.api('GET', `/projects/${id}/records?q=test_a`));
  const test = data.find(({ otelLinkId }: { otelLinkId: string | null }) => otelLinkId?.startsWith('test:'));
  expect(test.measures).toMatchObject({ inputTokens: 10, outputTokens: 1 });
});
