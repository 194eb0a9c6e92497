// Longer than 400 lines: one stream of events, and everything that it sends to present and past subscribers.
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  createMetric,
  createProject,
  createRecord,
  createRun,
  createScoredRun,
  createTestcases,
  createTestset,
  ok,
} from '../../../test/fixtures.ts';
import { startApp } from '../../../test/harness.ts';
import { createMonitor } from '../../../test/monitors.ts';
import { openApp } from '../../../test/opened.ts';
import { system } from '../../platform/db/database.ts';
import { notFound, unauthorized } from '../../platform/errors.ts';
import { newUuid } from '../../platform/http/ids.ts';
import { changeFeed } from './feed.ts';

const sessions = { hours: 1, idleMinutes: 0 };

import { findSnapshot, purgeChanges } from './queries.ts';

// A second between two looks would be most of the time of these tests.
const { app, own } = await openApp({}, { changesPollMs: 50 });
let url: string;

beforeAll(async () => {
  url = await app.url();
});

const streams: IncomingMessage[] = [];
afterEach(() => {
  for (const stream of streams.splice(0)) stream.destroy();
});

/** No proxy may hold an event back; nginx buffers every response that does not forbid it. */
const eventHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
};

type Change = { runs: { runId: string; recordIds: string[] | null }[]; resources: string[] };

/** The lines of an event without its position. */
const ready = 'retry: 2000\nevent: ready\ndata: {}\n\n';
const withoutId = (text: string) => text.replace(/^id: \d+:\d+:[\d,]*\n/gm, '');

/** Watches a project, or the organization, from when it answers `ready`; the events come one by one from `next`. */
const watch = async (projectId?: string, { key = own.key, query = '', headers = {} } = {}) => {
  const project = projectId === undefined ? '' : `projectId=${projectId}&`;
  const request = get(`${url}/api/v2/events?${project}${query}`, {
    agent: false,
    headers: { authorization: `Bearer ${key}`, ...headers },
  });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  streams.push(response);
  const chunks = response.setEncoding('utf8')[Symbol.asyncIterator]();
  let unread = '';
  let position = '';
  const next = async (): Promise<string | undefined> => {
    for (;;) {
      const end = unread.indexOf('\n\n');
      if (end >= 0) {
        const event = unread.slice(0, end);
        unread = unread.slice(end + 2);
        position = /^id: (.+)$/m.exec(event)?.[1] ?? '';
        return withoutId(event);
      }
      const { value, done } = await chunks.next();
      if (done) return undefined;
      unread += value;
    }
  };
  expect(`${await next()}\n\n`).toBe(ready);
  const nextChange = async (): Promise<Change> => {
    const event = await next();
    expect(event).toMatch(/^event: changed\ndata: /);
    return JSON.parse(event!.slice('event: changed\ndata: '.length));
  };
  return { response, next, nextChange, position: () => position, leave: () => response.destroy() };
};

/** Makes everything noted so far older. */
const age = (by: string) =>
  app.db.transaction(system, (tx) => tx`update change set noted_at = noted_at - ${by}::text::interval`);
const positionNow = async (): Promise<string> => (await ok(own.api('GET', '/me'))).position;
const snapshotNow = async () => (await app.db.read(system, findSnapshot))[0]!.snapshot;

