import { createReadStream } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline, type Readable } from 'node:stream';
import { createZstdDecompress } from 'node:zlib';
import { linesOf } from '../archive/read-lines.ts';
import { type Config, readConfig } from '../config.ts';
import { openStore } from '../evaluation/attachments/store.ts';
import { ensureDataDirectory } from '../platform/data-directory.ts';
import type { Line } from './lines.ts';
import { openTarget } from './open.ts';
import { runProgram, say, totalsText } from './program.ts';
import { restoreBackup } from './restore-backup.ts';

async function* readLines(input: Readable): AsyncGenerator<Line> {
  const text = createZstdDecompress();
  // An error of either ends the reading with that error.
  pipeline(input, text, () => {});
  let number = 0;
  try {
    for await (const line of linesOf(text, { limitBytes: Number.MAX_SAFE_INTEGER })) {
      number++;
      yield JSON.parse(String(line)) as Line;
    }
  } catch (error) {
    const cause = input.errored ?? text.errored ?? error;
    if (cause === error && !(error instanceof SyntaxError)) throw error;
    const { message } = cause as Error;
    throw new Error(
      `The backup is cut or damaged after line ${number} (${message}). Nothing was stored. Use another copy of it.`,
      { cause: error },
    );
  }
}

/** Keeps the secret in the data directory, or compares it with the one that the service will use. */
const secretKeeper =
  ({ DOKIMA_SECRET, DOKIMA_DATA_DIR }: Config) =>
  async (secret: string): Promise<void> => {
    const path = join(DOKIMA_DATA_DIR, 'secret');
    const used = DOKIMA_SECRET ?? (await readFile(path, 'utf8').catch(() => undefined));
    if (used === secret) return;
    if (used !== undefined)
      throw new Error(
        `The secret of the backup differs from ${DOKIMA_SECRET ? 'DOKIMA_SECRET' : path}. Set DOKIMA_SECRET as for the service that was backed up, or unset it and restore into a new data directory: the secret is in the backup.`,
      );
    await mkdir(DOKIMA_DATA_DIR, { recursive: true });
    await writeFile(path, secret, { mode: 0o600, flag: 'wx' });
  };

runProgram(async ([path, ...more]) => {
  if (!path || more.length > 0)
    throw new Error('Name the file to read: dokima restore FILE (- for standard input)');
  const config = readConfig(process.env);
  await ensureDataDirectory(config.DOKIMA_DATA_DIR);
  const input = path === '-' ? process.stdin : createReadStream(path);
  const target = await openTarget(config);
  try {
    const restored = await restoreBackup(
      { ...target, store: await openStore(config), keepSecret: secretKeeper(config) },
      readLines(input),
      (table) => say(`  ${table}`),
    );
    say(`Restored ${totalsText(restored)}. Start the service.`);
  } finally {
    await target.close();
  }
});
