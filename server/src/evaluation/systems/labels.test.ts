import { beforeEach, describe, expect, it } from 'vitest';
import { createProject, ok } from '../../../test/fixtures.ts';
import type { Client } from '../../../test/harness.ts';
import { openApp } from '../../../test/opened.ts';

const { own } = await openApp();
let projectId: string;
let systemId: string;
let first: string;
let second: string;

const messages = [
  { role: 'system', content: 'You know {{ inputs.place }}{% if inputs["tone"] %} and are kind{% endif %}.' },
  { role: 'user', content: '{{ inputs.question }} {{ inputs.place }} {{ other.x }}' },
];

beforeEach(async () => {
  projectId = (await createProject(own.api)).id;
  const made = await ok(
    own.api('POST', `/projects/${projectId}/systems`, {
      name: 'Support / EU',
      config: { promptTemplate: 'Answer {{ inputs.question }}', modelName: 'fake/a' },
    }),
    201,
  );
  systemId = made.id;
  first = made.productionVersion.id;
  const version = {
    config: { messages, modelName: 'fake/a' },
    name: 'Kinder',
    note: 'People found it cold.',
  };
  second = (await ok(own.api('POST', `/systems/${systemId}/versions`, version))).id;
});

const labelled = (label: string, headers = {}) =>
  own.api(
    'GET',
    `/projects/${projectId}/systems/${encodeURIComponent('Support / EU')}/versions/${label}`,
    undefined,
    { headers },
  );
const set = (label: string, systemVersionId: string) =>
  own.api('PUT', `/systems/${systemId}/labels/${label}`, { systemVersionId });

describe('PUT /systems/:systemId/labels/:label', () => {
  it('points the label to a version, and moves it', async () => {
    expect((await labelled('staging')).status).toBe(404);
    expect(await ok(set('staging', first))).toMatchObject({ id: first, labels: ['production', 'staging'] });
    expect(await ok(set('staging', second))).toMatchObject({ id: second, labels: ['latest', 'staging'] });
    expect((await labelled('staging')).body.id).toBe(second);
  });

  it('403 when a label is protected and the member is not an admin, by whatever operation moves it', async () => {
    const { api: member } = await own.person();
    const protect = (api: Client, isProtected: boolean) =>
      api('PUT', `/systems/${systemId}/labels/production`, {
        systemVersionId: first,
        protected: isProtected,
      });
    expect((await protect(member, true)).status).toBe(403);
    expect(await ok(protect(own.api, true))).toMatchObject({ protectedLabels: ['production'] });
    const body = { name: 'Support / EU', config: { promptTemplate: 'New', modelName: 'fake/a' } };
    const moves = [
      member('PUT', `/systems/${systemId}/labels/production`, { systemVersionId: second }),
      member('PATCH', `/systems/${systemId}`, { productionVersionId: second }),
      member('POST', `/projects/${projectId}/systems`, body),
    ];
    for (const { status, body } of await Promise.all(moves)) {
      expect(status).toBe(403);
      expect(body.message).toContain('production is protected');
    }
    expect((await labelled('production')).body.id).toBe(first);
    await ok(member('PATCH', `/systems/${systemId}`, { description: 'Still theirs to change' }));
    await ok(own.api('PUT', `/systems/${systemId}/labels/production`, { systemVersionId: second }));
    await ok(protect(own.api, false));
    await ok(member('PUT', `/systems/${systemId}/labels/production`, { systemVersionId: second }));
  });

  it('production is the production version of the system, and latest is always the newest', async () => {
    expect((await labelled('production')).body.id).toBe(first);
    expect((await labelled('latest')).body.id).toBe(second);
    await ok(set('production', second));
    expect((await ok(own.api('GET', `/systems/${systemId}`))).productionVersion.id).toBe(second);
    expect((await labelled('production')).body).toMatchObject({
      id: second,
      labels: ['production', 'latest'],
      name: 'Kinder',
      note: 'People found it cold.',
      systemName: 'Support / EU',
      variables: ['place', 'tone', 'question'],
    });
    expect((await set('latest', first)).status).toBe(400);
  });

  it('404 for a version of another system, 400 for a label that no path could hold', async () => {
    const body = { name: 'Other', config: {} };
    const other = await ok(own.api('POST', `/projects/${projectId}/systems`, body), 201);
    expect((await set('staging', other.productionVersion.id)).status).toBe(404);
    expect((await set('Staging!', first)).status).toBe(400);
  });

  it('the audit log has where the label pointed before and after', async () => {
    await ok(set('production', second));
    const { data } = await ok(own.api('GET', '/audit-events?operation=upsertSystemLabel'));
    const event = data.find(({ after }: { after: { systemId: string } }) => after?.systemId === systemId);
    expect(event).toMatchObject({
      before: { label: 'production', systemVersionId: first },
      after: { label: 'production', systemVersionId: second },
    });
  });
});

it('DELETE removes a label; production and latest stay', async () => {
  await ok(set('staging', first));
  await ok(own.api('DELETE', `/systems/${systemId}/labels/staging`));
  expect((await labelled('staging')).status).toBe(404);
  expect((await own.api('DELETE', `/systems/${systemId}/labels/staging`)).status).toBe(404);
  for (const label of ['production', 'latest'])
    expect((await own.api('DELETE', `/systems/${systemId}/labels/${label}`)).status).toBe(400);
});

describe('GET …/systems/:systemName/versions/:label', () => {
  it('304 for the version that the client has, until the label moves or a note changes', async () => {
    const answer = await labelled('production');
    const etag = answer.headers.etag as string;
    expect(answer.headers['cache-control']).toBe('private, no-cache');
    const again = await labelled('production', { 'if-none-match': `"x", ${etag}` });
    expect([again.status, again.text]).toEqual([304, '']);
    await ok(set('production', second));
    const moved = await labelled('production', { 'if-none-match': etag });
    expect([moved.status, moved.body.id]).toEqual([200, second]);
  });

  it('404 once the system is deleted', async () => {
    await ok(own.api('DELETE', `/systems/${systemId}`));
    expect((await labelled('production')).status).toBe(404);
  });
});

it('lists the versions newest first, with their labels and variables', async () => {
  await ok(set('staging', first));
  const { data } = await ok(own.api('GET', `/systems/${systemId}/versions`));
  expect(data).toMatchObject([
    { id: second, name: 'Kinder', labels: ['latest'], variables: ['place', 'tone', 'question'] },
    { id: first, name: 'Version 1', note: '', labels: ['production', 'staging'], variables: ['question'] },
  ]);
});
