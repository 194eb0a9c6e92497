import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operationsOf } from './document.ts';
import { createProject, createRecord, createScoredRun, ok } from './fixtures.ts';
import { type Answer, type Client, type Organization, startApp, type TestApp } from './harness.ts';
import { expectNoChange, rowsOf } from './rows.ts';

/** Ids and queries that no honest client sends. None gives a 5xx, a hang or a half-written row. */

let app: TestApp;
let organization: Organization;
let api: Client;

beforeAll(async () => {
  app = await startApp();
  organization = await app.organization();
  api = organization.api;
});
afterAll(() => app.close());

const expectRefused = (status: number, requests: () => Promise<Answer[]>) =>
  expectNoChange(app.db, organization, status, requests);

const post = (path: string, raw: string | Buffer, headers: Record<string, string> = {}) =>
  api('POST', path, undefined, { raw, headers });

type Place = {
  /** Whether it takes a body, or a query parameter that must be there. */
  needsMore: boolean;
  path: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
};

/** Their links are signed, or their body is not JSON. */
const exempt = ['uploadAttachment', 'downloadAttachment', 'importProject'];

/** Each place of a path that takes an id. */
const idPlaces = (): Place[] =>
  operationsOf(app.app)
    .filter(({ operationId, template }) => template.includes('{') && !exempt.includes(operationId))
    .map(({ template, method, parameters, hasBody }) => ({
      path: template,
      method,
      needsMore: hasBody || parameters.some(({ in: place, required }) => place === 'query' && required),
    }));

describe('ids', () => {
  const ids = [
    '..%2f..%2fetc%2fpasswd',
    '%2e%2e%2f',
    '..%5c',
    '%00',
    '1%00',
    '1-1%00',
    '%252e',
    '1%2f2',
    '%F0%9F%98%80',
    '%D9%A1', // an Arabic digit one
    '%EF%BC%91', // a full-width one
    '1.0',
    '+1',
    '-1',
    '0x1',
    '1e3',
    '1_000',
    '%201',
    '1%20',
    '1%0a',
    '9223372036854775807',
    '9223372036854775808',
    '99999999999999999999999999999999',
    '1-2147483647',
    '1-2147483648',
    '9223372036854775808-1',
    '1-1-1',
    '1-',
    '-',
    'null',
    'undefined',
    'NaN',
    '__proto__',
    'constructor',
    "1'%20or%20'1'='1",
    '1;drop%20table%20record',
    '{00000000-0000-7000-8000-000000000000}',
    '00000000000070008000000000000000',
    '00000000-0000-7000-8000-00000000000g',
    'a'.repeat(10_000),
  ];

  it('that can’t be one are unknown ones, in every operation: 404, or 400 for what is missing beside it', async () => {
    const before = await rowsOf(app.db, organization.organizationId);
    const surprises: string[] = [];
    for (const { method, path, needsMore } of idPlaces()) {
      // A tag and a session are names, and any text may be one. Organizations are the operator's.
      if (/\{text\}|\{sessionId\}|\{organizationId\}/.test(path)) continue;
      for (const id of ids) {
        const at = path.replace(/\{\w+\}/g, id);
        const { status } = await api(method, at, method === 'GET' ? undefined : {});
        if (status !== 404 && !(status === 400 && needsMore)) surprises.push(`${method} ${at}: ${status}`);
      }
    }
    expect(surprises).toEqual([]);
    expect(await rowsOf(app.db, organization.organizationId)).toBe(before);
  });

  it('in bodies and queries are unknown ones too', async () => {
    const { project, recordIds } = await createScoredRun(api, 1);
    const hostile = ids.map((id) => decodeURIComponent(id));
    await expectRefused(404, () =>
      Promise.all(
        hostile
          .filter((id) => !id.includes('\0'))
          .flatMap((id) => [
            api('POST', `/projects/${project.id}/runs`, { metricIds: [id] }),
            api('POST', `/projects/${project.id}/runs`, { metricIds: [], testsetId: id }),
            api('POST', `/records/${recordIds[0]}/assignees`, { assigneeUserId: id }),
            api('POST', '/testcases/bulk-delete', { ids: [id] }),
            api('GET', `/projects/${project.id}/records?runId=${encodeURIComponent(id)}`),
            api('GET', `/projects/${project.id}/records?metricId=${encodeURIComponent(id)}`),
            api('GET', `/projects/${project.id}/records?assigneeUserId=${encodeURIComponent(id)}`),
          ]),
      ),
    );
  });

  it('of testcases that can’t be one make no record', async () => {
    const { run } = await createScoredRun(api, 1);
    for (const id of ids.map((id) => decodeURIComponent(id)).filter((id) => !id.includes('\0'))) {
      const body = { inputs: {}, expected: {}, outputs: {}, testcaseId: id };
      expect((await api('POST', `/runs/${run.id}/records`, body)).status).toBe(404);
    }
    expect((await ok(api('GET', `/runs/${run.id}/records`))).data).toHaveLength(1);
  });

  it('with a NUL or a lone surrogate in a body are a 400', async () => {
    await expectRefused(400, () =>
      Promise.all(
        ['\\u0000', '1\\u0000', '\\ud800'].map((id) => post('/testcases/bulk-delete', `{"ids":["${id}"]}`)),
      ),
    );
  });
});

