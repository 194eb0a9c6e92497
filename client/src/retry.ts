/** Statuses that say nothing about the request itself, so another attempt may succeed. */
const transient = new Set([408, 425, 429, 500, 502, 503, 504]);

/** Whether to retry a request that was answered with this status. */
export const isTransient = (status: number): boolean => transient.has(status);

const firstMs = 250;
const longestMs = 8_000;
/** The longest wait that a server may ask for. With a longer one the caller would see no error for too long. */
const longestRetryAfterMs = 60_000;

/** Returns the milliseconds of a Retry-After header, which holds seconds or an HTTP date; undefined if it holds neither. */
export const retryAfterMs = (header: string | null, now: number): number | undefined => {
  if (header === null || header.trim() === '') return undefined;
  const seconds = Number(header);
  const ms = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(header) - now;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), longestRetryAfterMs);
};

/**
 * Returns the delay after attempt `attempt`, counted from 0: what the server asks for, else a delay that doubles each time.
 * `random` (0 to 1) takes away up to half of it, so that clients that failed together do not retry together.
 */
export const delayMs = (attempt: number, askedMs: number | undefined, random: number): number =>
  askedMs ?? Math.min(firstMs * 2 ** attempt, longestMs) * (1 - random / 2);

/** Waits. Throws the signal's reason as soon as it is aborted. */
export const sleep = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
