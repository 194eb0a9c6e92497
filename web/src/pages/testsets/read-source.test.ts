import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseFile } from '../../../../cli/src/import/content.ts';
import { withParts } from '../../../../client/src/tables/meaning.ts';
import { readSource } from './read-source.ts';

/** DOKIMA_FUZZ=10000 tries as many files. */
const numRuns = Number(process.env.DOKIMA_FUZZ ?? 400);

const piece = fc.constantFrom(
  ...[
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
  ],
  ...[
    'inputs.q',
    'id',
    'sep=;\n',
    '\ufeff',
    '\u0000',
    '{"q":1}',
    '[{"inputs":{"q":9007199254740993}}]',
    '{',
    '}',
  ],
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

it('the pages and the command line read each file as the same rows, or refuse it alike', async () => {
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
});
