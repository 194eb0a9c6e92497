import { beforeEach, describe, expect, it } from 'vitest';
import {
  createProject,
  createRecord,
  createRun,
  createTestcases,
  createTestset,
  ok,
} from '../../../test/fixtures.ts';
import { openApp } from '../../../test/opened.ts';

const { own } = await openApp();
const projectId: string = (await createProject(own.api)).id;

const mapping = { inputs: ['question', 'context'], expected: ['answer'], metadata: ['source'] };
const add = (testsetId: string, ...documents: unknown[]) =>
  ok(
    own.api('POST', `/testsets/${testsetId}/testcases`, {
      items: documents.map((jsonData) => ({ jsonData })),
    }),
    201,
  );

describe('POST /projects/:projectId/testsets', () => {
  it('201 echoes the schema as it was sent, key order and numbers included', async () => {
    const jsonSchema =
      '{"type":"object","properties":{"z":{"maximum":1.10},"a":{"const":12345678901234567890}},"$comment":"\\u0000"}';
    const { text, body } = await own.api('POST', `/projects/${projectId}/testsets`, undefined, {
      raw: `{"name":"T","description":"d","jsonSchema":${jsonSchema},"fieldMapping":${JSON.stringify(mapping)}}`,
    });
    expect(text).toContain(jsonSchema);
    expect(body).toMatchObject({ name: 'T', description: 'd', fieldMapping: mapping });
    expect((await own.api('GET', `/testsets/${body.id}`)).text).toBe(text);
  });

  it.each([
    [{ type: 'nothing' }],
    [{ properties: [] }],
    [{ required: 'question' }],
    [{ pattern: '(' }],
    [{ $ref: '#/definitions/missing' }],
    [{ $ref: 'https://example.org/schema.json' }],
  ])('400 for %j, which is not a JSON Schema that can be used', async (jsonSchema) => {
    const body = { name: 'T', description: '', jsonSchema, fieldMapping: mapping };
    const { status, body: error } = await own.api('POST', `/projects/${projectId}/testsets`, body);
    expect(status).toBe(400);
    expect(error.details.issues).toEqual([
      { path: '/jsonSchema', message: expect.stringContaining('must be a JSON Schema: ') },
    ]);
  });

  it('400 names every field that is missing', async () => {
    const { body } = await own.api('POST', `/projects/${projectId}/testsets`, { name: 'T' });
    expect(body.details.issues.map(({ path }: { path: string }) => path).sort()).toEqual([
      '/description',
      '/fieldMapping',
      '/jsonSchema',
    ]);
  });
});

