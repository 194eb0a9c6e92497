import { beforeEach, describe, expect, it } from 'vitest';
import { createMetric, createProject, createRecord, createRun, ok } from '../../../test/fixtures.ts';
import { openApp } from '../../../test/opened.ts';
import {
  attributesOf,
  fromProtobuf,
  logsOf,
  newTraceId,
  post,
  requestOf,
  type TestEvent,
  type TestSpan,
  toProtobuf,
} from '../../../test/otlp.ts';
import { system } from '../../platform/db/database.ts';

/** Results of evaluations, sent as OpenTelemetry's events, become scores of the records that they are about. */

const { app, own } = await openApp();
let projectId: string;
let traceId: string;

beforeEach(async () => {
  projectId = (await createProject(own.api)).id;
  traceId = newTraceId();
});

const name = 'gen_ai.evaluation.result';
const evaluation = (metric: string, attributes: Record<string, unknown>): TestEvent => ({
  name,
  attributes: { 'gen_ai.evaluation.name': metric, ...attributes },
});
const helpful = evaluation('Helpful', {
  'gen_ai.evaluation.score.value': 0.25,
  'gen_ai.evaluation.score.label': 'poor',
  'gen_ai.evaluation.explanation': 'Says nothing.',
});

const named = () => ({ 'dokima.project_id': projectId });
const sendSpans = async (spans: TestSpan[]) => {
  const answer = await post(app, own.key, requestOf(spans, named()));
  expect(answer.status, String(answer.body)).toBe(200);
};
const sendLogs = async (events: TestEvent[], resource: Record<string, unknown> = named()) => {
  const { status, body } = await post(app, own.key, logsOf(events, resource), {}, '/otel/v1/logs');
  return { status, ...JSON.parse(String(body)) };
};
const root = (more: Partial<TestSpan> = {}): TestSpan => ({
  traceId,
  n: 1,
  attributes: { 'input.value': 'Hi' },
  ...more,
});

const metrics = async () => (await ok(own.api('GET', `/projects/${projectId}/metrics`))).data;
type ScoreState = { metricName: string; state: string; score: object; reason: string; passed: boolean };
/** The scores of the project's records, by the names of their metrics. */
const scores = async () => {
  const records = (await ok(own.api('GET', `/projects/${projectId}/records`))).data;
  return Object.fromEntries(
    records.flatMap((record: { id: string; scoreStates: ScoreState[] }) =>
      record.scoreStates.map(({ metricName, state, score, reason, passed }) => [
        metricName,
        { state, score, reason, passed, of: record.id },
      ]),
    ),
  );
};
const waiting = async (): Promise<number> => {
  const rows = await app.db.read(
    system,
    (sql) => sql`select from waiting_event where project_id = ${projectId}`,
  );
  return rows.length;
};
const waits = '1 log record: its trace or span is not here: it waits for it for 7 days';

