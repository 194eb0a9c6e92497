import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createProject, ok } from '../../../test/fixtures.ts';
import { type Organization, startApp, type TestApp } from '../../../test/harness.ts';
import { newTraceId, post, requestOf, type TestSpan } from '../../../test/otlp.ts';
import { indexTexts } from '../../evaluation/records/index-texts.ts';
import { readSearch } from '../../evaluation/records/read-search.ts';
import { locate } from '../../evaluation/records/search-records.ts';
import { system } from '../../platform/db/database.ts';

/** A span may name the testcase that its trace is about. */

let app: TestApp;
let own: Organization;
let projectId: string;
let testcaseId: string;

const createTestcase = async (project: string): Promise<string> => {
  const testset = await ok(
    own.api('POST', `/projects/${project}/testsets`, {
      name: 'T',
      description: '',
      jsonSchema: { type: 'object' },
      fieldMapping: { inputs: ['q'], expected: ['a'], metadata: [] },
    }),
    201,
  );
  const body = { items: [{ jsonData: { q: 'Capital of Norway?', a: 'Oslo' } }] };
  return (await ok(own.api('POST', `/testsets/${testset.id}/testcases`, body), 201)).items[0].id;
};

beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  own = await app.organization();
  projectId = (await createProject(own.api)).id;
  testcaseId = await createTestcase(projectId);
});

const send = async (
  spans: TestSpan[],
  resource: object = { 'dokima.project_id': projectId },
  warning?: string,
) => {
  const { status, body } = await post(app, own.key, requestOf(spans, resource as Record<string, unknown>));
  const expectedBody = warning ? { partialSuccess: { rejectedSpans: '0', errorMessage: warning } } : {};
  expect({ status, body: JSON.parse(String(body)) }).toEqual({ status: 200, body: expectedBody });
};
const records = async (query = '') =>
  (await ok(own.api('GET', `/projects/${projectId}/records${query}`))).data;
const expected = { a: 'Oslo' };

describe('the testcase of a trace', () => {
  it.each(['scorecard.testcaseId', 'scorecard.testcase_id', 'dokima.testcase_id'])(
    'is the one that %s names, and the record expects what it expects',
    async (key) => {
      const attributes = { [key]: testcaseId, 'input.value': 'Capital?' };
      await send([{ traceId: newTraceId(), n: 1, attributes }]);
      expect(await records()).toMatchObject([{ testcaseId, expected, inputs: { input: 'Capital?' } }]);
      expect(await records('?text=oslo')).toHaveLength(1);
    },
  );

  it('may be named after the record was made, and stays when the record’s content changes', async () => {
    const traceId = newTraceId();
    await send([{ traceId, n: 2, parent: 1 }]);
    await send([{ traceId, n: 3, parent: 1, attributes: { 'scorecard.testcaseId': testcaseId } }]);
    await send([{ traceId, n: 1, attributes: { 'output.value': 'Bergen' } }]);
    expect(await records()).toMatchObject([{ testcaseId, expected, outputs: { output: 'Bergen' } }]);
    for (const word of ['oslo', 'bergen']) expect(await records(`?text=${word}`)).toHaveLength(1);
  });

  it('is searched by what it expects, although the record was indexed before it was named', async () => {
    const index = async () => {
      while ((await app.db.transaction(system, (tx) => indexTexts(tx, 1000))) > 0);
    };
    const traceId = newTraceId();
    await send([{ traceId, n: 1, attributes: { 'input.value': 'Capital?' } }]);
    await index();
    await send([{ traceId, n: 2, parent: 1, attributes: { 'dokima.testcase_id': testcaseId } }]);
    const scope = { ...own, role: 'admin', access: 'read', keyId: null, signInId: null } as const;
    const expectFound = async () => {
      for (const q of ['expected.a:*', 'expected.a:Oslo']) {
        const search = await readSearch(app.db, scope, BigInt(projectId), { q });
        const { among } = await locate(app.db, scope, BigInt(projectId), search);
        expect([q, among?.length]).toEqual([q, 1]);
      }
    };
    await expectFound();
    await index();
    await expectFound();
  });

  it('goes with the trace to the record of its session, and to the project that a later span names', async () => {
    await createProject(own.api);
    const [one, two] = [newTraceId(), newTraceId()];
    await send([{ traceId: one, n: 1, attributes: { 'session.id': 's' } }]);
    await send([{ traceId: two, n: 2, parent: 1, attributes: { 'scorecard.testcaseId': testcaseId } }]);
    await send([{ traceId: two, n: 1, attributes: { 'session.id': 's' } }]);
    expect(await records()).toMatchObject([{ testcaseId, sessionId: 's' }]);

    const other = (await createProject(own.api)).id;
    const theirs = await createTestcase(other);
    const traceId = newTraceId();
    await send([{ traceId, n: 2, parent: 1, attributes: { 'scorecard.testcaseId': theirs } }], {});
    await send([{ traceId, n: 1 }], { 'dokima.project_id': other });
    const moved = (await ok(own.api('GET', `/projects/${other}/records`))).data;
    expect(moved).toMatchObject([{ testcaseId: theirs, expected }]);
  });

  it('is none if the id is not that of a testcase in the project', async () => {
    const foreign = await createTestcase((await createProject(own.api)).id);
    const none = '1 span: its testcase id is no such id and was left out';
    for (const [name, warning] of [[foreign], ['999999999-1'], ['first', none], [`${testcaseId}0`]] as const)
      await send(
        [{ traceId: newTraceId(), n: 1, attributes: { 'scorecard.testcaseId': name } }],
        undefined,
        warning,
      );
    const found = await records();
    expect(found).toHaveLength(4);
    for (const record of found) expect(record).toMatchObject({ expected: {} });
    for (const record of found) expect(record.testcaseId ?? null).toBeNull();
  });
});
