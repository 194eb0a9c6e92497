import { once } from 'node:events';
import { open, rename, rm } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { constants, createZstdCompress } from 'node:zlib';
import { readConfig } from '../config.ts';
import { openStore } from '../evaluation/attachments/store.ts';
import { loadSecret } from '../platform/secret.ts';
import type { Line, Totals } from './lines.ts';
import { openSource } from './open.ts';
import { runProgram, say, totalsText } from './program.ts';
import { writeBackup } from './write-backup.ts';

/** Opens the output for lines. Waits when the file is slower than the database. */
const lineWriter = (output: Writable) => {
  const compressed = createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: 3 } });
  compressed.pipe(output);
  return {
    write: async (line: Line) => {
      if (!compressed.write(`${JSON.stringify(line)}\n`)) await once(compressed, 'drain');
    },
    end: async () => {
      compressed.end();
      // Standard output never finishes: the process ends when all of it is written.
      await finished(output === process.stdout ? compressed : output);
    },
  };
};

const backUp = async (output: Writable): Promise<Totals> => {
  const config = readConfig(process.env);
  const source = await openSource(config);
  try {
    const [store, secret] = [await openStore(config), String(await loadSecret(config))];
    const { write, end } = lineWriter(output);
    const totals = await writeBackup({ ...source, store, secret }, write, (table, rows) => {
      if (rows > 0) say(`  ${table}: ${rows}`);
    });
    await end();
    return totals;
  } finally {
    await source.close();
  }
};

/** Writes a private file atomically. */
const backUpTo = async (path: string): Promise<Totals> => {
  const partial = `${path}.partial`;
  const file = await open(partial, 'w', 0o600);
  try {
    const totals = await backUp(file.createWriteStream({ flush: true }));
    await rename(partial, path);
    return totals;
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
};

runProgram(async ([path, ...more]) => {
  if (!path || more.length > 0)
    throw new Error('Name the file to write: dokima backup FILE (- for standard output)');
  const totals = path === '-' ? await backUp(process.stdout) : await backUpTo(path);
  say(
    `Backed up ${totalsText(totals)}. The file holds the secret and all data: store it as you store passwords.`,
  );
  // The file stays: when the bytes of some are lost, the rest must not be lost with them.
  if (totals.missing)
    throw new Error(
      'The backup lacks attachments. Give it the settings of the service: DOKIMA_DATA_DIR, or DOKIMA_S3_*. If their files are lost, delete these attachments.',
    );
});
