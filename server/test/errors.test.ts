import { type Logger, pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { system } from '../src/platform/db/database.ts';
import { bodyLimitBytes, publicBodyLimitBytes } from '../src/platform/http/http.ts';
import { expectError } from './expect-error.ts';
import { createProject, createScoredRun, ok } from './fixtures.ts';
import { engine, type Organization, startApp, type TestApp } from './harness.ts';

/** One test for each row of the table of errors, named by its status; 503 has its own file, unavailable.test.ts. */

let app: TestApp;
let organization: Organization;
const logged: string[] = [];

const logTo = (lines: string[]): Logger =>
  pino({ level: 'info' }, { write: (line) => void lines.push(line) });

beforeAll(async () => {
  app = await startApp({}, { log: logTo(logged) });
  organization = await app.organization();
});
afterAll(() => app.close());

const projectBody = { name: 'P', description: '' };

describe('400', () => {
  it('VALIDATION_ERROR with every problem of a body at once, as JSON Pointers', async () => {
    const { id } = await createProject(organization.api);
    const body = {
      evalType: 'ai',
      outputType: 'int',
      promptTemplate: 1,
      temperature: 3,
      passingThreshold: 6,
    };
    const answer = await organization.api('POST', `/projects/${id}/metrics`, body);
    const { issues } = expectError(answer, 'VALIDATION_ERROR');
    expect(issues).toHaveLength(4);
    expect(issues).toEqual(
      expect.arrayContaining([
        { path: '/name', message: 'is required' },
        { path: '/promptTemplate', message: 'must be a string' },
        { path: '/temperature', message: 'must be a number from 0 to 2' },
        { path: '/passingThreshold', message: 'must be an integer from 1 to 5' },
      ]),
    );
  });

  it('VALIDATION_ERROR with every problem of a query at once', async () => {
    const { id } = await createProject(organization.api);
    const answer = await organization.api(
      'GET',
      `/projects/${id}/records?limit=0&result=good&createdAfter=now`,
    );
    const { issues } = expectError(answer, 'VALIDATION_ERROR');
    const paths = (issues as { path: string }[]).map(({ path }) => path);
    expect(paths.sort()).toEqual(['/createdAfter', '/limit', '/result']);
  });

  it.each(['x', 'AAAA', `${'A'.repeat(22)}`, '%00', '🙂', 'A'.repeat(4000)])(
    'VALIDATION_ERROR for the cursor %j, which no page gave',
    async (cursor) => {
      const answer = await organization.api('GET', `/projects?cursor=${encodeURIComponent(cursor)}`);
      expect(expectError(answer, 'VALIDATION_ERROR').issues).toMatchObject([{ path: '/cursor' }]);
    },
  );

  it.each(['', '{', '{"name":"P","description":""}x', 'null', '[]', '"P"', "{'name':'P'}", '{"name":NaN}'])(
    'VALIDATION_ERROR for the body %j, which is not a JSON object',
    async (raw) => {
      expectError(await organization.api('POST', '/projects', undefined, { raw }), 'VALIDATION_ERROR');
    },
  );
});

describe('401', () => {
  const me = (authorization: string | undefined) =>
    organization.as(undefined)('GET', '/me', undefined, {
      headers: authorization === undefined ? {} : { authorization },
    });
  const expectRefused = async (authorization: string | undefined) =>
    expect(expectError(await me(authorization), 'UNAUTHORIZED')).toEqual({});

  it('UNAUTHORIZED without a credential', () => expectRefused(undefined));

  it.each([
    '',
    'Bearer',
    'Bearer ',
    'ak_x',
    'Basic YWs6eA==',
    'Bearer sk_x',
    'Bearer ak_',
    'Bearer ak_a ak_b',
    'Bearer\tak_',
  ])('UNAUTHORIZED for the malformed credential %j', expectRefused);

  it('UNAUTHORIZED says how to sign in; any case and any number of spaces will do', async () => {
    expect((await me(undefined)).headers['www-authenticate']).toBe('Bearer');
    for (const scheme of ['Bearer   ', 'bearer ', 'BEARER  ']) await ok(me(`${scheme}${organization.key}`));
  });

  it('UNAUTHORIZED for an unknown key', () => expectRefused(`Bearer ak_${'x'.repeat(43)}`));

  it('UNAUTHORIZED for a key with anything added or its case changed', async () => {
    for (const key of [`${organization.key}x`, organization.key.slice(0, -1), organization.key.toUpperCase()])
      await expectRefused(`Bearer ${key}`);
    expect((await me(`bearer ${organization.key}`)).status).toBe(200);
  });

  it('UNAUTHORIZED for a revoked key, at once', async () => {
    const { id, key } = await ok(organization.api('POST', '/keys', { name: 'K' }), 201);
    expect((await me(`Bearer ${key}`)).status).toBe(200);
    await ok(organization.api('DELETE', `/keys/${id}`));
    await expectRefused(`Bearer ${key}`);
  });

  it('UNAUTHORIZED for an expired key', async () => {
    const expiresAt = '2100-01-01T00:00:00Z';
    const { id, key } = await ok(organization.api('POST', '/keys', { name: 'K', expiresAt }), 201);
    await app.db.transaction(system, (tx) => tx`update api_key set expires_at = now() where id = ${id}`);
    await expectRefused(`Bearer ${key}`);
  });

  it('UNAUTHORIZED before anything else is said: an unknown id, a wrong body', async () => {
    const anonymous = organization.as(undefined);
    expectError(await anonymous('GET', '/projects/no-such-project'), 'UNAUTHORIZED');
    expectError(await anonymous('POST', '/projects', undefined, { raw: '{' }), 'UNAUTHORIZED');
  });
});

describe('403', () => {
  it('FORBIDDEN for a write with a key that may only read', async () => {
    const { key } = await ok(organization.api('POST', '/keys', { name: 'K', access: 'read' }), 201);
    const answer = await organization.as(key)('POST', '/projects', projectBody);
    expect(expectError(answer, 'FORBIDDEN')).toEqual({});
  });

  it('FORBIDDEN before the body is looked at', async () => {
    const { key } = await ok(organization.api('POST', '/keys', { name: 'K', access: 'read' }), 201);
    expectError(await organization.as(key)('POST', '/projects', undefined, { raw: '{' }), 'FORBIDDEN');
  });
});

describe('404', () => {
  it('NOT_FOUND, byte for byte but for the id, for an unknown, an ill-formed and a foreign one', async () => {
    const foreign = await createProject((await app.organization()).api);
    const texts = new Set<string>();
    for (const id of [foreign.id, '999999999', '0', '01', 'x', '1-1', '99999999999999999999']) {
      const answer = await organization.api('GET', `/projects/${id}`);
      expect(expectError(answer, 'NOT_FOUND')).toEqual({});
      texts.add(answer.text.replace(`'${id}'`, 'ID'));
    }
    expect(texts.size).toBe(1);
  });

  it('NOT_FOUND for an unknown path, without a look at what is sent to it', async () => {
    for (const raw of [Buffer.from('{"cut'), Buffer.alloc(bodyLimitBytes + 1, ' ')]) {
      const answer = await organization.as(undefined)('POST', '/nothing', undefined, { raw });
      expectError(answer, 'NOT_FOUND');
    }
  });

  it.each(['/api', '/api/v2', '/api/v2/', '/api/v1/projects', '/api/v2/nothing', '/nothing'])(
    'NOT_FOUND for the unknown path %s',
    async (url) => {
      const response = await app.app.inject({ method: 'GET', url });
      const { statusCode: status, headers, body: text } = response;
      expect(expectError({ status, headers, text, body: response.json() }, 'NOT_FOUND')).toEqual({});
    },
  );

  it('METHOD_NOT_ALLOWED for a method that a path does not have, with those that it has', async () => {
    const answer = await organization.api('PUT', '/projects', projectBody);
    expect(expectError(answer, 'METHOD_NOT_ALLOWED')).toEqual({ allowed: ['GET', 'HEAD', 'POST'] });
    expect(answer.headers.allow).toBe('GET, HEAD, POST');
  });
});

describe('409', () => {
  it('CONFLICT says what collides', async () => {
    const { api } = organization;
    const member = { name: 'M', email: 'Taken@example.org', role: 'viewer' };
    await ok(api('POST', '/members', member), 201);
    const answer = await api('POST', '/members', { ...member, email: 'taken@EXAMPLE.org' });
    expect(expectError(answer, 'CONFLICT')).toEqual({ email: 'taken@EXAMPLE.org' });
  });

  it('CONFLICT for an Idempotency-Key used for another request', async () => {
    const headers = { 'idempotency-key': 'once' };
    await ok(organization.api('POST', '/projects', projectBody, { headers }), 201);
    const other = await organization.api('POST', '/projects', { ...projectBody, name: 'Q' }, { headers });
    expect(expectError(other, 'CONFLICT')).toEqual({ idempotencyKey: 'once' });
  });
});

describe('413', () => {
  it.each([
    [
      'keys',
      () => `{"name":"P","description":"","x":{${Array.from({ length: 200_000 }, (_, i) => `"k${i}":1`)}}}`,
    ],
    ['objects', () => `{"name":"P","description":"","x":[${Array(400_000).fill('{}')}]}`],
    ['values', () => `{"name":"P","description":"","x":[${Array(400_001).fill(1)}]}`],
  ])('PAYLOAD_TOO_LARGE for too many %s, which would take seconds to parse', async (_, text) => {
    const answer = await organization.api('POST', '/projects', undefined, { raw: text() });
    expect(expectError(answer, 'PAYLOAD_TOO_LARGE')).toEqual({ limitMarks: 400_000 });
  });

  it('no limit of values for what stands in a text', async () => {
    const raw = JSON.stringify({ name: 'P', description: '{"a":[,,"]}'.repeat(200_000) });
    const answer = await organization.api('POST', '/projects', undefined, { raw });
    expect(answer.status).not.toBe(413);
  });

  it('400 for a large body with a string that does not end', async () => {
    for (const end of ['"', '"\\"', '"\\\\\\"']) {
      const raw = `{"name":"${'x'.repeat(1_000_000)}","b":${end}`;
      expect((await organization.api('POST', '/projects', undefined, { raw })).status).toBe(400);
    }
  });

  it('PAYLOAD_TOO_LARGE above 15 MB, with the limit', async () => {
    const raw = Buffer.alloc(bodyLimitBytes + 1, ' ');
    const answer = await organization.api('POST', '/projects', undefined, { raw });
    expect(expectError(answer, 'PAYLOAD_TOO_LARGE')).toEqual({ limitBytes: 15 * 1024 * 1024 });
  });

  it.each([
    '/sign-ins',
    '/sign-in-links/find',
    '/sign-in-links/redeem',
    '/mail-addresses/find',
    '/mail-addresses/redeem',
  ])('PAYLOAD_TOO_LARGE above 64 KB where the sender is not known yet: %s', async (path) => {
    const raw = Buffer.alloc(publicBodyLimitBytes + 1, ' ');
    const answer = await organization.as(undefined)('POST', path, undefined, { raw });
    expect(expectError(answer, 'PAYLOAD_TOO_LARGE')).toEqual({ limitBytes: 64 * 1024 });
  });
});

describe('415', () => {
  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/x-ndjson',
    'application/json; charset=utf-16',
    'application/json; charset="iso-8859-1"',
    'json',
    '',
  ])('UNSUPPORTED_MEDIA_TYPE for a body of type %j', async (type) => {
    const answer = await organization.api('POST', '/projects', projectBody, {
      headers: { 'content-type': type },
    });
    expect(expectError(answer, 'UNSUPPORTED_MEDIA_TYPE')).toEqual({});
  });
});

