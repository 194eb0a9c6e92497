import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { createProject, createRun, createTestcases, createTestset, ok } from '../../../test/fixtures.ts';
import { type Organization, startApp, type TestApp } from '../../../test/harness.ts';
import { openApp } from '../../../test/opened.ts';

const { app, own } = await openApp({});

/** Follows a run that is never done, as its testcase has no record: past the first event, and what comes until the end. */
const follow = async (
  test: TestApp,
  { api }: Organization,
  key: string,
): Promise<{ rest: Promise<string> }> => {
  const project = await createProject(api);
  const testset = await createTestset(api, project.id);
  await createTestcases(api, testset.id, 1);
  const run = await createRun(api, project.id, [], { testsetId: testset.id });
  const { body, headers } = await fetch(`${await test.url()}/api/v2/runs/${run.id}/details`, {
    headers: { authorization: `Bearer ${key}`, accept: 'text/event-stream' },
  });
  expect(headers.get('x-accel-buffering')).toBe('no');
  const reader = body!.getReader();
  const first = await reader.read();
  expect(Buffer.from(first.value!).toString()).toMatch(/^event: progress\ndata: \{.*\}\n\n$/);
  reader.releaseLock();
  return { rest: text(body!) };
};

describe('who follows the progress of a run', () => {
  it('sees no more once their key is revoked', async () => {
    const key = await ok(own.api('POST', '/keys', { name: 'for a while' }), 201);
    const { rest } = await follow(app, own, key.key);
    expect((await own.api('DELETE', `/keys/${key.id}`)).status).toBe(200);
    expect(await rest).toBe('');
  });

  it('sees no more once their key has expired', async () => {
    const key = await ok(own.api('POST', '/keys', { name: 'for a while' }), 201);
    const { rest } = await follow(app, own, key.key);
    await app.db.transaction(own, (tx) => tx`update api_key set expires_at = now() where id = ${key.id}`);
    expect(await rest).toBe('');
  });

  it('does not keep the service from stopping', async () => {
    const other = await startApp({});
    const organization = await other.organization();
    const { rest } = await follow(other, organization, organization.key);
    await other.close();
    expect(await rest).toBe('');
  });
});
