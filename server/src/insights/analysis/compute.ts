import { Worker } from 'node:worker_threads';
import type { Answer, Ask, Jobs } from './compute-worker.ts';

type Waiting = { resolve: (text: string) => void; reject: (error: unknown) => void };

let worker: Worker | undefined;
let waiting: Waiting[] = [];

const startWorker = (): Worker => {
  const started = new Worker(new URL('./compute-worker.ts', import.meta.url));
  started.on('message', (answer: Answer) => {
    const asked = waiting.shift();
    if (waiting.length === 0) started.unref();
    if ('error' in answer) asked?.reject(answer.error);
    else asked?.resolve(answer.text);
  });
  // The thread ends only if it runs out of memory. All waiting jobs fail, and the next one starts a new thread.
  started.on('error', (error) => {
    worker = undefined;
    for (const { reject } of waiting) reject(error);
    waiting = [];
  });
  return started;
};

/**
 * Runs a job in a separate thread, one at a time, and returns its result as JSON text: statistics of 100,000 records take about a second,
 * while this thread continues to answer requests.
 */
export const compute = <Name extends keyof Jobs>(
  name: Name,
  job: Parameters<Jobs[Name]>[0],
): Promise<string> => {
  worker ??= startWorker();
  const asked = worker;
  return new Promise((resolve, reject) => {
    waiting.push({ resolve, reject });
    asked.ref();
    asked.postMessage({ name, job } satisfies Ask);
  });
};

/** Runs a job, such as `compute`, or one that keeps what it was given. */
export type Compute = typeof compute;
