import { describe, expect, it } from 'vitest';
import { createProject, createRun, createScoredRun, ok } from '../../../test/fixtures.ts';
import type { Organization } from '../../../test/harness.ts';
import { openApp } from '../../../test/opened.ts';
import { system } from '../../platform/db/database.ts';
import { countRecordsOverTime } from './count-over-time.ts';
import { readSearch } from './read-search.ts';
import type { RecordFilters } from './schema.ts';

const { app, own } = await openApp();

const start = Date.parse('2026-03-01T00:00:00Z');
const hour = 3_600_000;

/** A project of 48 records, one each `step` milliseconds from `start` on, every fourth scored as failed. */
const createHistory = async (step = hour) => {
  const { project, run, configId, recordIds } = await createScoredRun(own.api, 48);
  await app.db.transaction(
    system,
    (tx) => tx`
      update record set created_at = ${new Date(start).toISOString()}::text::timestamptz + (n - 1) * ${step}::int * interval '1 millisecond'
      where run_id = ${run.id}::text::bigint`,
  );
  const items = recordIds.map((recordId, i) => ({
    recordId,
    metricConfigId: configId,
    score: { binaryScore: i % 4 > 0 },
  }));
  await ok(own.api('POST', `/runs/${run.id}/scores/bulk-upsert`, { items }));
  return { project, run, recordIds };
};
const scopeOf = ({ organizationId, memberId }: Organization) =>
  ({ organizationId, memberId, role: 'admin', access: 'read', keyId: null, signInId: null }) as const;
const count = (projectId: string, query = '') =>
  ok(own.api('GET', `/projects/${projectId}/records/histogram?${query}`));

