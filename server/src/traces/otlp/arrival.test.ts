import { beforeEach, describe, expect, it } from 'vitest';
import { createProject, ok } from '../../../test/fixtures.ts';
import { openApp } from '../../../test/opened.ts';
import { newTraceId, post, requestOf, type TestSpan } from '../../../test/otlp.ts';
import { system } from '../../platform/db/database.ts';
import { purgeTraces } from '../retention/purge-traces.ts';

/** Spans that arrive concurrently, in another order, or while their parents are deleted. */

const { app, own } = await openApp({});
let projectId: string;

beforeEach(async () => {
  projectId = (await createProject(own.api)).id;
});

const send = async (spans: TestSpan[]) => {
  const { status, body } = await post(app, own.key, requestOf(spans, { 'dokima.project_id': projectId }));
  expect(`${status} ${body}`).toBe('200 {}');
};
const records = async () => (await ok(own.api('GET', `/projects/${projectId}/records?limit=100`))).data;

describe('the record of a session', () => {
  it('has what its session’s traces bring at once, in their own requests', async () => {
    for (let round = 0; round < 5; round++) {
      const session = { 'session.id': `s${round}` };
      const [asks, answers] = [newTraceId(), newTraceId()];
      for (const id of [asks, answers])
        await send([{ traceId: id, n: 2, parent: 1, name: 'step', attributes: session }]);
      await Promise.all([
        send([{ traceId: asks, n: 1, attributes: { ...session, 'input.value': 'asked' } }]),
        send([{ traceId: answers, n: 1, at: 500, attributes: { ...session, 'output.value': 'answered' } }]),
      ]);
      expect(await records()).toMatchObject([
        { inputs: { input: 'asked' }, outputs: { output: 'answered' }, sessionId: `s${round}` },
      ]);
      await ok(own.api('DELETE', `/records/${(await records())[0].id}`));
    }
  });

  it('may be deleted, or its run, while spans come: they are taken, and have a record again', async () => {
    for (let round = 0; round < 6; round++) {
      const session = { 'session.id': `s${round}` };
      const of = (n: number): TestSpan => ({ traceId: newTraceId(), n, at: n, attributes: session });
      await send([{ traceId: newTraceId(), n: 1, attributes: session }]);
      const [runId] = (await records())[0].id.split('-');
      const path = round % 2 === 0 ? `/records/${(await records())[0].id}` : `/runs/${runId}`;
      const early = [2, 3, 4].map((n) => send([of(n), of(n)]));
      const gone = own.api('DELETE', path);
      const late = [5, 6, 7].map((n) => send([of(n), of(n)]));
      await Promise.all([...early, ...late]);
      // A deletion that met them in the middle may have to be sent again; spans are never lost.
      const { status } = await gone;
      expect([200, 503]).toContain(status);
      if (status === 503) await ok(own.api('DELETE', path));
      await send([{ traceId: newTraceId(), n: 1, attributes: session }]);
      const left = await records();
      expect(left.map((record: { sessionId: string }) => record.sessionId)).toEqual([`s${round}`]);
      await ok(own.api('DELETE', `/records/${left[0].id}`));
    }
  });
});

describe('the order of arrival', () => {
  const permutations = <T>(list: T[]): T[][] =>
    list.length < 2
      ? [list]
      : list.flatMap((item, i) =>
          permutations([...list.slice(0, i), ...list.slice(i + 1)]).map((rest) => [item, ...rest]),
        );
  const state = async () => {
    const all = await records();
    return all
      .map(({ inputs, outputs, sessionId, tags }: Record<string, unknown>) =>
        JSON.stringify({ inputs, outputs, sessionId, tags: (tags as string[]).toSorted() }),
      )
      .sort();
  };

  it.each<[string, (one: string, two: string) => TestSpan[]]>([
    [
      'a session that is said last',
      (one, two) => [
        { traceId: one, n: 1, attributes: { tags: ['x'], 'input.value': 'in' } },
        { traceId: one, n: 2, parent: 1, attributes: { 'session.id': 's' } },
        {
          traceId: two,
          n: 3,
          at: 100,
          attributes: { 'session.id': 's', tags: ['y'], 'output.value': 'out' },
        },
      ],
    ],
    [
      'a link that comes after the session',
      (one, two) => [
        { traceId: one, n: 1, attributes: { tags: ['x', 'both'], 'session.id': 's', 'input.value': '1' } },
        {
          traceId: two,
          n: 2,
          at: 100,
          attributes: { tags: ['both'], 'session.id': 's', 'input.value': '2' },
        },
        { traceId: one, n: 3, parent: 1, attributes: { 'dokima.otel_link_id': 'l' } },
      ],
    ],
    [
      'a trace of two sessions',
      (one, two) => [
        { traceId: one, n: 1, attributes: { 'session.id': 'z', tags: ['1'] } },
        { traceId: one, n: 2, attributes: { 'session.id': 'b', tags: ['2'] } },
        { traceId: two, n: 3, attributes: { 'session.id': 'z', 'input.value': 'x', tags: ['3'] } },
      ],
    ],
  ])('makes no difference to %s', async (_, spansOf) => {
    const found = new Map<string, number[][]>();
    for (const order of permutations([0, 1, 2])) {
      projectId = (await createProject(own.api)).id;
      const spans = spansOf(newTraceId(), newTraceId());
      for (const i of order) await send([spans[i]!]);
      const text = (await state()).join('\n');
      found.set(text, [...(found.get(text) ?? []), order]);
    }
    expect([...found]).toHaveLength(1);
    expect([...found.keys()][0]).not.toBe('');
  });
});

describe('a session after one of its traces is deleted', () => {
  const session = { 'session.id': 's' };
  const of = (traceId: string, said: string, at: number): TestSpan => ({
    traceId,
    n: 1,
    at,
    attributes: { ...session, 'input.value': said, 'output.value': said, tags: [said, 'both'] },
  });
  const left = { inputs: { input: 'kept' }, outputs: { output: 'kept' }, tags: ['both', 'kept'] };

  it.each([0, 1_000])('keeps nothing of what that said, first or last (%i)', async (at) => {
    const secret = newTraceId();
    await send([of(secret, 'secret', at)]);
    await send([of(newTraceId(), 'kept', 500)]);
    await ok(own.api('DELETE', `/projects/${projectId}/traces/${secret}`));
    const [record, ...others] = await records();
    expect(others).toEqual([]);
    expect({ ...record, tags: record.tags.toSorted() }).toMatchObject(left);
    expect(JSON.stringify(record)).not.toContain('secret');
  });

  it('because it was too old, likewise', async () => {
    const secret = newTraceId();
    await send([of(secret, 'secret', 0)]);
    await send([of(newTraceId(), 'kept', 500)]);
    await ok(own.api('PATCH', `/projects/${projectId}/settings`, { traceDays: 7 }));
    await app.db.transaction(system, async (tx) => {
      await tx`update trace set created_at = now() - interval '8 days' where otel_id = ${Buffer.from(secret, 'hex')}`;
      await purgeTraces(tx);
    });
    const [record] = await records();
    expect({ ...record, tags: record.tags.toSorted() }).toMatchObject(left);
  });
});
