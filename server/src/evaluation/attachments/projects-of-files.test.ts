import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { exportLines, importNew, linesOf, type Row, rowsOfPart } from '../../../test/archive-lines.ts';
import { createProject, createRecord, createRun, ok } from '../../../test/fixtures.ts';
import type { Client } from '../../../test/harness.ts';
import { openApp } from '../../../test/opened.ts';
import { newTraceId, post, requestOf } from '../../../test/otlp.ts';
import { deleteDeletion, insertDeletion } from '../deletions/queries.ts';

/** An attachment belongs to a project; the id of its session is a label in this project and gives nothing to other projects. */

const { app, own } = await openApp();
let url: string;
beforeAll(async () => {
  url = await app.url();
});

let made = 0;
const newSession = () => `session ${++made}`;
const content = () => `hidden bytes ${++made}`;

const declare = (api: Client, sessionId: string, text: string, fields: Record<string, unknown> = {}) =>
  api('POST', '/attachments', {
    sessionId,
    filePath: 'a/b.txt',
    sha256: createHash('sha256').update(text).digest('hex'),
    sizeBytes: Buffer.byteLength(text),
    contentType: 'text/plain',
    ...fields,
  });
const upload = async (
  api: Client,
  sessionId: string,
  text = content(),
  fields: Record<string, unknown> = {},
) => {
  const { id, uploadUrl } = await ok(declare(api, sessionId, text, fields), 201);
  const link = `${url}${uploadUrl.slice(uploadUrl.indexOf('/api/v2'))}`;
  expect((await fetch(link, { method: 'PUT', body: text })).status).toBe(200);
  return id as string;
};
const listed = async (api: Client, sessionId: string, projectId?: string): Promise<string[]> => {
  const query = projectId === undefined ? '' : `?projectId=${projectId}`;
  const { data } = await ok(api('GET', `/sessions/${encodeURIComponent(sessionId)}/attachments${query}`));
  return data.map(({ id }: { id: string }) => id);
};
const status = async (api: Client, id: string) => (await api('GET', `/attachments/${id}`)).status;
const send = (key: string, projectId: string, attributes: Record<string, string>) =>
  post(
    app,
    key,
    requestOf([{ traceId: newTraceId(), n: 1, attributes }], { 'dokima.project_id': projectId }),
  );

/** A restricted project of a member, with a record of a session and its file, and a member of the organization who is outside. */
const hiddenProject = async () => {
  const insider = await own.person();
  const outsider = await own.person();
  const { id: projectId } = await createProject(own.api);
  await ok(own.api('PATCH', `/projects/${projectId}/settings`, { restricted: true }));
  await ok(own.api('PUT', `/projects/${projectId}/members/${insider.id}`, { role: 'member' }));
  const sessionId = newSession();
  const run = await createRun(insider.api, projectId, []);
  const record = await createRecord(insider.api, run.id, { sessionId });
  const text = content();
  const fileId = await upload(insider.api, sessionId, text);
  const { id: openId } = await createProject(outsider.api);
  const openRun = await createRun(outsider.api, openId, []);
  return { insider, outsider, projectId, sessionId, run, record, text, fileId, openId, openRun };
};
type Hidden = Awaited<ReturnType<typeof hiddenProject>>;

const plain = { inputs: {}, outputs: {}, expected: {} };
/** The rows of an archive with a record of a session. */
const archiveOf = async ({ outsider, openId, openRun }: Hidden, sessionId: string): Promise<Row[]> => {
  const ownSession = newSession();
  await createRecord(outsider.api, openRun.id, { sessionId: ownSession });
  const archive = await exportLines(outsider.api, openId);
  return rowsOfPart(archive.replaceAll(`"${ownSession}"`, JSON.stringify(sessionId)));
};

/** Each way in which a member outside can store the id of a session in a project of theirs. */
const plants: Record<string, (hidden: Hidden) => Promise<unknown>> = {
  'a record': ({ outsider, openRun, sessionId }) =>
    outsider.api('POST', `/runs/${openRun.id}/records`, { ...plain, sessionId }),
  'an item of a bulk create': ({ outsider, openRun, sessionId }) =>
    ok(
      outsider.api('POST', `/runs/${openRun.id}/records/bulk-create`, { items: [{ ...plain, sessionId }] }),
      201,
    ),
  'an attribute of a span': ({ outsider, openId, sessionId }) =>
    send(outsider.key, openId, { 'session.id': sessionId }),
  'an attribute of a resource': ({ outsider, openId, sessionId }) =>
    post(
      app,
      outsider.key,
      requestOf([{ traceId: newTraceId(), n: 1 }], { 'dokima.project_id': openId, 'session.id': sessionId }),
    ),
  'another convention of a span': ({ outsider, openId, sessionId }) =>
    send(outsider.key, openId, { 'gen_ai.conversation.id': sessionId }),
  'a record of an archive': async (hidden) => {
    const { outsider, sessionId } = hidden;
    await importNew(outsider.api, linesOf(await archiveOf(hidden, sessionId)));
  },
  'an attachment of an archive': async (hidden) => {
    const { outsider, sessionId } = hidden;
    const text = 'planted';
    const row = {
      part: 'attachment',
      id: '019b0000-0000-7000-8000-000000000001',
      session_id: sessionId,
      file_path: 'planted.txt',
      content_type: 'text/plain',
      size_bytes: text.length,
      sha256: createHash('sha256').update(text).digest('hex'),
    };
    const bytes = { part: 'bytes', base64: Buffer.from(text).toString('base64') };
    const rows = await archiveOf(hidden, sessionId);
    await importNew(outsider.api, linesOf([...rows.slice(0, -1), row, bytes, ...rows.slice(-1)]));
  },
  'a declaration': ({ outsider, sessionId }) => declare(outsider.api, sessionId, 'planted'),
  'a declaration in an own project': ({ outsider, sessionId, openId }) =>
    declare(outsider.api, sessionId, 'planted', { projectId: openId }),
};

