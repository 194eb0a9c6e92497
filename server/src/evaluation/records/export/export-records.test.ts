import { tableFromIPC } from '@uwdata/flechette';
import { parquetReadObjects } from 'hyparquet';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  createMetric,
  createProject,
  createRecord,
  createRun,
  createTestset,
  ok,
} from '../../../../test/fixtures.ts';
import { openApp } from '../../../../test/opened.ts';
import { exportRecords } from './export-records.ts';

const { app, own } = await openApp();
let projectId: string;
let runId: string;

const file = (query: string, headers: Record<string, string> = {}, of = projectId) =>
  app.app.inject({
    url: `/api/v2/projects/${of}/records/export?${query}`,
    headers: { authorization: `Bearer ${own.key}`, ...headers },
  });

const count = 1_201;
beforeAll(async () => {
  projectId = (await createProject(own.api)).id;
  const metric = await createMetric(own.api, projectId, {
    name: 'Right',
    evalType: 'human',
    outputType: 'boolean',
  });
  const run = await createRun(own.api, projectId, [metric.id]);
  runId = run.id;
  const items = Array.from({ length: count }, (_, i) => ({
    inputs: { q: `Wie viel ist ${i}, "genau"?` },
    expected: { a: i },
    outputs: {
      a: i % 2 === 0 ? i : 0.25,
      // A column that is a number in all but the last record.
      mixed: i === count - 1 ? 'none' : i,
      ...(i === 0 && { late: [1, { x: null }], formula: '=1+1' }),
    },
    ...(i % 3 > 0 && {
      scores: [{ metricConfigId: run.metricVersionIds[0], score: { binaryScore: i % 3 === 1 } }],
    }),
  }));
  for (const part of [items.slice(0, 700), items.slice(700)])
    await ok(own.api('POST', `/runs/${runId}/records/bulk-create`, { items: part }), 201);
});

const cellsOf = (rows: Record<string, unknown>[]) =>
  rows.map((row) => [row['inputs.q'], row['outputs.a'], row['outputs.mixed'], row['scores.Right']]);

