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

/** Returns the seconds of a process and all its children: PostgreSQL has a process for each connection. */
export const familySeconds = async (pid: number): Promise<number | undefined> => {
  const own = await processSeconds(pid);
  if (own === undefined) return undefined;
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const processes = await Promise.all(pids.map(readProcess));
  return processes.reduce((sum, process) => (process?.parent === pid ? sum + process.seconds : sum), own);
};
