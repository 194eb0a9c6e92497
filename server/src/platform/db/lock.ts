import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const isErrno = (error: unknown, code: string) => (error as NodeJS.ErrnoException | null)?.code === code;

/** When a process started, in clock ticks since boot (field 22 of proc_pid_stat(5)), or '' where there is no /proc. */
const startedAt = async (pid: number): Promise<string> => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
};

/** A pid alone is not a name: after a reboot or in a container another process has it. With the start time it is. */
const lockOf = async (pid: number): Promise<string> => `dokima.${pid}.${await startedAt(pid)}.lock`;

const pidOf = (name: string): number | undefined => {
  const pid = /^dokima\.(\d+)\.\d*\.lock$/.exec(name)?.[1];
  return pid === undefined ? undefined : Number(pid);
};

const isAlive = async (pid: number, name: string): Promise<boolean> => {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (isErrno(error, 'ESRCH')) return false;
  }
  return (await lockOf(pid)) === name;
};

/**
 * Takes a directory for this process and returns what releases it. Refused while another process that took it lives; what a
 * dead one left is removed. Each announces itself with a file named after it and only then looks for others: of two that
 * start at the same moment one at least sees the other, so both never go on.
 */
export const takeLock = async (directory: string): Promise<() => Promise<void>> => {
  const own = await lockOf(process.pid);
  const path = join(directory, own);
  const inUseBy = (pid: number) =>
    new Error(
      `The data directory ${directory} is in use by process ${pid}. Stop that one, or set DOKIMA_DATA_DIR to another.`,
    );
  await writeFile(path, '', { flag: 'wx' }).catch((error) => {
    throw isErrno(error, 'EEXIST') ? inUseBy(process.pid) : error;
  });
  for (const name of await readdir(directory)) {
    const pid = pidOf(name);
    if (pid === undefined || name === own) continue;
    if (await isAlive(pid, name)) {
      await rm(path, { force: true });
      throw inUseBy(pid);
    }
    await rm(join(directory, name), { force: true });
  }
  return () => rm(path, { force: true });
};
