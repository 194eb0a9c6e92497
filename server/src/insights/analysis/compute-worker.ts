import { parentPort } from 'node:worker_threads';
import { type JobName, jobs } from './jobs.ts';

/** Computes statistics beside the thread that answers requests, and gives them back as finished JSON text. */
export type Ask = { id: number; name: JobName; job: unknown };
export type Answer = { id: number; text: string } | { id: number; error: unknown };

const compute = ({ id, name, job }: Ask): Answer => {
  try {
    return { id, text: JSON.stringify((jobs[name] as (job: unknown) => unknown)(job)) };
  } catch (error) {
    return { id, error };
  }
};

parentPort!.on('message', (ask: Ask) => parentPort!.postMessage(compute(ask)));
