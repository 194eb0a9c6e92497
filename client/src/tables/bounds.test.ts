import { gzipSync } from 'node:zlib';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { maxBytes } from './bounds.ts';
import { readFile } from './read-file.ts';
import { unzip } from './zip.ts';

const refusalOf = (name: string, bytes: Uint8Array | string): Promise<string> =>
  readFile(name, typeof bytes === 'string' ? strToU8(bytes) : bytes).then(
    () => 'read',
    (error: Error) => error.message,
  );

/** A spreadsheet with this XML as its sheet. */
const sheetOf = (rows: string): Uint8Array =>
  zipSync({
    '[Content_Types].xml': strToU8('<Types/>'),
    'xl/workbook.xml': strToU8(
      '<workbook xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>',
    ),
    'xl/_rels/workbook.xml.rels': strToU8(
      '<Relationships><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
    ),
    'xl/worksheets/sheet1.xml': strToU8(`<worksheet><sheetData>${rows}</sheetData></worksheet>`),
  });
const cell = (address: string, text: string) => `<c ${address} t="inlineStr"><is><t>${text}</t></is></c>`;
const header = `<row r="1">${cell('r="A1"', 'q')}</row>`;

describe('a file that would fill the memory is refused before it does', () => {
  it('gzip of more than fits', async () => {
    const bomb = gzipSync(Buffer.alloc(maxBytes + 1, 'q\n'), { level: 1 });
    expect(await refusalOf('a.csv.gz', bomb)).toBe('It holds more than 256 MB. Split it into several files.');
  });

  it.each([
    ['lines', 'q\n'.repeat(3_000_001), 'It has more than 3 million lines.'],
    ['cells', `q${';'.repeat(10_000_001)}\n`, 'It has more than 10 million cells.'],
    ['columns', `${Array.from({ length: 16_385 }, (_, i) => i)}\n1`, 'It has 16,385 columns.'],
  ])('delimited text of too many %s', async (_what, text, why) => {
    expect(await refusalOf('a.csv', text)).toContain(why);
  });

  it.each([
    ['values', `[${'0,'.repeat(20_000_000)}0]`, 'It has more than 20 million values.'],
    ['levels', `${'{"a":'.repeat(1_001)}1${'}'.repeat(1_001)}`, 'deeper than 1,000 levels.'],
  ])('JSON and JSON lines of too many %s', async (_what, text, why) => {
    expect(await refusalOf('a.json', text)).toContain(why);
    expect(await refusalOf('a.jsonl', `{"a":1}\n{"b":${text}}`)).toContain(why);
  });

  it('and brackets and commas in strings are neither values nor levels', async () => {
    const text = JSON.stringify([{ q: `\\"${'[,'.repeat(3_000)}\\` }]);
    expect(await refusalOf('a.json', text)).toBe('read');
  });

  it.each([
    ['a cell far below', `<row r="1048576">${cell('r="XFD1048576"', 'x')}</row>`, '1,048,576 rows'],
    ['a cell far to the right', `<row r="2">${cell("r='ZZZZZ2'", 'x')}</row>`, '12,356,630 columns'],
    ['an address that is hidden', `<row x=">" r="1e9">${cell('r="A2"', 'x')}</row>`, "the address '1e9'"],
    ['an address in entities', `<row>${cell('r="&#65;9999999"', 'x')}</row>`, "the address '&#65;9999999'"],
  ])('a sheet with %s', async (_what, row, why) => {
    expect(await refusalOf('a.xlsx', sheetOf(header + row))).toContain(why);
  });

  it('and a sheet with entities of other files reads none', async () => {
    const { table } = await readFile('a.xlsx', sheetOf(`${header}<row r="2">${cell('r="A2"', '&e;')}</row>`));
    expect(table.rows).toEqual([{ q: '&e;' }]);
  });

  it('an archive by what its files hold, whatever sizes it states', () => {
    const archive = zipSync({ '../../x': new Uint8Array(100_000) });
    expect([...unzip(archive).keys()]).toEqual(['../../x']);
    for (let at = 0; at < archive.length - 4; at++)
      if (new DataView(archive.buffer, archive.byteOffset).getUint32(at, true) === 100_000)
        archive.set([1, 0, 0, 0], at);
    expect(() => unzip(archive, { most: 50_000 })).toThrow('The archive holds more than 0 MB.');
    expect(() => unzip(archive.subarray(0, -30))).toThrow('The archive is truncated.');
  });
});
