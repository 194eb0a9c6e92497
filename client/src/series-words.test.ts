import { describe, expect, it } from 'vitest';
import { bucketLimits } from './series-words.ts';

const fewGroups = (sentence: string) => ({ code: 'fewGroups' as const, sentence });

describe('what limits single buckets', () => {
  const point = (estimate: number | null, ...sentences: string[]) => ({
    estimate,
    caveats: sentences.map(fewGroups),
  });

  it('is said once for each kind, with the number of buckets that have a figure and the newest sentence', () => {
    const points = [
      point(0.5, 'as of 8'),
      undefined,
      point(null, 'no figure'),
      point(0.9),
      point(0.7, 'as of 10'),
    ];
    expect(bucketLimits(points, point(0.7), 'day')).toEqual(['on 2 of 3 days: as of 10']);
    expect(bucketLimits(points.slice(0, 1), undefined, 'week')).toEqual(['on 1 of 1 week: as of 8']);
  });

  it('is left to the whole range if that has the same limit', () => {
    expect(bucketLimits([point(0.5, 'as of 8')], point(0.5, 'as of 40'), 'day')).toEqual([]);
  });
});