describe('no body', () => {
  it.each(['application/x-www-form-urlencoded', 'text/plain', 'application/json'])(
    'is fine where none is needed, under the type %s too',
    async (type) => {
      const { id } = await createProject(organization.api);
      const headers = { 'content-type': type, 'content-length': '0' };
      await ok(organization.api('POST', '/judge-models/refresh', undefined, { headers }));
      await ok(
        organization.api('DELETE', `/projects/${id}`, undefined, { headers: { 'content-type': type } }),
      );
    },
  );
});

describe('headers', () => {
  it.each<[string, number, string, (key: string) => Record<string, string>]>([
    ['an answer', 200, '/api/v2/me', (key) => ({ authorization: `Bearer ${key}` })],
    ['a refusal', 401, '/api/v2/me', () => ({})],
    ['an unknown path', 404, '/nowhere', () => ({})],
    ['a page for operators', 200, '/metrics', () => ({})],
  ])(
    'of %s let nothing of it run, be framed or be taken for another type',
    async (_, status, url, headers) => {
      const answer = await app.app.inject({ url, headers: headers(organization.key) });
      expect(answer.statusCode).toBe(status);
      expect(answer.headers).toMatchObject({
        'content-security-policy': "default-src 'none';frame-ancestors 'none'",
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'SAMEORIGIN',
      });
    },
  );
});

