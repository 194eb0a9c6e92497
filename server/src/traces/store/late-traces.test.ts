import { beforeEach, describe, expect, it } from 'vitest';
import { createProject, ok } from '../../../test/fixtures.ts';
import { openApp } from '../../../test/opened.ts';
import { newTraceId, post, requestOf, type TestSpan } from '../../../test/otlp.ts';
import { countDueHour } from '../../insights/series/count-hours.ts';
import { markChangedHours } from '../../insights/series/mark-hours.ts';

const { app, own } = await openApp();
let projectId: string;

beforeEach(async () => {
  projectId = (await createProject(own.api)).id;
});

const dayMs = 86_400_000;
const noon = (daysAgo: number) => (Math.floor(Date.now() / dayMs) - daysAgo) * dayMs + dayMs / 2;
const iso = (ms: number) => new Date(ms).toISOString();
const nano = (ms: number) => String(BigInt(ms) * 1_000_000n);

const send = async (...spans: TestSpan[]): Promise<string> => {
  const { status, body } = await post(app, own.key, requestOf(spans, { 'dokima.project_id': projectId }));
  expect(status).toBe(200);
  return JSON.parse(String(body)).partialSuccess?.errorMessage ?? '';
};
const chat = (startMs: number, rest: Partial<TestSpan> = {}): TestSpan => ({
  traceId: newTraceId(),
  n: 1,
  startTimeUnixNano: nano(startMs),
  endTimeUnixNano: nano(startMs + 100),
  ...rest,
  attributes: {
    'gen_ai.operation.name': 'chat',
    'gen_ai.usage.input_tokens': 10,
    'gen_ai.usage.output_tokens': 0,
    'gen_ai.usage.cost': 0.5,
    ...rest.attributes,
  },
});

/** Does what the chore does until nothing is due. */
const count = async () => {
  await markChangedHours(app.db);
  while (await countDueHour(app.db));
};
/** Records and cost by day, as a dashboard shows them. */
const days = async () => {
  const { groups } = await ok(
    own.api('GET', `/projects/${projectId}/series?bucket=day&createdAfter=${iso(Date.now() - 9 * dayMs)}`),
  );
  type Point = { start: string; numRecords: number; cost: { sum: number | null } };
  const points: Point[] = groups[0]?.points ?? [];
  return points
    .filter(({ numRecords }) => numRecords > 0)
    .map(({ start, numRecords, cost }) => [start.slice(0, 10), numRecords, cost.sum]);
};
const day = (daysAgo: number) => iso(noon(daysAgo)).slice(0, 10);
const records = async () => (await ok(own.api('GET', `/projects/${projectId}/records`))).data;

describe('traces that arrive late', () => {
  it('are counted on the days on which they happened, also when their hours were counted before', async () => {
    await send(chat(noon(5)), chat(noon(3)), chat(noon(3) + 1));
    await count();
    expect(await days()).toEqual([
      [day(5), 1, 0.5],
      [day(3), 2, 1],
    ]);
    await send(chat(noon(5) + 60_000));
    await count();
    expect(await days()).toEqual([
      [day(5), 2, 1],
      [day(3), 2, 1],
    ]);
  });

  it('count with the spans that come later still', async () => {
    const first = chat(noon(4));
    await send(first);
    await count();
    await send({ ...chat(noon(4) + 10), traceId: first.traceId, n: 2 });
    await count();
    expect(await days()).toEqual([[day(4), 1, 1]]);
  });

  it('have records with the time when the first trace began, in any order of arrival', async () => {
    const session = { attributes: { 'session.id': 's' } };
    const turns = [noon(6), noon(4), noon(2)].map((ms) => chat(ms, session));
    for (const order of [
      [0, 1, 2],
      [2, 1, 0],
      [1, 2, 0],
    ]) {
      projectId = (await createProject(own.api)).id;
      for (const i of order) {
        await send({ ...turns[i]!, traceId: newTraceId() });
        await count();
      }
      expect(await records()).toMatchObject([{ createdAt: iso(noon(6)) }]);
      expect(await days()).toEqual([[day(6), 1, 1.5]]);
    }
  });

  it('have the time of their root, which comes last', async () => {
    const traceId = newTraceId();
    await send(chat(noon(3) + 5_000, { traceId, n: 2, parent: 1 }));
    await send({ traceId, n: 1, startTimeUnixNano: nano(noon(3) - dayMs), endTimeUnixNano: nano(noon(3)) });
    await count();
    expect(await records()).toMatchObject([{ createdAt: iso(noon(2 + 2)) }]);
    expect(await days()).toEqual([[day(4), 1, 0.5]]);
  });

  it('without a start that can be right are counted when they arrive', async () => {
    const begun = Date.now();
    await send(chat(1_000), chat(begun + 3 * dayMs));
    for (const { createdAt } of await records())
      expect(Date.parse(createdAt)).toBeGreaterThanOrEqual(begun - 1);
  });

  it('are said to be too old for the project', async () => {
    await ok(own.api('PATCH', `/projects/${projectId}/settings`, { recordDays: 5 }));
    expect(await send(chat(noon(3)))).toBe('');
    expect(await send(chat(noon(8)), chat(noon(3)))).toBe(
      `1 span: older than the 5 days for which project ${projectId} keeps records, so its record may soon be deleted`,
    );
    expect(await ok(own.api('GET', `/projects/${projectId}/retention/preview`))).toMatchObject({
      numRecords: 1,
    });
  });
});

