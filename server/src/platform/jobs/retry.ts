import type { Settlement } from './settle.ts';

/** Schedule of the attempts of a queue. */
export type BackOff = {
  /** Number of attempts after which a job has failed. */
  maxAttempts: number;
  /** Delay after the attempt of this number, from 1. */
  delayMs: (attempt: number) => number;
  /** Each delay is multiplied by a random number from this range, so that jobs that failed together are not retried together. */
  jitter: readonly [from: number, to: number];
};

const [firstMs, longestMs] = [2_000, 300_000];

/** Delays that double from 2 s to 5 minutes, half of each random. */
export const doubling = (maxAttempts: number): BackOff => ({
  maxAttempts,
  delayMs: (attempt) => Math.min(firstMs * 2 ** (attempt - 1), longestMs),
  jitter: [0.5, 1],
});

/** The cause of a failed attempt, as far as the next attempt depends on it. */
export type Failed = {
  error: string;
  retryable: boolean;
  /** The shortest delay that the other side requests. */
  retryAfterMs?: number;
  /** No request was made, so it does not count as an attempt. */
  unasked?: true;
};

/** Returns the consequence of a failed attempt: another attempt after some time, or a job that has failed for good. */
export const retryOf = (
  { error, retryable, retryAfterMs = 0, unasked }: Failed,
  attemptsBefore: number,
  { maxAttempts, delayMs, jitter: [from, to] }: BackOff,
  random: () => number,
): Settlement<'failed'> => {
  const attempts = attemptsBefore + (unasked ? 0 : 1);
  if (!retryable || attempts >= maxAttempts) return { state: 'failed', attempts, error, retryInMs: null };
  const pauseMs = delayMs(Math.max(1, attempts)) * (from + random() * (to - from));
  return { state: 'pending', attempts, error, retryInMs: Math.max(retryAfterMs, pauseMs) };
};
