import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMetric, createProject, createRecord, createRun, createTestset, ok } from './fixtures.ts';
import { type Answer, type Client, type Organization, startApp, type TestApp } from './harness.ts';
import { objectText } from './json-text.ts';

/** Free-form JSON comes back as the text that was sent: through every field that holds it, by every way of reading it. */

let app: TestApp;
let organization: Organization;

beforeAll(async () => {
  app = await startApp();
  organization = await app.organization();
});
afterAll(() => app.close());

const nested = (depth: number) => `${'{"a":'.repeat(depth - 1)}{}${'}'.repeat(depth - 1)}`;

/** What each of these texts would lose to a parser that prints what it understood. */
const samples: Record<string, string> = {
  'key order': '{"b":1,"a":2,"10":3,"9":4,"":5}',
  'digits of numbers':
    '{"a":[12345678901234567890,1.10,1e-7,1E+07,-0,0.0,-0.00e-0,1e400,0.1234567890123456789012345]}',
  'every Unicode string': '{"é":"e\u0301 \u{1F600} \u2028 \u202e \uffff","\u{10FFFF}":"\u0085\u00a0"}',
  escapes: '{"\\u0061":"\\u0000\\u00e9\\ud83d\\ude00\\/\\b\\f\\n\\r\\t\\"\\\\","b\\u0000":1}',
  'lone surrogates, escaped': '{"a":"\\ud800","\\udc00":"\\udfff\\ud800"}',
  'keys that mean something to JavaScript':
    '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"toString":1,"hasOwnProperty":null}',
  'keys that mean something to us':
    '{"inputs":{"inputs":{}},"items":[],"id":"x","scores":[1],"binaryScore":7,"$ref":"#/nowhere"}',
  'keys that come twice': '{"a":1,"a":2,"a":{"a":3,"a":4}}',
  'white space': '{ \t"a" :\r\n [ 1 ,\t2 , { } , [ ] ]\n}',
  'text that looks like SQL or like a template': `{"a":"'; drop table record; --","b":"$1 \${x} {{ outputs.a }} %s \\\\"}`,
  '200 levels': nested(200),
};

/** A place where a value is to be read: the member `key` of an answer. */
type Sighting = { where: string; answer: Answer; key: string; value: string };

/** Whether the answer's text has the member, exactly. PostgreSQL's own objects have a space on each side of the colon. */
const holds = ({ answer: { text }, key, value }: Sighting) =>
  text.includes(`"${key}":${value}`) || text.includes(`"${key}" : ${value}`);

type Ask = (where: string, ...request: Parameters<Client>) => Promise<Answer>;

/** Collects the places where values were read; each answer must be a success. */
const witness = (api: Client) => {
  const sightings: Sighting[] = [];
  const ask: Ask = async (where, ...request) => {
    const answer = await api(...request);
    if (answer.status >= 300) throw new Error(`${where}: ${answer.status} ${answer.text}`);
    return answer;
  };
  const see = (where: string, answer: Answer, members: Record<string, string>) => {
    for (const [key, value] of Object.entries(members)) sightings.push({ where, answer, key, value });
  };
  return { ask, see, sightings };
};

type Journey = (api: Client, text: string) => Promise<Sighting[]>;

const ndjson = { 'content-type': 'application/x-ndjson' };

