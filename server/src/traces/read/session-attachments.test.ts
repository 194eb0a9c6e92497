import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { createProject, createRecord, createRun, ok } from '../../../test/fixtures.ts';
import { openApp } from '../../../test/opened.ts';
import { newTraceId, post, requestOf, type TestSpan } from '../../../test/otlp.ts';

/** A session's traces become one record, and its attachments are the session's: the record's `sessionId` joins the two. */

const { app, own } = await openApp();
let url: string;
beforeAll(async () => {
  url = await app.url();
});

let made = 0;
const newSession = () => `chat/${++made} ü`;

const upload = async (sessionId: string): Promise<string> => {
  const bytes = Buffer.from(`report of ${sessionId} ${++made}`);
  const file = {
    sessionId,
    filePath: `out/report-${made}.txt`,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    sizeBytes: bytes.length,
    contentType: 'text/plain',
  };
  const { id, uploadUrl } = await ok(own.api('POST', '/attachments', file), 201);
  const link = `${url}${uploadUrl.slice(uploadUrl.indexOf('/api/v2'))}`;
  expect((await fetch(link, { method: 'PUT', body: new Uint8Array(bytes) })).status).toBe(200);
  return id;
};
const send = async (projectId: string, spans: TestSpan[], { key } = own) => {
  const { status, body } = await post(app, key, requestOf(spans, { 'dokima.project_id': projectId }));
  expect(`${status} ${body}`).toBe('200 {}');
};
const traceOf = (sessionId: string, traceId = newTraceId()): TestSpan[] => [
  { traceId, n: 1, attributes: { 'input.value': 'in' } },
  { traceId, n: 2, parent: 1, attributes: { 'session.id': sessionId } },
];
const recordsOf = async (projectId: string, { api } = own): Promise<{ id: string; sessionId: string }[]> =>
  (await ok(api('GET', `/projects/${projectId}/records`))).data;
const attachmentsOf = (sessionId: string, { api } = own) =>
  api('GET', `/sessions/${encodeURIComponent(sessionId)}/attachments`);
/** The attachments of a project's only record, found as a client finds them: by the session that the record names. */
const attachmentsOfRecord = async (projectId: string): Promise<string[]> => {
  const [record, ...others] = await recordsOf(projectId);
  expect(others).toEqual([]);
  const { data } = await ok(attachmentsOf(record!.sessionId));
  return data.map(({ id }: { id: string }) => id);
};

describe('the attachments of a session', () => {
  it.each(['attachment, trace', 'trace, attachment', 'trace without its session, attachment, its session'])(
    'are those of the record that its traces became, whichever came first: %s',
    async (order) => {
      const projectId = (await createProject(own.api)).id;
      const sessionId = newSession();
      const [root, rest] = traceOf(sessionId);
      let id: string | undefined;
      if (order.startsWith('attachment')) id = await upload(sessionId);
      await send(projectId, order.startsWith('trace without') ? [root!] : [root!, rest!]);
      id ??= await upload(sessionId);
      await send(projectId, [rest!]);
      await send(projectId, traceOf(sessionId));
      expect(await attachmentsOfRecord(projectId)).toEqual([id]);
    },
  );

  it('are joined by the session’s id to the letter, blanks and case included', async () => {
    const projectId = (await createProject(own.api)).id;
    const sessionId = ` ${newSession()} A `;
    const id = await upload(sessionId);
    await send(projectId, traceOf(sessionId));
    expect(await attachmentsOfRecord(projectId)).toEqual([id]);
    expect((await recordsOf(projectId))[0]!.sessionId).toBe(sessionId);
    for (const other of [sessionId.trim(), sessionId.toLowerCase()])
      expect((await ok(attachmentsOf(other))).data).toEqual([]);
  });

  it.each(['record', 'trace', 'run'] as const)(
    'are deleted with the last record and trace of the session, when the %s is deleted',
    async (what) => {
      const projectId = (await createProject(own.api)).id;
      const sessionId = newSession();
      const run = await createRun(own.api, projectId, []);
      const other = await createRecord(own.api, run.id, { sessionId });
      const id = await upload(sessionId);
      const traceId = newTraceId();
      await send(projectId, traceOf(sessionId, traceId));
      const record = (await recordsOf(projectId)).find((each) => each.id !== other.id)!;
      const path = {
        record: `/records/${record.id}`,
        trace: `/projects/${projectId}/traces/${traceId}`,
        run: `/runs/${record.id.split('-')[0]}`,
      }[what];
      await ok(own.api('DELETE', path));
      expect((await ok(attachmentsOf(sessionId))).data).toMatchObject([{ id }]);
      await ok(own.api('DELETE', `/records/${other.id}`));
      expect((await own.api('GET', `/attachments/${id}`)).status).toBe(404);
      expect((await ok(attachmentsOf(sessionId))).data).toEqual([]);
    },
  );

  it('move with their trace from the project that took it to the project that a span names', async () => {
    const sessionId = newSession();
    const id = await upload(sessionId);
    const traceId = newTraceId();
    const [root, rest] = traceOf(sessionId, traceId);
    const { status } = await post(app, own.key, requestOf([rest!]));
    expect(status).toBe(200);
    const projectId = (await createProject(own.api)).id;
    await send(projectId, [root!]);
    const list = `/sessions/${encodeURIComponent(sessionId)}/attachments?projectId=${projectId}`;
    expect((await ok(own.api('GET', list))).data).toMatchObject([{ id }]);
  });

  it('one that is deleted leaves the record and the others', async () => {
    const projectId = (await createProject(own.api)).id;
    const sessionId = newSession();
    await send(projectId, traceOf(sessionId));
    const [first, second] = [await upload(sessionId), await upload(sessionId)];
    expect(await attachmentsOfRecord(projectId)).toEqual([second, first]);
    await ok(own.api('DELETE', `/attachments/${first}`));
    expect(await attachmentsOfRecord(projectId)).toEqual([second]);
    await ok(own.api('DELETE', `/attachments/${second}`));
    expect(await attachmentsOfRecord(projectId)).toEqual([]);
  });

  it('are also those of a record that was created with the session, and of a trace that is linked to that', async () => {
    const projectId = (await createProject(own.api)).id;
    const sessionId = newSession();
    const run = await createRun(own.api, projectId, []);
    const id = await upload(sessionId);
    const record = await createRecord(own.api, run.id, { sessionId, otelLinkId: 'l' });
    const traceId = newTraceId();
    const attributes = { 'session.id': sessionId, 'dokima.otel_link_id': 'l' };
    await send(projectId, [{ traceId, n: 1, attributes }]);
    expect(await attachmentsOfRecord(projectId)).toEqual([id]);
    expect((await ok(own.api('GET', `/records/${record.id}/spans`))).data).toMatchObject([{ traceId }]);
  });

  it('are not those of another organization’s record of a session of that name', async () => {
    const sessionId = newSession();
    await upload(sessionId);
    const other = await app.organization();
    const projectId = (await createProject(other.api)).id;
    await send(projectId, traceOf(sessionId), other);
    expect(await recordsOf(projectId, other)).toMatchObject([{ sessionId }]);
    expect((await ok(attachmentsOf(sessionId, other))).data).toEqual([]);
  });
});