describe('an export of records', () => {
  it('has the same rows in each format, newest first, with typed columns that the last page adds to', async () => {
    const lines = (await file('format=jsonl')).body
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toHaveLength(count);
    expect(lines[0]).toMatchObject({ 'expected.a': count - 1, run: runId, 'outputs.mixed': 'none' });

    const parquet = await file('format=parquet');
    const bytes = new Uint8Array(parquet.rawPayload).buffer;
    const objects = await parquetReadObjects({ file: bytes });
    expect(parquet.headers['content-type']).toBe('application/vnd.apache.parquet');
    expect(cellsOf(objects)).toEqual(
      cellsOf(lines).map(([q, a, mixed, score]) => [q, a, String(mixed), score ?? null]),
    );
    expect(objects.at(-1)).toMatchObject({ 'outputs.late': '[1,{"x":null}]', 'outputs.formula': '=1+1' });

    const arrow = await file('format=arrow', { 'accept-encoding': 'gzip' });
    expect(arrow.headers['content-encoding']).toBe('gzip');
    const table = tableFromIPC((await file('format=arrow')).rawPayload);
    expect(table.toArray().map((row) => ({ ...row }))).toEqual(objects.map((row) => ({ ...row })));

    const csv = (await file('format=csv')).body.split('\r\n');
    expect(csv[0]).toBe(
      'id,run,testcase,created,inputs.q,expected.a,outputs.a,outputs.mixed,outputs.late,outputs.formula,scores.Right,reasoning.Right',
    );
    expect(csv).toHaveLength(count + 2);
    // No cell that a spreadsheet would execute.
    expect(csv.at(-2)).toContain(`,"Wie viel ist 0, ""genau""?",0,0,0,"[1,{""x"":null}]",'=1+1,,`);
  });

  it('takes the words and the order of a search; without a record it is a table without rows', async () => {
    const q = encodeURIComponent('score.Right:fail sort:created');
    const lines = (await file(`format=jsonl&q=${q}`)).body.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line)['expected.a']).slice(0, 3)).toEqual([2, 5, 8]);
    const none = 'createdBefore=2000-01-01T00:00:00Z';
    expect((await file(`format=csv&${none}`)).body).toBe('id,run,testcase,created\r\n');
    expect(tableFromIPC((await file(`format=arrow&${none}`)).rawPayload).numRows).toBe(0);
    const empty = new Uint8Array((await file(`format=parquet&${none}`)).rawPayload).buffer;
    expect(await parquetReadObjects({ file: empty })).toEqual([]);
  });

  it('has the records of its first reading alone, though one with an earlier time is committed before the second', async () => {
    const { id } = await createProject(own.api);
    const run = await createRun(own.api, id, []);
    const send = (outputs: object) =>
      ok(own.api('POST', `/runs/${run.id}/records`, { inputs: {}, expected: {}, outputs }), 201);
    const sent = [await send({ a: 1 }), await send({ a: 2 })];
    const { organizationId, memberId } = own;
    const scope = {
      organizationId,
      memberId,
      role: 'admin',
      access: 'read',
      keyId: null,
      signInId: null,
    } as const;
    const search = { conditions: [] };
    const exporting = {
      db: app.db,
      holdPage: async () => {},
      scope,
      projectId: BigInt(id),
      search,
      signal: new AbortController().signal,
    };
    const parts = await exportRecords(exporting, 'csv');
    // As the record of traces that began before.
    const late = await send({ a: 3, b: 'no column' });
    await app.db.transaction(
      scope,
      (sql) =>
        sql`update record set created_at = '2020-01-01' where run_id = ${run.id} and n = ${late.id.split('-')[1]}`,
    );
    await ok(own.api('DELETE', `/records/${sent[0].id}`), 200);
    let text = '';
    for await (const part of parts) text += part;
    const lines = text.trimEnd().split('\r\n');
    expect(lines.map((line) => line.split(',').at(-1))).toEqual(['outputs.a', '2']);
  });

  it('refuses what is wrong before it begins', async () => {
    const wrong = await file('format=csv&q=latncy:%3E2s');
    expect([wrong.statusCode, wrong.body]).toEqual([400, expect.stringContaining('Did you mean latency:?')]);
    expect((await file('format=xml')).statusCode).toBe(400);
    expect((await file('format=csv&runId=999999999')).statusCode).toBe(404);
    const { id } = await createProject(own.api);
    const run = await createRun(own.api, id, []);
    const outputs = Object.fromEntries(Array.from({ length: 2_100 }, (_, i) => [`f${i}`, i]));
    await ok(own.api('POST', `/runs/${run.id}/records`, { inputs: {}, expected: {}, outputs }), 201);
    const wide = await own.api('GET', `/projects/${id}/records/export?format=parquet`);
    expect(wide.status).toBe(400);
    expect(wide.body.details.issues[0].message).toContain('more than 2000 different fields');
  });

  it('has the tags of records, and the split and tags that testcases had in the snapshot of their run', async () => {
    const { id: project } = await createProject(own.api);
    const { id: testsetId } = await createTestset(own.api, project);
    const items = [
      { jsonData: { question: 'a' }, split: 'dev', tags: ['x', 'y "z"'] },
      { jsonData: { question: 'b' }, split: 'test' },
      { jsonData: { question: 'c' } },
    ];
    const testcases = (await ok(own.api('POST', `/testsets/${testsetId}/testcases`, { items }), 201)).items;
    const run = await createRun(own.api, project, [], { testsetId });
    for (const { id: testcaseId } of testcases) await createRecord(own.api, run.id, { testcaseId });
    const [newest] = (await ok(own.api('GET', `/projects/${project}/records?runId=${run.id}`))).data;
    await ok(own.api('POST', `/records/${newest.id}/tags`, { text: 'mine' }), 201);
    await ok(own.api('PATCH', `/testsets/${testsetId}/testcases`, { split: 'late', addTags: ['late'] }));
    await ok(own.api('POST', '/testcases/bulk-delete', { ids: [`${testsetId}-2`] }));
    const read = async (format: string) => file(`format=${format}`, {}, project);
    const lines = (await read('jsonl')).body
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const marks = lines
      .map((row) => [row['testcase.split'], row['testcase.tags'], row.tags])
      .toSorted((a, b) => String(a[0]).localeCompare(String(b[0])));
    expect(marks).toEqual([
      ['dev', ['x', 'y "z"'], undefined],
      ['test', undefined, undefined],
      [undefined, undefined, ['mine']],
    ]);
    const [head, ...rows] = (await read('csv')).body.trimEnd().split('\r\n');
    expect(head).toMatch(/^id,run,testcase,testcase.split,testcase.tags,created,tags,inputs/);
    expect(rows.some((row) => row.includes(',dev,"[""x"",""y \\""z\\""""]",'))).toBe(true);
    const parquet = await parquetReadObjects({
      file: new Uint8Array((await read('parquet')).rawPayload).buffer,
    });
    const arrow = tableFromIPC((await read('arrow')).rawPayload).toArray();
    for (const table of [parquet, arrow])
      expect(table.map((row) => [row['testcase.split'], row['testcase.tags'], row.tags])).toEqual(
        lines.map((row) =>
          [
            row['testcase.split'],
            row['testcase.tags'] && JSON.stringify(row['testcase.tags']),
            row.tags && JSON.stringify(row.tags),
          ].map((cell) => cell ?? null),
        ),
      );
  });
});