describe('an evaluation result', () => {
  const expected = {
    Helpful: {
      state: 'scored',
      passed: false,
      score: { floatScore: 0.25, reasoning: 'Says nothing.', label: 'poor' },
    },
  };

  it('as a log record becomes a score of the record of its trace', async () => {
    await sendSpans([root()]);
    expect(await sendLogs([{ ...helpful, traceId, n: 1 }])).toEqual({ status: 200 });
    expect(await scores()).toMatchObject(expected);
    expect(await metrics()).toMatchObject([{ name: 'Helpful', evalType: 'heuristic', outputType: 'float' }]);
    expect(await waiting()).toBe(0);
  });

  it('as an event of a span does the same', async () => {
    await sendSpans([root({ events: [helpful] })]);
    expect(await scores()).toMatchObject(expected);
    expect(await waiting()).toBe(0);
  });

  it('gives a label to a category of its name, also when the session of its trace comes later', async () => {
    const labels = { items: ['Wrong', 'Partly', 'Right'], passing: ['Right'] };
    for (const one of ['Grade', 'Odd', 'Number'])
      await createMetric(own.api, projectId, {
        name: one,
        evalType: 'heuristic',
        outputType: 'category',
        labels,
      });
    await sendSpans([root()]);
    const label = (value: string) => ({ 'gen_ai.evaluation.score.label': value });
    const events = [
      evaluation('Grade', {
        ...label('Partly'),
        'gen_ai.evaluation.score.value': 0.5,
        'gen_ai.evaluation.explanation': 'Half.',
      }),
      evaluation('Odd', label('Blue')),
      evaluation('Number', { 'gen_ai.evaluation.score.value': 1 }),
    ];
    await sendLogs(events.map((event) => ({ ...event, traceId, n: 1 })));
    const given = {
      Grade: { state: 'scored', passed: false, score: { categoryScore: 'Partly', reasoning: 'Half.' } },
      Odd: { passed: null, score: { categoryScore: 'Blue' } },
      Number: { state: 'unscored', reason: expect.stringContaining('is no categoryScore') },
    };
    expect(await scores()).toMatchObject(given);
    await sendSpans([{ traceId, n: 2, parent: 1, attributes: { 'session.id': 'later' } }]);
    expect(await scores()).toMatchObject(given);
  });

  it.each(['project', 'session'])('goes along when the %s of its trace is named later', async (what) => {
    const stranger = await app.organization();
    const oldest = (await createProject(stranger.api)).id;
    projectId = what === 'project' ? (await createProject(stranger.api)).id : oldest;
    const send = async (span: TestSpan, resource = {}) =>
      expect((await post(app, stranger.key, requestOf([span], resource))).status).toBe(200);
    const records = async (project: string) =>
      (await ok(stranger.api('GET', `/projects/${project}/records`))).data;
    const session = { 'session.id': 's' };
    if (what === 'session') await send(root({ traceId: newTraceId(), attributes: session }));
    await send(root());
    const passed = evaluation('Passed', { 'gen_ai.evaluation.score.label': 'pass' });
    const failed = evaluation('Broken', { 'error.type': 'timeout' });
    const events = [helpful, passed, failed].map((event) => ({ ...event, traceId, n: 1 }));
    await post(app, stranger.key, logsOf(events), {}, '/otel/v1/logs');
    await send({ traceId, n: 2, parent: 1, attributes: session }, named());
    const found = await records(projectId);
    expect(found).toHaveLength(1);
    const states = found[0].scoreStates.map(({ metricName, score, reason }: ScoreState) => [
      metricName,
      score ?? reason,
    ]);
    expect(Object.fromEntries(states)).toEqual({
      Helpful: { floatScore: 0.25, label: 'poor', reasoning: 'Says nothing.' },
      Passed: { binaryScore: true, label: 'pass' },
      Broken: 'timeout',
    });
    expect(await records(oldest)).toHaveLength(what === 'project' ? 0 : 1);
  });

  it.each([
    ['stays behind a newer one of the record to which its trace moves', true],
    ['replaces an older one of the record to which its trace moves', false],
  ])('%s', async (_, isOlder) => {
    const [moving, there] = [newTraceId(), newTraceId()];
    const session = { 'session.id': 's' };
    const valued = (trace: string, value: number) =>
      sendLogs([
        { ...evaluation('Helpful', { 'gen_ai.evaluation.score.value': value }), traceId: trace, n: 1 },
      ]);
    await sendSpans([root({ traceId: there, attributes: session }), root({ traceId: moving })]);
    const order = [() => valued(moving, 0.25), () => valued(there, 0.75)];
    for (const send of isOlder ? order : order.toReversed()) await send();
    await sendSpans([{ traceId: moving, n: 2, parent: 1, attributes: session }]);
    expect((await ok(own.api('GET', `/projects/${projectId}/records`))).data).toHaveLength(1);
    expect(await scores()).toMatchObject({ Helpful: { score: { floatScore: isOlder ? 0.75 : 0.25 } } });
    expect(await waiting()).toBe(0);
  });

  it('waits for a trace that comes later, and the answer says so', async () => {
    const { partialSuccess } = await sendLogs([{ ...helpful, traceId, n: 1 }]);
    expect(partialSuccess).toEqual({ rejectedLogRecords: '0', errorMessage: waits });
    expect(await waiting()).toBe(1);
    await sendSpans([root({ n: 2 })]);
    // The span that it names is still missing.
    expect([await waiting(), await scores()]).toEqual([1, {}]);
    await sendSpans([root()]);
    expect(await scores()).toMatchObject(expected);
    expect(await waiting()).toBe(0);
  });

  it.each([
    ['before', false],
    ['after', true],
  ])('without a trace is found by the id of the response, when it comes %s', async (_, isLater) => {
    const response = { 'gen_ai.response.id': `chatcmpl-${traceId}` };
    const result = { ...helpful, attributes: { ...helpful.attributes, ...response } };
    const spans = [root(), { traceId, n: 2, parent: 1, attributes: response }];
    if (isLater) await sendSpans(spans);
    await sendLogs([result]);
    if (!isLater) await sendSpans(spans);
    expect(await scores()).toMatchObject(expected);
    expect(await waiting()).toBe(0);
  });

  it('without a project reaches a trace that names its project', async () => {
    await sendLogs([{ ...helpful, traceId, n: 1 }], {});
    await sendSpans([root()]);
    expect(await scores()).toMatchObject(expected);
  });

  it('of a linked trace becomes a score of the linked record', async () => {
    const run = await createRun(own.api, projectId, []);
    const record = await createRecord(own.api, run.id, { otelLinkId: traceId });
    await sendSpans([root({ attributes: { 'dokima.otel_link_id': traceId } })]);
    await sendLogs([{ ...helpful, traceId, n: 1 }]);
    expect(await scores()).toMatchObject({ Helpful: { of: record.id } });
  });

  it('over protocol buffers is read in the same way, and the body of an older SDK too', async () => {
    await sendSpans([root()]);
    const { name: eventName, attributes } = helpful;
    const request = logsOf([{ name: '', traceId, n: 1 }], named());
    const [record] = request.resourceLogs[0]!.scopeLogs[0]!.logRecords;
    const body = { kvlistValue: { values: attributesOf(attributes!) } };
    Object.assign(record!, { body, attributes: attributesOf({ 'event.name': eventName }) });
    const answer = await post(app, own.key, toProtobuf(request), {}, '/v1/logs');
    expect(fromProtobuf('Response', answer.body)).toEqual({});
    expect(await scores()).toMatchObject(expected);
  });

  it('uses the metric of its name, and a number, a label or an error gives what it can', async () => {
    await createMetric(own.api, projectId, { name: 'Polite', evalType: 'heuristic', outputType: 'boolean' });
    // A judge's metric of the same name is not a client's.
    await createMetric(own.api, projectId, {
      name: 'Grade',
      evalType: 'ai',
      outputType: 'int',
      promptTemplate: 'x',
    });
    await sendSpans([root()]);
    const given = { traceId, n: 1 };
    const answer = await sendLogs([
      { ...evaluation('Polite', { 'gen_ai.evaluation.score.label': 'fail' }), ...given },
      { ...evaluation('Grade', { 'gen_ai.evaluation.score.value': 4 }), ...given },
      { ...evaluation('Safe', { 'gen_ai.evaluation.score.label': 'pass' }), ...given },
      {
        ...evaluation('Broken', { 'error.type': 'timeout', 'gen_ai.evaluation.explanation': 'late' }),
        ...given,
      },
      { ...evaluation('Odd', { 'gen_ai.evaluation.score.label': 'blue' }), ...given },
      { ...evaluation('Large', { 'gen_ai.evaluation.score.value': 17.5 }), ...given },
    ]);
    expect(answer).toEqual({ status: 200 });
    expect(await scores()).toMatchObject({
      Polite: { state: 'scored', score: { binaryScore: false, label: 'fail' }, passed: false },
      Grade: { state: 'scored', score: { intScore: 4 } },
      Safe: { state: 'scored', score: { binaryScore: true, label: 'pass' } },
      Broken: { state: 'unscored', reason: 'timeout: late' },
      Odd: { state: 'unscored', reason: 'blue is no floatScore' },
      Large: { score: { floatScore: 17.5 }, passed: null },
    });
    expect((await metrics()).filter(({ name: given }: { name: string }) => given === 'Polite')).toHaveLength(
      1,
    );
    expect((await metrics()).filter(({ name: given }: { name: string }) => given === 'Grade')).toHaveLength(
      2,
    );
  });

  it('with a number that is written as a text has it, and one of true or false is a verdict', async () => {
    await sendSpans([root()]);
    await sendLogs([
      { ...evaluation('Texted', { 'gen_ai.evaluation.score.value': '0.4' }), traceId, n: 1 },
      { ...evaluation('Truth', { 'gen_ai.evaluation.score.value': false }), traceId, n: 1 },
    ]);
    expect(await scores()).toMatchObject({
      Texted: { score: { floatScore: 0.4 } },
      Truth: { passed: false, score: { binaryScore: false, label: 'false' } },
    });
  });

  it('that is sent twice leaves no second verdict', async () => {
    await sendSpans([root()]);
    for (let i = 0; i < 2; i++) await sendLogs([{ ...helpful, traceId, n: 1 }]);
    const history = await app.db.read(
      system,
      (sql) => sql`
        select from score_history h join run on run.id = h.run_id where run.project_id = ${projectId}`,
    );
    expect(history.length).toBe(0);
  });

  it.each([
    ['a name', { 'gen_ai.evaluation.name': ' ' }, {}, 'must have gen_ai.evaluation.name'],
    ['a short name', { 'gen_ai.evaluation.name': 'x'.repeat(257) }, {}, 'at most 256 characters'],
    ['a place', { 'gen_ai.evaluation.name': 'A' }, { traceId: '', spanId: '' }, 'the id of a trace, or'],
    ['a whole trace id', { 'gen_ai.evaluation.name': 'A' }, { traceId: 'abcd' }, '16 bytes'],
  ])('without %s is refused with the reason', async (_, attributes, place, reason) => {
    const wrong = { name, attributes, traceId, n: 1, ...place };
    const refused = await sendLogs([wrong]);
    expect([refused.status, refused.message]).toEqual([400, expect.stringContaining(reason)]);
    const { partialSuccess } = await sendLogs([wrong, { ...helpful, traceId, n: 1 }]);
    expect(partialSuccess.rejectedLogRecords).toBe('1');
    expect(partialSuccess.errorMessage).toContain(reason);
  });

  it('of a span that has no name is said', async () => {
    const answer = await post(app, own.key, requestOf([root({ events: [{ name }] })], named()));
    expect(String(answer.body)).toContain('1 span: its evaluation has no score: an evaluation must have');
  });

  it('that waited too long is deleted, and the audit log says so', async () => {
    await sendLogs([{ ...helpful, traceId, n: 1 }]);
    await app.db.transaction(
      system,
      (tx) => tx`
        update waiting_event set created_at = now() - interval '8 days' where project_id = ${projectId}`,
    );
    await sendLogs([{ ...helpful, traceId: newTraceId(), n: 1 }]);
    expect(await waiting()).toBe(1);
    const { data } = await ok(own.api('GET', `/audit-events?projectId=${projectId}`));
    expect(data.find(({ operation }: { operation: string }) => operation === 'dropEvents')).toMatchObject({
      details: { eventsWithoutTrace: 1 },
    });
  });
});

