import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { listSessionAttachments } from '../src/evaluation/attachments/queries.ts';
import { listMetrics, listMetricVersions } from '../src/evaluation/metrics/queries.ts';
import { listProjects } from '../src/evaluation/projects/queries.ts';
import { listSystems } from '../src/evaluation/systems/queries.ts';
import { listTestsets } from '../src/evaluation/testsets/queries.ts';
import type { Sql, Statement } from '../src/platform/db/database.ts';
import { firstUuid, lastUuid, newestFirst, type PageRow } from '../src/platform/http/pagination.ts';
import type { Scope } from '../src/platform/http/scope.ts';
import { repeats } from './depth.ts';
import { operationsOf } from './document.ts';
import { createMetric, createProject, createRecord, createRun, ok } from './fixtures.ts';
import type { Organization } from './harness.ts';
import { type List, lists } from './lists.ts';
import { openApp } from './opened.ts';

const { app, own } = await openApp();

/** Opened once for the tests that change nothing: opening some of them takes ten requests. */
const opened = new Map<string, Promise<List>>();
const openOnce = (operationId: string): Promise<List> => {
  const list = opened.get(operationId) ?? lists[operationId]!.open(own);
  opened.set(operationId, list);
  return list;
};

const cases = Object.entries(lists).map(([operationId, listCase]) => ({ operationId, ...listCase }));

/** Their rows don't come and go one by one through the API: their own tests page them. */
const pagedInTheirOwnTests = [
  'listMetricVersions',
  'listExecutions',
  'listAuditEvents',
  'listSpans',
  'listTraces',
  'listTraceSessions',
  'listTraceUsers',
  'listOrganizations',
  'listPreferenceComparisons',
  'listAlertDeliveries',
  'listProjectTags',
  'listThreads',
  'listReviewSamples',
  'listModelEndings',
  'listSnapshotDifferences',
];

it('each paged list of the document has a case here', () => {
  const paged = operationsOf(app.app).filter(({ parameters }) =>
    parameters.some(({ name }) => name === 'cursor'),
  );
  expect(paged.map(({ operationId }) => operationId).sort()).toEqual(
    [...Object.keys(lists), ...pagedInTheirOwnTests].sort(),
  );
});

/** What happens between two pages. `at` picks the row that goes. */
type Step = { kind: 'page'; limit: number } | { kind: 'insert' } | { kind: 'remove'; at: number };
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('page' as const), limit: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ kind: fc.constant('insert' as const) }),
  fc.record({ kind: fc.constant('remove' as const), at: fc.nat() }),
);

/** The expected list: all items that ever existed, oldest first, and the items that exist now. */
class Model {
  readonly ever: string[];
  readonly now: Set<string>;
  constructor(ids: string[]) {
    this.ever = [...ids];
    this.now = new Set(ids);
  }
}

const insert = async (list: List, model: Model) => {
  const id = await list.insert();
  model.ever.push(id);
  model.now.add(id);
};

/** Removes a row that is not one of the organization's own, which it needs to go on. */
const remove = async (list: List, model: Model, at: number) => {
  const candidates = [...model.now].filter((id) => !list.initial.includes(id));
  const id = candidates[at % candidates.length];
  if (id === undefined) return;
  await list.remove(id);
  model.now.delete(id);
};

/** A list's path may have its own query. */
const withQuery = (path: string, query: string) => `${path}${path.includes('?') ? '&' : '?'}${query}`;

const readPage = async ({ api }: Organization, path: string, limit: number, cursor: string) => {
  const page = await ok(api('GET', withQuery(path, `limit=${limit}&cursor=${encodeURIComponent(cursor)}`)));
  expect(page.hasMore).toBe(page.nextCursor !== '');
  if (page.hasMore) expect(page.data).toHaveLength(limit);
  expect(page.data.length).toBeLessThanOrEqual(limit);
  // Some items of lists have no id, and a trial has a number.
  const data = page.data.map(
    ({ id, recordId, number }: { id?: string; recordId?: string; number?: number }) => ({
      id: id ?? recordId ?? String(number),
    }),
  );
  return { ...page, data } as { data: { id: string }[]; nextCursor: string; hasMore: boolean };
};

