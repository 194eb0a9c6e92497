import { describe, expect, it, vi } from 'vitest';
import { createMetric, createProject, createRecord, createRun, ok } from '../../../test/fixtures.ts';
import { openApp } from '../../../test/opened.ts';
import { newTraceId, post, requestOf } from '../../../test/otlp.ts';
import { system } from '../../platform/db/database.ts';
import { chainEvents } from './chain.ts';

const { app, own } = await openApp({});

// biome-ignore lint/suspicious/noExplicitAny: entries of every shape.
const events = async (query = '', { api } = own): Promise<any[]> =>
  (await ok(api('GET', `/audit-events?limit=100${query}`))).data;

const chainAll = async () => {
  while ((await app.db.transaction(system, (tx) => chainEvents(tx, 7))) > 0);
};

describe('an entry', () => {
  it('says who did what, when, and what it was before and after', async () => {
    const project = await createProject(own.api);
    await ok(own.api('PATCH', `/projects/${project.id}`, { name: 'New' }));
    const after = { ...project, name: 'New' };
    const found = await events(`&projectId=${project.id}`);
    const common = {
      resource: 'Projects',
      resourceId: project.id,
      projectId: project.id,
      userId: own.memberId,
      userName: 'Admin',
      keyId: expect.any(String),
      signInId: null,
      address: '127.0.0.1',
      failed: false,
      details: null,
    };
    expect(found).toMatchObject([
      { ...common, operation: 'updateProject', before: project, after },
      { ...common, operation: 'createProject', before: null, after: project },
    ]);
    await ok(own.api('DELETE', `/projects/${project.id}`));
    expect(await events(`&projectId=${project.id}`)).toMatchObject([
      { ...common, operation: 'deleteProject', before: null, after: null },
      { ...common, operation: 'updateProject', before: null, after: null },
      { ...common, operation: 'createProject', before: null, after: null },
    ]);
  });

  it('of settings below a resource names it and its project', async () => {
    const project = await createProject(own.api);
    const metric = await createMetric(own.api, project.id, { evalType: 'human', outputType: 'boolean' });
    await ok(own.api('PATCH', `/metrics/${metric.id}/settings`, { numReviewers: 2, reviewRule: 'latest' }));
    const view = await ok(
      own.api('POST', `/projects/${project.id}/views`, { name: 'V', shared: true, search: '', display: {} }),
      201,
    );
    await ok(own.api('DELETE', `/views/${view.id}`));
    await ok(own.api('DELETE', `/metrics/${metric.id}`));
    const found = await events(`&projectId=${project.id}`);
    expect(found.map(({ operation, resourceId }) => [operation, resourceId])).toEqual([
      ['deleteMetric', metric.id],
      ['deleteView', view.id],
      ['createView', view.id],
      ['updateMetricSettings', metric.id],
      ['createMetric', metric.id],
      ['createProject', project.id],
    ]);
    expect(found[0]).toMatchObject({ before: { id: metric.id, name: metric.name }, after: null });
    expect(found[1]).toMatchObject({ before: { name: 'V' }, after: null });
    expect(found[3]).toMatchObject({ before: { numReviewers: 1 }, after: { numReviewers: 2 } });
  });

  it('of data has counts and ids and none of the data', async () => {
    const project = await createProject(own.api);
    const run = await createRun(own.api, project.id, []);
    const items = [1, 2, 3].map(() => ({ inputs: { x: 'PLANTED' }, expected: {}, outputs: {} }));
    await ok(own.api('POST', `/runs/${run.id}/records/bulk-create`, { items }), 201);
    const record = await createRecord(own.api, run.id, { inputs: { x: 'PLANTED' } });
    await ok(own.api('POST', `/records/${record.id}/annotations`, { rating: true, comment: 'PLANTED' }), 201);
    await ok(own.api('POST', `/records/${record.id}/tags`, { text: 'PLANTED' }), 201);
    await ok(own.api('DELETE', `/records/${record.id}`));
    const sent = requestOf([{ traceId: newTraceId(), n: 1 }], { 'dokima.project_id': project.id });
    await post(app, own.key, sent);
    const found = await events(`&projectId=${project.id}`);
    expect(found.map(({ operation, details }) => [operation, details])).toMatchObject([
      ['sendSpans', { traces: 1, spansOfRequest: 1 }],
      ['deleteRecord', null],
      ['createRecordTag', null],
      ['createAnnotation', null],
      ['createRecord', { count: 1, firstId: record.id, lastId: record.id }],
      ['createRecords', { count: 3, firstId: `${run.id}-1`, lastId: `${run.id}-3` }],
      ['createRun', null],
      ['createProject', null],
    ]);
    expect(JSON.stringify(found)).not.toContain('PLANTED');
  });

  it('of single creates that are written together is one for each sender', async () => {
    const project = await createProject(own.api);
    const run = await createRun(own.api, project.id, []);
    const other = await own.person();
    const body = { inputs: {}, expected: {}, outputs: {} };
    const clients = Array.from({ length: 40 }, (_, i) => (i % 4 === 0 ? other.api : own.api));
    await Promise.all(clients.map((api) => ok(api('POST', `/runs/${run.id}/records`, body), 201)));
    const found = await events(`&projectId=${project.id}&operation=createRecord`);
    const countOf = (id: string) =>
      found.filter(({ userId }) => userId === id).reduce((sum, { details }) => sum + details.count, 0);
    expect([countOf(other.id), countOf(own.memberId)]).toEqual([10, 30]);
    expect(found.length).toBeLessThan(20);
  });

  it('holds no key, no token and no secret', async () => {
    const key = await ok(own.api('POST', '/keys', { name: 'K' }), 201);
    await ok(own.api('DELETE', `/keys/${key.id}`));
    const directory = await ok(own.api('POST', '/scim-tokens', { name: 'Directory' }), 201);
    const provider = { name: 'p', kind: 'openai', apiKey: 'sk-planted-secret' };
    const { id } = await ok(own.api('POST', '/providers', provider), 201);
    await ok(own.api('PATCH', `/providers/${id}`, { apiKey: 'sk-planted-second' }));
    const member = await ok(
      own.api('POST', '/members', { name: 'A', email: 'a@b.org', role: 'viewer' }),
      201,
    );
    const link = await ok(own.api('POST', `/members/${member.id}/sign-in-links`), 201);
    const project = await createProject(own.api);
    const config = { endpoint: 'https://example.org', headers: { authorization: 'Bearer planted-header' } };
    await ok(own.api('POST', `/projects/${project.id}/systems`, { config }), 201);
    const rows = await app.db.transaction(
      own,
      (tx) => tx<{ row: string }[]>`select audit_content(e) as row from audit_event e`,
    );
    const text = rows.map(({ row }) => row).join('\n');
    expect(text).toContain(key.id);
    for (const secret of [key.key, 'sk-planted', 'planted-header', link.url.split('#')[1], directory.token])
      expect(text).not.toContain(secret);
  });

  it('has the time of the database, and its place by it, whatever clock the process has', async () => {
    const realNow = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: realNow + 3_600_000 });
    let project: { id: string };
    try {
      project = await createProject(own.api);
      const metric = await createMetric(own.api, project.id, { evalType: 'human', outputType: 'boolean' });
      const run = await createRun(own.api, project.id, [metric.id]);
      const { id } = await createRecord(own.api, run.id);
      const path = `/records/${id}/scores/${run.metricVersionIds[0]}`;
      await ok(own.api('PUT', path, { score: { binaryScore: true } }));
    } finally {
      vi.useRealTimers();
    }
    await ok(own.api('PATCH', `/projects/${project.id}`, { name: 'Later' }));
    const found = await events(`&projectId=${project.id}`);
    expect(found.map(({ operation }) => operation)).toEqual([
      'updateProject',
      'upsertScore',
      'createRecord',
      'createRun',
      'createMetric',
      'createProject',
    ]);
    for (const { createdAt } of found)
      expect(Math.abs(Date.parse(createdAt) - realNow)).toBeLessThan(600_000);
  });

  it('commits with its write, or not at all', async () => {
    const before = (await events()).length;
    expect((await own.api('PATCH', '/projects/999999999', { name: 'x' })).status).toBe(404);
    expect((await own.api('POST', '/projects', { name: 1 })).status).toBe(400);
    const headers = { 'idempotency-key': 'once' };
    for (let i = 0; i < 2; i++)
      await ok(own.api('POST', '/projects', { name: 'P', description: '' }, { headers }), 201);
    expect((await events()).length - before).toBe(1);
  });
});