describe('429', () => {
  it('RATE_LIMITED with Retry-After, for that key alone', async () => {
    const limited = await startApp({ DOKIMA_RATE_LIMIT_PER_MINUTE: '2' });
    onTestFinished(() => limited.close());
    const [busy, calm] = [await limited.organization(), await limited.organization()];
    await ok(busy.api('GET', '/me'));
    await ok(busy.api('GET', '/projects'));
    const answer = await busy.api('GET', '/me');
    expect(expectError(answer, 'RATE_LIMITED')).toEqual({});
    const retryAfter = Number(answer.headers['retry-after']);
    expect(retryAfter).toBeGreaterThanOrEqual(1);
    expect(retryAfter).toBeLessThanOrEqual(60);
    const respelled = { headers: { authorization: `bEARER ${busy.key}` } };
    expectError(await busy.as(undefined)('GET', '/me', undefined, respelled), 'RATE_LIMITED');
    await ok(calm.api('GET', '/me'));
  });

  it('RATE_LIMITED for no more of several requests at once than are above the limit', async () => {
    const limited = await startApp({ DOKIMA_RATE_LIMIT_PER_MINUTE: '10' });
    onTestFinished(() => limited.close());
    const { api } = await limited.organization();
    const answers = await Promise.all(Array.from({ length: 13 }, () => api('GET', '/me')));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(3);
  });
});

