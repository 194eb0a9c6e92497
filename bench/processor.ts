import { readdir, readFile } from 'node:fs/promises';

/** Ticks per second in /proc/<pid>/stat: USER_HZ, which is always 100 for Linux programs. */
const ticks = 100;

type Process = { parent: number; seconds: number };

/** Returns the time of the process and of its ended children; undefined without the process or without /proc. */
const readProcess = async (pid: number | string): Promise<Process | undefined> => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  // The name is in brackets and may contain spaces: proc_pid_stat(5).
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (!fields) return undefined;
  const [user, system, endedUser, endedSystem] = fields.slice(11, 15).map(Number) as [
    number,
    number,
    number,
    number,
  ];
  return { parent: Number(fields[1]), seconds: (user + system + endedUser + endedSystem) / ticks };
};

/** Returns the seconds of processor time that a process has used. */
export const processSeconds = async (pid: number): Promise<number | undefined> =>
  (await readProcess(pid))?.seconds;

/** Returns the ids of a process and of all that descend from it: PostgreSQL has a process for each connection, other services have workers. */
const family = async (pid: number): Promise<string[]> => {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const parents = await Promise.all(pids.map(async (id) => (await readProcess(id))?.parent));
  const found = [String(pid)];
  // The list grows while it is read.
  for (const parent of found) found.push(...pids.filter((_, i) => String(parents[i]) === parent));
  return found;
};

/** Returns the seconds of a process and all that descend from it. */
export const familySeconds = async (pid: number): Promise<number | undefined> => {
  const [own, ...children] = await Promise.all((await family(pid)).map(readProcess));
  return own && children.reduce((sum, child) => sum + (child?.seconds ?? 0), own.seconds);
};

/** Returns the memory of a process and all that descend from it in MB, pages that they share counted once; undefined without /proc. */
export const familyMemory = async (pid: number): Promise<number | undefined> => {
  const sizes = await Promise.all(
    (await family(pid)).map(async (id) => {
      const text = await readFile(`/proc/${id}/smaps_rollup`, 'utf8').catch(() => '');
      return Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) / 1024;
    }),
  );
  return sizes[0] === 0 ? undefined : Math.round(sizes.reduce((sum, size) => sum + size, 0));
};