describe('a sign-in', () => {
  it('is an entry, also with a wrong password and for an unknown address', async () => {
    const member = await ok(
      own.api('POST', '/members', { name: 'S', email: 's@sign.org', role: 'member' }),
      201,
    );
    const { url } = await ok(own.api('POST', `/members/${member.id}/sign-in-links`), 201);
    const anyone = own.as(undefined);
    const password = 'correct horse battery';
    await ok(anyone('POST', '/sign-in-links/redeem', { token: url.split('#')[1], password }), 201);
    await ok(anyone('POST', '/sign-ins', { email: 's@sign.org', password }), 201);
    const wrong = { email: 's@sign.org', password: 'wrong' };
    expect((await anyone('POST', '/sign-ins', wrong)).status).toBe(401);
    const found = await events(`&userId=${member.id}&operation=signIn`);
    const ofMember = { userId: member.id, address: '127.0.0.1', resource: 'Sign-in' };
    expect(found).toMatchObject([
      { ...ofMember, failed: true, signInId: null, details: { email: 's@sign.org' } },
      { ...ofMember, failed: false, signInId: expect.any(String) },
      { ...ofMember, failed: false, signInId: expect.any(String) },
    ]);
    expect(await events('&failed=true')).toHaveLength(1);
    expect((await anyone('POST', '/sign-ins', { email: 'who@sign.org', password })).status).toBe(401);
    expect((await events('&failed=true'))[0]).toMatchObject({
      userId: null,
      details: { email: 'who@sign.org' },
    });
  });
});

