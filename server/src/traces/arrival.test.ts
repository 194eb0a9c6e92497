import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createProject, ok } from '../../test/fixtures.ts';
import { type Organization, startApp, type TestApp } from '../../test/harness.ts';
import { newTraceId, post, requestOf, type TestSpan } from '../../test/otlp.ts';

/** Spans that arrive at the same time as others, in another order, or while what they belong to goes. */

let app: TestApp;
let own: Organization;
let projectId: string;

beforeAll(async () => {
  app = await startApp();
  own = await app.organization();
});
afterAll(() => app.close());
beforeEach(async () => {
  projectId = (await createProject(own.api)).id;
});

const send = async (spans: TestSpan[]) => {
  const { status, body } = await post(app, own.key, requestOf(spans, { 'dokima.project_id': projectId }));
  expect(`${status} ${body}`).toBe('200 {}');
};
const records = async () => (await ok(own.api('GET', `/projects/${projectId}/records?limit=100`))).data;

describe('the record of a session', () => {
  it('has what its session’s traces bring at once, in requests of their own', async () => {
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
