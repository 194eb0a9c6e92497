import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CliError } from '../errors.ts';

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It exists, and belongs to someone else.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/**
 * Takes a file of trials for this process, and returns what gives it back: two commands would make and pay the same trials. What a killed
 * process has left is taken over.
 */
export const takeTrials = async (path: string): Promise<() => Promise<void>> => {
  const lock = `${path}.lock`;
  await mkdir(dirname(path), { recursive: true });
  for (let tries = 0; ; tries++) {
    try {
      await writeFile(lock, `${process.pid}`, { flag: 'wx' });
      return () => rm(lock, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const holder = Number(await readFile(lock, 'utf8').catch(() => ''));
    // An empty lock is one that is just being written.
    if (tries > 0 || (holder > 0 && isAlive(holder)))
      throw new CliError(
        `Another dokima lift makes trials for ${path}${holder > 0 ? ` (process ${holder})` : ''}.`,
        `Wait for it, or name another file: --out. If none runs, delete ${lock}`,
      );
    await rm(lock, { force: true });
  }
};
