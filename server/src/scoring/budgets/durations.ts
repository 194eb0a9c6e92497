import type { ProviderConfig } from '../../engine/models/provider.ts';

/** Returns the duration of a number of verdicts within the provider's limits. */
export const secondsAt = (
  { maxConcurrency, requestsPerMinute }: ProviderConfig,
  { judgements, requests, latencyMs }: { judgements: number; requests: number; latencyMs: number },
): number => {
  const waiting = (Math.ceil(judgements / maxConcurrency) * latencyMs) / 1000;
  return Math.max(waiting, requestsPerMinute ? (requests * 60) / requestsPerMinute : 0);
};

/** Records of one code that a process of the sandbox takes at a time; with fewer the other processes are idle. */
const recordsPerProcess = 1_000;

/** Seconds that code takes for `records` in the sandbox of one process of the service, when one took `latencyMs`. */
export const codeSeconds = (records: number, latencyMs: number, processes: number): number =>
  (records * latencyMs) / 1_000 / Math.min(processes, Math.max(1, Math.ceil(records / recordsPerProcess)));
