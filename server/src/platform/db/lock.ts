import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

const isErrno = (error: unknown, code: string) => (error as NodeJS.ErrnoException | null)?.code === code;

/**
 * Reads the state of a process and when it started, in clock ticks since boot: fields 3 and 22 of proc_pid_stat(5). Both are ''
 * where there is no /proc.
 */
const statOf = async (pid: number): Promise<{ state: string; startedAt: string }> => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { state: fields[0] ?? '', startedAt: fields[19] ?? '' };
};

/** A pid alone does not identify a process: after a reboot or in a container another process can have it. Pid and start time do. */
const lockOf = async (pid: number): Promise<string> => `dokima.${pid}.${(await statOf(pid)).startedAt}.lock`;

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
  // A killed process stays a zombie (Z, X) until its parent asks for it, which some never do. It holds nothing any more.
  const { state, startedAt } = await statOf(pid);
  return !/[ZX]/.test(state) && name === `dokima.${pid}.${startedAt}.lock`;
};

/** A process that was sent SIGKILL may take this long to end. */
const dyingMs = 3_000;

/** Waits for a process to end. Returns whether it has. */
const ends = async (pid: number, name: string): Promise<boolean> => {
  for (const untilMs = Date.now() + dyingMs; Date.now() < untilMs; await setTimeout(50))
    if (!(await isAlive(pid, name))) return true;
  return false;
};

/**
 * Takes a directory for this process and returns what releases it. Refused while another process that took it lives; the file of a dead
 * process is removed. Each process writes a file with its name and only then looks for others: if two start at the same moment, at least
 * one sees the other, so both never continue.
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
    if (!(await ends(pid, name))) {
      await rm(path, { force: true });
      throw inUseBy(pid);
    }
    await rm(join(directory, name), { force: true });
  }
  return () => rm(path, { force: true });
};