describe('files of a restricted project', () => {
  it.each(Object.keys(plants))(
    'are not read, planted or locked away by %s with their session',
    async (name) => {
      const hidden = await hiddenProject();
      const { insider, outsider, sessionId, fileId, text, projectId } = hidden;
      await plants[name]!(hidden);
      expect(await status(outsider.api, fileId)).toBe(404);
      expect(await listed(outsider.api, sessionId)).not.toContain(fileId);
      for (const { id } of (await ok(outsider.api('GET', '/projects?limit=100'))).data) {
        const archive = await exportLines(outsider.api, id);
        expect(archive).not.toContain(fileId);
        expect(archive).not.toContain(Buffer.from(text).toString('base64'));
        await ok(own.api('PATCH', `/projects/${id}/settings`, { restricted: true }));
      }
      // The outsider's projects are restricted now: the insider still has the file, and no other.
      expect(await status(insider.api, fileId)).toBe(200);
      expect(await listed(insider.api, sessionId)).toEqual([fileId]);
      expect(await listed(own.api, sessionId, projectId)).toEqual([fileId]);
    },
  );

  it('without a record or trace are listed for admins alone, wherever they are, until they get one', async () => {
    const { insider, outsider, sessionId, fileId, projectId, run } = await hiddenProject();
    const early = newSession();
    const inProject = await upload(insider.api, early, content(), { projectId });
    const without = await upload(insider.api, newSession());
    const orphans = async (api = own.api) => (await ok(api('GET', '/attachments/orphans?limit=100'))).data;
    const idsOf = (files: { id: string }[]) => files.map(({ id }) => id);
    const listed = await orphans();
    expect(idsOf(listed)).toEqual(expect.arrayContaining([inProject, without]));
    expect(idsOf(listed)).not.toContain(fileId);
    expect(listed.find(({ id }: { id: string }) => id === inProject)).toMatchObject({
      projectId,
      createdByUserId: insider.id,
    });
    expect(listed.find(({ id }: { id: string }) => id === without).projectId).toBe(null);
    for (const { api } of [insider, outsider])
      expect((await api('GET', '/attachments/orphans')).status).toBe(403);
    await createRecord(insider.api, run.id, { sessionId: early });
    await ok(own.api('DELETE', `/attachments/${without}`));
    const left = idsOf(await orphans());
    expect(left).not.toContain(inProject);
    expect(left).not.toContain(without);
    expect(await status(insider.api, fileId)).toBe(200);
    expect(sessionId).not.toBe(early);
  });

  it.each(['project', 'run'] as const)(
    'are not listed, read or downloaded while their %s is being deleted in slices',
    async (root) => {
      const { projectId, run, sessionId, fileId } = await hiddenProject();
      const { downloadUrl } = await ok(own.api('GET', `/attachments/${fileId}`));
      const link = `${url}${downloadUrl.slice(downloadUrl.indexOf('/api/v2'))}`;
      const id = BigInt(root === 'project' ? projectId : run.id);
      await app.db.transaction(own, (tx) => insertDeletion(tx, own, root, id));
      expect(await listed(own.api, sessionId)).toEqual([]);
      expect(await status(own.api, fileId)).toBe(404);
      expect((await fetch(link)).status).toBe(404);
      const deletion = { organizationId: own.organizationId, root, id };
      await app.db.transaction(own, (tx) => deleteDeletion(tx, deletion));
      expect(await listed(own.api, sessionId)).toEqual([fileId]);
    },
  );

  it('are readable by no other member once their record, run or project is deleted', async () => {
    const viewer = await own.person();
    for (const path of ['records', 'runs', 'projects'] as const) {
      const { record, run, projectId, sessionId, fileId } = await hiddenProject();
      const id = { records: record.id, runs: run.id, projects: projectId }[path];
      expect(await status(viewer.api, fileId)).toBe(404);
      await ok(own.api('DELETE', `/${path}/${id}`));
      expect(await status(viewer.api, fileId)).toBe(404);
      expect(await listed(viewer.api, sessionId)).toEqual([]);
    }
  });
});
