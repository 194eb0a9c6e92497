import { expect, it, onTestFinished } from 'vitest';
import { ProcessPool } from './process-pool.ts';

it('who gave up after a failed start takes nobody else’s place in the queue with them', async () => {
  const pool = new ProcessPool(
    {
      script: new URL('./there-is-no-such-program.ts', import.meta.url),
      readable: [],
      memoryBytes: 0,
      heapMb: 64,
      longestAnswer: 1_000,
    },
    1,
  );
  onTestFinished(() => pool.close());
  const first = new AbortController();
  await expect(pool.take(first.signal)).rejects.toThrow();
  const second = pool.take();
  first.abort();
  await expect(second).rejects.toThrow();
});
