import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { system } from '../src/platform/db/database.ts';
import { exportLines, importLines } from './archive-lines.ts';
import { createMetric, createProject, createRun, createTestset, ok } from './fixtures.ts';
import { type Organization, startApp, type TestApp } from './harness.ts';
import { newTraceId, post, requestOf, toProtobuf } from './otlp.ts';
import { rowsOf } from './rows.ts';

// Personal data of many kinds is planted in every way in; none of it may be found in any table, nor in the log.

let app: TestApp;
let own: Organization;
const logged: string[] = [];

beforeAll(async () => {
  const log = pino({ level: 'trace' }, { write: (line) => void logged.push(line) });
  app = await startApp({}, { log });
  own = await app.organization();
});
afterAll(() => app.close());

const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJwbGFudGVkIjoidHJ1ZSJ9.c2lnbmF0dXJlb2Z0aGV0b2tlbg';
/** What is planted, and what must not be found of it. */
const planted: [text: string, core: string][] = [
  ['write to planted1@example.org', 'planted1@'],
  ['Planted.Two+tag@mail.example.co.uk', 'planted.two'],
  ['"PLANTED3@EXAMPLE.ORG"', 'planted3@'],
  ['<planted4@müller.example>', 'planted4@'],
  ['[me](mailto:planted5@example.org?subject=x)', 'planted5@'],
  ['https://x.example/?u=planted6%40example.org', 'planted6%40'],
  ["o'planted7@example.io", 'planted7@'],
  ['a=planted-8@example.org;b', 'planted-8@'],
  ['call +49 151 2345 6709', '2345 6709'],
  ['+1 (415) 555-2610', '555-2610'],
  ['(415) 555-2611', '555-2611'],
  ['415-555-2612', '555-2612'],
  ['415.555.2613', '555.2613'],
  ['0044 20 7946 0914', '7946 0914'],
  ['0151/23456715', '23456715'],
  ['+33123456716', '33123456716'],
  ['4111 1111 1111 1111', '4111 1111'],
  ['4012-8888-8888-1881', '4012-8888'],
  ['5555555555554444', '5555555555554444'],
  ['378282246310005', '378282246310005'],
  ['6011 0009 9013 9424 exp 12/27', '6011 0009'],
  ['DE89 3704 0044 0532 0130 00', '3704 0044'],
  ['gb29nwbk60161331926819', 'nwbk6016'],
  ['FR14-2004-1010-0505-0001-3M02-606', '2004-1010'],
  ['10.25.25.25', '10.25.25.25'],
  ['http://10.26.26.26:8080/', '10.26.26.26'],
  ['2001:db8:27::8a2e:370:7334', '2001:db8:27'],
  ['fe80::28:aaff', 'fe80::28'],
  ['sk-proj-planted29abcdefghijkl', 'planted29'],
  ['ghp_planted30abcdefghijklmnopqrstuvwx', 'planted30'],
  ['AKIAPLANTED31EXAMPLE', 'planted31'],
  ['AIzaSyPlanted32-abcdefghijklmnopqrstuvw', 'planted32'],
  ['xoxb-planted33-abcdefghijkl', 'planted33'],
  ['glpat-planted34abcdefghij', 'planted34'],
  ['hf_planted35abcdefghijklmnop', 'planted35'],
  ['Authorization: Bearer planted36abcdefghijkl', 'planted36'],
  [jwt, 'eyJwbGFudGVk'.toLowerCase()],
  ['postgres://app:planted38@db/x', 'planted38'],
  ['-----BEGIN PRIVATE KEY-----\nplanted39\n-----END PRIVATE KEY-----', 'planted39'],
  ['employee EMP-PLANTED40', 'planted40'],
];
const fieldCore = 'planted whole name';
const texts = planted.map(([text]) => text);
/** An object with all of it: as texts, in a list, as keys, in JSON in a text, and escaped. */
const everything = () => ({
  question: `x ${texts.join(' | ')} y`,
  list: texts,
  nested: { deep: [{ text: texts.join('\n') }] },
  keys: Object.fromEntries(texts.map((text, i) => [`${i} ${text}`, i])),
  arguments: JSON.stringify({ texts, name: { full: fieldCore } }),
  number: 4242424242424242,
  user: { name: { full: fieldCore } },
});
/** The same, with each `@` and digit escaped. */
const escaped = (value: unknown): string =>
  JSON.stringify(value).replace(/[@]/g, (character) => `\\u00${character.charCodeAt(0).toString(16)}`);

