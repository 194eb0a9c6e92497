import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exactCell } from './exact-cells.ts';
import { readFile, UnknownEncoding } from './read-file.ts';

const bytesOf = (text: string, encoding: BufferEncoding = 'utf8'): Uint8Array => Buffer.from(text, encoding);

const rowsOf = async (name: string, bytes: Uint8Array | string) => {
  const { table } = await readFile(name, typeof bytes === 'string' ? bytesOf(bytes) : bytes);
  expect(table.problems).toEqual([]);
  return JSON.parse(JSON.stringify(table.rows));
};

const swapped = (bytes: Uint8Array): Uint8Array => Buffer.from(bytes).swap16();

describe('a table', () => {
  const rows = [
    { q: 'one, "two"', a: '1' },
    { q: 'three\nfour', a: '2' },
  ];
  const written = (delimiter: string, end = '\n') =>
    ['q', 'a'].join(delimiter) +
    end +
    rows.map(({ q, a }) => [`"${q.replaceAll('"', '""')}"`, a].join(delimiter)).join(end);

  it.each([',', ';', '\t', '|'])('is read with %j between its cells', async (delimiter) => {
    for (const end of ['\n', '\r\n', '\r'])
      expect(await rowsOf('a.csv', written(delimiter, end))).toEqual(rows);
    expect(await rowsOf('a.csv', `sep=${delimiter}\n${written(delimiter)}`)).toEqual(rows);
  });

  it.each([
    ['UTF-8 with a mark', bytesOf(`\ufeff${written(',')}`)],
    ['UTF-16 with a mark', bytesOf(`\ufeff${written(',')}`, 'utf16le')],
    ['UTF-16 without a mark', bytesOf(written(','), 'utf16le')],
    ['UTF-16 of the other byte order', swapped(bytesOf(`\ufeff${written(',')}`, 'utf16le'))],
    ['UTF-16 of the other byte order, without a mark', swapped(bytesOf(written(','), 'utf16le'))],
    ['gzip', gzipSync(written(','))],
  ])('is read from %s', async (_what, bytes) => {
    expect(await rowsOf('a.csv.gz', bytes)).toEqual(rows);
  });

  it('in another encoding is asked about, and never stored with replacement characters', async () => {
    const bytes = bytesOf('q\nZ\xfcrich', 'latin1');
    await expect(readFile('a.csv', bytes)).rejects.toThrow(UnknownEncoding);
    const { table } = await readFile('a.csv', bytes, { encoding: 'windows-1252' });
    expect(table.rows).toEqual([{ q: 'Zürich' }]);
    await expect(
      readFile('a.csv', bytesOf('q\n\x81\xff', 'latin1'), { encoding: 'shift_jis' }),
    ).rejects.toThrow('It has bytes that are not SHIFT_JIS, in line 2.');
    const late = Buffer.concat([bytesOf(`q\n${'é\n'.repeat(9_000)}`), Buffer.from([0x61, 0xff])]);
    await expect(readFile('a.csv', late)).rejects.toThrow('It is not UTF-8 in line 9002, and its bytes');
    await expect(readFile('a.csv', bytesOf('q\na\0\n'))).rejects.toThrow(
      'Line 2 has bytes that no text has.',
    );
  });

  it('may have a cell of millions of characters, between lines that end with CR LF', async () => {
    const long = 'x'.repeat(12_000_000);
    const read = await rowsOf('a.csv', `q,a\r\n"${long}","1\n2"\r\n`);
    expect([read[0]!.q === long, read[0]!.a]).toEqual([true, '1\n2']);
  });

  it.each([
    ['text after a closing quote', 'q\n"said" hello\n"x"y', 'Line 2: text stands after the closing quote'],
    ['a quote that does not end', 'q,a\n1,"2\n3,4', 'Line 2: a cell begins with a quote that does not end'],
    ['gzip that is cut', gzipSync('q\n1').subarray(0, 15), 'damaged or not complete'],
  ])('is refused with %s', async (_what, text, why) => {
    await expect(rowsOf('a.csv', text)).rejects.toThrow(why);
  });

  it('names the rows that it leaves out by their line, as a spreadsheet counts', async () => {
    const { table } = await readFile('a.csv', bytesOf('q,a\n"1\n2",3\n\n4\n5,6,7\n8,9\n'));
    expect(table.rows).toEqual([
      { q: '1\n2', a: '3' },
      { q: '8', a: '9' },
    ]);
    expect(table.lines).toEqual([2, 6]);
    expect(table.problems).toEqual([
      { line: 4, message: 'has 1 cell, the header has 2' },
      { line: 5, message: 'has 3 cells, the header has 2' },
    ]);
  });

  it('has no columns and rows without a value, and names those without a name or with one of two', async () => {
    const { table } = await readFile('a.csv', bytesOf(',q,q,,\n0,1,2,,\n,,,,\n1,3,4,,\n'));
    expect(table.columns).toEqual(['column 1', 'q', 'q 2']);
    expect(table.rows).toEqual([
      { 'column 1': '0', q: '1', 'q 2': '2' },
      { 'column 1': '1', q: '3', 'q 2': '4' },
    ]);
    expect(table.notes).toHaveLength(2);
  });

  it('of one column keeps its commas, and one with a header alone has no rows', async () => {
    expect(await rowsOf('a.csv', 'q\nYes, please\n5" tall\n')).toEqual([
      { q: 'Yes, please' },
      { q: '5" tall' },
    ]);
    const { table } = await readFile('a.csv', bytesOf('id,inputs.q\n'));
    expect([table.rows, table.columns]).toEqual([[], ['id', 'inputs.q']]);
  });
});