describe('GET /audit-events', () => {
  it('403 for a member who is not an admin', async () => {
    const { api } = await own.person();
    for (const path of ['', '/export', '/verify'])
      expect((await api('GET', `/audit-events${path}`)).status).toBe(403);
  });

  it('pages through entries, and each filter finds its entries', async () => {
    const all = await events();
    let cursor = '';
    const paged: unknown[] = [];
    do {
      const page = await ok(own.api('GET', `/audit-events?limit=7&cursor=${cursor}`));
      paged.push(...page.data);
      cursor = page.nextCursor;
    } while (cursor !== '' && paged.length < all.length);
    expect(paged).toEqual(all);
    const [newest] = all;
    expect(await events(`&createdAfter=${newest.createdAt}&resourceId=${newest.resourceId ?? ''}`)).toEqual(
      newest.resourceId ? [newest] : [],
    );
    expect(await events(`&createdBefore=${all.at(-1).createdAt}`)).toEqual([]);
    const metrics = await events('&resource=Metrics');
    expect(metrics).toEqual(all.filter(({ resource }) => resource === 'Metrics'));
    expect(metrics.length).toBeGreaterThan(0);
  });

  it('exports what it lists, as NDJSON and as CSV', async () => {
    const all = await events();
    const ndjson = await own.api('GET', '/audit-events/export');
    expect(
      ndjson.text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(all);
    const csv = await own.api('GET', '/audit-events/export?format=csv&resource=Projects');
    expect(csv.text.split('\n')[0]).toMatch(/^id,createdAt,operation,resource,/);
    expect(csv.text).toContain('"{""id"" : ""');
  });
});

describe('the chain', () => {
  const verify = (query = '') => ok(own.api('GET', `/audit-events/verify${query}`));
  const tamper = (text: string) => app.db.transaction(system, (tx) => tx.unsafe(text));

  it('tells an erased text from a changed one, and counts it', async () => {
    const { id } = await createProject(own.api);
    await chainAll();
    const { numErased, place } = await verify();
    await tamper(`update audit_event set after = '{"name":"x"}' where place = ${place}`);
    expect((await verify()).breaks).toMatchObject([{ place, kind: 'changed' }]);
    await tamper(`update audit_event set after = null where place = ${place}`);
    expect((await verify()).breaks).toMatchObject([{ place, kind: 'changed' }]);
    await ok(own.api('DELETE', `/projects/${id}`));
    expect(await verify()).toMatchObject({ intact: true, numErased: numErased + 1 });
  });

  it('says where an entry was changed, removed or cut off, and what it does not hold yet', async () => {
    await chainAll();
    await createProject(own.api);
    const open = await verify();
    expect(open).toMatchObject({ intact: true, unchained: 1, breaks: [] });
    await chainAll();
    const whole = await verify();
    expect(whole).toMatchObject({ intact: true, unchained: 0, chained: open.chained + 1 });
    expect((await verify(`?place=${open.place}&hash=${open.hash}`)).intact).toBe(true);
    expect((await verify(`?place=${open.place}&hash=${whole.hash}`)).breaks).toMatchObject([
      { place: open.place, kind: 'replaced' },
    ]);

    await tamper(`update audit_event set operation = 'readMetric' where place = 5`);
    expect((await verify()).breaks).toMatchObject([{ place: 5, kind: 'changed' }]);
    await tamper('delete from audit_event where place = 5');
    expect((await verify()).breaks).toMatchObject([{ place: 6, kind: 'missing' }]);
    await tamper(`delete from audit_event where place = ${whole.place}`);
    expect((await verify()).breaks).toMatchObject([
      { place: 6, kind: 'missing' },
      { place: whole.place - 1, kind: 'cut' },
    ]);
  });

  it('is one for each organization, and takes entries of writers that commit late', async () => {
    const second = await app.organization();
    let commit = () => {};
    const late = app.db.transaction(second, async (tx) => {
      await tx`
        insert into audit_event (id, organization_id, at, operation, resource)
        values ('01890000-0000-7000-8000-000000000000', ${second.organizationId}, now(), 'late', 'Projects')`;
      if (app.db.engine === 'server') await new Promise<void>((resolve) => (commit = resolve));
    });
    if (app.db.engine === 'server') {
      for (let i = 0; i < 3; i++) await createProject(second.api);
      await chainAll();
    }
    commit();
    await late;
    await createProject(second.api);
    await chainAll();
    const found = await ok(second.api('GET', '/audit-events/verify'));
    expect(found).toMatchObject({ intact: true, unchained: 0, chained: app.db.engine === 'server' ? 5 : 2 });
  });
});
