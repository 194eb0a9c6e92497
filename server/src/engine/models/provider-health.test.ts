import { describe, expect, it } from 'vitest';
import type { Outcome } from './circuit-breaker.ts';
import type { ResolvedModel } from './provider.ts';
import { type Clock, openProviderHealth, type ProviderHealth } from './provider-health.ts';

/** A clock that moves only when told. */
const openClock = () => {
  let now = 0;
  let sleepers: { at: number; wake: () => void }[] = [];
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return {
    now: () => now,
    sleep: (ms: number, signal?: AbortSignal) =>
      new Promise<void>((wake, reject) => {
        sleepers.push({ at: now + ms, wake });
        signal?.addEventListener('abort', () => reject(signal.reason));
      }),
    advance: async (ms: number) => {
      const end = now + ms;
      await settle();
      for (;;) {
        const next = sleepers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
        if (!next) break;
        sleepers = sleepers.filter((sleeper) => sleeper !== next);
        now = next.at;
        next.wake();
        await settle();
      }
      now = end;
      await settle();
    },
  } satisfies Clock & { advance(ms: number): Promise<void> };
};

type Limits = { maxConcurrency: number; requestsPerMinute?: number; requests?: number };

/** Does the work in its turn at a provider, as the judge does. */
const run = async <T extends Outcome>(
  health: ProviderHealth,
  name: string,
  { requests, ...limits }: Limits,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
) => {
  const turn = await health.enter(1n, { name, ...limits }, signal, requests);
  if ('unasked' in turn) return turn;
  try {
    const outcome = await work();
    if (!signal?.aborted) turn.learn(outcome);
    return outcome;
  } finally {
    turn.end();
  }
};

const scored = async () => ({ state: 'scored' as const });
const down = async () => ({ state: 'failed' as const, error: 'down', retryable: true });
const wrongKey = async () => ({ state: 'failed' as const, error: 'wrong key', retryable: false });
const limits = { maxConcurrency: 10 };

/** Work that ends when told. */
const openWork = () => {
  const open: (() => void)[] = [];
  let most = 0;
  return {
    work: async () => {
      await new Promise<void>((resolve) => {
        open.push(resolve);
        most = Math.max(most, open.length);
      });
      return { state: 'scored' as const };
    },
    running: () => open.length,
    most: () => most,
    finishOne: () => open.shift()?.(),
  };
};

describe('concurrency', () => {
  it('is never above the limit, in order, and of one provider alone', async () => {
    const clock = openClock();
    const health = openProviderHealth(clock);
    const jobs = openWork();
    const other = openWork();
    const all = Array.from({ length: 7 }, () =>
      run(health, 'a', { maxConcurrency: 2 }, undefined, jobs.work),
    );
    const elsewhere = run(health, 'b', { maxConcurrency: 2 }, undefined, other.work);
    await clock.advance(0);
    expect([jobs.running(), other.running()]).toEqual([2, 1]);
    other.finishOne();
    for (let left = 7; left > 0; left--) {
      jobs.finishOne();
      await clock.advance(0);
      expect(jobs.running()).toBe(Math.min(2, left - 1));
    }
    expect(await Promise.all([...all, elsewhere])).toHaveLength(8);
    expect(jobs.most()).toBe(2);
  });

  it('gives up a place in the queue when the signal aborts, and no work is done', async () => {
    const clock = openClock();
    const health = openProviderHealth(clock);
    const jobs = openWork();
    const stop = new AbortController();
    const one = { maxConcurrency: 1 };
    const first = run(health, 'a', one, undefined, jobs.work);
    const second = run(health, 'a', one, stop.signal, jobs.work);
    const third = run(health, 'a', one, undefined, jobs.work);
    await clock.advance(0);
    stop.abort();
    expect(await second).toMatchObject({ state: 'failed', error: 'cancelled', retryable: true });
    jobs.finishOne();
    await clock.advance(0);
    jobs.finishOne();
    expect(await Promise.all([first, third])).toEqual([{ state: 'scored' }, { state: 'scored' }]);
  });

  it('is given back by work that throws', async () => {
    const health = openProviderHealth(openClock());
    const broken = run(health, 'a', { maxConcurrency: 1 }, undefined, async () => {
      throw new Error('bug');
    });
    await expect(broken).rejects.toThrow('bug');
    expect(await run(health, 'a', { maxConcurrency: 1 }, undefined, scored)).toEqual({ state: 'scored' });
  });
});