describe('POST /testsets/:testsetId/testcases', () => {
  it('201 numbers them in the order sent and maps their fields, in the order of the mapping', async () => {
    const { id } = await createTestset(own.api, projectId, { fieldMapping: mapping });
    const { items } = await add(
      id,
      { answer: 'Paris', question: 'France?', source: 's', other: 1 },
      { question: 'Peru?', context: { hint: 'L' } },
    );
    expect(items).toEqual([
      {
        id: `${id}-1`,
        testsetId: id,
        jsonData: { answer: 'Paris', question: 'France?', source: 's', other: 1 },
        inputs: { question: 'France?' },
        expected: { answer: 'Paris' },
      },
      {
        id: `${id}-2`,
        testsetId: id,
        jsonData: { question: 'Peru?', context: { hint: 'L' } },
        inputs: { question: 'Peru?', context: { hint: 'L' } },
        expected: {},
      },
    ]);
    expect((await ok(own.api('GET', `/testsets/${id}/testcases`))).data).toEqual(items);
  });

  it('are listed as soon where the testset maps a hundred thousand fields', async () => {
    const names = Array.from({ length: 100_000 }, (_, i) => `field ${i}`);
    const fieldMapping = { inputs: [...names, 'b', 'a', 'b', '__proto__'], expected: names, metadata: [] };
    const { id } = await createTestset(own.api, projectId, { fieldMapping });
    const raw = '{"__proto__":1,"a":1.10,"b":3,"c":4}';
    const items = Array(100).fill(`{"jsonData":${raw}}`);
    const path = `/testsets/${id}/testcases`;
    await ok(own.api('POST', path, undefined, { raw: `{"items":[${items}]}` }), 201);
    const before = performance.now();
    const { status, text } = await own.api('GET', `${path}?limit=100`);
    // It took half a minute.
    expect(performance.now() - before).toBeLessThan(30_000);
    expect(status).toBe(200);
    expect(
      text.split(`"jsonData":${raw},"inputs":{"b":3,"a":1.10,"__proto__":1},"expected":{}`),
    ).toHaveLength(101);
  });

  it('stores what breaks the schema with everything that is wrong, and where', async () => {
    const { id } = await createTestset(own.api, projectId, {
      jsonSchema: {
        type: 'object',
        properties: {
          question: { type: 'string' },
          tags: { type: 'array', items: { type: 'string', format: 'email' } },
        },
        required: ['question', 'answer'],
      },
    });
    const { items } = await add(
      id,
      { question: 1, tags: ['a@b.org', 'none'] },
      { question: 'q', answer: 'a' },
    );
    expect(items[0].validationErrors).toEqual(
      expect.arrayContaining([
        { path: '/question', message: 'must be string' },
        { path: '/answer', message: 'is required' },
        { path: '/tags/1', message: 'must match format "email"' },
      ]),
    );
    expect(items[0].validationErrors).toHaveLength(3);
    expect(items[1]).not.toHaveProperty('validationErrors');
    expect(await ok(own.api('GET', `/testcases/${items[0].id}`))).toEqual(items[0]);
  });

  it.each([
    ['draft 7, the default', {}, { dependencies: { a: ['b'] } }, { a: 1 }],
    [
      '2019-09',
      { $schema: 'https://json-schema.org/draft/2019-09/schema' },
      { dependentRequired: { a: ['b'] } },
      { a: 1 },
    ],
    [
      '2020-12',
      { $schema: 'https://json-schema.org/draft/2020-12/schema' },
      { properties: { a: { prefixItems: [{ type: 'string' }] } } },
      { a: [1] },
    ],
    [
      'draft 4',
      { $schema: 'http://json-schema.org/draft-04/schema#' },
      { properties: { a: { type: 'string' } } },
      { a: 1 },
    ],
  ])('checks a testcase against a schema of %s', async (_name, dialect, rules, broken) => {
    const { id } = await createTestset(own.api, projectId, { jsonSchema: { ...dialect, ...rules } });
    const { items } = await add(id, broken, {});
    expect(items[0].validationErrors).toHaveLength(1);
    expect(items[1]).not.toHaveProperty('validationErrors');
  });

  it('refuses what draft 4 alone has, rather than to read it as something else', async () => {
    const $schema = 'http://json-schema.org/draft-04/schema#';
    for (const rules of [
      { properties: { a: { minimum: 1, exclusiveMinimum: true } } },
      { properties: { a: { maximum: 1, exclusiveMaximum: true } } },
      { id: 'https://example.org/a' },
    ]) {
      const body = { name: 'T', description: '', fieldMapping: { inputs: [], expected: [], metadata: [] } };
      const path = `/projects/${projectId}/testsets`;
      const answer = await own.api('POST', path, { ...body, jsonSchema: { $schema, ...rules } });
      expect(answer).toMatchObject({ status: 400, body: { details: { issues: [{ path: '/jsonSchema' }] } } });
    }
  });

  it('says so of a schema that never ends, and goes on', async () => {
    const { id } = await createTestset(own.api, projectId, {
      jsonSchema: { properties: { a: { pattern: '^(a+)+$' } } },
    });
    const { items } = await add(id, { a: `${'a'.repeat(40)}!` });
    expect(items[0].validationErrors).toEqual([
      { path: '', message: expect.stringContaining('took longer than 2 s') },
    ]);
    const { items: next } = await add(id, { a: 'b' });
    expect(next[0].validationErrors).toEqual([{ path: '/a', message: expect.stringContaining('pattern') }]);
  });

  it('takes 1 to 100 of them, all or none', async () => {
    const { id } = await createTestset(own.api, projectId);
    const item = { jsonData: {} };
    for (const items of [
      [],
      Array(101).fill(item),
      [item, {}],
      [item, { jsonData: [] }],
      [item, { jsonData: null }],
    ]) {
      expect((await own.api('POST', `/testsets/${id}/testcases`, { items })).status).toBe(400);
    }
    expect((await ok(own.api('GET', `/testsets/${id}/testcases`))).data).toEqual([]);
    expect((await add(id, ...Array(100).fill({}))).items).toHaveLength(100);
  });

  it('gives no number twice when many are added at once', async () => {
    const { id } = await createTestset(own.api, projectId);
    const added = await Promise.all(Array.from({ length: 20 }, () => add(id, {}, {}, {})));
    const ids = added.flatMap(({ items }) => items.map((item: { id: string }) => item.id));
    expect(new Set(ids).size).toBe(60);
    for (const { items } of added) {
      const [first] = items.map((item: { id: string }) => Number(item.id.split('-')[1]));
      expect(items.map((item: { id: string }) => item.id)).toEqual(
        [0, 1, 2].map((i) => `${id}-${first + i}`),
      );
    }
  });
});

describe('PATCH /testsets/:testsetId', () => {
  it('changes what is sent alone, and a new mapping holds for the testcases that are there', async () => {
    const testset = await createTestset(own.api, projectId, { fieldMapping: mapping });
    const { items } = await add(testset.id, { question: 'q', answer: 'a' });
    expect(await ok(own.api('PATCH', `/testsets/${testset.id}`, { name: 'New' }))).toEqual({
      ...testset,
      name: 'New',
    });
    await ok(
      own.api('PATCH', `/testsets/${testset.id}`, {
        fieldMapping: { inputs: ['answer'], expected: [], metadata: [] },
      }),
    );
    expect(await ok(own.api('GET', `/testcases/${items[0].id}`))).toMatchObject({
      inputs: { answer: 'a' },
      expected: {},
    });
    expect(
      (await own.api('PATCH', `/testsets/${testset.id}`, { jsonSchema: { type: 'nothing' } })).status,
    ).toBe(400);
  });
});