describe('500', () => {
  /** Makes a table unusable, which no request of a client can do. */
  const rename = (from: string, to: string) =>
    app.db.transaction(system, async (tx) => {
      if (engine === 'server') await tx`set local role none`;
      await tx.unsafe(`alter table ${from} rename to ${to}`);
    });

  it('INTERNAL_ERROR hides its cause, which is in the log under the X-Request-Id', async () => {
    const { recordIds } = await createScoredRun(organization.api, 1);
    await rename('annotation', 'annotation_away');
    logged.length = 0;
    const read = await organization.api('GET', `/records/${recordIds[0]}/annotations`);
    const written = await organization.api('POST', `/records/${recordIds[0]}/annotations`, { rating: true });
    await rename('annotation_away', 'annotation');

    for (const answer of [read, written]) {
      expect(expectError(answer, 'INTERNAL_ERROR')).toEqual({});
      expect(answer.body.message).toBe('An unexpected error occurred while processing the request.');
      expect(JSON.stringify(answer.headers)).not.toMatch(/annotation|relation/);
      const errors = logged
        .map((line) => JSON.parse(line))
        .filter(({ level, reqId }) => level === 50 && reqId === answer.headers['x-request-id']);
      expect(errors).toMatchObject([
        { err: { message: expect.stringContaining('"annotation" does not exist') } },
      ]);
    }
    expect(logged.join('')).not.toContain(organization.key);
    expect((await ok(organization.api('GET', `/records/${recordIds[0]}/annotations`))).data).toEqual([]);
  });
});