describe('the rate', () => {
  it('spaces requests evenly, and sends back what would wait longer than five seconds', async () => {
    const clock = openClock();
    const health = openProviderHealth(clock);
    const startedAt: number[] = [];
    const work = async () => {
      startedAt.push(clock.now());
      return { state: 'scored' as const };
    };
    const perMinute = { maxConcurrency: 10, requestsPerMinute: 30 };
    const all = Array.from({ length: 4 }, () => run(health, 'a', perMinute, undefined, work));
    await clock.advance(0);
    expect(await all[3]).toMatchObject({ state: 'failed', retryable: true, retryAfterMs: 6000 });
    await clock.advance(5000);
    await Promise.all(all);
    expect(startedAt).toEqual([0, 2000, 4000]);
  });

  it('counts each request of work that makes several', async () => {
    const clock = openClock();
    const health = openProviderHealth(clock);
    const perMinute = { maxConcurrency: 10, requestsPerMinute: 60, requests: 9 };
    await run(health, 'a', perMinute, undefined, scored);
    expect(await run(health, 'a', perMinute, undefined, scored)).toMatchObject({ retryAfterMs: 9000 });
  });

  it('ends the wait when the signal aborts', async () => {
    const clock = openClock();
    const health = openProviderHealth(clock);
    const stop = new AbortController();
    const perMinute = { maxConcurrency: 10, requestsPerMinute: 30 };
    await run(health, 'a', perMinute, undefined, scored);
    const waiting = run(health, 'a', perMinute, stop.signal, scored);
    await clock.advance(0);
    stop.abort();
    expect(await waiting).toMatchObject({ error: 'cancelled' });
  });
});

describe('the circuit', () => {
  const opened = async () => {
    const clock = openClock();
    const health = openProviderHealth(clock);
    for (let i = 0; i < 5; i++) await run(health, 'a', limits, undefined, down);
    return { clock, health };
  };

  it('opens after five failures in a row, answers at once and asks no more', async () => {
    const { clock, health } = await opened();
    await clock.advance(4000);
    let asked = 0;
    const outcome = await run(health, 'a', limits, undefined, async () => {
      asked++;
      return scored();
    });
    expect(outcome).toMatchObject({ state: 'failed', retryable: true, retryAfterMs: 6000 });
    expect(asked).toBe(0);
    expect(await run(health, 'b', limits, undefined, scored)).toEqual({ state: 'scored' });
  });

  it('stays open no longer for calls that were under way together and all failed', async () => {
    const clock = openClock();
    const health = openProviderHealth(clock);
    const together = Array.from({ length: 10 }, () =>
      run(health, 'a', limits, undefined, async () => {
        await clock.sleep(100);
        return down();
      }),
    );
    await clock.advance(100);
    await Promise.all(together);
    expect(await run(health, 'a', limits, undefined, scored)).toMatchObject({ retryAfterMs: 10_000 });
  });

  it("does not open for failures that are not the provider's, nor when a success comes between", async () => {
    const health = openProviderHealth(openClock());
    for (let i = 0; i < 20; i++) await run(health, 'a', limits, undefined, wrongKey);
    for (let i = 0; i < 20; i++)
      await run<Outcome>(health, 'a', limits, undefined, i % 5 === 4 ? scored : down);
    expect(await run(health, 'a', limits, undefined, scored)).toEqual({ state: 'scored' });
  });

  it('lets one probe through, which closes it by succeeding', async () => {
    const { clock, health } = await opened();
    await clock.advance(10_000);
    const probe = openWork();
    const probing = run(health, 'a', limits, undefined, probe.work);
    await clock.advance(0);
    expect(await run(health, 'a', limits, undefined, scored)).toMatchObject({
      state: 'failed',
      retryAfterMs: 1000,
    });
    probe.finishOne();
    expect(await probing).toEqual({ state: 'scored' });
    expect(await run(health, 'a', limits, undefined, scored)).toEqual({ state: 'scored' });
  });

  it('stays open twice as long after each probe that fails, up to five minutes', async () => {
    const { clock, health } = await opened();
    const pauses: unknown[] = [];
    for (let i = 0; i < 7; i++) {
      const refused = await run(health, 'a', limits, undefined, scored);
      if (!('retryAfterMs' in refused)) throw new Error('was asked');
      pauses.push(refused.retryAfterMs);
      await clock.advance(refused.retryAfterMs);
      await run(health, 'a', limits, undefined, down);
    }
    expect(pauses).toEqual([10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000]);
  });

  it('is tried by another when the probe is cancelled', async () => {
    const { clock, health } = await opened();
    await clock.advance(10_000);
    const stop = new AbortController();
    await run(health, 'a', limits, stop.signal, async () => {
      stop.abort();
      return down();
    });
    expect(await run(health, 'a', limits, undefined, scored)).toEqual({ state: 'scored' });
  });

  it('waits as long as the provider asks after a single failure', async () => {
    const clock = openClock();
    const health = openProviderHealth(clock);
    await run(health, 'a', limits, undefined, async () => ({ ...(await down()), retryAfterMs: 7000 }));
    expect(await run(health, 'a', limits, undefined, scored)).toMatchObject({ retryAfterMs: 7000 });
    await clock.advance(7000);
    expect(await run(health, 'a', limits, undefined, scored)).toEqual({ state: 'scored' });
  });

  it('tells the failure that asked for the pause, not one of a call that was under way', async () => {
    const clock = openClock();
    const health = openProviderHealth(clock);
    const noCredit = async () => ({ ...(await down()), error: 'no credit', retryAfterMs: 60_000 });
    const late = run(health, 'a', limits, undefined, async () => {
      await clock.sleep(100);
      return down();
    });
    await run(health, 'a', limits, undefined, noCredit);
    await clock.advance(100);
    await late;
    expect(await run(health, 'a', limits, undefined, scored)).toMatchObject({
      error: 'the provider is not asked for now, because: no credit',
      retryAfterMs: 59_900,
    });
  });
});

