import { ProcessPool } from './process-pool.ts';
import { ProcessEnded, type Program, TimedOut } from './sandbox-process.ts';

/** Why there is no answer: the process was killed for its time, or ended by itself, which is what too much memory does. */
export type Killed = 'took too long' | 'ended';

/** A program that answers one request with one line, in processes that may die of it. */
export type Answerer = {
  /** The answer, or why there is none. Requests wait for a free process, and that is not on their clock. */
  ask: (request: string[]) => Promise<{ answer: string } | { killed: Killed }>;
  close: () => Promise<void>;
};

/** Starts no process before the first request. */
export const openAnswerer = (program: Program, processes: number, wallClockMs: number): Answerer => {
  const pool = new ProcessPool(program, processes);
  return {
    ask: async (request) => {
      const process = await pool.take();
      let answer = '';
      try {
        await process.ask([request], wallClockMs, (line) => {
          answer = line;
        });
        return { answer };
      } catch (error) {
        if (error instanceof TimedOut) return { killed: 'took too long' };
        if (error instanceof ProcessEnded) return { killed: 'ended' };
        throw error;
      } finally {
        pool.give(process);
      }
    },
    close: () => pool.close(),
  };
};