it('other log records are not stored, and the answer counts them', async () => {
  const answer = await sendLogs([{ name: '' }, { name: 'app.started', traceId, n: 1 }]);
  const errorMessage = `2 log records: only the events ${name} and gen_ai.client.inference.operation.details are stored`;
  expect(answer).toEqual({ status: 200, partialSuccess: { rejectedLogRecords: '2', errorMessage } });
  expect(await sendLogs([])).toEqual({ status: 200 });
});

it('another organization can not reach the trace', async () => {
  const other = await app.organization();
  await createProject(other.api);
  await sendSpans([root()]);
  await post(app, other.key, logsOf([{ ...helpful, traceId, n: 1 }], named()), {}, '/otel/v1/logs');
  await post(app, other.key, logsOf([{ ...helpful, traceId, n: 1 }]), {}, '/otel/v1/logs');
  await sendSpans([root({ n: 2 })]);
  expect(await scores()).toEqual({});
});

it('a metric of spans of that name is left alone: the score is of the record', async () => {
  const fields = { evalType: 'heuristic', outputType: 'float', spans: 'name:agent' } as const;
  await ok(own.api('POST', `/projects/${projectId}/metrics`, { name: 'Helpful', ...fields }), 201);
  await sendSpans([root()]);
  expect((await sendLogs([{ ...helpful, traceId, n: 1 }])).status).toBe(200);
  expect(await scores()).toMatchObject({ Helpful: { state: 'scored', score: { floatScore: 0.25 } } });
  expect(await metrics()).toHaveLength(2);
});