describe('GET /events?projectId=', () => {
  it('sends one event for each write to a run or its records, from any client', async () => {
    const { project, run, configId, recordIds } = await createScoredRun(own.api, 30);
    const { response, nextChange } = await watch(project.id);
    expect(response.headers).toMatchObject(eventHeaders);
    const [first, second] = recordIds as [string, string];
    const score = { binaryScore: true };
    const change = (ids: string[] | null) => ({ runs: [{ runId: run.id, recordIds: ids }], resources: [] });

    const writes: [() => Promise<unknown>, string[] | null][] = [
      [() => ok(own.api('POST', `/records/${first}/tags`, { text: 'tag' }), 201), [first]],
      [() => ok(own.api('DELETE', `/records/${first}/tags/tag`)), [first]],
      [
        () => ok(own.api('POST', `/records/${first}/assignees`, { assigneeUserId: own.memberId }), 201),
        [first],
      ],
      [() => ok(own.api('DELETE', `/records/${first}/assignees/${own.memberId}`)), [first]],
      [() => ok(own.api('POST', `/records/${second}/annotations`, { rating: true }), 201), [second]],
      [() => ok(own.api('PUT', `/records/${second}/scores/${configId}`, { score })), [second]],
      // From scored to scored: what was said changes, the count of scores does not.
      [
        () => ok(own.api('PUT', `/records/${second}/scores/${configId}`, { score: { binaryScore: false } })),
        [second],
      ],
      [() => createRecord(own.api, run.id), null],
      [() => ok(own.api('PATCH', `/runs/${run.id}/details`, { notes: 'Looked at.' })), null],
      [() => ok(own.api('DELETE', `/records/${first}`)), null],
      [() => ok(own.api('DELETE', `/runs/${run.id}`)), null],
    ];
    for (const [write, ids] of writes) {
      await write();
      expect(await nextChange()).toEqual(change(ids));
    }
  });

  it('reports each reply to a comment, its change and its deletion, and a thread that is settled', async () => {
    const { project, run, recordIds } = await createScoredRun(own.api, 1);
    const [recordId] = recordIds as [string];
    const path = `/records/${recordId}/annotations`;
    const { id } = await ok(own.api('POST', path, { rating: false, comment: 'Why?' }), 201);
    const { nextChange } = await watch(project.id);
    const replies = `${path}/${id}/replies`;
    const reply = await ok(own.api('POST', replies, { comment: 'Because.' }), 201);
    const told = { runs: [{ runId: run.id, recordIds: [recordId] }], resources: [] };
    expect(await nextChange()).toEqual(told);
    const writes = [
      () => ok(own.api('PATCH', `${replies}/${reply.id}`, { comment: 'Because of it.' })),
      () => ok(own.api('DELETE', `${replies}/${reply.id}`)),
      () => ok(own.api('PUT', `${path}/${id}/resolution`, { resolved: true })),
    ];
    for (const write of writes) {
      await write();
      expect(await nextChange()).toEqual(told);
    }
  });

  it('names the resources of the project that were written, whatever the write was', async () => {
    const project = await createProject(own.api);
    const { nextChange } = await watch(project.id);
    const told = async <T>(resource: string, write: Promise<T>): Promise<T> => {
      const written = await write;
      expect(await nextChange()).toEqual({ runs: [], resources: [resource] });
      return written;
    };
    const view = { name: 'View', search: '', shared: false, display: {} };
    const made = {
      testsets: await told('testsets', createTestset(own.api, project.id)),
      metrics: await told(
        'metrics',
        createMetric(own.api, project.id, { evalType: 'human', outputType: 'boolean' }),
      ),
      views: await told('views', ok(own.api('POST', `/projects/${project.id}/views`, view), 201)),
    };
    const monitors = await told('monitors', createMonitor(own.api, project.id, [made.metrics.id]));
    const group = { name: 'G', metricIds: [made.metrics.id] };
    const created = ok(own.api('POST', `/projects/${project.id}/metric-groups`, group), 201);
    const { id: groupId } = await told('metric-groups', created);
    const emptied = ok(own.api('PATCH', `/metric-groups/${groupId}`, { metricIds: [] }));
    await told('metric-groups', emptied);
    const [testcase] = await told('testsets', createTestcases(own.api, made.testsets.id, 1));
    const jsonData = { question: 'Another' };
    await told('testsets', ok(own.api('PUT', `/testcases/${testcase!.id}`, { jsonData })));
    await told('testsets', ok(own.api('POST', '/testcases/bulk-delete', { ids: [testcase!.id] })));
    await told('views', ok(own.api('PATCH', `/views/${made.views.id}`, { name: 'Renamed' })));
    const { user } = await ok(own.api('GET', '/me'));
    await told('access', ok(own.api('PUT', `/projects/${project.id}/members/${user.id}`, { role: 'admin' })));
    // Made by SQL: the service would ask for a system that it can call, and a destination that it can reach.
    const base = { id: newUuid(), organization_id: own.organizationId, project_id: project.id, name: 'Made' };
    const schedule = { ...base, cron: '0 2 * * *', time_zone: 'UTC', task: '{}' };
    const alert = { ...base, kind: 'email', target: 'ada@example.org', events: ['run.completed'] };
    const inserted = (table: string, row: object) =>
      app.db.transaction(own, (tx) => tx`insert into ${tx(table)} ${tx(row)}`);
    await told('schedules', inserted('schedule', schedule));
    await told('alerts', inserted('alert', alert));
    for (const [resource, { id }] of Object.entries({ monitors, ...made }))
      await told(resource, ok(own.api('DELETE', `/${resource}/${id}`)));
  });

  it('names the resources of the organization that were written, on /events and on the stream of each project', async () => {
    const { api, key } = await app.organization();
    const project = await createProject(api);
    const streams = [await watch(undefined, { key }), await watch(project.id, { key })];
    const stranger = await watch();
    const told = async <T>(resource: string, write: Promise<T>): Promise<T> => {
      const written = await write;
      for (const { nextChange } of streams)
        expect(await nextChange()).toEqual({ runs: [], resources: [resource] });
      return written;
    };
    const person = { name: 'Ada', email: 'ada@example.org', role: 'viewer' };
    const { id } = await told('members', ok(api('POST', '/members', person), 201));
    await told('members', ok(api('PATCH', `/members/${id}`, { role: 'member' })));
    await told('members', ok(api('DELETE', `/members/${id}`)));
    const model = { name: 'local', kind: 'openai', apiKey: 'sk-1' };
    const provider = await told('providers', ok(api('POST', '/providers', model), 201));
    await told('providers', ok(api('DELETE', `/providers/${provider.id}`)));
    const other = await told('projects', createProject(api));
    await told('projects', ok(api('PATCH', `/projects/${other.id}`, { name: 'Renamed' })));
    await told('projects', ok(api('DELETE', `/projects/${other.id}`)));
    // Another organization has heard nothing of all this, and goes on to hear its own.
    await createProject(own.api);
    expect(await stranger.nextChange()).toEqual({ runs: [], resources: ['projects'] });
    expect(stranger.response.headers).toMatchObject(eventHeaders);
  });

  it('reports nothing about a project on /events', async () => {
    const { api, key } = await app.organization();
    const project = await createProject(api);
    const { nextChange, position } = await watch(undefined, { key });
    await createRun(api, project.id, []);
    await createTestset(api, project.id);
    const inProject = await watch(project.id, { key, query: `since=${position()}` });
    expect((await inProject.nextChange()).runs).toHaveLength(1);
    await createProject(api);
    expect(await nextChange()).toEqual({ runs: [], resources: ['projects'] });
  });

  it('names single records as long as they are few, else the run', async () => {
    const { project, run, configId, recordIds } = await createScoredRun(own.api, 30);
    const { nextChange } = await watch(project.id);
    const put = (ids: string[]) => {
      const items = ids.map((recordId) => ({
        recordId,
        metricConfigId: configId,
        score: { binaryScore: true },
      }));
      return ok(own.api('POST', `/runs/${run.id}/scores/bulk-upsert`, { items }));
    };
    await put(recordIds.slice(0, 3));
    const [few] = (await nextChange()).runs;
    expect(few?.recordIds?.toSorted()).toEqual(recordIds.slice(0, 3).toSorted());
    await put(recordIds);
    expect(await nextChange()).toEqual({ runs: [{ runId: run.id, recordIds: null }], resources: [] });
  });

  it('leaves out no change of a transaction that began before another and is committed after it', async () => {
    if (app.db.engine === 'embedded') return;
    const { project, recordIds } = await createScoredRun(own.api, 2);
    const { nextChange } = await watch(project.id);
    const [early, late] = recordIds as [string, string];
    const earlyHasWritten = Promise.withResolvers<void>();
    const lateIsTold = Promise.withResolvers<void>();
    const slow = app.db.transaction(own, async (tx) => {
      await tx`
        insert into record_tag (id, organization_id, run_id, n, text, source)
        values (gen_random_uuid(), ${own.organizationId}, ${early.split('-')[0]!}, ${Number(early.split('-')[1])}, 'slow', 'user')`;
      earlyHasWritten.resolve();
      await lateIsTold.promise;
    });
    await earlyHasWritten.promise;
    await ok(own.api('POST', `/records/${late}/tags`, { text: 'fast' }), 201);
    expect((await nextChange()).runs[0]?.recordIds).toEqual([late]);
    lateIsTold.resolve();
    await slow;
    expect((await nextChange()).runs[0]?.recordIds).toEqual([early]);
  });

  it('reports nothing about writes in another project', async () => {
    const project = await createProject(own.api);
    const other = await createProject(own.api);
    const { nextChange } = await watch(project.id);
    await createRun(own.api, other.id, []);
    const run = await createRun(own.api, project.id, []);
    expect(await nextChange()).toEqual({ runs: [{ runId: run.id, recordIds: null }], resources: [] });
  });

  it('goes on for others when one who watches leaves', async () => {
    const project = await createProject(own.api);
    const first = await watch(project.id);
    const second = await watch(project.id);
    first.leave();
    const run = await createRun(own.api, project.id, []);
    expect(await second.nextChange()).toEqual({ runs: [{ runId: run.id, recordIds: null }], resources: [] });
  });

  it('begins after the position of what the client has read: with every later change, and with no earlier one', async () => {
    const { project, run, recordIds } = await createScoredRun(own.api, 2);
    const [early, late] = recordIds as [string, string];
    const tag = (id: string) => ok(own.api('POST', `/records/${id}/tags`, { text: 'tag' }), 201);
    const told = (id: string) => ({ runs: [{ runId: run.id, recordIds: [id] }], resources: [] });
    // Another stream of the project, which the first change reaches after the second stream has begun.
    const other = await watch(project.id);
    await tag(early);
    const since = await positionNow();
    const { nextChange, position } = await watch(project.id, { query: `since=${since}` });
    expect(await other.nextChange()).toEqual(told(early));
    await tag(late);
    expect(await nextChange()).toEqual(told(late));
    // A browser that lost the stream goes on after its last event.
    const again = { query: `since=${since}`, headers: { 'last-event-id': position() } };
    const resumed = await watch(project.id, again);
    await tag(early);
    await ok(own.api('DELETE', `/records/${early}/tags/tag`));
    expect(await resumed.nextChange()).toEqual(told(early));
    const repeated = await watch(project.id, { query: `since=${since}` });
    const { runs } = await repeated.nextChange();
    expect(runs[0]?.recordIds?.toSorted()).toEqual([early, late].toSorted());
  });

  it.each(['x', '9:5:', '1:9:12'])('400 for the position %s, and no stream', async (since) => {
    const project = await createProject(own.api);
    const { status, body } = await own.api('GET', `/events?projectId=${project.id}&since=${since}`);
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('/since')]);
  });

  it('ends after maxSeconds; 400 for more than ten minutes', async () => {
    const project = await createProject(own.api);
    const { next } = await watch(project.id, { query: 'maxSeconds=1' });
    expect(await next()).toBeUndefined();
    const path = `/events?projectId=${project.id}`;
    for (const seconds of ['0', '601', 'x'])
      expect((await own.api('GET', `${path}&maxSeconds=${seconds}`)).status).toBe(400);
  });

  it('keeps events for some minutes only, and none of a deleted project', async () => {
    const { project } = await createScoredRun(own.api, 1);
    const count = async () => {
      const [row] = await app.db.read(
        own,
        (sql) => sql<{ n: number }[]>`select count(*)::int as n from change where project_id = ${project.id}`,
      );
      return row!.n;
    };
    const purge = (told: string) => app.db.transaction(system, (tx) => purgeChanges(tx, told));
    const before = await snapshotNow();
    const all = await count();
    expect(all).toBeGreaterThan(0);
    await age('4 minutes');
    await purge(before);
    expect(await count()).toBe(all);
    await age('2 minutes');
    await purge(before);
    expect(await count()).toBe(0);
    await createRun(own.api, project.id, []);
    expect(await count()).toBe(1);
    await ok(own.api('DELETE', `/projects/${project.id}`));
    expect(await count()).toBe(0);
  });
});

