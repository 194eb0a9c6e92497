import { afterAll, describe, expect, it } from 'vitest';
import { asker } from '../../../test/asker.ts';
import { openSchemaChecker } from './json-schema.ts';

const { requireSchema, schemaErrors, close } = openSchemaChecker(1);
afterAll(close);

/** What a schema says of one document. */
const check = async (schema: string, document = '{}') => (await schemaErrors(schema, [document], asker))[0];

/** Fails when the judging process, or this process, did not survive the previous input. */
const stillWorks = async () => {
  await requireSchema('{"type":"object"}', asker);
  expect(await check('{"required":["a"]}')).toEqual([{ path: '/a', message: 'is required' }]);
  expect(await check('{"required":["a"]}', '{"a":1}')).toEqual([]);
};

it.each([
  '{"type":"object"}',
  ' {\n "type" : "object" }\t',
  '{"type":"\\u006fbject"}',
  '{"type":["object"]}',
])('%j takes every object and nothing else, however it is judged', async (schema) => {
  await requireSchema(schema, asker);
  const documents = ['{}', ' {"a":1}', '[]', '"{}"', 'null', '1'];
  const all = await schemaErrors(schema, documents, asker);
  expect(all).toEqual(documents.map((_, i) => (i < 2 ? [] : [{ path: '', message: 'must be object' }])));
  expect(await schemaErrors(schema, documents.slice(0, 2), asker)).toEqual([[], []]);
});

it('takes no key of a document for that of another, however both are spelled', async () => {
  const other = '{"b":1,"\\\\":2}';
  const errors = await schemaErrors(
    '{"required":["b","é"]}',
    [other, other, other, '{"b":1,"\\u00e9":2}'],
    asker,
  );
  expect(errors.map((found) => found.length)).toEqual([1, 1, 1, 0]);
});

describe('a hostile schema', () => {
  it.each([
    [
      'refers to itself without end',
      '{"$ref":"#"}',
      '{}',
      'could not be checked: Maximum call stack size exceeded',
    ],
    [
      'has a pattern that never ends',
      '{"properties":{"a":{"pattern":"^(a+)+$"}}}',
      `{"a":"${'a'.repeat(60)}!"}`,
      'could not be checked: the schema took longer than 2 s, or too much memory',
    ],
  ])('that %s leaves a word about it, and no harm', async (_, schema, document, message) => {
    expect(await check(schema, document)).toEqual([{ path: '', message }]);
    await stillWorks();
  });

  it('that asks for an asynchronous answer is judged like any other', async () => {
    expect(await check('{"$async":true,"required":["a"]}')).toEqual([{ path: '/a', message: 'is required' }]);
    await stillWorks();
  });

  it('that finds millions of errors reports the first 100, or is given up', async () => {
    const schema = '{"properties":{"a":{"items":{"type":"string"}}}}';
    expect(await check(schema, `{"a":[${Array(1_000).fill(1)}]}`)).toHaveLength(100);
    const [first, ...more] = (await check(schema, `{"a":[${Array(7_000_000).fill(1)}]}`))!;
    expect(first!.message).toMatch(/must be string|could not be checked/);
    expect(more.length).toBeLessThan(100);
    await stillWorks();
  });

  it.each([
    ['refers to another host', '{"$ref":"http://127.0.0.1:9/schema"}'],
    ['calls itself the meta-schema', '{"$id":"http://json-schema.org/draft-07/schema#"}'],
    [
      'has an asynchronous part',
      '{"properties":{"a":{"$ref":"#/$defs/a"}},"$defs":{"a":{"$async":true,"required":["b"]}}}',
    ],
    ['has a type that there is not', '{"type":"text"}'],
    ['has a pattern that is none', '{"properties":{"a":{"pattern":"("}}}'],
  ])('that %s is not a schema', async (_, schema) => {
    await expect(requireSchema(schema, asker)).rejects.toThrow('/jsonSchema must be a JSON Schema');
    await stillWorks();
  });

  it('with code in its names runs none of it', async () => {
    const name = "');process.exit(1);//`+process.exit(1)+`";
    const schema = JSON.stringify({
      required: [name],
      properties: { [name]: { type: 'string', enum: [name] } },
    });
    const path = `/${name.replaceAll('/', '~1')}`;
    expect(await check(schema)).toEqual([{ path, message: 'is required' }]);
    expect(await check(schema, JSON.stringify({ [name]: name }))).toEqual([]);
    await stillWorks();
  });

  it('with __proto__ and constructor as keywords or properties pollutes nothing', async () => {
    expect(await check('{"__proto__":{"type":"object"},"constructor":1,"toString":{}}')).toEqual([]);
    const schema = '{"properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"}}}';
    expect(await check(schema, '{"constructor":1}')).toEqual([
      { path: '/constructor', message: 'must be string' },
    ]);
    await stillWorks();
  });
});

it('a name that all objects have is there only where the document has it', async () => {
  const names = ['constructor', 'toString', '__proto__'];
  const required = JSON.stringify({ required: names });
  expect(await check(required)).toEqual(names.map((name) => ({ path: `/${name}`, message: 'is required' })));
  expect(await check(required, '{"constructor":1,"toString":1,"__proto__":1}')).toEqual([]);
  expect(await check('{"properties":{"constructor":{"type":"string"}}}')).toEqual([]);
});

it('what is missing is named by its JSON Pointer', async () => {
  const schema = '{"properties":{"a/b":{"required":["~c/d"]}}}';
  expect(await check(schema, '{"a/b":{}}')).toEqual([{ path: '/a~1b/~0c~1d', message: 'is required' }]);
});

it('what the schema has no place for is named by its JSON Pointer, once each', async () => {
  const message = 'is not allowed by the schema';
  const closed = '{"properties":{"a":{"additionalProperties":false,"properties":{"b":{}}}}}';
  expect(await check(closed, '{"a":{"b":1,"c/d":2,"e":3}}')).toEqual([
    { path: '/a/c~1d', message },
    { path: '/a/e', message },
  ]);
  const unevaluated =
    '{"$schema":"https://json-schema.org/draft/2020-12/schema","allOf":[{"properties":{"b":{}}}],"unevaluatedProperties":false}';
  expect(await check(unevaluated, '{"b":1,"c":2}')).toEqual([{ path: '/c', message }]);
});

describe('multipleOf', () => {
  it.each([
    [0.01, [0.07, 19.99, -19.99, 0, 1e10, 99999999.99, 1.1e-1], [0.075, 19.995, 0.010000001]],
    [0.0001, [0.0075], [0.00751]],
    [3, [9, -3, 9007199254740990, 1e15 - 1], [10, 3.0000001]],
    [1e-8, [12345678e-8, 3e-8], [1e-9]],
  ])('of %d goes by the number that is written', async (step, multiples, others) => {
    const schema = JSON.stringify({ properties: { n: { multipleOf: step } } });
    const errorsOf = (n: number) => check(schema, JSON.stringify({ n }));
    for (const n of multiples) expect([n, await errorsOf(n)]).toEqual([n, []]);
    for (const n of others)
      expect(await errorsOf(n)).toEqual([{ path: '/n', message: `must be multiple of ${step}` }]);
  });
});

it('many schemas at once are each judged by their own', async () => {
  const results = await Promise.all(
    Array.from({ length: 20 }, (_, i) => check(`{"required":["a${i}"]}`, `{"a${i % 2 ? i : ''}":1}`)),
  );
  results.forEach((errors, i) => {
    expect(errors).toEqual(i % 2 ? [] : [{ path: `/a${i}`, message: 'is required' }]);
  });
});
