import { expect, it } from 'vitest';
import { isLeap, wholeRows } from '../src/ui/sight.ts';

const none: ReadonlySet<number> = new Set();
const always = () => true;

it('a frame draws no more new rows than it has time for, those in the middle of the sight first', () => {
  const { whole, areAll } = wholeRows(100, 110, none, 3, always);
  expect([...whole].sort()).toEqual([104, 105, 106]);
  expect(areAll).toBe(false);
});

it('rows that stay in sight stay drawn, and frames that follow draw all the others', () => {
  let before: ReadonlySet<number> = new Set([8, 9, 10, 11, 12]);
  let frames = 0;
  for (let areAll = false; !areAll; frames++) {
    const next = wholeRows(10, 20, before, 4, always);
    for (const index of before) if (index >= 10) expect(next.whole).toContain(index);
    ({ areAll, whole: before } = next);
  }
  expect(frames).toBe(2);
  expect([...before].sort((a, b) => a - b)).toEqual([10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20]);
});

it('rows that are not read yet take no time from those that are', () => {
  const { whole, areAll } = wholeRows(0, 9, none, 3, (index) => index >= 7);
  expect([...whole].sort()).toEqual([7, 8, 9]);
  expect(areAll).toBe(true);
});

it('a leap is what leaves nothing of that in sight which was', () => {
  expect(isLeap(701, 700)).toBe(true);
  expect(isLeap(700, 700)).toBe(false);
});