/** Every free-form field: written in every way there is, read in every way there is. */
const journeys: Record<string, Journey> = {
  'inputs, expected and outputs': async (api, text) => {
    const { ask, see, sightings } = witness(api);
    const project = await createProject(api);
    const run = await createRun(api, project.id, []);
    // In NDJSON a line break ends a record, so it is not white space there.
    const line = text.replaceAll('\n', ' ');
    const body = (value: string) => `{"inputs":${value},"expected" : ${value} ,"outputs":\t${value}\n}`;
    const expected = (value: string) => ({ inputs: value, expected: value, outputs: value });

    const path = `/runs/${run.id}/records`;
    const made = await ask('create', 'POST', path, undefined, { raw: body(text) });
    see('create', made, expected(text));
    const headers = { 'idempotency-key': `${run.id}` };
    for (const where of ['create with a key', 'create repeated'])
      see(where, await ask(where, 'POST', path, undefined, { raw: body(text), headers }), expected(text));
    const linked = `{"otelLinkId":"x",${body(text).slice(1)}`;
    for (const where of ['create with a link', 'create with the same link'])
      see(where, await ask(where, 'POST', path, undefined, { raw: linked }), expected(text));

    const bulk = `${path}/bulk-create`;
    const { ids } = (await ask('bulk', 'POST', bulk, undefined, { raw: `{"items":[${body(text)}]}` })).body;
    const lines = { raw: body(line).replaceAll('\n', ' '), headers: ndjson };
    ids.push(...(await ask('ndjson', 'POST', bulk, undefined, lines)).body.ids);
    see('get, made in bulk', await ask('get', 'GET', `/records/${ids[0]}`), expected(text));
    see('get, made by NDJSON', await ask('get', 'GET', `/records/${ids[1]}`), expected(line));
    see('get', await ask('get', 'GET', `/records/${made.body.id}`), expected(text));
    see('page', await ask('page', 'GET', path), expected(text));
    see('project list', await ask('list', 'GET', `/projects/${project.id}/records`), expected(text));
    return sightings;
  },

  score: async (api, text) => {
    const { ask, see, sightings } = witness(api);
    const project = await createProject(api);
    const metric = await createMetric(api, project.id, { evalType: 'human', outputType: 'float' });
    const run = await createRun(api, project.id, [metric.id]);
    const [configId] = run.metricVersionIds;
    const one = await createRecord(api, run.id);
    const two = await createRecord(api, run.id);
    const put = { raw: `{"score":${text}}` };
    see('put', await ask('put', 'PUT', `/records/${one.id}/scores/${configId}`, undefined, put), {
      score: text,
    });
    const item = `{"recordId":"${two.id}","metricConfigId":"${configId}","score" :${text}}`;
    await ask('bulk', 'POST', `/runs/${run.id}/scores/bulk-upsert`, undefined, {
      raw: `{"items":[${item}]}`,
    });
    for (const { id } of [one, two]) {
      const answer = await ask('get', 'GET', `/records/${id}`);
      see('get', answer, { score: text });
      expect(answer.text.split(text)).toHaveLength(3);
    }
    for (const path of [`/runs/${run.id}/records`, `/projects/${project.id}/records`])
      see(path, await ask(path, 'GET', path), { score: text });
    return sightings;
  },

  config: async (api, text) => {
    const { ask, see, sightings } = witness(api);
    const path = `/projects/${(await createProject(api)).id}/systems`;
    const made = await ask('upsert', 'POST', path, undefined, { raw: `{"config":${text},"name":"S"}` });
    const { id, productionVersion } = made.body;
    see('upsert', made, { config: text });
    see('get', await ask('get', 'GET', `/systems/${id}`), { config: text });
    see('list', await ask('list', 'GET', path), { config: text });
    see('update', await ask('update', 'PATCH', `/systems/${id}`, { name: 'T' }), { config: text });
    see('version', await ask('version', 'GET', `/systems/versions/${productionVersion.id}`), {
      config: text,
    });
    const other = `{"other":${text}}`;
    const version = await ask('add', 'POST', `/systems/${id}/versions`, undefined, {
      raw: `{"config":${other}}`,
    });
    see('added version', version, { config: other });
    return sightings;
  },

  jsonData: async (api, text) => {
    const { ask, see, sightings } = witness(api);
    const testset = await createTestset(api, (await createProject(api)).id, { jsonSchema: {} });
    const document = `{"more":1.0,"question" : ${text},"answer":${text}}`;
    const expected = { jsonData: document, inputs: `{"question":${text}}`, expected: `{"answer":${text}}` };
    const path = `/testsets/${testset.id}/testcases`;
    const made = await ask('create', 'POST', path, undefined, {
      raw: `{"items":[{"jsonData":${document}}]}`,
    });
    const [{ id }] = made.body.items;
    see('create', made, expected);
    see('get', await ask('get', 'GET', `/testcases/${id}`), expected);
    see('page', await ask('page', 'GET', path), expected);
    const put = { raw: `{"jsonData":{"answer":${text}}}` };
    const changed = { jsonData: `{"answer":${text}}`, inputs: '{}', expected: `{"answer":${text}}` };
    see('put', await ask('put', 'PUT', `/testcases/${id}`, undefined, put), changed);
    return sightings;
  },

  jsonSchema: async (api, text) => {
    const { ask, see, sightings } = witness(api);
    const path = `/projects/${(await createProject(api)).id}/testsets`;
    const schema = (value: string) => `{"type":"object","examples" : [${value}]}`;
    const fields = '"name":"T","description":"","fieldMapping":{"inputs":[],"expected":[],"metadata":[]}';
    const raw = `{"jsonSchema":${schema(text)},${fields}}`;
    const made = await ask('create', 'POST', path, undefined, { raw });
    const { id } = made.body;
    const changed = `{"jsonSchema":${schema(`[${text}]`)}}`;
    see('create', made, { jsonSchema: schema(text) });
    see('get', await ask('get', 'GET', `/testsets/${id}`), { jsonSchema: schema(text) });
    see('list', await ask('list', 'GET', path), { jsonSchema: schema(text) });
    see('update', await ask('update', 'PATCH', `/testsets/${id}`, undefined, { raw: changed }), {
      jsonSchema: schema(`[${text}]`),
    });
    return sightings;
  },

  metadata: async (api, text) => {
    const { ask, see, sightings } = witness(api);
    const sessionId = `session ${(await createProject(api)).id}`;
    const sha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
    const file = JSON.stringify({
      sessionId,
      filePath: 'f',
      sha256,
      sizeBytes: 0,
      contentType: 'text/plain',
    });
    const raw = `{"metadata" :${text},${file.slice(1)}`;
    const { id, uploadUrl } = (await ask('declare', 'POST', '/attachments', undefined, { raw })).body;
    see('get', await ask('get', 'GET', `/attachments/${id}`), { metadata: text });
    const link = uploadUrl.slice(uploadUrl.indexOf('/attachments'));
    see('upload', await ask('upload', 'PUT', link, undefined, { raw: '' }), { metadata: text });
    see('list', await ask('list', 'GET', `/sessions/${encodeURIComponent(sessionId)}/attachments`), {
      metadata: text,
    });
    return sightings;
  },
};

