import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseFile } from '../../../../cli/src/import/content.ts';
import { importsOf } from '../../../../cli/src/import/formats.ts';
import { withParts } from '../../../../client/src/tables/meaning.ts';
import { guessMapping, mapRow } from './mapping.ts';
import { readSource } from './read-source.ts';

/** DOKIMA_FUZZ=10000 tries as many files. */
const numRuns = Number(process.env.DOKIMA_FUZZ ?? 400);
/** A loaded machine reads twenty files a second. */
const timeout = 5_000 + numRuns * 50;

const piece = fc.constantFrom(
  'a',
  'é',
  '€',
  '"',
  '""',
  ',',
  ';',
  '\t',
  '|',
  '\n',
  '\r\n',
  '\r',
  ' ',
  "'",
  '=',
  '1.10',
  'null',
  'NaN',
  'inputs.q',
  'id',
  'sep=;\n',
  '\ufeff',
  '\u0000',
  '{"q":1}',
  '[{"inputs":{"q":9007199254740993}}]',
  '{',
  '}',
);
const text = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));
const regular = fc
  .tuple(
    fc.constantFrom(',', ';', '\t', '|'),
    fc.constantFrom('\n', '\r\n', '\r'),
    fc.array(fc.array(piece, { minLength: 3, maxLength: 3 }), { minLength: 2, maxLength: 8 }),
  )
  .map(([between, end, rows]) => rows.map((cells) => cells.join(between)).join(end));
const bytes = fc.oneof(
  fc
    .tuple(fc.oneof(text, regular, regular), fc.constantFrom('utf8', 'utf16le', 'latin1'))
    .map(([content, encoding]) => Buffer.from(content, encoding as BufferEncoding)),
  fc.uint8Array({ maxLength: 60 }).map((some) => Buffer.from(some)),
);
const file = fc
  .tuple(fc.constantFrom('a.csv', 'a.tsv', 'a.json', 'a.jsonl', 'a.txt'), bytes, fc.boolean())
  .map(([name, content, isZipped]) =>
    isZipped ? { name: `${name}.gz`, content: gzipSync(content) } : { name, content },
  );

type Outcome = { rows: string } | { refused: string };

const inTerminal = async (name: string, content: Buffer, encoding?: 'windows-1252'): Promise<Outcome> => {
  try {
    const { table } = await parseFile(name, content, { encoding });
    return { rows: JSON.stringify(withParts(table!).rows) };
  } catch (error) {
    return { refused: (error as Error).message };
  }
};

it(
  'the pages and the command line read each file as the same rows, or refuse it alike',
  async () => {
    const counts = { read: 0, asked: 0, problems: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(file, async ({ name, content }) => {
        const blob = new File([new Uint8Array(content)], name);
        const plain = await inTerminal(name, content);
        const page = await readSource(blob, {}).catch((error: Error) => error.message);
        if (typeof page === 'string') {
          counts.refused++;
          const found =
            'refused' in plain && plain.refused.startsWith('It is not UTF-8')
              ? await inTerminal(name, content, 'windows-1252')
              : plain;
          expect(found).toEqual({ refused: page });
          return;
        }
        // The pages ask for the encoding; a command needs the option.
        if (page.guessed) {
          counts.asked++;
          expect(plain).toMatchObject({ refused: expect.stringContaining('It is not UTF-8') });
        }
        const found = page.guessed ? await inTerminal(name, content, page.guessed as 'windows-1252') : plain;
        if (page.problems.length > 0 && 'refused' in found) {
          counts.problems++;
          expect(found.refused).toContain(`Line ${page.problems[0]!.line} ${page.problems[0]!.message}.`);
        } else {
          counts.read++;
          expect(found).toEqual({ rows: JSON.stringify(page.rows) });
          expect(JSON.stringify(page.rows)).not.toContain('\ufffd');
        }
      }),
      { numRuns, ...(numRuns < 1_000 && { seed: 1 }) },
    );
    if (process.env.DOKIMA_FUZZ) process.stdout.write(`${JSON.stringify(counts)}\n`);
    expect(Math.min(...Object.values(counts))).toBeGreaterThan(5);
  },
  timeout,
);

