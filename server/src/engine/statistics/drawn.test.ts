import { describe, expect, it } from 'vitest';
import { coverageOf, rateOf } from '../../../test/coverage.ts';
import { drawnRates, drawnWorlds, wrongDraws } from '../../../test/drawn-worlds.ts';
import { weighDraw } from './drawn.ts';
import { seededRandom } from './random.ts';
import { weightedEstimate } from './weighted.ts';

const options = { level: 0.95, bounds: { low: 0, high: 1 }, isCounted: true };
const none = Number.NaN;

const recordsOf = (strata: number[], values: number[], units = strata.map((_, i) => i)) => ({
  units: Int32Array.from(units),
  clusters: Int32Array.from(units),
  strata: Int32Array.from(strata),
  values: Float64Array.from(values),
});

describe('weighDraw', () => {
  it('lets each score stand for the records of its stratum', () => {
    // Of 4 in stratum 0 all are scored, half of them passes; of 16 in stratum 1 four, all passes.
    const strata = [...new Array(4).fill(0), ...new Array(16).fill(1)];
    const values = [1, 0, 1, 0, 1, 1, 1, 1, ...new Array(12).fill(none)];
    const { weighed, numUnknown } = weighDraw(recordsOf(strata, values));
    const found = weightedEstimate(weighed, options);
    expect(found.estimate).toBeCloseTo((4 * 0.5 + 16) / 20, 12);
    expect(found.n).toBe(8);
    expect(found.interval!.high).toBeLessThan(1);
    expect(numUnknown).toBe(0);
  });

  it('counts trials as parts of their testcase, and strata with one score by their weight', () => {
    // Testcase 0 has two trials, one of them scored; stratum 2 has one record.
    const { weighed } = weighDraw(
      recordsOf([0, 0, 0, 0, 1, 1, 2], [1, none, 0, 1, 1, 0, 0], [0, 0, 1, 2, 3, 4, 5]),
    );
    const found = weightedEstimate(weighed, options);
    // Stratum 0 has three testcases: halves and wholes scored are 2.5, and 1.5 pass.
    expect(found.estimate).toBeCloseTo((3 * (1.5 / 2.5) + 2 * 0.5 + 0) / 6, 12);
    expect(found.interval).not.toBeNull();
  });

  it('counts the records of strata without a score, and is about the others', () => {
    const found = weighDraw(recordsOf([0, 0, 1, 1, 1], [1, 0, none, none, none]));
    expect(found).toMatchObject({ numRecords: 5, numUnknown: 3 });
    expect(weightedEstimate(found.weighed, options).estimate).toBe(0.5);
    const nothing = weighDraw(recordsOf([0, 1], [none, none]));
    expect(weightedEstimate(nothing.weighed, options)).toMatchObject({ estimate: null, interval: null });
  });

  it.each(drawnWorlds.map((world) => [world.name, world] as const))('%s: the interval holds', (_, world) => {
    expect(coverageOf(world, 150, seededRandom(3)).held).toBeGreaterThan(0.9);
  });

  it('reports no difference of the draws as one of the runs', () => {
    for (const rate of drawnRates) expect(rateOf(rate, 200, seededRandom(5))).toBeLessThan(0.06);
  });

  it('where a plain rate shows 77 % for a truth of 90 %, and its interval never holds it', () => {
    const [world] = wrongDraws;
    expect(coverageOf(world!, 200, seededRandom(7)).held).toBeLessThan(0.1);
  });
});
