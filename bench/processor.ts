import { readdir, readFile } from 'node:fs/promises';

/** Ticks of /proc/<pid>/stat in a second: USER_HZ, which Linux has fixed for its programs. */
const ticks = 100;

type Process = { parent: number; seconds: number };

/** The process's own time, and that of its children which have ended; undefined where there is no such process or no /proc. */
const readProcess = async (pid: number | string): Promise<Process | undefined> => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  // The name stands in brackets and may hold spaces: proc_pid_stat(5).
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

/** Seconds of processor time that a process has used. */
export const processSeconds = async (pid: number): Promise<number | undefined> =>
  (await readProcess(pid))?.seconds;

/** The same of a process and all of its children: PostgreSQL has one for each connection. */
export const familySeconds = async (pid: number): Promise<number | undefined> => {
  const own = await processSeconds(pid);
  if (own === undefined) return undefined;
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const processes = await Promise.all(pids.map(readProcess));
  return processes.reduce((sum, process) => (process?.parent === pid ? sum + process.seconds : sum), own);
};