const settings = {
  patterns: ['email', 'phone', 'creditCard', 'iban', 'ipAddress', 'secret'],
  custom: [{ name: 'employee', pattern: 'EMP-[A-Z]+[0-9]+' }],
  fields: ['**.user.name', '**.arguments.name', 'attributes.user.name', 'resource.user.name'],
  hashed: false,
  testcases: true,
  comments: true,
};

/** Every row of every table, as one lower-case text. */
const dump = async (): Promise<string> => {
  const tables = await app.db.read(
    system,
    (sql) => sql<{ name: string }[]>`
      select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const rows: string[] = [];
  for (const { name } of tables)
    await app.db.transaction(system, async (tx) => {
      // Bytes are read as text too: nothing may hide in them.
      for (const { row } of await tx.unsafe<{ row: string }[]>(
        `select to_json(t)::text as row from "${name}" t`,
      ))
        rows.push(`${name} ${row.replaceAll('\\u0040', '@').replaceAll('\\"', '"').replaceAll('\\/', '/')}`);
    });
  return rows.join('\n').toLowerCase();
};

const expectNone = (text: string) => {
  const found = [...planted.map(([, core]) => core.toLowerCase()), fieldCore, '4242424242424242'].filter(
    (core) => text.includes(core),
  );
  expect(found).toEqual([]);
};

describe('masking', () => {
  it('leaves none of 40 kinds of personal data in any table or log, whichever way they come in', async () => {
    const project = await createProject(own.api);
    await ok(own.api('PATCH', `/projects/${project.id}/settings`, { masking: settings }));
    const metric = await createMetric(own.api, project.id, { evalType: 'human', outputType: 'boolean' });
    const run = await createRun(own.api, project.id, [metric.id]);
    const [metricConfigId] = run.metricVersionIds;
    const data = everything();
    const record = { inputs: data, expected: data, outputs: data, sessionId: texts[0], otelLinkId: texts[1] };
    const reasoning = texts.join(' ');
    const records = `/runs/${run.id}/records`;

    const single = await ok(own.api('POST', records, record), 201);
    await ok(own.api('POST', records, undefined, { raw: escaped({ ...record, otelLinkId: 'a' }) }), 201);
    const headers = { 'idempotency-key': 'planted' };
    await ok(own.api('POST', records, { ...record, otelLinkId: 'b' }, { headers }), 201);
    const scores = [{ metricConfigId, score: { binaryScore: true, reasoning } }];
    const items = [{ ...record, otelLinkId: 'c', scores }];
    await ok(own.api('POST', `${records}/bulk-create`, { items }), 201);
    const lines = `${JSON.stringify({ ...record, otelLinkId: 'd' })}\n${escaped({ ...record, otelLinkId: 'e' })}\n`;
    const ndjson = { 'content-type': 'application/x-ndjson' };
    await ok(own.api('POST', `${records}/bulk-create`, undefined, { raw: lines, headers: ndjson }), 201);
    const score = { binaryScore: true, reasoning };
    await ok(own.api('PUT', `/records/${single.id}/scores/${metricConfigId}`, { score }));
    await ok(
      own.api('POST', `/runs/${run.id}/scores/bulk-upsert`, {
        items: [{ recordId: single.id, metricConfigId, score }],
      }),
    );
    await ok(
      own.api('POST', `/runs/${run.id}/scores/bulk-upsert`, {
        items: [{ recordId: single.id, metricConfigId, reason: reasoning }],
      }),
    );
    await ok(own.api('POST', `/records/${single.id}/reviews/${metricConfigId}`, { score }), 201);
    const annotation = await ok(
      own.api(
        'POST',
        `/records/${single.id}/annotations`,
        { rating: true, comment: reasoning },
        { headers: { 'idempotency-key': 'p2' } },
      ),
      201,
    );
    const annotationPath = `/records/${single.id}/annotations/${annotation.id}`;
    await ok(own.api('PATCH', annotationPath, { comment: reasoning }));
    const reply = await ok(own.api('POST', `${annotationPath}/replies`, { comment: reasoning }), 201);
    await ok(own.api('PATCH', `${annotationPath}/replies/${reply.id}`, { comment: reasoning }));

    const testset = await createTestset(own.api, project.id);
    const testcases = await ok(
      own.api('POST', `/testsets/${testset.id}/testcases`, { items: [{ jsonData: data }] }),
      201,
    );
    await ok(
      own.api('PUT', `/testcases/${testcases.items[0].id}`, { jsonData: { ...data, question: reasoning } }),
    );

    const attributes = {
      ...data,
      'user.name': fieldCore,
      'gen_ai.prompt': reasoning,
      'session.id': texts[0],
      n: 4242424242424242n,
    };
    const request = (projectId: string) =>
      requestOf(
        [
          {
            traceId: newTraceId(),
            n: 1,
            name: reasoning,
            attributes: {
              ...attributes,
              'input.value': JSON.stringify(data),
              'dokima.otel_link_id': texts[1],
            },
            events: [{ name: reasoning, attributes }],
            status: { code: 2, message: reasoning },
            traceState: `a=${texts[0]}`,
            links: [{ traceId: newTraceId(), spanId: '00000000000000ff', attributes: [] }],
          },
        ],
        { 'dokima.project_id': projectId, 'service.name': texts[0], 'user.name': fieldCore, ...data },
      );
    expect((await post(app, own.key, request(project.id))).status).toBe(200);
    expect((await post(app, own.key, toProtobuf(request(project.id)))).status).toBe(200);

    const other = await createProject(own.api);
    await ok(own.api('PATCH', `/projects/${other.id}/settings`, { masking: settings }));
    // A project without masking is exported and deleted; what is imported is masked.
    const source = await createProject(own.api);
    const sourceMetric = await createMetric(own.api, source.id, { evalType: 'human', outputType: 'boolean' });
    const sourceRun = await createRun(own.api, source.id, [sourceMetric.id]);
    const [configId] = sourceRun.metricVersionIds;
    const path = `/runs/${sourceRun.id}/records/bulk-create`;
    const brought = [{ metricConfigId: configId, score }];
    const { ids } = await ok(own.api('POST', path, { items: [{ ...record, scores: brought }] }), 201);
    await ok(own.api('PUT', `/records/${ids[0]}/scores/${configId}`, { score }));
    await ok(own.api('POST', `/records/${ids[0]}/tags`, { text: texts[0] }), 201);
    const comment = { rating: true, comment: reasoning };
    await ok(own.api('POST', `/records/${ids[0]}/annotations`, comment), 201);
    const sourceTestset = await createTestset(own.api, source.id);
    const cases = { items: [{ jsonData: data }] };
    await ok(own.api('POST', `/testsets/${sourceTestset.id}/testcases`, cases), 201);
    expect((await post(app, own.key, request(source.id))).status).toBe(200);
    const archive = await exportLines(own.api, source.id);
    expect(archive.toLowerCase()).toContain('planted1@');
    await ok(own.api('DELETE', `/projects/${source.id}`));
    await ok(importLines(own.api, other.id, archive));

    expectNone(await dump());
    expectNone(logged.join('\n').toLowerCase());

    // What is left shows that it was all there.
    const stored = await ok(own.api('GET', `/records/${single.id}`));
    expect(stored.inputs.list).toHaveLength(planted.length);
    expect(stored.inputs.list[0]).toBe('write to [EMAIL]');
    expect(stored.inputs.user.name).toBe('[MASKED]');
    expect(stored.inputs.list.at(-1)).toBe('employee [EMPLOYEE]');
    const { data: imported } = await ok(own.api('GET', `/projects/${other.id}/records`));
    expect(imported.map((each: { inputs: typeof data }) => each.inputs.list?.[0])).toContain(
      'write to [EMAIL]',
    );
  });

  it('finds them all in a project without masking, so that the test above proves something', async () => {
    const project = await createProject(own.api);
    const run = await createRun(own.api, project.id, []);
    const data = everything();
    await ok(own.api('POST', `/runs/${run.id}/records`, { inputs: data, expected: {}, outputs: {} }), 201);
    const text = await dump();
    for (const [, core] of planted) expect(text).toContain(core.toLowerCase());
    await ok(own.api('DELETE', `/projects/${project.id}`));
  });

  it('keeps all other text byte for byte, and people apart by their session', async () => {
    const project = await createProject(own.api);
    await ok(
      own.api('PATCH', `/projects/${project.id}/settings`, { masking: { ...settings, hashed: true } }),
    );
    const run = await createRun(own.api, project.id, []);
    const raw = (id: string) =>
      `{"inputs": {"z": 1.10, "a":12345678901234567890, "e" : "${id}@example.org"}, "expected":{}, "outputs":{}, "sessionId": "${id}@example.org"}`;
    const made = [];
    for (const id of ['ada', 'bob', 'ada']) {
      const answer = await own.api('POST', `/runs/${run.id}/records`, undefined, { raw: raw(id) });
      expect(answer.text).toMatch(
        /"inputs":\{"z": 1\.10, "a":12345678901234567890, "e" : "\[EMAIL:[0-9a-f]{12}\]"\}/,
      );
      made.push(answer.body.inputs.e);
    }
    expect(made[0]).toBe(made[2]);
    expect(made[0]).not.toBe(made[1]);
    const rows = await app.db.transaction(
      own,
      (tx) =>
        tx<{ id: string }[]>`select distinct session_id as id from record where project_id = ${project.id}`,
    );
    expect(rows.length).toBe(2);
  });

  it('masks spans that another project took first, when they join theirs', async () => {
    const owner = await app.organization();
    const [oldest, project] = [await createProject(owner.api), await createProject(owner.api)];
    await ok(owner.api('PATCH', `/projects/${project.id}/settings`, { masking: settings }));
    const traceId = newTraceId();
    const span = {
      traceId,
      name: 'joined@join.example',
      attributes: { 'session.id': 'joined@join.example', 'input.value': 'joined@join.example' },
    };
    const resource = { 'user.name': 'joined@join.example' };
    expect((await post(app, owner.key, requestOf([{ ...span, n: 2, parent: 1 }], resource))).status).toBe(
      200,
    );
    expect((await ok(owner.api('GET', `/projects/${oldest.id}/spans`))).data).toHaveLength(1);
    const named = requestOf([{ ...span, n: 1 }], { ...resource, 'dokima.project_id': project.id });
    expect((await post(app, owner.key, named)).status).toBe(200);
    expect(
      (await ok(owner.api('GET', `/projects/${project.id}/spans?every=true&limit=10`))).data.length,
    ).toBeGreaterThan(0);
    const rows = await rowsOf(app.db, owner.organizationId);
    const leaks = rows.split('\n').filter((row) => row.includes('joined@'));
    // The source that the first project took stays until that project is deleted.
    expect(leaks.filter((row) => !row.startsWith('span_source'))).toEqual([]);
  });

  it('shows in a preview what it would do, and stores nothing', async () => {
    const project = await createProject(own.api);
    const path = `/projects/${project.id}`;
    const data = { inputs: { user: { email: 'a' }, q: 'ada@example.org' } };
    expect(await ok(own.api('POST', `${path}/masking/preview`, { data }))).toEqual({ data, numReplaced: 0 });
    const tried = { ...settings, fields: ['inputs.user.email'] };
    expect(await ok(own.api('POST', `${path}/masking/preview`, { data, settings: tried }))).toEqual({
      data: { inputs: { user: { email: '[MASKED]' }, q: '[EMAIL]' } },
      numReplaced: 2,
    });
    expect((await ok(own.api('GET', `${path}/settings`))).masking.patterns).toEqual([]);
  });

  it.each([
    [{ custom: [{ name: 'a', pattern: '(' }] }, '/custom/0/pattern'],
    [{ custom: [{ name: 'a', pattern: '(?=x)' }] }, '/custom/0/pattern'],
    [{ custom: [{ name: 'a', pattern: 'x*' }] }, '/custom/0/pattern'],
    [{ custom: [{ name: '1', pattern: 'x' }] }, '/custom/0/name'],
    [{ fields: ['inputs'] }, '/fields/0'],
    [{ fields: ['inputs..x'] }, '/fields/0'],
    [{ patterns: ['ssn'] }, '/patterns/0'],
  ])('400 for %j', async (wrong, path) => {
    const project = await createProject(own.api);
    const answer = await own.api('PATCH', `/projects/${project.id}/settings`, {
      masking: { ...settings, ...wrong },
    });
    expect(answer.status).toBe(400);
    expect(answer.body.details.issues[0].path).toBe(`/masking${path}`);
  });
});
