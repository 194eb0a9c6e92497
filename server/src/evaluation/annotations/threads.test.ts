import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createProject, createRecord, createRun, ok } from '../../../test/fixtures.ts';
import type { Client } from '../../../test/harness.ts';
import { openApp } from '../../../test/opened.ts';
import { insertKey } from '../../accounts/keys/queries.ts';
import { newUuid } from '../../platform/http/ids.ts';

const { app, own } = await openApp();
let member: { id: string; api: Client };
let path: string;
let annotation: { id: string };

beforeAll(async () => {
  const body = { name: 'M', email: 'm@example.org', role: 'member' };
  const { id } = await ok(own.api('POST', '/members', body), 201);
  const key = `ak_${newUuid()}`;
  const theirs = { organizationId: own.organizationId, memberId: id };
  await app.db.transaction(own, (tx) =>
    insertKey(tx, theirs, newUuid(), key, { name: 'K', access: 'full', expiresAt: null }),
  );
  member = { id, api: own.as(key) };
});
beforeEach(async () => {
  const project = await createProject(own.api);
  const record = await createRecord(own.api, (await createRun(own.api, project.id, [])).id);
  path = `/records/${record.id}`;
  annotation = await annotate();
});

const annotate = () => ok(own.api('POST', `${path}/annotations`, { rating: false, comment: 'Why?' }), 201);
const answer = (api: Client, comment: string) =>
  ok(api('POST', `${path}/annotations/${annotation.id}/replies`, { comment }), 201);
const threads = async () => (await ok(own.api('GET', `${path}/threads`))).data;
const resolve = (api: Client, resolved: boolean) =>
  ok(api('PUT', `${path}/annotations/${annotation.id}/resolution`, { resolved }));
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe('GET /records/:recordId/threads', () => {
  it('has the annotations that were answered or settled, each with its answers in their order, and no other', async () => {
    expect(await threads()).toEqual([]);
    const first = await answer(own.api, 'Because.');
    const second = await answer(member.api, ' \u{1f600}\nbut ');
    const settled = await annotate();
    await annotate();
    await ok(own.api('PUT', `${path}/annotations/${settled.id}/resolution`, { resolved: true }));
    expect(await threads()).toEqual([
      { annotationId: annotation.id, resolvedAt: null, resolvedByUserId: null, replies: [first, second] },
      { annotationId: settled.id, resolvedAt: time, resolvedByUserId: own.memberId, replies: [] },
    ]);
    expect(second).toEqual({
      id: second.id,
      annotationId: annotation.id,
      comment: ' \u{1f600}\nbut ',
      userId: member.id,
      createdAt: time,
      updatedAt: null,
    });
  });

  it('comes in pages, each thread on one of them', async () => {
    const settled: string[] = [];
    for (const { id } of [annotation, await annotate(), await annotate()]) {
      await ok(own.api('PUT', `${path}/annotations/${id}/resolution`, { resolved: true }));
      settled.push(id);
    }
    const first = await ok(own.api('GET', `${path}/threads?limit=2`));
    const rest = await ok(own.api('GET', `${path}/threads?limit=2&cursor=${first.nextCursor}`));
    expect([first.hasMore, rest.hasMore]).toEqual([true, false]);
    const pages = [first, rest].map(({ data }) =>
      data.map((each: { annotationId: string }) => each.annotationId),
    );
    expect(pages).toEqual([settled.slice(0, 2), settled.slice(2)]);
  });

  it('404 for a record that is not there', async () => {
    expect((await own.api('GET', '/records/1-999999/threads')).status).toBe(404);
  });

  it('an annotation looks the same with answers as without', async () => {
    const before = (await ok(own.api('GET', `${path}/annotations`))).data;
    await answer(own.api, 'Because.');
    await resolve(own.api, true);
    expect((await ok(own.api('GET', `${path}/annotations`))).data).toEqual(before);
  });
});

describe('a settled thread', () => {
  it('keeps who settled it first, and is opened again', async () => {
    const settled = await resolve(member.api, true);
    expect(settled).toMatchObject({ resolvedAt: time, resolvedByUserId: member.id });
    expect(await resolve(own.api, true)).toEqual(settled);
    expect(await resolve(own.api, false)).toMatchObject({ resolvedAt: null, resolvedByUserId: null });
    expect(await threads()).toEqual([]);
  });
});

describe('a reply', () => {
  const at = ({ id }: { id: string }) => `${path}/annotations/${annotation.id}/replies/${id}`;

  it('is changed and deleted by its author and by admins; another member gets 403, and it stays as it was', async () => {
    const byAdmin = await answer(own.api, 'mine');
    for (const refused of [
      await member.api('PATCH', at(byAdmin), { comment: 'taken' }),
      await member.api('DELETE', at(byAdmin)),
    ]) {
      expect({ status: refused.status, code: refused.body.code }).toEqual({ status: 403, code: 'FORBIDDEN' });
    }
    const byMember = await answer(member.api, 'theirs');
    expect(await ok(own.api('PATCH', at(byMember), { comment: 'moderated' }))).toEqual({
      ...byMember,
      comment: 'moderated',
      updatedAt: time,
    });
    expect((await threads())[0].replies[0]).toEqual(byAdmin);
    await ok(member.api('DELETE', at(byMember)));
    await ok(own.api('DELETE', at(byAdmin)));
    expect(await threads()).toEqual([]);
    expect((await own.api('DELETE', at(byAdmin))).status).toBe(404);
  });

  it('goes with its annotation', async () => {
    const reply = await answer(own.api, 'Because.');
    await ok(own.api('DELETE', `${path}/annotations/${annotation.id}`));
    expect(await threads()).toEqual([]);
    expect((await own.api('PATCH', at(reply), { comment: 'x' })).status).toBe(404);
  });

  it('404 for an annotation that is not there, or is another record’s; 400 without a word', async () => {
    const replies = `${path}/annotations/${annotation.id}/replies`;
    const elsewhere = await createRecord(own.api, path.split('/')[2]!.split('-')[0]!);
    for (const wrong of [
      replies.replace(annotation.id, newUuid()),
      replies.replace(path, `/records/${elsewhere.id}`),
    ])
      expect((await own.api('POST', wrong, { comment: 'x' })).status).toBe(404);
    for (const body of [
      {},
      { comment: '' },
      { comment: 'a\0b' },
      { comment: 'x'.repeat(100_001) },
      { comment: 'x', rating: true },
    ])
      expect((await own.api('POST', replies, body)).status).toBe(400);
    expect(await threads()).toEqual([]);
  });
});
