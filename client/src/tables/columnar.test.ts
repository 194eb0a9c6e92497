import { readFile as readBytes } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { readFile } from './read-file.ts';

const bytesOf = async (name: string): Promise<Uint8Array> =>
  readBytes(new URL(`../../../cli/test/fixtures/columnar/${name}`, import.meta.url));
const rowsOf = async (name: string) => (await readFile(name, await bytesOf(name))).table.rows;

// pyarrow 26 wrote one table in these forms. Parquet does not tell bytes from text, and leaves out lists and objects that are null.
it.each(['lz4.parquet', 'zstd.parquet', 'gzip.parquet'])('reads %s as the same with Snappy', async (name) => {
  expect(JSON.stringify(await rowsOf(name))).toBe(JSON.stringify(await rowsOf('snappy.parquet')));
});

it.each(['lz4.feather', 'zstd.arrow', 'plain.arrow', 'stream.arrow'])(
  'reads %s, every type as a JSON value',
  async (name) => {
    const rows = await rowsOf(name);
    expect(rows[0]).toEqual({
      id: 1,
      'inputs.q': 'one',
      'inputs.l': [1.5, 2],
      'inputs.i': [1, expect.objectContaining({ source: '9007199254740993' })],
      'inputs.s': { a: 1, b: ['x'] },
      'expected.d': '2026-01-02T03:04:05.678Z',
      'expected.b': true,
      'expected.y': 'AP8=',
      'expected.c': 'x',
      'expected.ls': 'long',
      'expected.f': 0.1,
    });
    expect(JSON.stringify(rows[1])).toContain('"id":9007199254740993,');
    expect(rows[2]).toMatchObject({ id: null, 'inputs.l': null, 'expected.d': '1969-01-01T00:00:00.000Z' });
  },
);

it('reads LZ4 blocks that repeat what is in earlier ones', async () => {
  const rows = await rowsOf('linked.feather');
  expect(rows).toHaveLength(5_000);
  expect(rows[4_999]).toEqual({ 'inputs.q': `question 4999 ${'lorem ipsum dolor '.repeat(49)}` });
});

it('refuses Arrow files that are cut or damaged with a sentence', async () => {
  const whole = await bytesOf('lz4.feather');
  for (let length = 40; length < whole.length; length += 97) {
    const cut = whole.slice(0, length);
    const said = await readFile('a.feather', cut).then(
      ({ table }) => table.rows.length,
      (error: Error) => error.message,
    );
    expect(said === 3 || /damaged, not complete|more than/.test(String(said)), String(said)).toBe(true);
  }
});

/** Reads a file, or says why not. */
const outcome = (bytes: Uint8Array): Promise<string> =>
  readFile('damaged.arrow', bytes).then(
    ({ table }) => `${table.rows.length} rows`,
    (error: Error) => error.message,
  );

it.each(['zstd.arrow', 'stream.arrow', 'lz4.feather'])(
  '%s with a changed byte is read or refused with a sentence, and fills no memory',
  async (name) => {
    const whole = await bytesOf(name);
    const before = process.memoryUsage().rss;
    for (let at = 0; at < whole.length; at += 3) {
      for (const value of [127, 255]) {
        const damaged = whole.slice();
        damaged[at] = value;
        expect(await outcome(damaged)).toMatch(/ rows$|^It |^damaged\.arrow /);
      }
    }
    expect(process.memoryUsage().rss - before).toBeLessThan(400e6);
  },
);

// A column that is read while another is refused must not leave an error behind: the test runner fails on one.
it.each(['snappy.parquet', 'zstd.parquet', 'gzip.parquet', 'lz4.parquet'])(
  '%s with changed bytes is read or refused with a sentence that says what to do',
  async (name) => {
    const whole = await bytesOf(name);
    const refusals = new Set<string>();
    for (let at = 4; at < whole.length - 4; at += 2) {
      const damaged = whole.slice();
      damaged[at] = 255 - damaged[at]!;
      damaged[((at * 7) % (whole.length - 8)) + 4] = at % 256;
      const said = await outcome(damaged);
      expect(said).toMatch(
        / rows$|^It is a Parquet file that is damaged, not complete or in a form that is not read \(.+\)\. Fetch it again, or save the table as CSV\.$|^It (holds|has) /,
      );
      refusals.add(said);
    }
    expect(refusals.size).toBeGreaterThan(5);
  },
);

it('an Arrow file whose header names billions of values is refused', async () => {
  const damaged = await bytesOf('zstd.arrow');
  for (const [at, value] of [
    [2637, 24],
    [3890, 196],
    [3966, 208],
  ] as const)
    damaged[at] = value;
  expect(await outcome(damaged)).toBe(
    'It is an Arrow file that is damaged, not complete or in a form that is not read (a list in its header is longer than the file). Fetch it again, or save the table as CSV.',
  );
});

it('a Parquet file whose pages lack a number is refused, and the reader ends', async () => {
  const damaged = await bytesOf('../sums-0.parquet');
  damaged[20] = 131;
  damaged[386] = 7;
  await expect(readFile('damaged.parquet', damaged)).rejects.toThrow(
    'It is a Parquet file that is damaged, not complete or in a form that is not read (a number in the headers of its pages is missing or too large). Fetch it again, or save the table as CSV.',
  );
});
