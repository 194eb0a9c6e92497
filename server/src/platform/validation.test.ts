import fc from 'fast-check';
import { type TSchema, Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import type { ApiError } from './errors.ts';
import { readTime, validator, validatorCompiler } from './validation.ts';

/** The problems of a value in the field `field`. */
const messageFor = (schema: TSchema, value: unknown) =>
  validator(Type.Object({ field: schema }))({ field: value });

describe('messages', () => {
  it.each<[string, TSchema, unknown]>([
    ['must be a string', Type.String(), 1],
    ['must be a string of at least 1 character', Type.String({ minLength: 1 }), ''],
    ['must be a string from 1 to 3 characters', Type.String({ minLength: 1, maxLength: 3 }), 'long'],
    ['must be a string that matches ^a$', Type.String({ pattern: '^a$' }), 'b'],
    ['must be a colour', Type.String({ pattern: '^#', expects: 'a colour' }), 'b'],
    ['must be a UUID', Type.String({ format: 'uuid' }), 'b'],
    ['must be a time in ISO 8601', Type.String({ format: 'date-time' }), 'yesterday'],
    ['must be an integer from 1 to 5', Type.Integer({ minimum: 1, maximum: 5 }), 6],
    ['must be an integer from 1 to 5', Type.Integer({ minimum: 1, maximum: 5 }), 1.5],
    ['must be an integer from 1 to 5', Type.Integer({ minimum: 1, maximum: 5 }), null],
    ['must be a number from 0 to 1', Type.Number({ minimum: 0, maximum: 1 }), -0.1],
    ['must be a number above 0 of at most 1', Type.Number({ exclusiveMinimum: 0, maximum: 1 }), 0],
    ['must have no item twice', Type.Array(Type.Any(), { maxItems: 2, uniqueItems: true }), ['a', 'a']],
    ['must be a number of at most 1', Type.Number({ maximum: 1 }), Number.POSITIVE_INFINITY],
    ['must be true or false', Type.Boolean(), 'true'],
    ['must be null', Type.Null(), 0],
    ['must be an object', Type.Object({}), []],
    ['must have at least one field', Type.Object({}, { minProperties: 1 }), {}],
    ['must be an object', Type.Object({}, { minProperties: 1 }), []],
    ['must be "ai"', Type.Literal('ai'), 'human'],
    ['must be one of "a", "b"', Type.Union([Type.Literal('a'), Type.Literal('b')]), 'c'],
    ['must be one of "a", "b"', Type.Enum(['a', 'b']), 'c'],
    ['must be a string or null', Type.Union([Type.String(), Type.Null()]), 1],
    ['must be an array of at least 1 item', Type.Array(Type.Any(), { minItems: 1 }), []],
    ['must be an array from 1 to 2 items', Type.Array(Type.Any(), { minItems: 1, maxItems: 2 }), []],
  ])('%s', (message, schema, value) => {
    expect(messageFor(schema, value)).toEqual([{ path: '/field', message }]);
  });

  it('name every problem, each with a JSON Pointer to its place', () => {
    const schema = Type.Object(
      {
        'a/b~c': Type.Integer(),
        missing: Type.String(),
        items: Type.Array(Type.Object({ name: Type.String() }, { additionalProperties: false })),
      },
      { additionalProperties: false },
    );
    expect(
      validator(schema)({
        'a/b~c': 'x',
        items: [{ name: 'fits' }, { name: 1 }, {}, { name: '', more: 1 }],
        'x/y': 1,
      }),
    ).toEqual(
      expect.arrayContaining([
        { path: '/a~1b~0c', message: 'must be an integer' },
        { path: '/missing', message: 'is required' },
        { path: '/items/1/name', message: 'must be a string' },
        { path: '/items/2/name', message: 'is required' },
        { path: '/items/3/more', message: 'is not a field of this body' },
        { path: '/x~1y', message: 'is not a field of this body' },
      ]),
    );
  });

  it('a problem within what may be null, or may be of another type, is named at its place', () => {
    const one = Type.Union([Type.String(), Type.Object({ text: Type.String() })]);
    const schema = Type.Union([Type.Object({ list: Type.Array(one, { maxItems: 3 }) }), Type.Null()]);
    expect(messageFor(schema, { list: ['fits', { text: 1 }, {}] })).toEqual([
      { path: '/field/list/1/text', message: 'must be a string' },
      { path: '/field/list/2/text', message: 'is required' },
    ]);
    expect(messageFor(schema, { list: [1] })).toEqual([
      { path: '/field/list/0', message: 'must be a string or an object' },
    ]);
    expect(messageFor(schema, 1)).toEqual([{ path: '/field', message: 'must be an object or null' }]);
    expect(messageFor(schema, { list: [{ text: '\0' }] })).toEqual([
      { path: '/field/list/0/text', message: 'must be Unicode text without NUL characters' },
    ]);
    expect(messageFor(schema, { list: Array.from({ length: 300_000 }, () => ({})) })).toHaveLength(5);
  });

  it('an unknown field is one problem, at that field', () => {
    const issuesOf = validator(
      Type.Object({ a: Type.Object({}, { additionalProperties: false }) }, { additionalProperties: false }),
    );
    const message = 'is not a field of this body';
    expect(issuesOf(JSON.parse('{"a":{"~":1},"__proto__":{}}'))).toEqual(
      expect.arrayContaining([
        { path: '/a/~0', message },
        { path: '/__proto__', message },
      ]),
    );
    expect(issuesOf({ a: { b: 1 } })).toEqual([{ path: '/a/b', message }]);
    expect(issuesOf({ a: {}, '': 1 })).toEqual([{ path: '/', message }]);
  });

  describe('of a union of variants', () => {
    const variant = (kind: string, field: string) =>
      Type.Object(
        {
          kind: Type.Literal(kind),
          [field]: Type.String({ minLength: 1 }),
          count: Type.Optional(Type.Integer()),
        },
        { additionalProperties: false },
      );
    const union = Type.Union([variant('run', 'testsetId'), variant('drift', 'metricId')]);

    it.each<[unknown, [path: string, message: string][]]>([
      [{ kind: 'run' }, [['/testsetId', 'is required']]],
      [{ kind: 'drift', metricId: '' }, [['/metricId', 'must be a string of at least 1 character']]],
      [{ kind: 'drift', metricId: '1', testsetId: '2' }, [['/testsetId', 'is not a field of this body']]],
      [{ kind: 'run', testsetId: '2', count: 'x' }, [['/count', 'must be an integer']]],
      [{ kind: 'walk', testsetId: '2' }, [['/kind', 'must be one of "run", "drift"']]],
      [{}, [['/kind', 'is required']]],
      [[], [['', 'must be an object']]],
    ])('%j names the problems of the variant that is meant', (value, expected) => {
      const problems = (path: string) => expected.map(([at, message]) => ({ path: path + at, message }));
      expect(validator(union)(value)).toEqual(problems(''));
      expect(messageFor(union, value)).toEqual(problems('/field'));
    });
  });

  it('a body that is not an object is one problem, at the root', () => {
    for (const body of [null, [], 'text', 1, undefined])
      expect(validator(Type.Object({ a: Type.String() }))(body)).toEqual([
        { path: '', message: 'must be an object' },
      ]);
  });
});

it('a value that is far too large is refused at once, with the same problems as a smaller one', () => {
  const item = Type.Object({ a: Type.String(), b: Type.String(), c: Type.String() });
  const issuesOf = validator(
    Type.Object({ items: Type.Array(item, { maxItems: 2 }) }, { additionalProperties: false }),
  );
  const surplus = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`k${i}`, i]));
  const items = Array(5_000_000).fill({});
  // Not the time that passes, which depends on what else the machine does.
  const before = process.threadCpuUsage();
  const tooLong = issuesOf({ items });
  const unknown = issuesOf({ items: [], ...surplus });
  const { user, system } = process.threadCpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(1_500);
  expect(tooLong).toEqual(issuesOf({ items: [{}, {}, {}] }));
  expect(tooLong).toContainEqual({ path: '/items', message: 'must be an array of at most 2 items' });
  expect(unknown).toHaveLength(100);
  expect(unknown[0]).toEqual({ path: '/k0', message: 'is not a field of this body' });
});