const typedCell = fc.constantFrom(
  '',
  'a',
  ' ',
  '1',
  '-0',
  '1.10',
  '007',
  '+49 30',
  ' 4',
  '1e5',
  '9007199254740993',
  '123456789012345678',
  'true',
  'false',
  'True',
  'null',
  '{"q":1.10}',
  '[1, "x"]',
  '[x]',
  '{',
  'NaN',
  '2026-01-01',
);
/** Columns whose cells are mostly of one type, under names that say their part. */
const typedColumn = fc
  .tuple(
    typedCell,
    fc.array(fc.tuple(typedCell, fc.integer({ min: 0, max: 9 })), { minLength: 4, maxLength: 4 }),
  )
  .map(([usual, others]) => others.map(([other, dice]) => (dice === 0 ? other : usual)));
const typedTable = fc
  .tuple(
    fc.constantFrom('csv', 'jsonl'),
    fc
      .uniqueArray(fc.constantFrom('outputs.a', 'expected.a', 'expected.b', 'answer', 'topic', 'x'), {
        minLength: 1,
        maxLength: 4,
      })
      .map((names) => ['inputs.q', ...names]),
    fc.array(typedColumn, { minLength: 5, maxLength: 5 }),
  )
  .map(([form, names, columns]) => {
    const rows = columns[0]!.map((_, i) => names.map((__, j) => columns[j]![i]!));
    if (form === 'csv')
      return {
        name: 'a.csv',
        text: [names, ...rows]
          .map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(','))
          .join('\n'),
      };
    const member = (name: string, cell: string) =>
      `${JSON.stringify(name)}:${/^(-?\d+(\.\d+)?|true|false|null|\{.+\}|\[1.*\])$/.test(cell) && !cell.startsWith('00') ? cell : JSON.stringify(cell)}`;
    return {
      name: 'a.jsonl',
      text: rows.map((cells) => `{${cells.map((cell, i) => member(names[i]!, cell)).join(',')}}`).join('\n'),
    };
  });

it(
  'the pages propose for each column the type in which the command line stores it',
  async () => {
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(typedTable, async ({ name, text }) => {
        const page = await readSource(new File([text], name), {}).catch(() => undefined);
        if (!page || page.rows.length === 0) return;
        const parsed = await parseFile(name, Buffer.from(text));
        const content = { name: 'a', digest: '', writtenMs: 0, ...parsed };
        if (!page.rows.some((row) => 'inputs.q' in row)) return;
        const [imported] = importsOf(content, 'table', {});
        const mapping = guessMapping(page).filter(({ role }) => role !== 'none' && role !== 'id');
        page.rows.forEach((row, i) => {
          for (const one of mapping) {
            const { jsonData, outputs } = mapRow(row, i, [one], page.isText);
            const mapped: Record<string, unknown> = { ...jsonData, ...outputs };
            const stored: Record<string, unknown> =
              imported!.rows[i]![one.role as 'inputs' | 'expected' | 'outputs' | 'metadata'];
            // A table without any answer is no run: the command line drops its empty outputs.
            const isEmptyAnswer = one.field in outputs && (outputs[one.field] ?? '') === '';
            if (one.field in mapped && !isEmptyAnswer) {
              expect(JSON.stringify(stored[one.field])).toBe(JSON.stringify(mapped[one.field]));
              compared++;
            }
          }
        });
      }),
      { numRuns, ...(numRuns < 1_000 && { seed: 1 }) },
    );
    if (process.env.DOKIMA_FUZZ) process.stdout.write(`${compared} values compared\n`);
    expect(compared).toBeGreaterThan(numRuns);
  },
  timeout,
);

it('an answer and what is expected of it get one type', async () => {
  const text = 'id,inputs.q,outputs.a,expected.a,expected.n\n1,x,4,4,1\n2,y,four,5,2\n';
  const parsed = await parseFile('a.csv', Buffer.from(text));
  const [imported] = importsOf({ name: 'a', digest: '', writtenMs: 0, ...parsed }, 'table', {});
  expect(imported!.rows.map(({ outputs, expected }) => [outputs.a, expected.a, expected.n])).toEqual([
    ['4', '4', 1],
    ['four', '5', 2],
  ]);
});