describe.each(cases)('$operationId', ({ operationId, open, order }) => {
  it(`gives each row that stays exactly once, ${order}, while others come and go`, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 8 }),
        fc.array(step, { maxLength: 12 }),
        fc.integer({ min: 1, max: 5 }),
        async (count, steps, lastLimit) => {
          const organization = await app.organization();
          const list = await open(organization);
          const model = new Model(list.initial);
          for (let i = 0; i < count; i++) await insert(list, model);
          const atStart = new Set(model.now);

          const seen: string[] = [];
          let cursor = '';
          let hasMore = true;
          const next = async (limit: number) => {
            const page = await readPage(organization, list.path, limit, cursor);
            for (const { id } of page.data) {
              expect(model.now).toContain(id);
              expect(seen).not.toContain(id);
            }
            seen.push(...page.data.map(({ id }) => id));
            ({ nextCursor: cursor, hasMore } = page);
          };
          for (const now of steps) {
            if (now.kind === 'insert') await insert(list, model);
            else if (now.kind === 'remove') await remove(list, model, now.at);
            else if (hasMore) await next(now.limit);
          }
          while (hasMore) await next(lastLimit);

          const inOrder = order === 'oldest first' ? model.ever : model.ever.toReversed();
          expect(seen).toEqual(inOrder.filter((id) => seen.includes(id)));
          const stayed = [...atStart].filter((id) => model.now.has(id));
          expect(seen).toEqual(expect.arrayContaining(stayed));
        },
      ),
      { numRuns: repeats(6) },
    );
  });

  it('400 for a cursor that was tampered with or is another list’s or another organization’s', async () => {
    const list = await open(own);
    await list.insert();
    await list.insert();
    const { nextCursor } = await readPage(own, list.path, 1, '');
    const swap = (at: number) => {
      const other = nextCursor[at] === 'A' ? 'B' : 'A';
      return nextCursor.slice(0, at) + other + nextCursor.slice(at + 1);
    };
    const tampered = [
      ...Array.from(nextCursor, (_, at) => swap(at)),
      nextCursor.slice(0, -1),
      `${nextCursor}A`,
      `${nextCursor}=`,
      'A',
      '1',
      '../',
    ];
    const refused = async (path: string, cursor: string, { api }: Organization = own) => {
      const { status, body } = await api(
        'GET',
        withQuery(path, `limit=1&cursor=${encodeURIComponent(cursor)}`),
      );
      expect({ cursor, status, body }).toMatchObject({
        status: 400,
        body: { code: 'VALIDATION_ERROR', details: { issues: [{ path: '/cursor' }] } },
      });
    };
    for (const cursor of tampered) await refused(list.path, cursor);

    for (const other of cases) {
      const { path } = await openOnce(other.operationId);
      if (path !== list.path) await refused(path, nextCursor);
    }
    const stranger = await app.organization();
    const theirs = await open(stranger);
    await refused(theirs.path, nextCursor, stranger);
  });

  it.each(['0', '-1', '101', '1.5', 'abc', '', '1e1', ' 1', '%2B1', '9'.repeat(20), '1&limit=2'])(
    '400 for limit=%s',
    async (limit) => {
      const { path } = await openOnce(operationId);
      const { status, body } = await own.api('GET', withQuery(path, `limit=${limit}`));
      expect(status).toBe(400);
      expect(body.details.issues).toEqual([{ path: '/limit', message: 'must be an integer from 1 to 100' }]);
    },
  );

  it('400 for two cursors, and 20 a page without a limit', async () => {
    const list = await open(own);
    expect((await own.api('GET', withQuery(list.path, 'cursor=&cursor='))).status).toBe(400);
    const { data } = await ok(own.api('GET', list.path));
    for (let there = data.length; there <= 20; there++) await list.insert();
    expect((await ok(own.api('GET', list.path))).data).toHaveLength(20);
    expect((await ok(own.api('GET', withQuery(list.path, 'limit=100')))).data.length).toBeGreaterThan(20);
  });
});