describe('text that PostgreSQL can’t hold', () => {
  const schema = Type.Object({
    name: Type.String(),
    tags: Type.Array(Type.String()),
    free: Type.Unsafe({ type: 'object', additionalProperties: true }),
  });
  const issuesOf = validator(schema);

  it.each([
    ['a NUL', 'a\0b'],
    ['a lone surrogate', 'a\ud800b'],
  ])('%s is a problem in a text field', (_, text) => {
    const message = 'must be Unicode text without NUL characters';
    expect(issuesOf({ name: text, tags: ['fine', text], free: {} })).toEqual([
      { path: '/name', message },
      { path: '/tags/1', message },
    ]);
  });

  it('is not a problem in free-form JSON, which is stored as sent', () => {
    expect(issuesOf({ name: '', tags: [], free: { 'a\0': '\ud800', b: ['\0'] } })).toEqual([]);
  });
});

describe('readTime', () => {
  const years = {
    min: new Date('0001-01-02T00:00:00Z'),
    max: new Date('9999-12-30T23:59:59Z'),
    noInvalidDate: true,
  };
  const offset = fc.tuple(
    fc.constantFrom('+', '-'),
    fc.integer({ min: 0, max: 14 }),
    fc.integer({ min: 0, max: 59 }),
  );
  const two = (n: number) => String(n).padStart(2, '0');

  it('returns the same moment, to the millisecond, for every offset', () => {
    fc.assert(
      fc.property(fc.date(years), offset, (moment, [sign, hours, minutes]) => {
        const ahead = (sign === '+' ? 1 : -1) * (hours * 60 + minutes) * 60_000;
        const local = new Date(moment.getTime() + ahead);
        const text = `${local.toISOString().slice(0, -1)}${sign}${two(hours)}:${two(minutes)}`;
        expect(readTime('/time', text)).toBe(moment.toISOString());
      }),
    );
  });

  it('accepts the first moment of 1970', () => {
    expect(readTime('/time', '1970-01-01T01:00:00+01:00')).toBe('1970-01-01T00:00:00.000Z');
  });

  it.each([
    '2023-02-29T00:00:00Z',
    '2024-02-30T12:00:00+02:00',
    '2024-04-31T00:00:00Z',
    '2024-13-01T00:00:00Z',
    '2024-00-10T00:00:00Z',
    '2024-01-01T25:00:00Z',
    '2024-01-01T23:59:60Z',
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
    'soon',
    '',
  ])('400 for %s, which is not a valid time', (text) => {
    expect(() => readTime('/time', text)).toThrow('/time must be a time in ISO 8601');
  });
});

