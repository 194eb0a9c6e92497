import type { FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import { operationsOf } from '../../../test/document.ts';
import { createMetric, createProject, createRecord, createRun, ok } from '../../../test/fixtures.ts';
import type { Client } from '../../../test/harness.ts';
import { openApp } from '../../../test/opened.ts';
import { newTraceId, post, requestOf } from '../../../test/otlp.ts';
import { newApiKey } from '../../accounts/keys/api-key.ts';
import { insertKey } from '../../accounts/keys/queries.ts';
import { system } from '../../platform/db/database.ts';
import { newUuid } from '../../platform/http/ids.ts';
import { placeNames } from '../../platform/http/places.ts';
import type { Role, Scope } from '../../platform/http/scope.ts';
import { openDeletions } from '../deletions/deletions.ts';
import { notPlaces } from './places.ts';
import { projectAccess } from './project-access.ts';

const { app, own } = await openApp();

type Person = { id: string; key: string; api: Client };
let count = 0;
const person = async (role: Role): Promise<Person> => {
  count += 1;
  const member = { name: role, email: `${role}${count}@example.org`, role };
  const { id } = await ok(own.api('POST', '/members', member), 201);
  const key = newApiKey();
  await app.db.transaction(system, (tx) =>
    insertKey(tx, { organizationId: own.organizationId, memberId: id }, newUuid(), key, {
      name: 'key',
      access: 'full',
      expiresAt: null,
    }),
  );
  return { id, key, api: own.as(key) };
};
const restrict = (projectId: string, restricted = true, api = own.api) =>
  api('PATCH', `/projects/${projectId}/settings`, { restricted });
const grant = (projectId: string, { id }: Person, role: Role, api = own.api) =>
  api('PUT', `/projects/${projectId}/members/${id}`, { role });
const statusesIn = async ({ api }: Person, projectId: string) => [
  (await api('GET', `/projects/${projectId}`)).status,
  (await api('POST', `/projects/${projectId}/reviews/next`)).status,
  (await api('POST', `/projects/${projectId}/metrics`, { name: 'M', evalType: 'human', outputType: 'int' }))
    .status,
  (await restrict(projectId, true, api)).status,
];
const namesOf = async ({ api }: Person) =>
  (await ok(api('GET', '/projects?limit=100'))).data.map(({ id }: { id: string }) => id);

/** Reading, reviewing, writing and administering a project, by the role in the organization and the role in the project. */
describe('in an open project', () => {
  it.each([
    ['viewer', undefined, [200, 403, 403, 403]],
    ['annotator', undefined, [200, 200, 403, 403]],
    ['member', undefined, [200, 200, 201, 403]],
    ['viewer', 'annotator', [200, 200, 403, 403]],
    ['viewer', 'member', [200, 200, 201, 403]],
    ['viewer', 'admin', [200, 200, 201, 200]],
    ['annotator', 'viewer', [200, 200, 403, 403]],
    ['member', 'viewer', [200, 200, 201, 403]],
    ['member', 'admin', [200, 200, 201, 200]],
    ['admin', undefined, [200, 200, 201, 200]],
  ] as const)('a %s to whom it gives the role %s has the rights of both', async (role, given, statuses) => {
    const { id } = await createProject(own.api);
    const someone = await person(role);
    if (given) await ok(grant(id, someone, given));
    expect(await statusesIn(someone, id)).toEqual(statuses);
    expect(await namesOf(someone)).toContain(id);
  });
});

describe('in a restricted project', () => {
  it.each([
    ['viewer', undefined, [404, 403, 403, 403]],
    ['member', undefined, [404, 404, 404, 403]],
    ['annotator', undefined, [404, 404, 403, 403]],
    ['member', 'viewer', [200, 403, 403, 403]],
    ['member', 'annotator', [200, 200, 403, 403]],
    ['viewer', 'member', [200, 200, 201, 403]],
    ['viewer', 'admin', [200, 200, 201, 200]],
    ['admin', undefined, [200, 200, 201, 200]],
    ['admin', 'viewer', [200, 200, 201, 200]],
  ] as const)('a %s to whom it gives the role %s has the rights of that', async (role, given, statuses) => {
    const { id } = await createProject(own.api);
    const someone = await person(role);
    if (given) await ok(grant(id, someone, given));
    await ok(restrict(id));
    expect(await statusesIn(someone, id)).toEqual(statuses);
    expect((await namesOf(someone)).includes(id)).toBe(statuses[0] === 200);
  });

  it('access begins and ends with the next request', async () => {
    const { id } = await createProject(own.api);
    const member = await person('member');
    const status = async () => (await member.api('GET', `/projects/${id}`)).status;
    expect(await status()).toBe(200);
    await ok(restrict(id));
    expect(await status()).toBe(404);
    await ok(grant(id, member, 'viewer'));
    expect(await status()).toBe(200);
    await ok(own.api('DELETE', `/projects/${id}/members/${member.id}`));
    expect(await status()).toBe(404);
    await ok(restrict(id, false));
    expect(await status()).toBe(200);
  });

  it.each(['path', 'query'])('a stream ends with the access to the project that its %s names', async (by) => {
    const { id } = await createProject(own.api);
    const member = await person('member');
    const scope = { ...own, memberId: member.id, role: 'member', access: 'full' } as unknown as Scope;
    const named = { params: {}, query: {}, [by === 'path' ? 'params' : 'query']: { projectId: id } };
    const routeOptions = { config: {}, schema: { operationId: 'streamChanges' } };
    const request = { method: 'GET', scope, routeOptions, ...named } as unknown as FastifyRequest;
    const again = projectAccess(app.db, openDeletions({ db: app.db, log: app.app.log })).again(async () => ({
      ...scope,
      isLimited: true,
    }));
    await again(request);
    await ok(restrict(id));
    await expect(again(request)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await ok(grant(id, member, 'viewer'));
    await again(request);
  });

  it('its admin, a viewer elsewhere, gives roles there and nowhere else', async () => {
    const [mine, other] = [await createProject(own.api), await createProject(own.api)];
    const [lead, guest] = [await person('viewer'), await person('viewer')];
    await ok(grant(mine.id, lead, 'admin'));
    await ok(restrict(mine.id, true, lead.api));
    await ok(grant(mine.id, guest, 'member', lead.api));
    const access = await ok(lead.api('GET', `/projects/${mine.id}/access`));
    expect(access).toEqual({
      projectName: mine.name,
      uses: [],
      restricted: true,
      members: [
        { userId: lead.id, role: 'admin' },
        { userId: guest.id, role: 'member' },
      ],
      rights: ['read', 'review', 'write', 'admin'],
      numToReview: 0,
    });
    expect((await grant(other.id, lead, 'admin', lead.api)).status).toBe(403);
    expect((await grant(mine.id, guest, 'admin', guest.api)).status).toBe(403);
    expect((await lead.api('POST', '/members', { name: 'x', email: 'x@x', role: 'admin' })).status).toBe(403);
    expect((await own.api('DELETE', `/projects/${other.id}/members/${lead.id}`)).status).toBe(404);
    const stranger = await (await app.organization()).person();
    expect((await grant(mine.id, stranger, 'viewer')).status).toBe(404);
  });

  it('a hidden project answers a repeated request with an Idempotency-Key as an unknown one', async () => {
    const { id } = await createProject(own.api);
    await ok(restrict(id));
    const { api } = await person('member');
    const headers = { headers: { 'idempotency-key': `k-${id}` } };
    const body = { name: 'M', evalType: 'human', outputType: 'int' };
    const made = await api('POST', `/projects/${id}/metrics`, body, headers);
    expect(made.status).toBe(404);
  });

  it('takes no traces of a member who may not write there; those of its members arrive', async () => {
    const [open, hidden] = [await createProject(own.api), await createProject(own.api)];
    await ok(restrict(hidden.id));
    const [outsider, insider] = [await person('member'), await person('viewer')];
    await ok(grant(hidden.id, insider, 'member'));
    const spansIn = async (projectId: string) =>
      (await ok(own.api('GET', `/projects/${projectId}/spans?limit=100`))).data.length;
    const send = async ({ key }: Person, projectId: string) => {
      const traceId = newTraceId();
      return post(app, key, requestOf([{ traceId, n: count++ }], { 'dokima.project_id': projectId }));
    };
    await send(outsider, hidden.id);
    expect(await spansIn(hidden.id)).toBe(0);
    expect((await send(insider, hidden.id)).status).toBe(200);
    expect(await spansIn(hidden.id)).toBe(1);
    await send(insider, open.id);
    expect(await spansIn(open.id)).toBe(0);
  });
});

describe('a trace whose id is also in a hidden project', () => {
  /** An organization whose oldest project is restricted, with a member in it and one outside, who has an open project. */
  const world = async () => {
    const organization = await app.organization();
    const hidden = await createProject(organization.api);
    const [insider, outsider] = [await organization.person(), await organization.person()];
    await ok(organization.api('PATCH', `/projects/${hidden.id}/settings`, { restricted: true }));
    await ok(organization.api('PUT', `/projects/${hidden.id}/members/${insider.id}`, { role: 'member' }));
    const open = await createProject(organization.api);
    const send = async ({ key }: { key: string }, traceId: string, projectId?: string) => {
      const { status, body } = await post(
        app,
        key,
        requestOf(
          [{ traceId, n: count++ }],
          projectId === undefined ? {} : { 'dokima.project_id': projectId },
        ),
      );
      return `${status} ${body}`;
    };
    const spansIn = async ({ id }: { id: string }) =>
      (await ok(organization.api('GET', `/projects/${id}/spans?limit=100`))).data.map(
        (span: { traceId: string }) => span.traceId,
      );
    return { hidden, open, insider, outsider, send, spansIn };
  };

  it.each(['that a span names', 'that took it without a name'])(
    'goes where a fresh trace goes, and the answer tells nothing: a project %s',
    async (which) => {
      const { hidden, open, insider, outsider, send, spansIn } = await world();
      const [known, fresh] = [newTraceId(), newTraceId()];
      await send(insider, known, which === 'that a span names' ? hidden.id : undefined);
      expect(await send(outsider, fresh)).toBe('200 {}');
      expect(await send(outsider, known)).toBe('200 {}');
      expect(await send(outsider, known)).toBe('200 {}');
      expect(await spansIn(open)).toEqual([known, known, fresh]);
      expect(await spansIn(hidden)).toEqual([known]);
    },
  );

  it('is not moved out of the hidden project by spans that name another', async () => {
    const { hidden, open, insider, outsider, send, spansIn } = await world();
    const traceId = newTraceId();
    await send(insider, traceId);
    expect(await send(outsider, traceId, open.id)).toBe('200 {}');
    expect([await spansIn(hidden), await spansIn(open)]).toEqual([[traceId], [traceId]]);
  });
});

describe('an annotator', () => {
  it('sees the records of queues and no others', async () => {
    const project = await createProject(own.api);
    const metric = await createMetric(own.api, project.id, { evalType: 'human', outputType: 'boolean' });
    const reviewed = await createRun(own.api, project.id, [metric.id]);
    const other = await createRun(own.api, project.id, []);
    const [inQueue, outside] = [
      await createRecord(own.api, reviewed.id),
      await createRecord(own.api, other.id),
    ];
    const { api } = await person('annotator');
    const task = await ok(api('POST', `/projects/${project.id}/reviews/next`));
    expect(task.review.recordId).toBe(inQueue.id);
    await ok(api('GET', `/records/${inQueue.id}`));
    await ok(api('POST', `/records/${inQueue.id}/annotations`, { rating: true }), 201);
    const path = `/records/${inQueue.id}/reviews/${task.review.metricConfigId}`;
    await ok(api('POST', path, { score: { binaryScore: true } }), 201);
    expect((await api('GET', `/records/${outside.id}`)).status).toBe(404);
    expect((await api('POST', `/records/${outside.id}/annotations`, { rating: true })).status).toBe(404);
    for (const path of [`/runs/${reviewed.id}`, `/projects/${project.id}/records`, '/members', '/keys'])
      expect((await api('GET', path)).status).toBe(403);
    expect((await ok(api('GET', `/projects/${project.id}/access`))).members).toEqual([]);
  });
});

it('every parameter of a path is a place, or is known to be none', () => {
  const named = operationsOf(app.app).flatMap(({ template }) =>
    [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!),
  );
  expect(
    [...new Set(named)].filter((name) => !placeNames.includes(name) && !notPlaces.includes(name)),
  ).toEqual([]);
});
