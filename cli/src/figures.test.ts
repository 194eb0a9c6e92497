import { expect, it } from 'vitest';
import { countOf, countsOf } from './figures.ts';

it('countOf and countsOf use the singular for one', () => {
  expect([0, 1, 2, 1_319].map((n) => countOf(n, 'record'))).toEqual([
    '0 records',
    '1 record',
    '2 records',
    '1,319 records',
  ]);
  expect(countsOf({ runs: 1, replies: 1, testcases: 2 })).toBe('1 run, 1 reply, 2 testcases');
});
