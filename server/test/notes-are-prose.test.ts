import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const repository = fileURLToPath(new URL('../../', import.meta.url));
const sources = ['server/src', 'server/migrations', 'web/src', 'cli/src', 'client/src', 'python/src'];

/** What takes notes apart, in each language of the sources. Marks, verdicts and origins of runs have columns and rows. */
const readers = [
  /\bnotes(Start)?\)?\??\.(match|matchAll|split|startsWith|endsWith|includes|indexOf|search|replace|replaceAll)\(/,
  /\.(test|exec|match|matchAll)\([^()\n]*\bnotes\b/,
  /\b(substring|split_part|regexp_\w+|string_to_array|strpos|starts_with)\s*\([^;`]{0,40}\bnotes\b/i,
  /\bnotes\s*(!?~|(not\s+)?i?like\b|similar\b)/i,
  /\bnotes"?\]?\)?\.(split|splitlines|startswith|find|partition)\(/,
  /\bin (run\.)?notes\b/,
];

const readersIn = (text: string): string[] =>
  text.split('\n').filter((line) => readers.some((reader) => reader.test(line)));

describe('notes of a run', async () => {
  const files: string[] = [];
  for (const directory of sources)
    for (const file of await readdir(join(repository, directory), { recursive: true }))
      if (/\.(ts|tsx|py|sql)$/.test(file) && !/\.test\.ts$|generated/.test(file))
        files.push(join(directory, file));

  it('are prose: no code looks for facts in them', () => {
    const found = files.flatMap((file) =>
      readersIn(readFileSync(join(repository, file), 'utf8')).map((line) => `${file}: ${line.trim()}`),
    );
    expect(found).toEqual([]);
  });

  it('and the check knows code that does', () => {
    const code = [
      "const lines = notes.split('\\n');",
      'if (gateLine.test(run.notes)) return;',
      "substring(notes from 'gate: ([0-9]+)')",
      "string_to_array(replace(run.notes, chr(13), ''), chr(10))",
      "where run.notes ~ '^mark: '",
      '(await client.getRunDetails(id)).notes.startsWith(origin)',
      'lines = run["notes"].splitlines()',
    ];
    expect(code.filter((line) => readersIn(line).length === 0)).toEqual([]);
  });
});