const clockAt = { ms: 0 };
const handClock = { now: () => clockAt.ms, sleep: async () => {} };

/** Asks a model in its turn at its provider, unless it is known to refuse. */
const askModel = async (
  health: ProviderHealth,
  organizationId: bigint,
  asked: ResolvedModel,
  work: () => Promise<Outcome>,
) => {
  const turn = await health.enter(organizationId, asked.provider);
  if ('unasked' in turn) return turn;
  try {
    const refusal = turn.refusal(asked);
    if (refusal) return refusal;
    const outcome = await work();
    turn.learn(outcome);
    return outcome;
  } finally {
    turn.end();
  }
};

const model = (apiKey: string, name = 'judge'): ResolvedModel => ({
  provider: { name: 'ours', kind: 'openai', apiKey, maxConcurrency: 2 },
  model: name,
});
const refusedKey = async () => ({
  state: 'failed',
  error: 'wrong key',
  retryable: false,
  refuses: true as const,
});
const askedAfterAll = async (): Promise<never> => {
  throw new Error('was asked');
};

describe('a model or key that is refused', () => {
  /** Five were refused. */
  const stopped = async () => {
    clockAt.ms = 0;
    const health = openProviderHealth(handClock);
    for (let i = 0; i < 5; i++) await askModel(health, 1n, model('k'), refusedKey);
    return health;
  };

  it('after five refusals in a row the provider is not asked, and the reason is that of the refusals', async () => {
    const health = await stopped();
    expect(await askModel(health, 1n, model('k'), askedAfterAll)).toMatchObject({
      state: 'failed',
      error: expect.stringMatching(/^wrong key \(not asked this time/),
      retryable: false,
      unasked: true,
    });
  });

  it('another key, another model and another organization are asked at once', async () => {
    const health = await stopped();
    expect(await askModel(health, 1n, model('next'), scored)).toEqual({ state: 'scored' });
    expect(await askModel(health, 1n, model('k', 'other'), scored)).toEqual({ state: 'scored' });
    expect(await askModel(health, 2n, model('k'), scored)).toEqual({ state: 'scored' });
  });

  it('an answer between them starts the count again; other failures do not', async () => {
    const health = openProviderHealth(handClock);
    for (let i = 0; i < 20; i++) {
      expect(await askModel(health, 1n, model('k'), i % 5 === 4 ? scored : refusedKey)).not.toHaveProperty(
        'unasked',
      );
    }
    for (let i = 0; i < 9; i++) await askModel(health, 1n, model('k'), i % 2 ? down : refusedKey);
    expect(await askModel(health, 1n, model('k'), scored)).toHaveProperty('unasked');
  });

  it('ten seconds later one finds out for all, and the others wait for it', async () => {
    const health = await stopped();
    clockAt.ms = 10_000;
    const { promise, resolve } = Promise.withResolvers<{ state: string }>();
    const probe = askModel(health, 1n, model('k'), () => promise);
    expect(await askModel(health, 1n, model('k'), askedAfterAll)).toMatchObject({
      unasked: true,
      retryable: true,
    });
    resolve({ state: 'scored' });
    expect(await probe).toEqual({ state: 'scored' });
    expect(await askModel(health, 1n, model('k'), scored)).toEqual({ state: 'scored' });
  });

  it('a probe that is refused as well leaves it so for ten more seconds; one that breaks, to the next', async () => {
    const health = await stopped();
    clockAt.ms = 10_000;
    await expect(askModel(health, 1n, model('k'), askedAfterAll)).rejects.toThrow('was asked');
    expect(await askModel(health, 1n, model('k'), refusedKey)).not.toHaveProperty('unasked');
    clockAt.ms = 19_999;
    expect(await askModel(health, 1n, model('k'), scored)).toHaveProperty('unasked');
    clockAt.ms = 20_000;
    expect(await askModel(health, 1n, model('k'), scored)).toEqual({ state: 'scored' });
  });
});