describe('GET /projects/:projectId/records/histogram', () => {
  it('counts all records in stretches of a round length, the first at a round time', async () => {
    const { project } = await createHistory();
    expect(await count(project.id, 'buckets=48')).toEqual({
      numRecords: 48,
      start: '2026-03-01T00:00:00.000Z',
      bucketSeconds: 3_600,
      counts: Array(48).fill(1),
      estimated: false,
    });
    expect(await count(project.id, 'buckets=47')).toEqual({
      numRecords: 48,
      start: '2026-03-01T00:00:00.000Z',
      bucketSeconds: 3 * 3_600,
      counts: Array(16).fill(3),
      estimated: false,
    });
    expect((await count(project.id, 'buckets=2')).counts).toEqual([24, 24]);
  });

  it('tells records of one second apart, to the millisecond', async () => {
    for (const step of [1, 10, 100]) {
      const { project } = await createHistory(step);
      expect(await count(project.id, 'buckets=48')).toEqual({
        numRecords: 48,
        start: '2026-03-01T00:00:00.000Z',
        bucketSeconds: step / 1_000,
        counts: Array(48).fill(1),
        estimated: false,
      });
      expect((await count(project.id, 'buckets=47')).counts).toEqual([...Array(9).fill(5), 3]);
    }
  });

  it('counts what the list finds, under each of its filters', async () => {
    const { project, run, recordIds } = await createHistory();
    await ok(own.api('POST', `/records/${recordIds[7]}/tags`, { text: 'odd' }), 201);
    await ok(own.api('POST', `/records/${recordIds[9]}/assignees`, { assigneeUserId: own.memberId }), 201);
    const filters: [string, number][] = [
      ['', 48],
      ['result=fail', 12],
      ['result=pass', 36],
      ['result=pending', 0],
      ['tags=odd', 1],
      [`runId=${run.id}&result=fail`, 12],
      [`assigneeUserId=${own.memberId}`, 1],
      ['text=47', 1],
      [`createdAfter=${new Date(start + 10 * hour).toISOString()}`, 38],
      [`createdBefore=${new Date(start + 10 * hour).toISOString()}`, 10],
      [
        `createdAfter=${new Date(start + 4 * hour).toISOString()}&createdBefore=${new Date(start + 9 * hour).toISOString()}`,
        5,
      ],
      [`createdAfter=${new Date(start + 999 * hour).toISOString()}`, 0],
    ];
    for (const [query, expected] of filters) {
      const { numRecords, counts } = await count(project.id, query);
      const { data } = await ok(own.api('GET', `/projects/${project.id}/records?limit=100&${query}`));
      const sum = counts.reduce((a: number, b: number) => a + b, 0);
      expect({ query, numRecords, sum, listed: data.length }).toEqual({
        query,
        numRecords: expected,
        sum: expected,
        listed: expected,
      });
    }
  });

  it('reads records in slices: each is counted once, and none after the client has gone', async () => {
    const { project } = await createHistory();
    const scope = scopeOf(own);
    const id = BigInt(project.id);
    const filter = await readSearch(app.db, scope, id, { result: 'pass' });
    const counted = (sliceSize: number, signal = new AbortController().signal) =>
      countRecordsOverTime(app.db, scope, id, filter, 48, { signal, sliceSize });
    const whole = await counted(1_000);
    expect(whole.numRecords).toBe(36);
    for (const size of [1, 5, 16, 47, 48, 49]) expect(await counted(size)).toEqual(whole);
    expect((await counted(5, AbortSignal.abort())).numRecords).toBe(0);
  });

  it('counts a large project by the minute, and of one minute what is within the times that are asked for', async () => {
    const { project } = await createHistory(20_000);
    const at = (seconds: number) => new Date(start + seconds * 1_000).toISOString();
    const counted = (times: object, options: object = {}) =>
      countRecordsOverTime(app.db, scopeOf(own), BigInt(project.id), { conditions: [], ...times }, 60, {
        signal: new AbortController().signal,
        ...options,
      });
    const [all, large] = [await counted({}), await counted({}, { mostTimed: 0 })];
    expect([all.bucketSeconds, all.numRecords]).toEqual([60, 48]);
    expect(large).toEqual(all);
    for (const times of [
      { createdAfter: at(30), createdBefore: at(700) },
      { createdAfter: at(60), createdBefore: at(600) },
      { createdAfter: at(61), createdBefore: at(119) },
      { createdBefore: at(60.5) },
    ]) {
      const { data } = await ok(
        own.api('GET', `/projects/${project.id}/records?limit=100&${new URLSearchParams(times)}`),
      );
      expect((await counted(times, { mostTimed: 0 })).numRecords).toBe(data.length);
    }
  });

  it('of a large project estimates by up to 300 records in each stretch', async () => {
    const { project } = await createHistory();
    const counted = async (mostRead: number, query: RecordFilters) => {
      const filter = await readSearch(app.db, scopeOf(own), BigInt(project.id), query);
      return countRecordsOverTime(app.db, scopeOf(own), BigInt(project.id), filter, 48, {
        signal: new AbortController().signal,
        mostRead,
      });
    };
    // No index finds records without a result.
    const half = { q: '-result:fail', createdAfter: new Date(start + 20 * hour).toISOString() };
    for (const filter of [{ q: '-result:fail' }, { q: '-result:pass' }, half])
      expect(await counted(0, filter)).toEqual({ ...(await counted(1_000, filter)), estimated: true });
    expect((await counted(0, {})).estimated).toBe(false);
  });

  it('is empty without records, and one stretch with one', async () => {
    const project = await createProject(own.api);
    expect(await count(project.id)).toEqual({
      numRecords: 0,
      start: null,
      bucketSeconds: 1,
      counts: [],
      estimated: false,
    });
    const run = await createRun(own.api, project.id, []);
    await ok(own.api('POST', `/runs/${run.id}/records`, { inputs: {}, expected: {}, outputs: {} }), 201);
    expect(await count(project.id)).toMatchObject({ numRecords: 1, bucketSeconds: 0.001, counts: [1] });
  });

  it('needs few stretches for records of a thousand years', async () => {
    const { project, run } = await createHistory();
    await app.db.transaction(
      system,
      (tx) =>
        tx`update record set created_at = '1026-01-01' where run_id = ${run.id}::text::bigint and n = 1`,
    );
    const { counts, numRecords } = await count(project.id, 'buckets=10');
    expect(numRecords).toBe(48);
    expect(counts.length).toBeLessThanOrEqual(10);
    expect([counts[0], counts.at(-1)]).toEqual([1, 47]);
  });

  it('400 for no stretches or too many, 404 for a metric that is not there', async () => {
    const { project } = await createHistory();
    const path = `/projects/${project.id}/records/histogram`;
    for (const buckets of ['1', '501', 'x'])
      expect((await own.api('GET', `${path}?buckets=${buckets}`)).status).toBe(400);
    expect((await own.api('GET', `${path}?metricId=999999999`)).status).toBe(404);
  });
});

describe('GET /projects/:projectId/records?offset', () => {
  it('begins in the middle, and goes on from there by cursor', async () => {
    const { project, recordIds } = await createHistory();
    const newestFirst = recordIds.toReversed();
    const path = `/projects/${project.id}/records?limit=5`;
    const page = await ok(own.api('GET', `${path}&offset=20`));
    expect(page.data.map(({ id }: { id: string }) => id)).toEqual(newestFirst.slice(20, 25));
    // With a cursor, offset says nothing more.
    for (const query of ['', '&offset=20', '&offset=3']) {
      const next = await ok(own.api('GET', `${path}&cursor=${page.nextCursor}${query}`));
      expect(next.data.map(({ id }: { id: string }) => id)).toEqual(newestFirst.slice(25, 30));
    }
    expect((await ok(own.api('GET', `${path}&offset=48`))).data).toEqual([]);
    expect((await own.api('GET', `${path}&offset=-1`)).status).toBe(400);
  });
});
