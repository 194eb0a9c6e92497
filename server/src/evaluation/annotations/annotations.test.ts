import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createProject, createRecord, createRun, ok } from '../../../test/fixtures.ts';
import type { Client } from '../../../test/harness.ts';
import { openApp } from '../../../test/opened.ts';
import { insertKey } from '../../accounts/keys/queries.ts';
import { newUuid } from '../../platform/http/ids.ts';

const { app, own } = await openApp();
let recordId: string;
/** A member who is not an admin. */
let member: { id: string; api: Client };

beforeAll(async () => {
  const { id } = await ok(
    own.api('POST', '/members', { name: 'M', email: 'm@example.org', role: 'member' }),
    201,
  );
  const key = `ak_${newUuid()}`;
  await app.db.transaction(own, (tx) =>
    insertKey(tx, { organizationId: own.organizationId, memberId: id }, newUuid(), key, {
      name: 'K',
      access: 'full',
      expiresAt: null,
    }),
  );
  member = { id, api: own.as(key) };
});
beforeEach(async () => {
  const project = await createProject(own.api);
  recordId = (await createRecord(own.api, (await createRun(own.api, project.id, [])).id)).id;
});

const annotate = (api: Client, fields: Record<string, unknown> = {}) =>
  ok(api('POST', `/records/${recordId}/annotations`, { rating: true, ...fields }), 201);
const list = async () => (await ok(own.api('GET', `/records/${recordId}/annotations`))).data;

