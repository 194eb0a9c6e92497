import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Failure } from './failure.ts';
import type { ProviderConfig, ResolvedModel } from './provider.ts';

/**
 * What this process knows about the providers that it asks, and so the one answer to "why was this not asked?": the limits on
 * concurrency and rate, a circuit breaker, models and keys that are refused, and settings that a model refuses.
 */
export type ProviderHealth = {
  /**
   * Waits for a free place at an organization's provider, and for its rate limit. Returns a reason instead while the circuit
   * breaker is open, when the rate limit would take more than five seconds, and when the signal aborts first.
   * `requests` is how many requests the caller is going to make.
   */
  enter(
    organizationId: bigint,
    provider: Pick<ProviderConfig, 'name' | 'maxConcurrency' | 'requestsPerMinute'>,
    signal?: AbortSignal,
    requests?: number,
  ): Promise<Turn | NotAsked>;
  /** Whether so many calls wait for a place at a provider already that further ones should not be begun. */
  isFull(organizationId: bigint, provider: Pick<ProviderConfig, 'name' | 'maxConcurrency'>): boolean;
  /** The settings that a model has refused in the last minutes: one refusal may have had another cause. */
  refusedSettings(model: ResolvedModel): RefusedSettings;
  /** Remembers, for some minutes, that a model gave an answer only without these settings. */
  learnRefused(model: ResolvedModel, refused: RefusedSettings): void;
};

/** A place at a provider. `end` must be called, and gives it to the next caller. */
export type Turn = {
  /** Why the model is not asked with this key: the last ones were refused. Undefined when it may be asked. */
  refusal(model: ResolvedModel): NotAsked | undefined;
  /** Learns from the outcome of asking. Not called when the caller gave up. */
  learn(outcome: Outcome): void;
  end(): void;
};

/** Why no request was made. It is no attempt, and says nothing about the provider. */
export type NotAsked = { state: 'failed'; unasked: true } & Failure;
export type Outcome = { state: string } & Partial<Failure>;
/** Settings that a model does not accept, and which are therefore left out. */
export type RefusedSettings = { temperature: boolean; schema: boolean; maxOutputTokens: boolean };

