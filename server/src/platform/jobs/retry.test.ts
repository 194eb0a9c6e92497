import { describe, expect, it } from 'vitest';
import { doubling, retryOf } from './retry.ts';

const retries = (attempts: number, random: number) =>
  Array.from({ length: attempts }, (_, before) =>
    retryOf({ error: 'E', retryable: true }, before, doubling(attempts), () => random),
  );

describe('the next attempt', () => {
  it('comes twice as late each time, up to half of it earlier by chance, and not after the last', () => {
    const late = retries(6, 1).map(({ retryInMs }) => retryInMs);
    expect(late).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, null]);
    expect(retries(6, 0).map(({ retryInMs }) => retryInMs)).toEqual(late.map((ms) => ms && ms / 2));
    expect(retries(12, 1).at(-2)).toMatchObject({ attempts: 11, retryInMs: 300_000 });
  });

  it('comes not before the time that the other side asks for', () => {
    const failed = { error: 'E', retryable: true, retryAfterMs: 60_000 };
    expect(retryOf(failed, 0, doubling(6), () => 1)).toMatchObject({ attempts: 1, retryInMs: 60_000 });
  });

  it('does not come after a failure that a repetition would not change', () => {
    expect(retryOf({ error: 'E', retryable: false }, 0, doubling(6), () => 1)).toMatchObject({
      attempts: 1,
      retryInMs: null,
    });
  });

  it('has the number of this one if nothing was asked', () => {
    const unasked = { error: 'E', retryable: true, unasked: true } as const;
    expect(retryOf(unasked, 0, doubling(6), () => 1)).toMatchObject({ attempts: 0, retryInMs: 2_000 });
    expect(retryOf(unasked, 5, doubling(6), () => 1)).toMatchObject({ attempts: 5, retryInMs: 32_000 });
  });
});