describe('JSON', () => {
  it('and JSON lines are read with a mark, blank lines and CR LF, each number as written', async () => {
    const text = '\ufeff{"q":9007199254740993}\r\n\r\n{"q":1.10,"x":NaN}\n';
    const { table, form } = await readFile('a.txt', bytesOf(text));
    expect([form, table.lines]).toEqual(['lines', [1, 3]]);
    expect(JSON.stringify(table.rows)).toBe('[{"q":9007199254740993},{"q":1.10,"x":null}]');
    expect(JSON.stringify((await readFile('a.json', bytesOf('\ufeff[{"q":1E400}]'))).table.rows)).toBe(
      '[{"q":1E400}]',
    );
  });

  it('an object gives the rows of its first list of objects, else itself', async () => {
    expect(await rowsOf('a.json', '{"tags":["x"],"empty":[],"rows":[{"q":1}],"more":[{"q":2}]}')).toEqual([
      { q: 1 },
    ]);
    expect(await rowsOf('a.json', '{"q":"one","tags":["x"]}')).toEqual([{ q: 'one', tags: ['x'] }]);
  });

  it('lines that are no object are problems, and broken JSON is no table', async () => {
    const { table } = await readFile('a.jsonl', bytesOf('{"q":1}\n[2]\n{"q"\n'));
    expect(table.problems.map(({ line }) => line)).toEqual([2, 3]);
    await expect(readFile('a.json', bytesOf('q,a\n1,2\n'))).rejects.toThrow(
      'It is not JSON. Line 1, column 1: Unexpected token',
    );
  });

  it.each([
    ['{"a": [\n  {},\n  {"b"', "It breaks off in line 3, column 7: Expected ':' after property name."],
    [
      '[1,\n2,\n\n',
      'It breaks off in line 2, column 3: Unexpected end of JSON input. Write or fetch it again.',
    ],
    ['[1,\n"abc', 'It breaks off in line 2, column 5: Unterminated string'],
    ['{"a":\n tru}', "It is not JSON. Line 2, column 2: Unexpected token '}'. Mend it there"],
    ['[{},\n"a,]",\n]', "It is not JSON. Line 3, column 1: Unexpected token ']'."],
    ['[{}\n\n{}]', 'It is not JSON. Line 3, column 1: Expected'],
    ['[1]\n]\n', 'It is not JSON. Line 2, column 1: Unexpected non-whitespace character after JSON.'],
    ['[\n"a\nb"]', 'It is not JSON. Line 2, column 3: Bad control character in string literal.'],
  ])('a document that is cut or damaged is refused with the line: %j', async (text, why) => {
    await expect(rowsOf('a.json', text)).rejects.toThrow(why);
  });
});

const delimiter = fc.constantFrom(',', ';', '\t', '|');
const cell = fc.string({
  unit: fc.constantFrom('a', 'é', '"', ',', ';', '\t', '|', '\n', '\r', ' ', "'", '=', '1'),
});
const quotedCell = (text: string) => `"${text.replaceAll('"', '""')}"`;

describe('for any table', () => {
  it('cells come back as they were written, whatever they hold', async () => {
    await fc.assert(
      fc.asyncProperty(
        delimiter,
        fc.constantFrom('\n', '\r\n'),
        fc.array(fc.array(cell, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 6 }),
        async (between, end, cells) => {
          const lines = [['h1', 'h2', 'h3'], ...cells].map((row) => row.map(quotedCell).join(between));
          const expected = cells
            .filter((row) => row.some((text) => text.trim() !== ''))
            .map((row) =>
              Object.fromEntries(
                row.flatMap((text, i) => {
                  const kept = i === 2 && text.endsWith('\r') ? text.slice(0, -1) : text;
                  return kept === '' ? [] : [[`h${i + 1}`, kept]];
                }),
              ),
            );
          expect((await readFile('a.csv', bytesOf(lines.join(end)))).table.rows).toEqual(expected);
        },
      ),
      { numRuns: 300, seed: 1 },
    );
  });

  it('that Dokima wrote, each JSON value comes back equal', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.jsonValue()), {
          minLength: 1,
          maxLength: 5,
        }),
        async (rows) => {
          const columns = ['a', 'b', 'c'];
          const lines = rows.map((row, i) => [`1-${i}`, ...columns.map((name) => exactCell(row[name]))]);
          const text = [['dokima.id', ...columns], ...lines]
            .map((line) => line.map(quotedCell).join(','))
            .join('\r\n');
          const found = (await rowsOf('a.csv', text)).map(
            ({ 'dokima.id': _, ...row }: Record<string, unknown>) => row,
          );
          expect(found).toEqual(JSON.parse(JSON.stringify(rows)));
        },
      ),
      { numRuns: 300, seed: 1 },
    );
  });
});