const lost = (sightings: Sighting[]) =>
  sightings
    .filter((sighting) => !holds(sighting))
    .map(({ where, key, value, answer }) => `${where}: ${key} is not ${value} in ${answer.text}`);

/** The journeys that put the text up to three levels deep into what they send. */
const wraps = new Set(['config', 'jsonData', 'jsonSchema']);

describe.each(Object.entries(journeys))('%s', (field, journey) => {
  it.each(Object.entries(samples))('keep %s', async (_, sample) => {
    const text = sample === samples['200 levels'] && wraps.has(field) ? nested(197) : sample;
    const sightings = await journey(organization.api, text);
    expect(sightings.length).toBeGreaterThan(2);
    expect(lost(sightings)).toEqual([]);
  });

  it('keep any JSON object', async () => {
    await fc.assert(
      fc.asyncProperty(objectText, async (text) => {
        expect(lost(await journey(organization.api, text))).toEqual([]);
      }),
      { numRuns: 15 },
    );
  });
});

describe('what can’t be kept as it was sent', () => {
  it.each(['inputs', 'expected', 'outputs'])('400 for %s of 201 levels', async (field) => {
    const run = await createRun(organization.api, (await createProject(organization.api)).id, []);
    const body = { inputs: '{}', expected: '{}', outputs: '{}', [field]: nested(201) };
    const raw = `{${Object.entries(body)
      .map(([key, value]) => `"${key}":${value}`)
      .join(',')}}`;
    const answer = await organization.api('POST', `/runs/${run.id}/records`, undefined, { raw });
    expect(answer.status).toBe(400);
    expect(answer.body.details.issues).toEqual([
      { path: `/${field}`, message: 'must not nest deeper than 200 levels' },
    ]);
    expect((await ok(organization.api('GET', `/runs/${run.id}/records`))).data).toEqual([]);
  });

  it.each([
    ['a lone surrogate that is not escaped', Buffer.from([0xed, 0xa0, 0x80])],
    ['Latin-1', Buffer.from([0xe9])],
    ['a sequence that is cut off', Buffer.from([0xf0, 0x9f, 0x98])],
    ['an overlong NUL', Buffer.from([0xc0, 0x80])],
  ])('400 for bytes that are no UTF-8: %s', async (_, bytes) => {
    const raw = Buffer.concat([Buffer.from('{"name":"'), bytes, Buffer.from('","description":""}')]);
    const answer = await organization.api('POST', '/projects', undefined, { raw });
    expect(answer.body).toMatchObject({
      code: 'VALIDATION_ERROR',
      message: 'The request must be UTF-8 text.',
    });
  });
});