describe('PUT /testcases/:testcaseId', () => {
  let testsetId: string;
  beforeEach(async () => {
    testsetId = (await createTestset(own.api, projectId)).id;
  });

  it('replaces all of the data and validates it again', async () => {
    const { items } = await add(testsetId, { question: 1, answer: 'a' });
    expect(items[0].validationErrors).toHaveLength(1);
    const replaced = await ok(own.api('PUT', `/testcases/${items[0].id}`, { jsonData: { question: 'q' } }));
    expect(replaced).toEqual({
      id: items[0].id,
      testsetId,
      jsonData: { question: 'q' },
      inputs: { question: 'q' },
      expected: {},
    });
    expect(await ok(own.api('GET', `/testcases/${items[0].id}`))).toEqual(replaced);
  });

  it('raises the revision, and each record notes the one that was current', async () => {
    const [testcase] = await createTestcases(own.api, testsetId, 1);
    const run = await createRun(own.api, projectId, [], { testsetId });
    const revisionOf = async () => {
      const { id } = await createRecord(own.api, run.id, { testcaseId: testcase.id });
      return (await ok(own.api('GET', `/records/${id}`))).testcaseRevision;
    };
    expect(await revisionOf()).toBe(1);
    await ok(own.api('PUT', `/testcases/${testcase.id}`, { jsonData: { question: 'q' } }));
    expect(await revisionOf()).toBe(2);
    expect((await own.api('PUT', `/testcases/${testcase.id}`, { jsonData: [] })).status).toBe(400);
    expect(await revisionOf()).toBe(2);
  });

  it('keeps the revision if only what describes the testcase changes: its past stays comparable', async () => {
    const [testcase] = await createTestcases(own.api, testsetId, 1);
    const run = await createRun(own.api, projectId, [], { testsetId });
    const revisionAfter = async (jsonData: string) => {
      const raw = `{"jsonData":${jsonData}}`;
      await ok(own.api('PUT', `/testcases/${testcase.id}`, undefined, { raw }));
      const { id } = await createRecord(own.api, run.id, { testcaseId: testcase.id });
      return (await ok(own.api('GET', `/records/${id}`))).testcaseRevision;
    };
    const first = await revisionAfter('{"question":"q","answer":{"a":1.10}}');
    expect(await revisionAfter('{"question":"q","answer":{"a":1.10},"lang":"de"}')).toBe(first);
    expect(await revisionAfter('{"answer":{"a":1.10},"lang":"fr","question":"q"}')).toBe(first);
    // A system may read the digits.
    expect(await revisionAfter('{"question":"q","answer":{"a":1.1},"lang":"fr"}')).toBe(first + 1);
    expect(await revisionAfter('{"question":"q","lang":"fr"}')).toBe(first + 2);
  });
});

describe('deleting', () => {
  it('a testset takes its testcases; records made from them stay as they are', async () => {
    const { id } = await createTestset(own.api, projectId);
    const [testcase] = await createTestcases(own.api, id, 1);
    const run = await createRun(own.api, projectId, [], { testsetId: id });
    const record = await createRecord(own.api, run.id, { testcaseId: testcase.id });
    await ok(own.api('DELETE', `/testsets/${id}`));
    for (const path of [`/testsets/${id}`, `/testsets/${id}/testcases`, `/testcases/${testcase.id}`]) {
      expect((await own.api('GET', path)).status).toBe(404);
    }
    expect(await ok(own.api('GET', `/records/${record.id}`))).toMatchObject({
      ...record,
      testcaseId: testcase.id,
    });
    expect((await ok(own.api('GET', `/runs/${run.id}`))).testsetId).toBe(id);
    expect((await own.api('DELETE', `/testsets/${id}`)).status).toBe(404);
  });

  it('testcases, of several testsets at once, goes all or none; no number comes again', async () => {
    const [one, two] = [await createTestset(own.api, projectId), await createTestset(own.api, projectId)];
    const [a, b] = await createTestcases(own.api, one.id, 2);
    const [c] = await createTestcases(own.api, two.id, 1);
    const refused = await own.api('POST', '/testcases/bulk-delete', { ids: [a.id, c.id, `${two.id}-99`] });
    expect(refused.status).toBe(404);
    expect(refused.body.message).toContain(`${two.id}-99`);
    expect((await ok(own.api('GET', `/testcases/${a.id}`))).id).toBe(a.id);
    await ok(own.api('POST', '/testcases/bulk-delete', { ids: [b.id, c.id, b.id] }));
    expect((await ok(own.api('GET', `/testsets/${one.id}/testcases`))).data).toEqual([a]);
    expect((await createTestcases(own.api, two.id, 1))[0].id).toBe(`${two.id}-2`);
  });
});