describe('POST /records/:recordId/annotations', () => {
  it('201 has every field, an empty comment when none was given, and its author', async () => {
    const annotation = await annotate(member.api, { rating: false });
    expect(annotation).toEqual({
      id: annotation.id,
      recordId,
      spanId: null,
      rating: false,
      comment: '',
      userId: member.id,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect(Math.abs(Date.parse(annotation.createdAt) - Date.now())).toBeLessThan(60_000);
    expect(await list()).toEqual([annotation]);
  });

  it('keeps as many of one author as there are, oldest first, the comment as it was written', async () => {
    const comments = ['first', '  spaces\nand lines ', '<b>\u{1f600}</b>', 'x'.repeat(10_000)];
    for (const comment of comments) await annotate(own.api, { comment });
    expect((await list()).map(({ comment }: { comment: string }) => comment)).toEqual(comments);
  });

  it('keeps the passage that it is on, character by character, and leaves the field out where there is none', async () => {
    const passages = ['Paris', ' \n"quoted" \\ ', '\u{1f600}\u202e', '<b>{{ x }}</b>'].map((text, i) => ({
      path: ['/outputs/answer', '/outputs/a~1b/0/content', '/inputs/', '/expected/__proto__'][i],
      start: i * 1_000,
      text,
    }));
    for (const passage of passages) {
      const annotation = await annotate(own.api, { passage, comment: 'this' });
      expect(annotation.passage).toEqual(passage);
      expect(
        await ok(own.api('PATCH', `/records/${recordId}/annotations/${annotation.id}`, { comment: 'that' })),
      ).toEqual({ ...annotation, comment: 'that' });
    }
    await annotate(own.api);
    const listed = await list();
    expect(listed.slice(0, -1).map(({ passage }: { passage: object }) => passage)).toEqual(passages);
    expect(listed.at(-1)).not.toHaveProperty('passage');
  });

  it.each([
    [{}, '/rating'],
    [{ rating: 'yes' }, '/rating'],
    [{ rating: null }, '/rating'],
    [{ rating: true, comment: 1 }, '/comment'],
    [{ rating: true, comment: 'a\0b' }, '/comment'],
    [{ rating: true, spanId: 'no-span-of-it' }, '/spanId'],
    [{ rating: true, userId: 'someone' }, '/userId'],
    [{ rating: true, passage: 'Paris' }, '/passage'],
    [{ rating: true, passage: { path: '/outputs/a', start: 0 } }, '/passage/text'],
    [{ rating: true, passage: { path: '/outputs/a', start: 0, text: '' } }, '/passage/text'],
    [{ rating: true, passage: { path: '/outputs/a', start: 0, text: 'x'.repeat(10_001) } }, '/passage/text'],
    [{ rating: true, passage: { path: '/outputs/a', start: 0, text: 'a\0b' } }, '/passage/text'],
    [{ rating: true, passage: { path: '/outputs/a', start: -1, text: 'x' } }, '/passage/start'],
    [{ rating: true, passage: { path: '/outputs/a', start: 1.5, text: 'x' } }, '/passage/start'],
    [{ rating: true, passage: { path: 'outputs', start: 0, text: 'x' } }, '/passage/path'],
    [{ rating: true, passage: { path: '', start: 0, text: 'x' } }, '/passage/path'],
    [{ rating: true, passage: { path: 'x/', start: 0, text: 'x' } }, '/passage/path'],
    [{ rating: true, passage: { path: '/a', start: 0, text: 'x', end: 1 } }, '/passage/end'],
  ])('400 for %j', async (body, path) => {
    const answer = await own.api('POST', `/records/${recordId}/annotations`, body);
    expect(answer.status).toBe(400);
    expect(answer.body.details.issues[0].path).toBe(path);
    expect(await list()).toEqual([]);
  });

  it('400 for a pointer of millions of steps', async () => {
    const passage = { path: '/'.repeat(10_000_000), start: 0, text: 'x' };
    const answer = await own.api('POST', `/records/${recordId}/annotations`, { rating: true, passage });
    expect(answer.status).toBe(400);
    expect(answer.body.details.issues).toMatchObject([{ path: '/passage/path' }]);
  });

  it('takes a comment of 100,000 characters and none that is longer, when it is changed as well', async () => {
    const path = `/records/${recordId}/annotations`;
    const [longest, longer] = ['😀'.repeat(100_000), 'x'.repeat(100_001)];
    const { id } = await ok(own.api('POST', path, { rating: true, comment: longest }), 201);
    for (const [method, at] of [
      ['POST', path],
      ['PATCH', `${path}/${id}`],
    ] as const)
      expect((await own.api(method, at, { rating: true, comment: longer })).status).toBe(400);
    expect(await list()).toMatchObject([{ id, comment: longest }]);
  });

  it('404 for a record that is not there', async () => {
    expect((await own.api('POST', '/records/1-999999/annotations', { rating: true })).status).toBe(404);
  });
});

describe('PATCH and DELETE', () => {
  const path = ({ id }: { id: string }) => `/records/${recordId}/annotations/${id}`;

  it('change what is sent alone, and keep author and time', async () => {
    const annotation = await annotate(member.api, { comment: 'c' });
    expect(await ok(member.api('PATCH', path(annotation), { rating: false }))).toEqual({
      ...annotation,
      rating: false,
    });
    expect(await ok(member.api('PATCH', path(annotation), { comment: '' }))).toEqual({
      ...annotation,
      rating: false,
      comment: '',
    });
    expect((await member.api('PATCH', path(annotation), {})).status).toBe(400);
    expect((await member.api('PATCH', path(annotation), { spanId: null })).status).toBe(400);
  });

  it('are for the author and for admins: another member gets 403, and it stays as it was', async () => {
    const byAdmin = await annotate(own.api, { comment: 'mine' });
    for (const answer of [
      await member.api('PATCH', path(byAdmin), { rating: false }),
      await member.api('DELETE', path(byAdmin)),
    ]) {
      expect({ status: answer.status, code: answer.body.code }).toEqual({ status: 403, code: 'FORBIDDEN' });
    }
    expect(await list()).toEqual([byAdmin]);
    const byMember = await annotate(member.api);
    expect(await ok(own.api('PATCH', path(byMember), { comment: 'moderated' }))).toMatchObject({
      userId: member.id,
    });
    await ok(own.api('DELETE', path(byMember)));
    await ok(own.api('DELETE', path(byAdmin)));
    expect(await list()).toEqual([]);
    expect((await own.api('DELETE', path(byAdmin))).status).toBe(404);
  });

  it('404 under a record that is not its own', async () => {
    const annotation = await annotate(own.api);
    const elsewhere = await createRecord(own.api, recordId.split('-')[0]!);
    const wrong = `/records/${elsewhere.id}/annotations/${annotation.id}`;
    expect((await own.api('PATCH', wrong, { rating: false })).status).toBe(404);
    expect((await own.api('DELETE', wrong)).status).toBe(404);
    expect(await list()).toEqual([annotation]);
  });
});
