import { describe, expect, it } from 'vitest';
import { frontierOf, groupLetters } from '../src/pages/runs/ranking.ts';
import { roundTicks } from '../src/ui/chart.tsx';

type Pairs = Parameters<typeof groupLetters>[1];
const pair = (before: string, after: string, verdict: string) =>
  ({ before, after, metrics: [{ metricId: '1', verdict }], notCompared: [] }) as unknown as Pairs[number];

describe('groups of runs that are not shown to differ', () => {
  it('overlap where the run in the middle differs from neither end', () => {
    const pairs = [pair('a', 'b', 'cannot tell'), pair('b', 'c', 'cannot tell'), pair('a', 'c', 'worse')];
    expect([...groupLetters(['a', 'b', 'c'], pairs, '1')]).toEqual([
      ['a', 'A'],
      ['b', 'AB'],
      ['c', 'B'],
    ]);
  });

  it('are one when nothing differs, and one for each run when all do', () => {
    const verdicts = (verdict: string) => [
      pair('a', 'b', verdict),
      pair('b', 'c', verdict),
      pair('a', 'c', verdict),
    ];
    const ranked = ['c', 'b', 'a'];
    expect([...groupLetters(ranked, verdicts('cannot tell'), '1').values()]).toEqual(['A', 'A', 'A']);
    expect([...groupLetters(ranked, verdicts('better'), '1').values()]).toEqual(['A', 'B', 'C']);
  });

  it('are one for runs that cannot be compared', () => {
    const apart = { ...pair('a', 'b', ''), metrics: [] };
    expect([...groupLetters(['a', 'b'], [apart], '1').values()]).toEqual(['A', 'A']);
  });
});

describe('the labels of an axis', () => {
  it.each([
    [0.45, 0.93, [0.5, 0.6, 0.7, 0.8, 0.9]],
    [191, 213, [195, 200, 205, 210]],
    [0, 0.0034, [0, 0.001, 0.002, 0.003]],
    [0.97, 1.03, [0.98, 1, 1.02]],
  ])('from %d to %d are round', (low, high, ticks) => {
    expect(roundTicks(low, high, 5)).toEqual(ticks);
  });

  it('are never more than asked for, and at least two', () => {
    for (let i = 1; i < 400; i++) {
      const ticks = roundTicks(i / 7, i / 7 + i ** 1.7 / 31, 5);
      expect(ticks.length).toBeGreaterThan(1);
      expect(ticks.length).toBeLessThan(6);
      expect(ticks.every((tick) => tick >= i / 7 - 1e-9 && tick <= i / 7 + i ** 1.7 / 31 + 1e-9)).toBe(true);
    }
  });
});

describe('the frontier of quality and cost', () => {
  it('has the points that no other beats; of two alike it has both', () => {
    const points = [
      { id: 'cheap', quality: 0.6, cost: 1 },
      { id: 'good', quality: 0.9, cost: 5 },
      { id: 'beaten', quality: 0.6, cost: 2 },
      { id: 'also cheap', quality: 0.6, cost: 1 },
    ];
    expect([...frontierOf(points)].toSorted()).toEqual(['also cheap', 'cheap', 'good']);
  });
});