describe('a query', () => {
  const schema = Type.Object({
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    flag: Type.Optional(Type.Boolean()),
    name: Type.Optional(Type.String()),
    tags: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { maxItems: 50 })),
    sizes: Type.Optional(Type.Array(Type.Integer({ minimum: 2 }))),
  });
  const read = (query: Record<string, unknown>) => {
    const compile = validatorCompiler({ schema, httpPart: 'querystring', method: 'GET', url: '/' });
    const { value, error } = compile(query) as { value?: unknown; error?: ApiError };
    return error ? error.details.issues : value;
  };

  it('reads integers, booleans and lists from text', () => {
    expect(read({ limit: '7', flag: 'true', name: '7', tags: 'a, b' })).toEqual({
      limit: 7,
      flag: true,
      name: '7',
      tags: ['a', 'b'],
    });
  });

  it('may repeat a list or separate it with commas', () => {
    expect(read({ tags: ['a', 'b,c'] })).toEqual({ tags: ['a', 'b', 'c'] });
    expect(read({ sizes: '125, 250', tags: '1,2' })).toEqual({ sizes: [125, 250], tags: ['1', '2'] });
  });

  it('drops parameters that it does not know', () => {
    expect(read({ name: 'x', unknown: '1', constructor: '2' })).toEqual({ name: 'x' });
  });

  it.each<[string, Record<string, unknown>]>([
    ['/limit', { limit: '0' }],
    ['/sizes/1', { sizes: '2,1' }],
    ['/sizes/0', { sizes: '2.5' }],
    ['/limit', { limit: '101' }],
    ['/limit', { limit: '1e1' }],
    ['/limit', { limit: ' 5' }],
    ['/limit', { limit: '0x10' }],
    ['/limit', { limit: '' }],
    ['/limit', { limit: '99999999999999999999' }],
    ['/limit', { limit: ['5', '5'] }],
    ['/flag', { flag: 'yes' }],
    ['/name', { name: ['a', 'b'] }],
    ['/tags/1', { tags: 'a,' }],
    ['/tags', { tags: Array(51).fill('a') }],
  ])('400 at %s for %j', (path, query) => {
    expect(read(query)).toMatchObject([{ path }]);
  });

  it('lists at most 100 problems', () => {
    const many = Type.Object({ tags: Type.Array(Type.String({ minLength: 1 })) });
    const compile = validatorCompiler({ schema: many, httpPart: 'body', method: 'POST', url: '/' });
    const { error } = compile({ tags: Array(10_000).fill('') }) as { error: ApiError };
    expect(error.details.issues).toHaveLength(100);
  });
});
