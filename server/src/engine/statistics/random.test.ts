import { expect, it } from 'vitest';
import { seededRandom, uniform, xoshiro128 } from './random.ts';

// The algorithm of prng.di.unimi.it/xoshiro128starstar.c in Python integers masked to 32 bits, from the state 1, 2, 3, 4.
it('gives the reference sequence of xoshiro128**', () => {
  const random = xoshiro128(1, 2, 3, 4);
  expect(Array.from({ length: 10 }, random)).toEqual([
    11520, 0, 5927040, 70819200, 2031721883, 1637235492, 1287239034, 3734860849, 3729100597, 4258142804,
  ]);
});

it('repeats itself for a seed and differs between seeds', () => {
  const take = (seed: number) => Array.from({ length: 5 }, seededRandom(seed));
  expect(take(7)).toEqual(take(7));
  expect(take(7)).not.toEqual(take(8));
});

it('gives numbers in [0, 1) with mean ½ and variance 1/12', () => {
  const random = seededRandom(1);
  const values = Array.from({ length: 100_000 }, () => uniform(random));
  const mean = values.reduce((a, b) => a + b) / values.length;
  expect(mean).toBeCloseTo(0.5, 2);
  expect(values.reduce((total, x) => total + (x - mean) ** 2, 0) / values.length).toBeCloseTo(1 / 12, 2);
  expect(Math.min(...values.slice(0, 1000))).toBeGreaterThanOrEqual(0);
  expect(Math.max(...values.slice(0, 1000))).toBeLessThan(1);
});
