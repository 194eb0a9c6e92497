import { requireThat } from './scheduler.ts';

/** A job that workers hold in its row; `dueMs` is when its lease ends. */
type Job = { id: string; state: string; attempts: number; fence: number; dueMs: number | null };

/** Knows which process took each job last, and checks that no other writes its outcome. */
export const openHolders = (what: string) => {
  const holders = new Map<string, string>();
  return {
    /** Whether a process has ever taken the job. */
    hasTaken: (id: string): boolean => holders.has(id),
    /** Throws if a process took a job under the fence that another had, or wrote the outcome of a job that it does not hold. */
    check: (row: Job, before: Job | undefined, writer: string | undefined): void => {
      const { id, fence } = row;
      if (!before || writer === undefined) return;
      const name = `${what} ${id.slice(-4)}`;
      const holder = holders.get(id);
      const isOutcome = row.state !== before.state || row.attempts !== before.attempts;
      requireThat(
        !isOutcome || holder === writer,
        `${writer} wrote the outcome of ${name}, which ${holder} holds`,
      );
      const isLonger = before.dueMs !== null && row.dueMs !== null && row.dueMs > before.dueMs;
      if (isOutcome || !isLonger) return;
      requireThat(
        fence > before.fence || holder === writer,
        `${writer} took ${name} under the fence of ${holder ?? 'no one'}`,
      );
      if (fence > before.fence) holders.set(id, writer);
    },
  };
};
