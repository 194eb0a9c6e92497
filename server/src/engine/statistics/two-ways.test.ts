import { describe, expect, it } from 'vitest';
import { clusterError } from './clusters.ts';
import { seededRandom, uniform } from './random.ts';
import { twoWayMeanEstimate } from './two-ways.ts';

const bounds = { low: 0, high: 1 };

describe('the mean over a table', () => {
  const values = [1, 1, 0, 1, 0, 0];
  const rows = ['a', 'a', 'a', 'b', 'b', 'b'];
  const columns = ['x', 'y', 'z', 'x', 'y', 'z'];

  it('has the variance by row plus that by column minus that of the cells, and at least the larger', () => {
    const se = (labels: ArrayLike<string | number>) => clusterError(values, labels).standardError! ** 2;
    const [r, c, cell] = [se(rows), se(columns), se(values.map((_, i) => i))];
    const found = twoWayMeanEstimate(values, rows, columns, bounds);
    expect(found.standardError! ** 2).toBeCloseTo(Math.max(r + c - cell, r, c), 12);
    expect(found).toMatchObject({ estimate: 0.5, n: 6, effectiveN: 2, reason: null });
  });

  it('has no interval from one row, and no number from none', () => {
    expect(twoWayMeanEstimate([1, 0], ['a', 'a'], ['x', 'y'], bounds)).toMatchObject({
      estimate: 0.5,
      interval: null,
      reason: 'an interval needs two rows and two columns',
    });
    expect(twoWayMeanEstimate([], [], [], bounds)).toMatchObject({ estimate: null, interval: null });
  });

  it('covers the truth in 93 % and more of 1,000 tables whose rows and columns differ, where cells alone cover in fewer', () => {
    const seeded = seededRandom(1);
    const random = () => uniform(seeded);
    const size = 8;
    let [two, one] = [0, 0];
    for (let table = 0; table < 1_000; table++) {
      const effect = () => Array.from({ length: size }, () => (random() - 0.5) * 0.5);
      const [ofRow, ofColumn] = [effect(), effect()];
      const cells = Array.from({ length: size * size }, (_, i) => [Math.floor(i / size), i % size] as const);
      const drawn = cells.map(([r, c]) => Number(random() < 0.5 + ofRow[r]! + ofColumn[c]!));
      const covers = (labels: [number[], number[]]) => {
        const { interval } = twoWayMeanEstimate(drawn, ...labels, bounds);
        return Number(interval!.low <= 0.5 && 0.5 <= interval!.high);
      };
      const each = cells.map((_, i) => i);
      two += covers([cells.map(([r]) => r), cells.map(([, c]) => c)]);
      one += covers([each, each]);
    }
    expect(two / 1_000).toBeGreaterThanOrEqual(0.93);
    expect(one).toBeLessThan(two);
  });
});
