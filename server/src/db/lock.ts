import { readFile, rename, rm, writeFile } from 'node:fs/promises';

const isErrno = (error: unknown, code: string) => (error as NodeJS.ErrnoException | null)?.code === code;

/** When a process started, in clock ticks since boot (field 22 of proc_pid_stat(5)), or '' where there is no /proc. */
const startedAt = async (pid: number): Promise<string> => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
};

/** A pid alone is not a name: after a reboot or in a container another process has it. With the start time it is. */
const identify = async (pid: number): Promise<string> => `${pid} ${await startedAt(pid)}`;

const isAlive = async (holder: string): Promise<boolean> => {
  const pid = Number.parseInt(holder, 10);
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (isErrno(error, 'ESRCH')) return false;
  }
  return (await identify(pid)) === holder;
};

/**
 * Takes the lock file for this process and returns what releases it. Refused while the process named in it lives; the file
 * of a dead one is taken over.
 */
export const takeLock = async (path: string, what: string): Promise<() => Promise<void>> => {
  const self = await identify(process.pid);
  for (;;) {
    try {
      await writeFile(path, self, { flag: 'wx' });
      return () => rm(path, { force: true });
    } catch (error) {
      if (!isErrno(error, 'EEXIST')) throw error;
    }
    const holder = await readFile(path, 'utf8').catch(() => '');
    if (await isAlive(holder)) {
      throw new Error(
        `${what} is in use by process ${Number.parseInt(holder, 10)}. Stop that one, or use another directory.`,
      );
    }
    // Renaming takes the file away for exactly one of several that found it stale; the others start over.
    const stale = `${path}.stale.${process.pid}`;
    await rename(path, stale).catch((error) => {
      if (!isErrno(error, 'ENOENT')) throw error;
    });
    await rm(stale, { force: true });
  }
};