describe('queries', () => {
  it('an unknown parameter is ignored, whatever it is called and however often', async () => {
    const plain = await ok(api('GET', '/projects'));
    const many = Array.from({ length: 500 }, (_, i) => `x${i}=${i}`).join('&');
    for (const query of [
      'x=1&x=2',
      '__proto__=1',
      'constructor=1',
      '__proto__[limit]=1',
      'limit[]=1',
      '=',
      '&&&',
      '%00=1',
      many,
    ])
      expect((await ok(api('GET', `/projects?${query}`))).data).toEqual(plain.data);
  });

  it('a parameter given twice is a 400, and not one of the two', async () => {
    const { project } = await createScoredRun(api, 1);
    const path = `/projects/${project.id}/records`;
    const twice = [
      'limit=1&limit=1',
      'cursor=&cursor=',
      'runId=1&runId=1',
      'text=a&text=a',
      'result=pass&result=fail',
    ];
    await expectRefused(400, () => Promise.all(twice.map((query) => api('GET', `${path}?${query}`))));
  });

  it('values with SQL, wildcards, NULs or any Unicode find what carries them and nothing else', async () => {
    const { project, run } = await createScoredRun(api, 1);
    const texts = [
      "'; drop table record; --",
      '%',
      '_',
      '\\',
      '\\%',
      '100%',
      "''",
      '"',
      '$1',
      '{a}',
      'é',
      '😀',
      'ß',
      '\\u00e9',
      '\t',
    ];
    for (const text of texts) await createRecord(api, run.id, { inputs: { text: `<${text}>` } });
    for (const text of texts) {
      const query = `text=${encodeURIComponent(`<${text}>`)}`;
      const { data } = await ok(api('GET', `/projects/${project.id}/records?${query}`));
      expect(data.map((record: { inputs: unknown }) => record.inputs)).toEqual([{ text: `<${text}>` }]);
    }
    const refused = [
      'text=%00',
      'text=a%00b',
      'tags=%00',
      'text=',
      'tags=',
      'tags=a,,b',
      `text=${'a'.repeat(1001)}`,
    ];
    await expectRefused(400, () =>
      Promise.all(refused.map((query) => api('GET', `/projects/${project.id}/records?${query}`))),
    );
  });

  it('times that no calendar or no database has are a 400', async () => {
    const { id } = await createProject(api);
    const times = [
      'infinity',
      'now',
      '2024-02-30T00:00:00Z',
      '9999-12-31T23:59:59-14:00',
      '0000-01-01T00:00:00Z',
      '-0001-01-01T00:00:00Z',
      '+010000-01-01T00:00:00Z',
      '2024-01-01',
      '1',
      '',
    ];
    await expectRefused(400, () =>
      Promise.all(
        times.map((time) => api('GET', `/projects/${id}/records?createdAfter=${encodeURIComponent(time)}`)),
      ),
    );
    await expectRefused(400, () =>
      Promise.all(times.map((expiresAt) => api('POST', '/keys', { name: 'K', expiresAt }))),
    );
  });
});
