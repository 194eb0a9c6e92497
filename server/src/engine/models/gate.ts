import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Stands before each provider of each organization: so many calls at a time, so many a minute, and none for a while after it
 * has failed again and again. It keeps no queue of its own beyond what waits for a free place.
 */

export type Clock = {
  /** Milliseconds since any fixed moment. */
  now(): number;
  /** Resolves after `ms`; rejects when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
};
export const systemClock: Clock = {
  now: () => performance.now(),
  sleep: (ms, signal) => sleep(ms, undefined, signal ? { signal } : {}),
};

export type Limits = {
  maxConcurrency: number;
  requestsPerMinute?: number;
  /** Requests that the work makes, for the rate: a metric's repeats. Default 1. */
  requests?: number;
};

/** The shape of a judgement, as far as the gate looks at it. */
export type Outcome = {
  state: string;
  error?: string;
  retryable?: boolean;
  retryAfterMs?: number;
  /** Whoever asks the same with the same key is refused likewise. */
  refuses?: true;
  /** Nobody was asked: it says nothing of the provider, and is no attempt. */
  unasked?: true;
};
export type Unasked = {
  state: 'failed';
  error: string;
  retryable: boolean;
  retryAfterMs?: number;
  unasked: true;
};

export type Gate = {
  /**
   * Does the work when its turn comes. Answers at once, without doing it, while the provider is not to be asked or the rate
   * would keep it waiting too long; and with a failure that can be retried when the signal aborts before its turn.
   */
  run<T extends Outcome>(
    providerKey: string,
    limits: Limits,
    signal: AbortSignal | undefined,
    work: () => Promise<T>,
  ): Promise<T | Unasked>;
};

/** Failures in a row that open the circuit: fewer happen to every provider. */
const failuresToOpen = 5;
/** How long it stays open at first; twice as long after each probe that fails. */
const firstPauseMs = 10_000;
const longestPauseMs = 300_000;
/** While the probe is under way nobody knows how long it takes. */
const probeWaitMs = 1_000;
/** Longer, and the worker does better to give the score back and take it up later. */
const longestRateWaitMs = 5_000;

type Provider = {
  running: number;
  waiting: (() => void)[];
  /** When the rate allows the next request. */
  nextRequestAt: number;
  failures: number;
  /** Not asked before this. */
  closedUntil: number;
  pauseMs: number;
  probing: boolean;
  /** What went wrong last: whoever is turned away is told that, not only that it waits. */
  lastError: string;
};

const refused = (error: string, retryAfterMs: number): Unasked => ({
  state: 'failed',
  error,
  retryable: true,
  retryAfterMs: Math.ceil(retryAfterMs),
  unasked: true,
});

export const openGate = (clock: Clock = systemClock): Gate => {
  const providers = new Map<string, Provider>();

  const providerOf = (key: string): Provider => {
    const found = providers.get(key);
    if (found) return found;
    const provider: Provider = {
      running: 0,
      waiting: [],
      nextRequestAt: 0,
      failures: 0,
      closedUntil: 0,
      pauseMs: firstPauseMs,
      probing: false,
      lastError: 'it failed',
    };
    providers.set(key, provider);
    return provider;
  };

  const admit = (provider: Provider, { maxConcurrency }: Limits) => {
    while (provider.running < maxConcurrency && provider.waiting.length > 0) {
      provider.running++;
      provider.waiting.shift()!();
    }
  };

  /** Waits for a free place; false when the signal aborted first. */
  const enter = (provider: Provider, limits: Limits, signal?: AbortSignal): Promise<boolean> =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve(false);
      const stop = () => {
        provider.waiting.splice(provider.waiting.indexOf(proceed), 1);
        resolve(false);
      };
      const proceed = () => {
        signal?.removeEventListener('abort', stop);
        resolve(true);
      };
      signal?.addEventListener('abort', stop, { once: true });
      provider.waiting.push(proceed);
      admit(provider, limits);
    });

  const leave = (key: string, provider: Provider, limits: Limits) => {
    provider.running--;
    admit(provider, limits);
    const idle = provider.running === 0 && provider.failures === 0;
    if (idle && Math.max(provider.nextRequestAt, provider.closedUntil) <= clock.now()) providers.delete(key);
  };

  /** Why the provider is not asked now. */
  const closed = (provider: Provider): Unasked | undefined => {
    const left = provider.closedUntil - clock.now();
    if (left > 0) return refused(`the provider is not asked for now, because: ${provider.lastError}`, left);
    if (provider.probing)
      return refused(`the provider is being tried again, because: ${provider.lastError}`, probeWaitMs);
    return undefined;
  };

  /** Waits until the rate allows it, or says that this would take too long. */
  const pace = async (
    provider: Provider,
    limits: Limits,
    signal?: AbortSignal,
  ): Promise<Unasked | undefined> => {
    const { requestsPerMinute, requests = 1 } = limits;
    if (!requestsPerMinute) return undefined;
    const now = clock.now();
    const startAt = Math.max(provider.nextRequestAt, now);
    if (startAt - now > longestRateWaitMs) {
      return refused(`the provider is asked no more than ${requestsPerMinute} times a minute`, startAt - now);
    }
    // Evenly spaced, so that no minute sees more than its share, wherever it begins.
    provider.nextRequestAt = startAt + (requests * 60_000) / requestsPerMinute;
    if (startAt > now) await clock.sleep(startAt - now, signal);
    return undefined;
  };

  const learn = (provider: Provider, outcome: Outcome) => {
    if (outcome.unasked) return;
    if (outcome.state !== 'failed' || !outcome.retryable) {
      provider.failures = 0;
      provider.pauseMs = firstPauseMs;
      return;
    }
    provider.failures++;
    provider.lastError = outcome.error ?? provider.lastError;
    const now = clock.now();
    // Calls that were under way together fail together: only the first of them says something new.
    const opens = provider.failures >= failuresToOpen && provider.closedUntil <= now;
    const pauseMs = opens ? provider.pauseMs : 0;
    if (opens) provider.pauseMs = Math.min(provider.pauseMs * 2, longestPauseMs);
    provider.closedUntil = Math.max(provider.closedUntil, now + Math.max(pauseMs, outcome.retryAfterMs ?? 0));
  };

  return {
    run: async (key, limits, signal, work) => {
      const provider = providerOf(key);
      const before = closed(provider);
      if (before) return before;
      if (!(await enter(provider, limits, signal))) return refused('cancelled', 0);
      let isProbe = false;
      try {
        const meanwhile = closed(provider);
        if (meanwhile) return meanwhile;
        // Of the calls that come after a pause, the first one finds out for all.
        isProbe = provider.failures >= failuresToOpen;
        provider.probing = isProbe;
        const tooFast = await pace(provider, limits, signal);
        if (tooFast) return tooFast;
        const outcome = await work();
        if (!signal?.aborted) learn(provider, outcome);
        return outcome;
      } catch (error) {
        if (signal?.aborted) return refused('cancelled', 0);
        throw error;
      } finally {
        if (isProbe) provider.probing = false;
        leave(key, provider, limits);
      }
    },
  };
};