describe('a trace of several services', () => {
  const message = (role: string, content: string) =>
    JSON.stringify([{ role, parts: [{ type: 'text', content }] }]);
  const said = (input: string, output: string, operation = 'invoke_agent') => ({
    'gen_ai.operation.name': operation,
    'gen_ai.input.messages': message('user', input),
    'gen_ai.output.messages': message('assistant', output),
  });
  const at = (n: number, from: number, to: number, rest: Partial<TestSpan>): TestSpan => ({
    traceId: '',
    n,
    startTimeUnixNano: nano(noon(1) + from),
    endTimeUnixNano: nano(noon(1) + to),
    ...rest,
  });
  /** A front with an agent, whose tool calls an agent of another service; the second agent has other inputs, and a call that fails. */
  const front = (hasRoot: boolean) => [
    ...(hasRoot ? [at(1, 0, 9_000, { name: 'POST /chat', kind: 2 })] : []),
    at(2, 1, 8_900, { name: 'travel', parent: 1, attributes: said('Book a trip to Oslo.', 'It is booked.') }),
    at(3, 10, 8_000, {
      name: 'execute_tool book',
      parent: 2,
      attributes: {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': 'book',
        'gen_ai.tool.call.arguments': '{"to":"Oslo"}',
        'gen_ai.tool.call.result': 'seat 4',
      },
    }),
  ];
  const back = [
    at(4, 20, 7_900, {
      name: 'POST /book',
      parent: 3,
      kind: 2,
      attributes: { 'input.value': '{"seat":"any"}' },
    }),
    at(5, 30, 7_800, { name: 'seats', parent: 4, attributes: said('Which seat is free?', 'Seat 4.') }),
    at(6, 40, 7_000, {
      name: 'chat',
      parent: 5,
      attributes: { ...said('Which seat is free?', 'Seat 4.', 'chat'), 'gen_ai.usage.cost': 0.25 },
    }),
    at(7, 50, 60, { name: 'execute_tool seats', parent: 5, status: { code: 2, message: 'busy' } }),
  ];

  it.each([true, false])(
    'is one record with the inputs of the front, in any order of arrival (with its root: %s)',
    async (hasRoot) => {
      const seen: string[] = [];
      const [a, b] = [front(hasRoot), back];
      for (const parts of [
        [a, b],
        [b, a],
        [[a[0]!], b, a.slice(1)],
        [...b.map((span) => [span]), ...a.map((span) => [span])],
      ]) {
        projectId = (await createProject(own.api)).id;
        const traceId = newTraceId();
        for (const part of parts) {
          const service = part.some((span) => b.includes(span)) ? 'back' : 'front';
          const spans = part.map((span) => ({ ...span, traceId }));
          await post(
            app,
            own.key,
            requestOf(spans, { 'dokima.project_id': projectId, 'service.name': service }),
          );
        }
        const all = await records();
        expect(all).toHaveLength(1);
        const { id, inputs, outputs, measures, createdAt } = all[0];
        const { data } = await ok(own.api('GET', `/records/${id}/conversation`));
        const conversation = data.map(({ role, content }: { role: string; content: string }) => [
          role,
          content,
        ]);
        seen.push(JSON.stringify({ inputs, outputs, measures, createdAt, conversation }));
      }
      expect(JSON.parse(seen[0]!)).toMatchObject({
        inputs: { input: 'Book a trip to Oslo.' },
        outputs: { output: 'It is booked.' },
        measures: { costUsd: 0.25 },
      });
      expect(new Set(seen).size).toBe(1);
    },
  );
});
