import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Breaker,
  beingProbed,
  circuitOpen,
  closedBreaker,
  countFailure,
  countSuccess,
  failuresToStop,
  firstPauseMs,
  longestPauseMs,
  type NotAsked,
  notAsked,
  type Outcome,
} from './circuit-breaker.ts';
import type { ProviderConfig, ResolvedModel } from './provider.ts';
import { openRefusedSettings, type RefusedSettings, remember } from './refused-settings.ts';

/**
 * State of the providers that this process asks. It decides whether a request may be made: by limits on concurrency and rate, a circuit
 * breaker, refused models and keys, and the settings that a model refuses.
 */
export type ProviderHealth = {
  /**
   * Waits for a free place at an organization's provider, and for its rate limit. Returns a reason instead while the circuit
   * breaker is open, when the rate limit would take more than five seconds, and when the signal aborts first.
   * `requests` is the number of requests that the caller is going to make.
   */
  enter(
    organizationId: bigint,
    provider: Pick<ProviderConfig, 'name' | 'maxConcurrency' | 'requestsPerMinute'>,
    signal?: AbortSignal,
    requests?: number,
  ): Promise<Turn | NotAsked>;
  /** Whether the queue at a provider is so long that no further calls should be begun. */
  isFull(organizationId: bigint, provider: Pick<ProviderConfig, 'name' | 'maxConcurrency'>): boolean;
  /** Whether this process asks the provider nothing for now, because it can't reach it. Others may. */
  isCutOff(organizationId: bigint, provider: Pick<ProviderConfig, 'name'>): boolean;
  /** The settings that a model has refused in the last minutes: one refusal may have had another cause. */
  refusedSettings(model: ResolvedModel): RefusedSettings;
  /** Remembers for some minutes that a model answers only without these settings. */
  learnRefused(model: ResolvedModel, refused: RefusedSettings): void;
};

/** A place at a provider. The caller must call `end`, which gives the place to the next caller. */
export type Turn = {
  /** Returns why the model is not asked with this key: the last requests were refused. Undefined when it may be asked. */
  refusal(model: ResolvedModel): NotAsked | undefined;
  /** Learns from the outcome of asking. Not called when the caller gave up. */
  learn(outcome: Outcome): void;
  end(): void;
};

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

/** After a longer wait, the score goes back to the queue. */
const longestRateWaitMs = 5_000;

type Place = Breaker & { running: number; waiting: (() => void)[]; nextRequestAt: number };
type Limits = Pick<ProviderConfig, 'name' | 'maxConcurrency' | 'requestsPerMinute'>;

const cancelled = () => notAsked('cancelled', 0);

/** Identifies a model asked with a key by an organization. A hash, so that no key stays in memory. */
const refusalKey = (organizationId: bigint, { provider, model }: ResolvedModel): string => {
  const { kind, name, baseUrl, apiKey, options } = provider;
  const parts = [String(organizationId), kind, name, baseUrl, apiKey, options, model];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
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

/** Waits until the rate limit allows the requests, or returns why not. */
const waitForRate = async (
  clock: Clock,
  place: Place,
  { requestsPerMinute }: Limits,
  requests: number,
  signal?: AbortSignal,
): Promise<NotAsked | undefined> => {
  if (!requestsPerMinute) return undefined;
  const now = clock.now();
  const startAt = Math.max(place.nextRequestAt, now);
  if (startAt - now > longestRateWaitMs)
    return notAsked(`the provider is asked no more than ${requestsPerMinute} times a minute`, startAt - now);
  // Evenly spaced, so that no minute has more requests than allowed, wherever it begins.
  place.nextRequestAt = startAt + (requests * 60_000) / requestsPerMinute;
  try {
    if (startAt > now) await clock.sleep(startAt - now, signal);
    return undefined;
  } catch {
    return cancelled();
  }
};

/** A turn at a place. `probe` is set if this turn tests the breaker for all. */
const turnAt = (
  clock: Clock,
  place: Place,
  refusals: Map<string, Breaker>,
  organizationId: bigint,
  probe: (breaker: Breaker) => void,
): Omit<Turn, 'end'> => {
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
      const now = clock.now();
      if (outcome.state === 'failed' && outcome.retryable) countFailure(place, outcome, now, longestPauseMs);
      else countSuccess(place);
      if (!asked) return;
      if (outcome.refuses) countFailure(remember(refusals, asked, closedBreaker), outcome, now, firstPauseMs);
      else if (outcome.state !== 'failed') refusals.delete(asked);
    },
  };
};

export const openProviderHealth = (clock: Clock = systemClock): ProviderHealth => {
  const places = new Map<string, Place>();
  const refusals = new Map<string, Breaker>();

  const enter: ProviderHealth['enter'] = async (organizationId, limits, signal, requests = 1) => {
    const { name, maxConcurrency } = limits;
    const key = `${organizationId} ${name}`;
    const place = places.get(key) ?? { ...closedBreaker(), running: 0, waiting: [], nextRequestAt: 0 };
    places.set(key, place);
    const before = circuitOpen(place, clock.now());
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
    const opened = circuitOpen(place, clock.now());
    if (!opened && place.failures >= failuresToStop) probe(place);
    const refused = opened ?? (await waitForRate(clock, place, limits, requests, signal));
    if (!refused) return { ...turnAt(clock, place, refusals, organizationId, probe), end };
    end();
    return refused;
  };

  return {
    enter,
    isFull: (organizationId, { name, maxConcurrency }) =>
      (places.get(`${organizationId} ${name}`)?.waiting.length ?? 0) >= 2 * maxConcurrency,
    isCutOff: (organizationId, { name }) => {
      const place = places.get(`${organizationId} ${name}`);
      return place?.unreached === true && circuitOpen(place, clock.now()) !== undefined;
    },
    ...openRefusedSettings(clock),
  };
};
