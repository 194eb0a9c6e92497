import { describe, expect, it } from 'vitest';
import { type Clock, openGate } from './gate.ts';

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
    const gate = openGate(clock);
    const jobs = openWork();
    const other = openWork();
    const all = Array.from({ length: 7 }, () => gate.run('a', { maxConcurrency: 2 }, undefined, jobs.work));
    const elsewhere = gate.run('b', { maxConcurrency: 2 }, undefined, other.work);
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
    const gate = openGate(clock);
    const jobs = openWork();
    const stop = new AbortController();
    const one = { maxConcurrency: 1 };
    const first = gate.run('a', one, undefined, jobs.work);
    const second = gate.run('a', one, stop.signal, jobs.work);
    const third = gate.run('a', one, undefined, jobs.work);
    await clock.advance(0);
    stop.abort();
    expect(await second).toMatchObject({ state: 'failed', error: 'cancelled', retryable: true });
    jobs.finishOne();
    await clock.advance(0);
    jobs.finishOne();
    expect(await Promise.all([first, third])).toEqual([{ state: 'scored' }, { state: 'scored' }]);
  });

  it('is given back by work that throws', async () => {
    const gate = openGate(openClock());
    const broken = gate.run('a', { maxConcurrency: 1 }, undefined, async () => {
      throw new Error('bug');
    });
    await expect(broken).rejects.toThrow('bug');
    expect(await gate.run('a', { maxConcurrency: 1 }, undefined, scored)).toEqual({ state: 'scored' });
  });
});

describe('the rate', () => {
  it('spaces requests evenly, and sends back what would wait longer than five seconds', async () => {
    const clock = openClock();
    const gate = openGate(clock);
    const startedAt: number[] = [];
    const work = async () => {
      startedAt.push(clock.now());
      return { state: 'scored' as const };
    };
    const perMinute = { maxConcurrency: 10, requestsPerMinute: 30 };
    const all = Array.from({ length: 4 }, () => gate.run('a', perMinute, undefined, work));
    await clock.advance(0);
    expect(await all[3]).toMatchObject({ state: 'failed', retryable: true, retryAfterMs: 6000 });
    await clock.advance(5000);
    await Promise.all(all);
    expect(startedAt).toEqual([0, 2000, 4000]);
  });

  it('counts each request of work that makes several', async () => {
    const clock = openClock();
    const gate = openGate(clock);
    const perMinute = { maxConcurrency: 10, requestsPerMinute: 60, requests: 9 };
    await gate.run('a', perMinute, undefined, scored);
    expect(await gate.run('a', perMinute, undefined, scored)).toMatchObject({ retryAfterMs: 9000 });
  });

  it('ends the wait when the signal aborts', async () => {
    const clock = openClock();
    const gate = openGate(clock);
    const stop = new AbortController();
    const perMinute = { maxConcurrency: 10, requestsPerMinute: 30 };
    await gate.run('a', perMinute, undefined, scored);
    const waiting = gate.run('a', perMinute, stop.signal, scored);
    await clock.advance(0);
    stop.abort();
    expect(await waiting).toMatchObject({ error: 'cancelled' });
  });
});

describe('the circuit', () => {
  const opened = async () => {
    const clock = openClock();
    const gate = openGate(clock);
    for (let i = 0; i < 5; i++) await gate.run('a', limits, undefined, down);
    return { clock, gate };
  };

  it('opens after five failures in a row, answers at once and asks no more', async () => {
    const { clock, gate } = await opened();
    await clock.advance(4000);
    let asked = 0;
    const outcome = await gate.run('a', limits, undefined, async () => {
      asked++;
      return scored();
    });
    expect(outcome).toMatchObject({ state: 'failed', retryable: true, retryAfterMs: 6000 });
    expect(asked).toBe(0);
    expect(await gate.run('b', limits, undefined, scored)).toEqual({ state: 'scored' });
  });

  it('stays open no longer for calls that were under way together and all failed', async () => {
    const clock = openClock();
    const gate = openGate(clock);
    const together = Array.from({ length: 10 }, () =>
      gate.run('a', limits, undefined, async () => {
        await clock.sleep(100);
        return down();
      }),
    );
    await clock.advance(100);
    await Promise.all(together);
    expect(await gate.run('a', limits, undefined, scored)).toMatchObject({ retryAfterMs: 10_000 });
  });

  it("does not open for failures that are not the provider's, nor when a success comes between", async () => {
    const gate = openGate(openClock());
    for (let i = 0; i < 20; i++) await gate.run('a', limits, undefined, wrongKey);
    for (let i = 0; i < 20; i++)
      await gate.run<Awaited<ReturnType<typeof scored | typeof down>>>(
        'a',
        limits,
        undefined,
        i % 5 === 4 ? scored : down,
      );
    expect(await gate.run('a', limits, undefined, scored)).toEqual({ state: 'scored' });
  });

  it('lets one probe through, which closes it by succeeding', async () => {
    const { clock, gate } = await opened();
    await clock.advance(10_000);
    const probe = openWork();
    const probing = gate.run('a', limits, undefined, probe.work);
    await clock.advance(0);
    expect(await gate.run('a', limits, undefined, scored)).toMatchObject({
      state: 'failed',
      retryAfterMs: 1000,
    });
    probe.finishOne();
    expect(await probing).toEqual({ state: 'scored' });
    expect(await gate.run('a', limits, undefined, scored)).toEqual({ state: 'scored' });
  });

  it('stays open twice as long after each probe that fails, up to five minutes', async () => {
    const { clock, gate } = await opened();
    const pauses: unknown[] = [];
    for (let i = 0; i < 7; i++) {
      const refused = await gate.run('a', limits, undefined, scored);
      if (!('retryAfterMs' in refused)) throw new Error('was asked');
      pauses.push(refused.retryAfterMs);
      await clock.advance(refused.retryAfterMs);
      await gate.run('a', limits, undefined, down);
    }
    expect(pauses).toEqual([10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000]);
  });

  it('is tried by another when the probe is cancelled', async () => {
    const { clock, gate } = await opened();
    await clock.advance(10_000);
    const stop = new AbortController();
    await gate.run('a', limits, stop.signal, async () => {
      stop.abort();
      return down();
    });
    expect(await gate.run('a', limits, undefined, scored)).toEqual({ state: 'scored' });
  });

  it('waits as long as the provider asks after a single failure', async () => {
    const clock = openClock();
    const gate = openGate(clock);
    await gate.run('a', limits, undefined, async () => ({ ...(await down()), retryAfterMs: 7000 }));
    expect(await gate.run('a', limits, undefined, scored)).toMatchObject({ retryAfterMs: 7000 });
    await clock.advance(7000);
    expect(await gate.run('a', limits, undefined, scored)).toEqual({ state: 'scored' });
  });
});
