import { expect, it } from 'vitest';
import { inBatches, type Numbers } from './propose.ts';

it.each([0, 1, 20_000, 20_001, 65_432])('of %i records each is in one batch, in order', async (count) => {
  const batches: Numbers[] = [];
  await inBatches(count, async (numbers) => void batches.push(numbers));
  let next = 1;
  for (const { first, last } of batches) {
    expect(first).toBe(next);
    expect(last - first).toBeLessThan(20_000);
    next = last + 1;
  }
  expect(next).toBe(count + 1);
});
