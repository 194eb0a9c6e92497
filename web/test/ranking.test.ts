import { describe, expect, it } from 'vitest';
import { frontierOf, groupLetters } from '../src/pages/runs/ranking.ts';

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