/** Options to follow a project as the routes do. */
const following = async (projectId?: string) => {
  const [{ id: keyId }] = (await ok(own.api('GET', '/keys'))).data;
  const scope = { ...own, role: 'admin', access: 'read', keyId, signInId: null } as const;
  const id = projectId ?? (await createProject(own.api)).id;
  return { scope, projectId: BigInt(id), maxSeconds: 60 };
};

describe('changes before a subscription', () => {
  /** Returns the records of the first changes that a subscriber who asks for those since a position receives. */
  const toldSince = async (projectId: string, since: string) => {
    const feed = changeFeed(app.db, app.app.log, sessions, { pollMs: 1 });
    const options = { ...(await following(projectId)), since, checkAccess: async () => {} };
    const events = (await feed.follow(options)).setEncoding('utf8')[Symbol.asyncIterator]();
    let told = '';
    while (!told.includes('event: changed')) told += (await events.next()).value;
    feed.close();
    return told.match(/"\d+-\d+"/g)?.map((id) => JSON.parse(id)) ?? [];
  };
  const tag = (id: string) => ok(own.api('POST', `/records/${id}/tags`, { text: 'tag' }), 201);

  it('are sent completely, as far back as they are kept', async () => {
    const { project, recordIds } = await createScoredRun(own.api, 2);
    const since = await positionNow();
    await tag(recordIds[0]!);
    await age('4 minutes');
    await tag(recordIds[1]!);
    expect(await toldSince(project.id, since)).toEqual(recordIds);
  });

  it('are sent when they were committed in that time, however long before they were written', async () => {
    // The embedded engine does one transaction after the other: none stands open beside those that read.
    if (app.db.engine === 'embedded') return;
    const { project, recordIds } = await createScoredRun(own.api, 2);
    const [slow, quick] = recordIds as [string, string];
    await app.db.transaction(system, (tx) => tx`delete from change where project_id = ${project.id}`);
    const hasWritten = Promise.withResolvers<void>();
    const mayCommit = Promise.withResolvers<void>();
    const writing = app.db.transaction(own, async (tx) => {
      const [runId, n] = slow.split('-') as [string, string];
      await tx`
        insert into record_tag (id, organization_id, run_id, n, text, source)
        values (gen_random_uuid(), ${own.organizationId}, ${runId}, ${Number(n)}, 'slow', 'user')`;
      await tx`update change set noted_at = noted_at - interval '10 minutes' where run_id = ${runId}`;
      hasWritten.resolve();
      await mayCommit.promise;
    });
    await hasWritten.promise;
    await tag(quick);
    const since = await positionNow();
    await age('6 minutes');
    const told = await snapshotNow();
    mayCommit.resolve();
    await writing;
    await app.db.transaction(system, (tx) => purgeChanges(tx, told));
    expect(await toldSince(project.id, since)).toEqual([slow]);
  });

  it('is forgotten when it is of another server, whose transactions had higher numbers', async () => {
    const { project, run, recordIds } = await createScoredRun(own.api, 1);
    const since = await positionNow();
    await app.db.transaction(
      system,
      (tx) => tx`
        insert into change (organization_id, project_id, run_id, n, xact)
        values (${own.organizationId}, ${project.id}, ${run.id}, 99, '9000000000000000000')`,
    );
    await age('6 minutes');
    const told = await snapshotNow();
    await app.db.transaction(system, (tx) => purgeChanges(tx, told));
    await tag(recordIds[0]!);
    expect(await toldSince(project.id, since)).toEqual(recordIds);
  });
});

