import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createProject, createRecord, createRun, ok } from '../../../test/fixtures.ts';
import { type Organization, startApp, type TestApp } from '../../../test/harness.ts';
import { newTraceId, post, requestOf, spanId, type TestSpan, toProtobuf } from '../../../test/otlp.ts';
import { expectNoChange } from '../../../test/rows.ts';

let app: TestApp;
let own: Organization;
/** Where traces came in, and where they are imported. */
let projectId: string;
let importedId: string;
let recordId: string;

beforeAll(async () => {
  app = await startApp();
  own = await app.organization();
});
afterAll(() => app.close());

const createImport = (importKey: string) =>
  ok(own.api('POST', '/projects', { name: 'Imported', description: '', importKey }), 201);

beforeEach(async () => {
  projectId = (await createProject(own.api)).id;
  importedId = (await createImport(`of ${projectId}`)).id;
  recordId = (await createRecord(own.api, (await createRun(own.api, importedId, [])).id)).id;
});

const send = (spans: TestSpan[], to = projectId, resource = {}) =>
  post(app, own.key, toProtobuf(requestOf(spans, { 'dokima.project_id': to, ...resource })));

/** The texts of a project's exported spans, in order. */
const exported = async (of: string, limit = 100): Promise<string[]> => {
  const texts: string[] = [];
  for (let cursor = ''; ; ) {
    const { text, body } = await own.api(
      'GET',
      `/projects/${of}/export/spans?limit=${limit}&cursor=${cursor}`,
    );
    const list = text.slice('{"data":['.length, text.lastIndexOf('],"nextCursor"'));
    if (list !== '')
      texts.push(...list.split(/,(?=\{"traceId":"[0-9a-f]{32}","spanId":"[0-9a-f]{16}","parentSpanId")/));
    if (!body.hasMore) return texts;
    cursor = body.nextCursor;
  }
};

const itemsOf = (texts: string[]) => `{"items":[${texts.join(',')}]}`;
const importTexts = (texts: string[], to = importedId) =>
  own.api('POST', `/projects/${to}/import/spans`, undefined, { raw: itemsOf(texts) });
const onto = (texts: string[], record: string | null) =>
  texts.map((text) =>
    text.replace(
      /"recordId":("[^"]*"|null)/,
      `"recordId":${record === null ? null : JSON.stringify(record)}`,
    ),
  );
const treeOf = async (record: string) => (await ok(own.api('GET', `/records/${record}/spans`))).data;
const recordsOf = async (of: string) => (await ok(own.api('GET', `/projects/${of}/records`))).data;

/** One valid item, as an object. */
const item = (changes: object = {}) => ({
  ...{ traceId: newTraceId(), spanId: spanId(1), parentSpanId: null, recordId, name: 'S', kind: 0 },
  ...{ startTimeUnixNano: '1', endTimeUnixNano: '2' },
  content: { status: 0, attributes: {} },
  source: { resource: {}, scope: { name: '', version: '', attributes: {} } },
  ...changes,
});
const importItems = (items: object[], to = importedId) =>
  own.api('POST', `/projects/${to}/import/spans`, { items });

describe('POST /projects/:projectId/import/spans', () => {
  it('stores what an export gave byte for byte, whatever the attributes hold', async () => {
    const attributes = {
      ...{
        whole: -(2n ** 63n) + 1n,
        negative: -(2n ** 63n),
        half: 0.5,
      },
      ...{
        b: 1,
        a: 2,
        '': 'empty',
        ['__proto__']: 'own',
        constructor: { prototype: [] },
      },
      text: '\u0000"\\\u2028\u{1f600}</script>',
      deep: [[{ list: [true, false, [], {}, ''] }]],
    };
    const traceId = newTraceId();
    const events = [{ name: 'e\u0000', attributes: { x: 1.25, '2': 'b', '1': 'a' } }];
    const links = [
      {
        traceId: 'ab'.repeat(16),
        spanId: 'cd'.repeat(8),
        traceState: 'l=1',
        attributes: [],
        droppedAttributesCount: 2,
      },
    ];
    const spans = [
      { traceId, n: 1, attributes, events, status: { code: 2, message: 'broken\u0000' }, traceState: 'k=v' },
      {
        traceId,
        n: 2,
        parent: 1,
        links,
        droppedAttributesCount: 3,
        droppedEventsCount: 4,
        droppedLinksCount: 5,
      },
      { traceId, n: 3, parent: 1, startTimeUnixNano: '18446744073709551615', endTimeUnixNano: '0' },
    ];
    await send(spans);
    const odd = requestOf([{ traceId, n: 4 }], { 'dokima.project_id': projectId });
    // Keys that an object would sort, doubles that are whole, and those that JSON has no number for.
    const doubles = [3, -0, 1e21, 2 ** 70, 1.5e300, 1e-7, Number.NaN, Number.POSITIVE_INFINITY];
    odd.resourceSpans[0]!.scopeSpans[0]!.spans[0]!.attributes = [
      ...['10', '9'].map((key) => ({ key, value: { stringValue: key } })),
      ...doubles.map((doubleValue, i) => ({ key: `d${i}`, value: { doubleValue } })),
    ];
    expect((await post(app, own.key, toProtobuf(odd))).status).toBe(200);

    const before = await exported(projectId);
    expect(before).toHaveLength(4);
    expect(before.join()).toContain('"10":"10","9":"9","d0":3.0,"d1":-0.0,"d2":1e+21');
    expect(before.join()).toContain('"whole":-9223372036854775807');
    expect(before.join()).toContain('"__proto__":"own"');
    const sent = onto(before, recordId);
    expect((await ok(importTexts(sent), 201)).imported).toBe(4);
    expect(await exported(importedId)).toEqual(sent);
    const detail = async (of: string, n: number) =>
      (await own.api('GET', `/projects/${of}/traces/${traceId}/spans/${spanId(n)}`)).text;
    const [{ id }] = await recordsOf(projectId);
    for (const n of [1, 2, 3, 4])
      expect(await detail(importedId, n)).toBe(
        (await detail(projectId, n)).replace(`"${id}"`, `"${recordId}"`),
      );
  });

  it('makes no record and writes none: the trace joins the record that it is given', async () => {
    const chat = { 'gen_ai.operation.name': 'chat', 'input.value': 'asked', 'output.value': 'answered' };
    await send([{ traceId: newTraceId(), n: 1, attributes: chat }]);
    const before = await recordsOf(importedId);
    await ok(importTexts(onto(await exported(projectId), recordId)), 201);
    expect(await recordsOf(importedId)).toEqual(before);
    expect(await treeOf(recordId)).toHaveLength(1);
  });

  it('keeps sessions: what comes of one later joins the imported record', async () => {
    const attributes = { 'session.id': `s${projectId}` };
    await send([{ traceId: newTraceId(), n: 1, attributes }]);
    await ok(importTexts(onto(await exported(projectId), recordId)), 201);
    await send([{ traceId: newTraceId(), n: 2, attributes }], importedId);
    expect(await treeOf(recordId)).toHaveLength(2);
    expect(await recordsOf(importedId)).toHaveLength(1);
  });

  it('keeps links: a linked trace shows on the record with its link, wherever its spans come apart', async () => {
    const traceId = newTraceId();
    const link = { 'dokima.otel_link_id': `l${projectId}` };
    await send([
      { traceId, n: 1, attributes: link },
      { traceId, n: 2, parent: 1 },
    ]);
    const texts = await exported(projectId);
    expect(texts.every((text) => text.includes('"recordId":null'))).toBe(true);
    const run = await createRun(own.api, importedId, []);
    const linked = await createRecord(own.api, run.id, { otelLinkId: `l${projectId}` });
    for (const text of texts.toReversed()) await ok(importTexts([text]), 201);
    expect(await treeOf(linked.id)).toHaveLength(2);
    await send([{ traceId, n: 3, parent: 1 }], importedId);
    expect(await treeOf(linked.id)).toHaveLength(3);
    expect(await recordsOf(importedId)).toHaveLength(2);
  });

  it('has the tags of a record that its spans carry say that they come from a trace, and adds none', async () => {
    await send([{ traceId: newTraceId(), n: 1, attributes: { 'dokima.tags': ['kept', 'gone'] } }]);
    await ok(own.api('POST', `/records/${recordId}/tags`, { text: 'kept' }), 201);
    await ok(own.api('POST', `/records/${recordId}/tags`, { text: 'own' }), 201);
    await ok(importTexts(onto(await exported(projectId), recordId)), 201);
    const { data } = await ok(own.api('GET', `/records/${recordId}/tags`));
    expect(data.map(({ text, source }: Record<string, string>) => [text, source])).toEqual([
      ['kept', 'otel'],
      ['own', 'user'],
    ]);
  });

  it('changes nothing the second time', async () => {
    await send([
      { traceId: newTraceId(), n: 1, attributes: { 'session.id': 's' } },
      { traceId: newTraceId(), n: 2 },
    ]);
    const texts = onto(await exported(projectId), recordId);
    await ok(importTexts(texts), 201);
    await expectNoChange(app.db, own, 201, async () => [await importTexts(texts)]);
  });

  it('409 for a project that is no import, and for one that is complete', async () => {
    await expectNoChange(app.db, own, 409, async () => [
      await importItems([item({ recordId: null })], projectId),
    ]);
    await ok(own.api('PUT', `/projects/${importedId}/import`, { completed: true }));
    await expectNoChange(app.db, own, 409, async () => [await importItems([item()])]);
  });

  it('404 for a record of another project, and nothing is stored', async () => {
    const other = await createRecord(own.api, (await createRun(own.api, projectId, [])).id);
    await expectNoChange(app.db, own, 404, () =>
      Promise.all([
        importItems([item(), item({ recordId: other.id })]),
        importItems([item({ recordId: 'x' })]),
      ]),
    );
  });

  it('400 where spans of one trace name two records, in one request or in two', async () => {
    const other = await createRecord(own.api, (await createRun(own.api, importedId, [])).id);
    const traceId = newTraceId();
    const second = item({ traceId, spanId: spanId(2), recordId: other.id });
    await expectNoChange(app.db, own, 400, async () => [await importItems([item({ traceId }), second])]);
    await ok(importItems([item({ traceId })]), 201);
    await expectNoChange(app.db, own, 400, async () => [await importItems([second])]);
  });

  it('400 for whatever no export gives, and nothing is stored', async () => {
    const attributes = (value: string) =>
      itemsOf([
        JSON.stringify(item()),
        JSON.stringify(item()).replace('"attributes":{}', `"attributes":${value}`),
      ]);
    const nested = (levels: number) => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`;
    const content = (changes: object) => item({ content: { status: 0, attributes: {}, ...changes } });
    const wrong = [
      ...[
        { traceId: '0'.repeat(32) },
        { traceId: 'AB'.repeat(16) },
        { spanId: '0'.repeat(16) },
        { spanId: '' },
      ],
      ...[
        { parentSpanId: '' },
        { kind: 6 },
        { kind: 0.5 },
        { name: 'a\u0000b' },
        { name: '\ud800' },
        { extra: 1 },
      ],
      ...[{ startTimeUnixNano: 1 }, { startTimeUnixNano: '1e3' }, { endTimeUnixNano: '9'.repeat(20) }],
      ...[{ content: {} }, { content: [] }, { content: null }, { source: 'x' }, { source: { resource: [] } }],
    ].map((changes) => item(changes));
    const malformed = [
      ...[
        { status: '0' },
        { status: 2 ** 31 },
        { statusMessage: 1 },
        { attributes: [] },
        { events: {} },
        { events: [1] },
      ],
      ...[{ events: [{ timeUnixNano: 'x' }] }, { links: [{ traceId: 1 }] }, { droppedLinksCount: -1 }],
      ...[{ links: [{ droppedAttributesCount: 2 ** 32 }] }, { traceState: {} }],
    ].map(content);
    const raw = [nested(105), nested(50_000), '"x"', '7', `{"a":${'9'.repeat(400)}}`].map(attributes);
    // A content without attributes, and a scope without a name, are what spans without any have.
    const refused = [...wrong.filter((one) => JSON.stringify(one.content) !== '{}'), ...malformed];
    await expectNoChange(app.db, own, 400, async () => [
      ...(await Promise.all(refused.map((one) => importItems([item(), one])))),
      ...(await Promise.all(
        raw.map((text) => own.api('POST', `/projects/${importedId}/import/spans`, undefined, { raw: text })),
      )),
      await importItems([]),
    ]);
  });
});

describe('GET /projects/:projectId/export/spans', () => {
  it('gives every span once, earliest first, a page at a time', async () => {
    const traceIds = [newTraceId(), newTraceId()];
    await send([3, 1, 2, 4].map((n) => ({ traceId: traceIds[n % 2]!, n, at: Math.ceil(n / 2) })));
    const all = await exported(projectId);
    for (const limit of [1, 3]) expect(await exported(projectId, limit)).toEqual(all);
    const starts = all.map((text) => JSON.parse(text).startTimeUnixNano);
    expect(starts).toEqual(starts.toSorted());
    expect(new Set(all.map((text) => JSON.parse(text).spanId)).size).toBe(4);
  });
});
