import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createProject, createRecord, createRun, ok } from '../../../test/fixtures.ts';
import { openApp } from '../../../test/opened.ts';

const { own } = await openApp();
let recordId: string;
let projectId: string;
let reviewerId: string;

beforeAll(async () => {
  const reviewer = { name: 'R', email: 'r@example.org', role: 'viewer' };
  reviewerId = (await ok(own.api('POST', '/members', reviewer), 201)).id;
});
beforeEach(async () => {
  projectId = (await createProject(own.api)).id;
  recordId = (await createRecord(own.api, (await createRun(own.api, projectId, [])).id)).id;
});

const assign = (assigneeUserId: unknown) =>
  own.api('POST', `/records/${recordId}/assignees`, { assigneeUserId });
const unassign = (userId: string) => own.api('DELETE', `/records/${recordId}/assignees/${userId}`);
const list = async () => (await ok(own.api('GET', `/records/${recordId}/assignees`))).data;

describe('a record', () => {
  it('201 is assigned to several people, first assigned first, and says by whom', async () => {
    const first = await ok(assign(reviewerId), 201);
    const second = await ok(assign(own.memberId), 201);
    expect(first).toMatchObject({ recordId, assigneeUserId: reviewerId, assignedByUserId: own.memberId });
    expect(await list()).toEqual([first, second]);
  });

  it('201 for an assignment that is there is that one, made many times at once too', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => ok(assign(reviewerId), 201)));
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    expect(await list()).toHaveLength(1);
  });

  it('is found by its assignee', async () => {
    const others = await createRecord(own.api, recordId.split('-')[0]!);
    await ok(own.api('POST', `/records/${others.id}/assignees`, { assigneeUserId: own.memberId }), 201);
    await ok(assign(reviewerId), 201);
    const { data } = await ok(own.api('GET', `/projects/${projectId}/records?assigneeUserId=${reviewerId}`));
    expect(data.map(({ id }: { id: string }) => id)).toEqual([recordId]);
    expect(data[0].assigneeUserIds).toEqual([reviewerId]);
  });

  it('is taken from one and stays with the others; again is fine and says 0', async () => {
    await ok(assign(reviewerId), 201);
    const kept = await ok(assign(own.memberId), 201);
    expect(await ok(unassign(reviewerId))).toEqual({ deleted: 1 });
    expect(await list()).toEqual([kept]);
    expect(await ok(unassign(reviewerId))).toEqual({ deleted: 0 });
  });

  it('404 for an id of no member, 400 without an id', async () => {
    for (const unknown of ['01890000-0000-7000-8000-000000000000', 'unknown', ''])
      expect((await assign(unknown)).status).toBe(404);
    for (const nothing of [undefined, null, 7]) expect((await assign(nothing)).status).toBe(400);
    expect(await list()).toEqual([]);
  });
});
