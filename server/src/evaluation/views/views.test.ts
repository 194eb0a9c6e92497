import { describe, expect, it } from 'vitest';
import { createProject, ok } from '../../../test/fixtures.ts';
import type { Client } from '../../../test/harness.ts';
import { openApp } from '../../../test/opened.ts';

const { own } = await openApp();
const projectId: string = (await createProject(own.api)).id;
const view = {
  name: 'Failed',
  shared: false,
  search: 'result:fail',
  display: { density: 'tall', widths: { a: 1.1 } },
};

const create = (api: Client, fields: Partial<typeof view> = {}) =>
  ok(api('POST', `/projects/${projectId}/views`, { ...view, ...fields }), 201);
const namesOf = async (api: Client): Promise<string[]> =>
  (await ok(api('GET', `/projects/${projectId}/views`))).data.map(({ name }: { name: string }) => name);

describe('saved views', () => {
  it('201 is listed as it was sent, by name, digit by digit', async () => {
    const project = await createProject(own.api);
    const path = `/projects/${project.id}/views`;
    const raw = '{"name":"b","shared":true,"search":"","display":{"w":1.10,"v":12345678901234567890}}';
    const made = await own.api('POST', path, undefined, { raw });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ name: 'b', shared: true, search: '', userId: own.memberId });
    await ok(own.api('POST', path, { ...view, name: 'A' }), 201);
    const { text, body } = await own.api('GET', path);
    expect(body.data.map(({ name }: { name: string }) => name)).toEqual(['A', 'b']);
    expect(text).toContain('{"w":1.10,"v":12345678901234567890}');
  });

  it('a personal view is hidden from everyone else, admins included; a shared one is visible to all', async () => {
    const person = await own.person();
    const mine = await create(person.api, { name: 'Mine' });
    const shared = await create(person.api, { name: 'Ours', shared: true });
    expect(await namesOf(person.api)).toEqual(expect.arrayContaining(['Mine', 'Ours']));
    const seen = await namesOf(own.api);
    expect(seen).toContain('Ours');
    expect(seen).not.toContain('Mine');
    for (const method of ['PATCH', 'DELETE'] as const) {
      const answer = await own.api(
        method,
        `/views/${mine.id}`,
        method === 'PATCH' ? { name: 'x' } : undefined,
      );
      expect(answer.status).toBe(404);
    }
    expect((await ok(own.api('PATCH', `/views/${shared.id}`, { name: 'By an admin' }))).name).toBe(
      'By an admin',
    );
  });

  it('403 for a member who changes or deletes what another shares', async () => {
    const [author, other] = [await own.person(), await own.person()];
    const { id } = await create(author.api, { name: 'Theirs', shared: true });
    expect((await other.api('PATCH', `/views/${id}`, { shared: false })).status).toBe(403);
    expect((await other.api('DELETE', `/views/${id}`)).status).toBe(403);
    expect(await ok(author.api('DELETE', `/views/${id}`))).toEqual({ success: true });
    expect(await namesOf(author.api)).not.toContain('Theirs');
  });

  it('PATCH changes what is sent and nothing else', async () => {
    const made = await create(own.api, { name: 'Before' });
    const changed = await ok(
      own.api('PATCH', `/views/${made.id}`, { search: '', display: { density: 'dense' } }),
    );
    expect(changed).toEqual({
      ...made,
      search: '',
      display: { density: 'dense' },
      updatedAt: changed.updatedAt,
    });
  });

  it.each([[{ name: '' }], [{ search: 1 }], [{ shared: 'yes' }], [{ display: [] }], [{ color: 'red' }]])(
    '400 for %j',
    async (fields) => {
      expect((await own.api('POST', `/projects/${projectId}/views`, { ...view, ...fields })).status).toBe(
        400,
      );
      const { id } = await create(own.api);
      expect((await own.api('PATCH', `/views/${id}`, fields)).status).toBe(400);
    },
  );
});