describe('who watches', () => {
  const openFeed = () => changeFeed(app.db, app.app.log, sessions, { signMs: 5 });
  const watchUntil = async (refusal: Error, feed = openFeed()) => {
    let looks = 0;
    const checkAccess = async () => {
      if (++looks > 2) throw refusal;
    };
    return withoutId(await text(await feed.follow({ ...(await following()), checkAccess })));
  };
  const alive = 'event: alive\ndata: {}\n\n';
  const start = `${ready}${alive}${alive}`;

  it('is left behind when they don’t read what they receive', async () => {
    const project = await createProject(own.api);
    const feed = changeFeed(app.db, app.app.log, sessions, { pollMs: 5 });
    onTestFinished(feed.close);
    const stream = await feed.follow({ ...(await following(project.id)), checkAccess: async () => {} });
    await app.db.transaction(
      system,
      (tx) => tx`
        insert into change (organization_id, project_id, run_id)
        select ${own.organizationId}, ${project.id}, n from generate_series(1, 3000) n`,
    );
    await once(stream, 'close');
    expect(stream.readableLength).toBeGreaterThan(64 * 1024);
  });

  it('sees nothing, and ends, where the service stops while they begin', async () => {
    const feed = openFeed();
    const stream = feed.follow({ ...(await following()), checkAccess: async () => {} });
    feed.close();
    expect(await text(await stream)).toBe('');
  });

  it('may leave in the middle of a poll, about which nothing is logged', async () => {
    const warnings: unknown[] = [];
    const log = Object.create(app.app.log, { warn: { value: (...said: unknown[]) => warnings.push(said) } });
    const left = Promise.withResolvers<void>();
    let stream: Readable | undefined;
    const read: typeof app.db.read = async (scope, work) => {
      const found = await app.db.read(scope, work);
      if (stream && !stream.destroyed) {
        stream.destroy();
        await once(stream, 'close');
        left.resolve();
      }
      return found;
    };
    const feed = changeFeed({ ...app.db, read }, log, sessions, { pollMs: 1 });
    stream = await feed.follow({ ...(await following()), checkAccess: async () => {} });
    await left.promise;
    // Whatever the poll still asks has been answered before these.
    for (let i = 0; i < 3; i++) await app.db.read(own, (sql) => sql`select 1`);
    expect(warnings).toEqual([]);
  });

  it.each(['is revoked', 'expires', 'belongs to a member who is removed'])(
    'sees no more after the next poll once their key %s',
    async (how) => {
      const reader = await own.person();
      const [key] = await app.db.read(
        system,
        (sql) => sql<{ id: string }[]>`select id from api_key where member_id = ${reader.id}`,
      );
      const feed = changeFeed(app.db, app.app.log, sessions, { pollMs: 5 });
      onTestFinished(feed.close);
      const options = await following();
      const checkAccess = async () => {};
      const stays = await feed.follow({ ...options, checkAccess });
      const ends = await feed.follow({
        ...options,
        scope: { ...options.scope, keyId: key!.id },
        checkAccess,
      });
      if (how === 'is revoked') await ok(reader.api('DELETE', `/keys/${key!.id}`));
      else if (how === 'expires')
        await app.db.transaction(
          own,
          (tx) => tx`update api_key set expires_at = now() where id = ${key!.id}`,
        );
      else await ok(own.api('DELETE', `/members/${reader.id}`));
      expect(withoutId(await text(ends))).toBe(ready);
      expect(stays.readableEnded).toBe(false);
    },
  );

  it.each([
    [
      'loses the role',
      (id: string, member: string) => own.api('DELETE', `/projects/${id}/members/${member}`),
    ],
    ['is kept out', (id: string) => own.api('PATCH', `/projects/${id}/settings`, { restricted: true })],
  ])('ends at the next poll once its reader %s in the project', async (how, change) => {
    const project = await createProject(own.api);
    const reader = await own.person();
    if (how === 'loses the role') {
      await ok(own.api('PUT', `/projects/${project.id}/members/${reader.id}`, { role: 'viewer' }));
      await ok(own.api('PATCH', `/projects/${project.id}/settings`, { restricted: true }));
    }
    const address = await app.url();
    const response = await fetch(`${address}/api/v2/events?projectId=${project.id}`, {
      headers: { authorization: `Bearer ${reader.key}` },
    });
    const heard = response.text();
    await ok(change(project.id, reader.id));
    expect(withoutId(await heard)).toBe(`${ready}event: deleted\ndata: {}\n\n`);
  });

  it('sees no more once access is refused', async () => {
    expect(await watchUntil(unauthorized())).toBe(start);
  });

  it('hears that the project is gone', async () => {
    expect(await watchUntil(notFound('project', '1'))).toBe(`${start}event: deleted\ndata: {}\n\n`);
  });
});

it('stopping ends the streams, so that it does not wait for those who watch', async () => {
  const other = await startApp({});
  const { api, key } = await other.organization();
  const project = await createProject(api);
  const address = await other.url();
  const response = await fetch(`${address}/api/v2/events?projectId=${project.id}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const events = response.text();
  await other.close();
  expect(withoutId(await events)).toBe(ready);
});