describe('tags', () => {
  const texts = ['a', 'b', 'c', 'é ü', '50%'];
  let tagged: { id: string; tags: string[] }[];
  let paths: { path: string; order: 'oldest' | 'newest' }[];

  beforeAll(async () => {
    const project = await createProject(own.api);
    const run = await createRun(own.api, project.id, []);
    paths = [
      { path: `/runs/${run.id}/records`, order: 'oldest' },
      { path: `/projects/${project.id}/records`, order: 'newest' },
    ];
    // Each subset of the tags on one record: 32 of them.
    tagged = [];
    for (let set = 0; set < 2 ** texts.length; set++) {
      const tags = texts.filter((_, i) => set & (1 << i));
      const { id } = await createRecord(own.api, run.id);
      for (const text of tags) await ok(own.api('POST', `/records/${id}/tags`, { text }), 201);
      tagged.push({ id, tags });
    }
  });

  const list = async (path: string, query: string) => {
    const ids: string[] = [];
    for (let cursor = ''; ; ) {
      const page = await ok(own.api('GET', `${path}?limit=3&${query}&cursor=${cursor}`));
      ids.push(...page.data.map(({ id }: { id: string }) => id));
      if (!page.hasMore) return ids;
      cursor = page.nextCursor;
    }
  };

  it('keep the records that carry all of them, repeated, joined with commas or both, on every page', async () => {
    // Each value of the query holds one or more of the wanted tags.
    const values = fc.array(fc.array(fc.constantFrom(...texts), { minLength: 1, maxLength: 3 }), {
      minLength: 1,
      maxLength: 4,
    });
    await fc.assert(
      fc.asyncProperty(values, async (groups) => {
        const query = groups.map((group) => `tags=${group.map(encodeURIComponent).join(',')}`).join('&');
        const wanted = groups.flat();
        const expected = tagged
          .filter(({ tags }) => wanted.every((text) => tags.includes(text)))
          .map(({ id }) => id);
        for (const { path, order } of paths) {
          expect(await list(path, query)).toEqual(order === 'oldest' ? expected : expected.toReversed());
        }
      }),
      { numRuns: 15 },
    );
  });

  it('400 for 51 values or an empty one; 50 are fine, and an unknown one gives an empty page', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, i) => `t${i}`).join(',');
    for (const { path } of paths) {
      for (const query of [`tags=${many(51)}`, 'tags=', 'tags=a,,b', 'tags=a&tags=', 'tags=,', 'tags=%20']) {
        const { status, body } = await own.api('GET', `${path}?${query}`);
        expect(`${query} ${status} ${body.details?.issues?.[0].path.slice(0, 5)}`).toBe(`${query} 400 /tags`);
      }
      for (const query of [`tags=${many(50)}`, 'tags=unused', `tags=a&tags=unused`]) {
        expect(await ok(own.api('GET', `${path}?${query}`))).toEqual({
          data: [],
          nextCursor: '',
          hasMore: false,
        });
      }
    }
  });

  it('400 for a cursor that another filter gave', async () => {
    for (const { path } of paths) {
      const { nextCursor } = await ok(own.api('GET', `${path}?limit=1&tags=a`));
      for (const query of ['', 'tags=b', 'tags=a,b']) {
        expect((await own.api('GET', `${path}?limit=1&${query}&cursor=${nextCursor}`)).status).toBe(400);
      }
    }
  });
});