export type Clock = {
  /** Milliseconds since any fixed moment. */
  now(): number;
  /** Resolves after `ms`; rejects when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
};
const systemClock: Clock = {
  now: () => performance.now(),
  sleep: (ms, signal) => sleep(ms, undefined, signal ? { signal } : {}),
};

/** Failures in a row that stop the asking. Fewer happen to every provider, and a gateway may refuse one record alone. */
const failuresToStop = 5;
/** Refused keys and models always pause this long: a user who corrects one retries the scores soon after. */
const firstPauseMs = 10_000;
const longestPauseMs = 300_000;
/** Delay of other scores while a single trial call tests the provider. */
const probeWaitMs = 1_000;
/** After a longer wait, the score goes back to the queue. */
const longestRateWaitMs = 5_000;
/** Most models whose refusals are remembered, and most whose settings are. */
const remembered = 1_000;

/** Models that think before they answer take no temperature: o1, o3-mini, gpt-5, but not gpt-5-chat. */
const refusesTemperature = /(^|\/)(o\d(-|$)|gpt-5(?!.*chat))/;

/** Counts failures in a row. After several nothing is asked for a while; then one call probes for all. */
type Breaker = {
  failures: number;
  askAgainAt: number;
  pauseMs: number;
  probing: boolean;
  lastError: string;
};
const closedBreaker = (): Breaker => ({
  failures: 0,
  askAgainAt: 0,
  pauseMs: firstPauseMs,
  probing: false,
  lastError: 'it failed',
});

type Place = Breaker & { running: number; waiting: (() => void)[]; nextRequestAt: number };

const notAsked = (error: string, retryAfterMs: number, because?: string): NotAsked => ({
  state: 'failed',
  error,
  retryable: true,
  retryAfterMs: Math.ceil(retryAfterMs),
  unasked: true,
  ...(because !== undefined && { because }),
});
const cancelled = () => notAsked('cancelled', 0);
const beingProbed = ({ lastError }: Breaker) =>
  notAsked(`the provider is being tried again, because: ${lastError}`, probeWaitMs, lastError);

/** Returns the value of a key and creates it if there is none. Forgets the oldest key beyond a limit. */
const remember = <T>(known: Map<string, T>, key: string, make: () => T): T => {
  const found = known.get(key);
  if (found) return found;
  const made = make();
  known.set(key, made);
  if (known.size > remembered) known.delete(known.keys().next().value!);
  return made;
};

/** Identifies a model asked with a key by an organization. A hash, so that no key stays in memory. */
const refusalKey = (organizationId: bigint, { provider, model }: ResolvedModel): string => {
  const { kind, name, baseUrl, apiKey, options } = provider;
  const parts = [String(organizationId), kind, name, baseUrl, apiKey, options, model];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
};

/** How long a refused setting is left out: a server that was loading its model refuses what it takes later. */
const refusedMs = 600_000;

const settingsKey = ({ provider: { kind, name, baseUrl }, model }: ResolvedModel): string =>
  JSON.stringify([kind, name, baseUrl, model]);

/** What is left out before anything was refused. */
const noneRefused = ({ model }: ResolvedModel): RefusedSettings => ({
  temperature: refusesTemperature.test(model),
  schema: false,
  maxOutputTokens: false,
});

export const openProviderHealth = (clock: Clock = systemClock): ProviderHealth => {
  const places = new Map<string, Place>();
  const refusals = new Map<string, Breaker>();
  const settings = new Map<string, { refused: RefusedSettings; until: number }>();

  const fail = (breaker: Breaker, { error, retryAfterMs = 0 }: Outcome, longestMs: number) => {
    const now = clock.now();
    breaker.failures++;
    breaker.lastError = error ?? breaker.lastError;
    // Calls that were under way together fail together: only the first of them says something new.
    const stops = breaker.failures >= failuresToStop && breaker.askAgainAt <= now;
    const pauseMs = Math.max(stops ? breaker.pauseMs : 0, retryAfterMs);
    breaker.askAgainAt = Math.max(breaker.askAgainAt, now + pauseMs);
    if (stops) breaker.pauseMs = Math.min(breaker.pauseMs * 2, longestMs);
  };

  const letIn = (place: Place, maxConcurrency: number) => {
    while (place.running < maxConcurrency && place.waiting.length > 0) {
      place.running++;
      place.waiting.shift()!();
    }
  };

  /** False when the signal aborted before there was a free place. */
  const waitForPlace = (place: Place, maxConcurrency: number, signal?: AbortSignal): Promise<boolean> =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve(false);
      const stop = () => {
        place.waiting.splice(place.waiting.indexOf(proceed), 1);
        resolve(false);
      };
      const proceed = () => {
        signal?.removeEventListener('abort', stop);
        resolve(true);
      };
      signal?.addEventListener('abort', stop, { once: true });
      place.waiting.push(proceed);
      letIn(place, maxConcurrency);
    });

  const circuitOpen = (place: Place): NotAsked | undefined => {
    const left = place.askAgainAt - clock.now();
    if (left > 0)
      return notAsked(
        `the provider is not asked for now, because: ${place.lastError}`,
        left,
        place.lastError,
      );
    return place.probing ? beingProbed(place) : undefined;
  };

  /** Waits until the rate limit allows the requests, or returns why not. */
  const waitForRate = async (
    place: Place,
    requestsPerMinute: number | undefined,
    requests: number,
    signal?: AbortSignal,
  ): Promise<NotAsked | undefined> => {
    if (!requestsPerMinute) return undefined;
    const now = clock.now();
    const startAt = Math.max(place.nextRequestAt, now);
    if (startAt - now > longestRateWaitMs)
      return notAsked(
        `the provider is asked no more than ${requestsPerMinute} times a minute`,
        startAt - now,
      );
    // Evenly spaced, so that no minute sees more than its share, wherever it begins.
    place.nextRequestAt = startAt + (requests * 60_000) / requestsPerMinute;
    try {
      if (startAt > now) await clock.sleep(startAt - now, signal);
      return undefined;
    } catch {
      return cancelled();
    }
  };

  return {
    enter: async (organizationId, { name, maxConcurrency, requestsPerMinute }, signal, requests = 1) => {
      const key = `${organizationId} ${name}`;
      const place = places.get(key) ?? { ...closedBreaker(), running: 0, waiting: [], nextRequestAt: 0 };
      places.set(key, place);
      const before = circuitOpen(place);
      if (before) return before;
      if (!(await waitForPlace(place, maxConcurrency, signal))) return cancelled();

      const probes: Breaker[] = [];
      const probe = (breaker: Breaker) => {
        breaker.probing = true;
        probes.push(breaker);
      };
      const end = () => {
        for (const breaker of probes) breaker.probing = false;
        place.running--;
        letIn(place, maxConcurrency);
        const isIdle = place.running === 0 && place.failures === 0;
        if (isIdle && Math.max(place.nextRequestAt, place.askAgainAt) <= clock.now()) places.delete(key);
      };

      const opened = circuitOpen(place);
      if (!opened && place.failures >= failuresToStop) probe(place);
      const refused = opened ?? (await waitForRate(place, requestsPerMinute, requests, signal));
      if (refused) {
        end();
        return refused;
      }
      let asked: string | undefined;
      return {
        refusal: (model) => {
          asked = refusalKey(organizationId, model);
          const breaker = refusals.get(asked);
          if (!breaker || breaker.failures < failuresToStop) return undefined;
          if (breaker.askAgainAt > clock.now()) {
            const error = `${breaker.lastError} (not asked this time: it was refused ${failuresToStop} times and more)`;
            return { state: 'failed', error, retryable: false, unasked: true };
          }
          if (breaker.probing) return beingProbed(breaker);
          probe(breaker);
          return undefined;
        },
        learn: (outcome) => {
          if (outcome.unasked) return;
          if (outcome.state === 'failed' && outcome.retryable) fail(place, outcome, longestPauseMs);
          else Object.assign(place, { failures: 0, pauseMs: firstPauseMs });
          if (!asked) return;
          if (outcome.refuses) fail(remember(refusals, asked, closedBreaker), outcome, firstPauseMs);
          else if (outcome.state !== 'failed') refusals.delete(asked);
        },
        end,
      };
    },

    isFull: (organizationId, { name, maxConcurrency }) =>
      (places.get(`${organizationId} ${name}`)?.waiting.length ?? 0) >= 2 * maxConcurrency,

    refusedSettings: (model) => {
      const known = settings.get(settingsKey(model));
      return known && clock.now() < known.until ? known.refused : noneRefused(model);
    },

    learnRefused: (model, refused) => {
      const before = noneRefused(model);
      const names = Object.keys(before) as (keyof RefusedSettings)[];
      if (names.every((name) => refused[name] === before[name])) return;
      const known = remember(settings, settingsKey(model), () => ({ refused, until: 0 }));
      known.refused = refused;
      // From the first refusal on, so that the settings are tried again.
      if (clock.now() >= known.until) known.until = clock.now() + refusedMs;
    },
  };
};
