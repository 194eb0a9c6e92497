import { expect, it } from 'vitest';
import { codeSeconds } from './durations.ts';

it('code takes as long as its records one after the other, divided by the processes that get enough of them', () => {
  expect(codeSeconds(1_000, 5, 4)).toBe(5);
  expect(codeSeconds(2_000, 5, 4)).toBe(5);
  expect(codeSeconds(100_000, 5, 4)).toBe(125);
  expect(codeSeconds(0, 5, 4)).toBe(0);
});
