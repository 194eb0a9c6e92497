import { execFileSync } from 'node:child_process';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readInput } from '../src/import/content.ts';
import { fixture, nothing, openImports } from './importing.ts';

const { opened, importFile, readRun } = openImports();

const put = async (name: string, bytes: string | Buffer): Promise<string> => {
  const path = join(opened.terminal.directory, name);
  await writeFile(path, bytes);
  return path;
};

const refusalOf = async (name: string, bytes: string | Buffer, ...options: string[]): Promise<string> => {
  const path = await put(name, bytes);
  const { code, err } = await opened.terminal.dokima(['import', '-p', opened.projectId, path, ...options]);
  expect(code).toBe(4);
  return err;
};

/** The testcases of a testset as the service writes them. */
const textsOf = async (testsetId: string): Promise<string[]> => {
  const text = await opened.terminal.client.send({
    method: 'GET',
    path: `/api/v2/testsets/${testsetId}/testcases`,
  });
  return [...text.matchAll(/"jsonData"\s*:\s*(\{.*?\})\s*,\s*"/g)].map(([, data]) => data!);
};

describe('a table', () => {
  it('of questions without answers becomes a testset and no run', async () => {
    const said = await importFile(await put('questions.csv', 'id;inputs.q;expected.a\n1;two, three;5\n'));
    expect(said).toMatchObject({ testcases: 1, runs: 0, records: 0, runIds: [] });
    expect(await textsOf(said.testsetId)).toEqual(['{"id":"1","q":"two, three","a":5}']);
    const { fieldMapping } = await opened.terminal.client.getTestset(said.testsetId);
    expect(fieldMapping).toEqual({ inputs: ['q'], expected: ['a'], metadata: ['id'] });
  });

  it('keeps every digit of JSON lines, and a second import changes nothing', async () => {
    const path = await put(
      'big.jsonl',
      '{"id":"1","inputs":{"q":9007199254740993,"r":1.10},"expected":{"a":1E400}}\n',
    );
    const said = await importFile(path);
    expect(await textsOf(said.testsetId)).toEqual(['{"id":"1","q":9007199254740993,"r":1.10,"a":1E400}']);
    expect(await importFile(path)).toMatchObject({ testcases: 0, testsetId: said.testsetId });
  });

  it('joins a testset that is named: equal cases are one, whatever their ids; other content is refused', async () => {
    const table = (id: string, outputs: string, more = '') =>
      `id,inputs.q,expected.a,outputs.t\n${id},one,1,${outputs}\n${more}`;
    const first = await importFile(await put('first.csv', table('a', 'x')));
    const second = await put('second.csv', table('b', 'y', 'c,two,2,z\n'));
    const into = ['--testset', first.testsetId];
    const said = await importFile(second, ...into);
    expect(said).toMatchObject({ testsetId: first.testsetId, testcases: 1, records: 2, runs: 1 });
    const { client } = opened.terminal;
    const { name } = await client.getTestset(first.testsetId);
    expect(await importFile(second, '--testset', name)).toMatchObject({ ...nothing, runIds: said.runIds });
    const testcaseOf = async (runId: string, q: string) => {
      for await (const record of client.listProjectRecords(opened.projectId, { runId }))
        if ((record.inputs as { q: string }).q === q) return record.testcaseId;
      return undefined;
    };
    const shared = await testcaseOf(first.runIds[0], 'one');
    expect(shared).toEqual(expect.any(String));
    expect(await testcaseOf(said.runIds[0], 'one')).toBe(shared);

    expect(await refusalOf('other.csv', 'id,inputs.q,expected.a\na,three,3\n', ...into)).toContain(
      `Testset ${first.testsetId} has a testcase 'a' with other content.`,
    );
    expect(await refusalOf('fields.csv', 'id,inputs.w,expected.a\nd,three,3\n', ...into)).toContain(
      `The file has other inputs than testset ${first.testsetId}: w, not q.`,
    );
    expect(await refusalOf('none.csv', 'id,inputs.q\nd,three\n', '--testset', 'nowhere')).toContain(
      "The project has no testset 'nowhere'.",
    );
    await client.createTestset(opened.projectId, {
      name,
      description: '',
      jsonSchema: {},
      fieldMapping: { inputs: ['q'], expected: ['a'], metadata: [] },
    });
    expect(await refusalOf('twice.csv', table('e', 'x'), '--testset', name)).toContain(
      `2 testsets are named '${name}'.`,
    );
  });

  it('leaves out a column of answers that no row fills, and keeps an answer that is empty', async () => {
    const { runIds } = await importFile(
      await put('unused.csv', 'inputs.q,outputs.a,outputs.output,score\none,x,,1\ntwo,,,0\n'),
      '--scale',
      '0..1',
    );
    expect((await readRun(runIds[0])).map(({ outputs }) => outputs)).toEqual([{ a: 'x' }, { a: '' }]);
    const alone = await importFile(
      await put('alone.csv', 'inputs.q,outputs.output,score\none,,1\n'),
      '--scale',
      '0..1',
    );
    expect((await readRun(alone.runIds[0])).map(({ outputs }) => outputs)).toEqual([{ output: '' }]);
    const { runIds: known } = await importFile(fixture('langsmith-failures.csv'), '--scale', 'near=0..1');
    expect((await readRun(known[0])).map(({ outputs }) => outputs)).toContainEqual({ a: 'I do not know' });
  });

  it('comes from standard input, compressed too', async () => {
    for (const stdin of ['inputs.q,outputs.a\nx,y\n', gzipSync('inputs.q,outputs.a\nx,y\n')]) {
      const words = ['import', '-p', opened.projectId, '-', '--json'];
      const said = await opened.terminal.dokima(words, { stdin: stdin as string });
      expect(said.json()).toMatchObject({ testcases: 1, records: 1 });
    }
  });

  it('in another encoding is read in the one that is named, else refused', async () => {
    const bytes = Buffer.from('inputs.q\nZ\xfcrich\n', 'latin1');
    expect(await refusalOf('l.csv', bytes)).toContain('It is not UTF-8');
    expect(await refusalOf('l.csv', bytes, '--encoding', 'klingon')).toContain(
      "There is no encoding 'klingon'.",
    );
    const said = await importFile(await put('l.csv', bytes), '--encoding', 'windows-1252');
    expect(await textsOf(said.testsetId)).toEqual(['{"id":"row 1","q":"Zürich"}']);
  });

  it('with torn quotes, odd rows or no rows is refused, and nothing is written', async () => {
    expect(await refusalOf('t.csv', 'inputs.q\n"said" hello\n"x"y\n')).toContain(
      'Line 2: text stands after the closing quote of a cell.',
    );
    expect(await refusalOf('t.csv', 'inputs.q,inputs.r\n1,2\n3\n4,5,6\n')).toContain(
      'Line 3 has 1 cell, the header has 2. Line 4 has 3 cells, the header has 2.',
    );
    expect(await refusalOf('t.csv', 'id,inputs.q\n')).toContain('No rows found.');
    expect((await opened.terminal.client.listTestsets(opened.projectId)).data).toEqual([]);
  });

  it('in a damaged Parquet file is refused with the name of the file and what to do', async () => {
    const bytes = await readFile(fixture('phoenix.parquet'));
    // The damage: in the values of a column, and in the name of another that the reader meets later.
    for (const [at, value] of [
      [1140, 241],
      [2294, 85],
      [6412, 49],
    ] as const)
      bytes[at] = value;
    expect(await refusalOf('damaged.parquet', bytes)).toMatch(
      /\/damaged\.parquet cannot be read\. It is a Parquet file that is damaged, .+ Fetch it again, or save the table as CSV\.\n$/,
    );
  });

  it('is a file: a device, a pipe and a loop of links are refused, and an endless standard input ends', async () => {
    const pipe = join(opened.terminal.directory, 'pipe.csv');
    execFileSync('mkfifo', [pipe]);
    const loop = join(opened.terminal.directory, 'loop.csv');
    await symlink(loop, loop);
    const refused = async (path: string) => (await opened.terminal.dokima(['import', '-p', '1', path])).err;
    expect(await refused('/dev/zero')).toContain('/dev/zero is not a file.');
    expect(await refused(pipe)).toContain('is not a file.\n  Write a pipe to the standard input');
    expect(await refused(loop)).toContain('too many symbolic links');
    const endless = async function* () {
      for (;;) yield Buffer.alloc(2 ** 24);
    };
    await expect(readInput(endless(), {})).rejects.toThrow('It holds more than 256 MB.');
  });

  it('whose cells are texts has the types that its values have, or those that the user names', async () => {
    const text =
      'id,inputs.zip,inputs.n,inputs.o,outputs.a,expected.a\n1,01234,1.10,"[1.10,{}]",4,4\n2,10115,2,[],four,5\n';
    const said = await importFile(await put('typed.csv', text));
    expect(await textsOf(said.testsetId)).toEqual([
      '{"id":"1","zip":"01234","n":1.10,"o":[1.10,{}],"a":"4"}',
      '{"id":"2","zip":"10115","n":2,"o":[],"a":"5"}',
    ]);
    const named = await importFile(
      await put('named.csv', text),
      '--type',
      'inputs.n=string',
      '--type',
      'inputs.o=string',
    );
    expect((await textsOf(named.testsetId))[0]).toBe(
      '{"id":"1","zip":"01234","n":"1.10","o":"[1.10,{}]","a":"4"}',
    );
    expect(await refusalOf('odd.csv', text, '--type', 'outputs.a=number')).toContain(
      'Line 3: outputs.a is not of the type number.',
    );
    expect(await refusalOf('odd.csv', text, '--type', 'inputs.n=date')).toContain(
      '--type must be COLUMN=string',
    );
    expect(await refusalOf('odd.csv', text, '--type', 'inputs.m=string')).toContain(
      'There is no column inputs.m',
    );
  });

  // openpyxl 3.1.5 wrote it: three sheets, the second with dates, an empty row, an empty column and a name twice.
  it('of a spreadsheet keeps its dates, numbers and texts, and names what it did not take', async () => {
    const said = await importFile(fixture('cases.xlsx'));
    expect(said.notes).toEqual([
      "Two columns are named 'inputs.q'; the later one is read as 'inputs.q 2'.",
      "Sheet 'Cases' is read. Others: Notes, Other",
    ]);
    expect(await textsOf(said.testsetId)).toEqual([
      '{"id":"1","q":"first","q 2":"second","n":1.5,"ok":true,"day":"2026-03-29","at":"2026-03-29T02:30:00"}',
      `{"id":"007","q":"'quoted","q 2":"x","n":9007199254740992,"ok":false,"day":"1900-03-01","at":"14:05:00"}`,
    ]);
    const other = await importFile(fixture('cases.xlsx'), '--sheet', 'Other');
    expect(await textsOf(other.testsetId)).toEqual(['{"id":"o1","q":"other sheet"}']);
    const words = ['import', '-p', opened.projectId, fixture('cases.xlsx'), '--sheet', 'Nope'];
    expect((await opened.terminal.dokima(words)).err).toContain(
      "It has no sheet 'Nope'. Its sheets: Notes, Cases, Other",
    );
  });

  it('that Dokima exported comes back with its values', async () => {
    const text = 'dokima.id,inputs.q,expected.a\r\n7-1,"""- item""","{""b"":1.10}"\r\n7-2,"""4""",null\r\n';
    const said = await importFile(await put('back.csv', text));
    expect(await textsOf(said.testsetId)).toEqual([
      '{"id":"7-1","q":"- item","a":{"b":1.10}}',
      '{"id":"7-2","q":"4","a":null}',
    ]);
  });
});
