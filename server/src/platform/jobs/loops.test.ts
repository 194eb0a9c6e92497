import { afterEach, expect, it, vi } from 'vitest';
import { startLoops, type Worker } from './loops.ts';

let worker: Worker | undefined;
afterEach(async () => {
  vi.useRealTimers();
  await worker?.stop();
});

/** Longer than any test: a loop that looks was woken. */
const pollMs = 60_000;
const failed = (error: unknown) => {
  throw error;
};

/** Loops that list each of their looks, which the test ends. */
const lookers = (count: number, polls: { pollMs: number; longestPollMs?: () => number } = { pollMs }) => {
  const looks: { end: (found: boolean) => void; more: () => void }[] = [];
  const next = (stopping: AbortSignal, more: () => void) =>
    new Promise<boolean>((end) => {
      looks.push({ end, more });
      stopping.addEventListener('abort', () => end(false));
    });
  worker = startLoops({ count, next, failed, ...polls });
  return looks;
};

const asleep = async (looks: ReturnType<typeof lookers>, count: number) => {
  await expect.poll(() => looks.length).toBe(count);
  for (const look of looks) look.end(false);
  looks.length = 0;
};

it('a thousand wakes at once are one look of one loop', async () => {
  const looks = lookers(8);
  await asleep(looks, 8);
  for (let i = 0; i < 1_000; i++) worker!.wake();
  await expect.poll(() => looks.length).toBe(1);
  looks[0]!.end(false);
  // The next look is that of the next wake, and not one of the thousand.
  worker!.wake();
  await expect.poll(() => looks.length).toBe(2);
});

it('more work than one loop takes wakes the others while it works', async () => {
  const looks = lookers(3);
  await asleep(looks, 3);
  worker!.wake();
  await expect.poll(() => looks.length).toBe(1);
  looks[0]!.more();
  await expect.poll(() => looks.length).toBe(2);
  looks[1]!.more();
  await expect.poll(() => looks.length).toBe(3);
});

it('a wake that finds every loop at work is heard by the first that finds nothing', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const looks = lookers(1);
  await expect.poll(() => looks.length).toBe(1);
  worker!.wake();
  vi.runOnlyPendingTimers();
  looks[0]!.end(false);
  await expect.poll(() => looks.length).toBe(2);
});

it('wakes that leave nothing to do are answered further and further apart, until one leaves something', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const looks = lookers(1);
  await asleep(looks, 1);
  const wakeAndLook = async (found: boolean): Promise<number> => {
    const before = performance.now();
    worker!.wake();
    await vi.advanceTimersToNextTimerAsync();
    const waited = performance.now() - before;
    looks.shift()!.end(found);
    // A loop that found something looks again at once.
    if (found) await asleep(looks, 1);
    await vi.advanceTimersByTimeAsync(0);
    return waited;
  };
  const waits = [];
  for (let i = 0; i < 4; i++) waits.push(await wakeAndLook(false));
  expect(waits).toEqual([0, 80, 160, 160]);
  await wakeAndLook(true);
  expect(await wakeAndLook(false)).toBe(40);
});

it('polls less and less often while there is nothing to do, and as at first after a wake or a find', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const looks = lookers(1, { pollMs: 1_000, longestPollMs: () => 5_000 });
  await asleep(looks, 1);
  const waits = async (count: number, found = false) => {
    const waited = [];
    for (let i = 0; i < count; i++) {
      const before = performance.now();
      await vi.advanceTimersToNextTimerAsync();
      waited.push(performance.now() - before);
      looks.shift()!.end(found);
      if (found) await asleep(looks, 1);
      await vi.advanceTimersByTimeAsync(0);
    }
    return waited;
  };
  expect(await waits(5)).toEqual([1_000, 2_000, 4_000, 5_000, 5_000]);
  worker!.wake('soon');
  expect(await waits(3)).toEqual([1_000, 2_000, 4_000]);
  await waits(1, true);
  expect(await waits(2)).toEqual([1_000, 2_000]);
  worker!.wake();
  await waits(1);
  expect(await waits(2)).toEqual([1_000, 2_000]);
});