describe('a page of very large items', () => {
  const text = 'é'.repeat(1_000_000);

  /** The sizes of a list's pages, and what is in them, page by page. */
  const pagesOf = async (path: string) => {
    const sizes: number[] = [];
    const ids: string[] = [];
    for (let cursor = ''; ; ) {
      const page = await ok(own.api('GET', `${path}?limit=100&cursor=${cursor}`));
      sizes.push(page.data.length);
      ids.push(...page.data.map(({ id }: { id: string }) => id));
      expect(page.hasMore).toBe(page.nextCursor !== '');
      if (!page.hasMore) return { sizes, ids };
      cursor = page.nextCursor;
    }
  };

  it('ends before the item that would make it more than 4 MB, and the next goes on after it: of a run, and of a project', async () => {
    const project = await createProject(own.api);
    const run = await createRun(own.api, project.id, []);
    const made: string[] = [];
    for (let i = 0; i < 5; i++) made.push((await createRecord(own.api, run.id, { inputs: { text } })).id);
    expect(await pagesOf(`/runs/${run.id}/records`)).toEqual({ sizes: [2, 2, 1], ids: made });
    expect(await pagesOf(`/projects/${project.id}/records`)).toEqual({
      sizes: [2, 2, 1],
      ids: made.toReversed(),
    });
  });

  it('the same of a testset', async () => {
    const project = await createProject(own.api);
    const testset = await ok(
      own.api('POST', `/projects/${project.id}/testsets`, {
        name: 'Large',
        description: '',
        jsonSchema: { type: 'object', properties: { text: { type: 'string' } } },
        fieldMapping: { inputs: [], expected: [], metadata: ['text'] },
      }),
      201,
    );
    const made: string[] = [];
    for (let i = 0; i < 3; i++) {
      const { items } = await ok(
        own.api('POST', `/testsets/${testset.id}/testcases`, { items: [{ jsonData: { text } }] }),
        201,
      );
      made.push(items[0].id);
    }
    expect(await pagesOf(`/testsets/${testset.id}/testcases`)).toEqual({ sizes: [2, 1], ids: made });
  });

  it('is read no further than it goes, of any list: a hundred such items would end the process', async () => {
    const rich = await app.organization();
    const { api } = rich;
    const scope = { ...rich, keyId: null, signInId: null } as unknown as Scope;
    const { id } = await createProject(api);
    const projectId = BigInt(id);
    const metric = await createMetric(api, id, { evalType: 'human', outputType: 'boolean' });
    const fieldMapping = { inputs: [], expected: [], metadata: [] };
    const file = { sessionId: 's', sha256: '0'.repeat(64), sizeBytes: 1, contentType: 'a/b' };
    for (let i = 0; i < 4; i++) {
      const project = { name: `${i}`, description: '' };
      await ok(api('POST', '/projects', project), 201);
      await ok(api('POST', `/projects/${id}/testsets`, { ...project, jsonSchema: {}, fieldMapping }), 201);
      await ok(api('POST', `/projects/${id}/systems`, { name: `${i}`, config: {} }), 201);
      const changed = { evalType: 'human', outputType: 'boolean', guidelines: `${i}` };
      await createMetric(api, id, changed as never);
      await ok(api('PATCH', `/metrics/${metric.id}`, changed));
      await ok(api('POST', '/attachments', { ...file, filePath: `${i}` }), 201);
    }
    // Through the API it would take ten times as long.
    await app.db.transaction(rich, async (tx) => {
      const large = tx`repeat('x', 2000000)`;
      const json = tx`('{"a":"' || ${large} || '"}')::json`;
      const ours = tx`where organization_id = ${rich.organizationId}`;
      await tx`update project set description = ${large} ${ours}`;
      await tx`update testset set description = ${large} ${ours}`;
      await tx`update system_version set config = ${json} ${ours}`;
      await tx`update metric_config set guidelines = ${large} ${ours}`;
      await tx`update attachment set metadata = ${json} ${ours}`;
    });
    const read = (list: (sql: Sql) => Statement<PageRow>) => app.db.read(rich, list);
    const found = {
      projects: await read((sql) => listProjects(sql, scope, id, 101)),
      testsets: await read((sql) => listTestsets(sql, scope, projectId, newestFirst, 101)),
      systems: await read((sql) => listSystems(sql, scope, projectId, firstUuid, 101)),
      metrics: await read((sql) => listMetrics(sql, scope, projectId, newestFirst, 101)),
      versions: await read((sql) => listMetricVersions(sql, scope, BigInt(metric.id), lastUuid, 101)),
      attachments: await read((sql) => listSessionAttachments(sql, scope, 's', lastUuid, 101, undefined)),
    };
    for (const [list, rows] of Object.entries(found))
      expect([list, rows.map(({ isCut }) => isCut)]).toEqual([list, [false, true]]);
  });
});
