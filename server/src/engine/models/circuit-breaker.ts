import type { Failure } from './failure.ts';

/** Why no request was made. This does not count as an attempt, and tells nothing about the provider. */
export type NotAsked = { state: 'failed'; unasked: true } & Failure;
export type Outcome = { state: string } & Partial<Failure>;

/** Failures in a row that open the breaker. Fewer happen to every provider, and a gateway may refuse one record alone. */
export const failuresToStop = 5;
/** Refused keys and models always pause this long: a user who corrects one retries the scores soon after. */
export const firstPauseMs = 10_000;
export const longestPauseMs = 300_000;
/** Delay of other scores while a single trial call tests the provider. */
const probeWaitMs = 1_000;

/** Counts failures in a row. After several it stops all calls for a while; then one call probes for all. */
export type Breaker = {
  failures: number;
  askAgainAt: number;
  pauseMs: number;
  probing: boolean;
  lastError: string;
  /** Whether the last failure may be of this machine alone. */
  unreached: boolean;
};
export const closedBreaker = (): Breaker => ({
  failures: 0,
  askAgainAt: 0,
  pauseMs: firstPauseMs,
  probing: false,
  lastError: 'it failed',
  unreached: false,
});

export const notAsked = (error: string, retryAfterMs: number, because?: string): NotAsked => ({
  state: 'failed',
  error,
  retryable: true,
  retryAfterMs: Math.ceil(retryAfterMs),
  unasked: true,
  ...(because !== undefined && { because }),
});

export const beingProbed = ({ lastError }: Breaker): NotAsked =>
  notAsked(`the provider is being tried again, because: ${lastError}`, probeWaitMs, lastError);

/** Returns why no call may be made while the breaker is open; undefined when it is closed, or one call may probe. */
export const circuitOpen = (breaker: Breaker, now: number): NotAsked | undefined => {
  const { askAgainAt, lastError, probing } = breaker;
  const left = askAgainAt - now;
  if (left > 0) return notAsked(`the provider is not asked for now, because: ${lastError}`, left, lastError);
  return probing ? beingProbed(breaker) : undefined;
};

export const countFailure = (
  breaker: Breaker,
  { error, retryAfterMs = 0, unreached }: Outcome,
  now: number,
  longestMs: number,
): void => {
  breaker.failures++;
  breaker.unreached = unreached === true;
  // Calls that were under way together fail together: only the first of them says something new.
  const stops = breaker.failures >= failuresToStop && breaker.askAgainAt <= now;
  const pauseMs = Math.max(stops ? breaker.pauseMs : 0, retryAfterMs);
  // The reason of a pause is the failure that asks for it, and not a shorter one of a call that was under way.
  if (now + pauseMs >= breaker.askAgainAt) breaker.lastError = error ?? breaker.lastError;
  breaker.askAgainAt = Math.max(breaker.askAgainAt, now + pauseMs);
  if (stops) breaker.pauseMs = Math.min(breaker.pauseMs * 2, longestMs);
};

export const countSuccess = (breaker: Breaker): void => {
  Object.assign(breaker, { failures: 0, pauseMs: firstPauseMs });
};
