import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clusterError, clusteredMeanEstimate } from './clusters.ts';

const unit = { low: 0, high: 1 };
const values = [0.9, 0.8, 0.4, 0.5, 0.45, 0.1, 0.2, 1, 0.7, 0.65, 0.3, 0.35];
const groups = ['a', 'a', 'b', 'b', 'b', 'c', 'c', 'd', 'e', 'e', 'f', 'f'];

// numpy from the definition with n × n matrices: A_g = (I − H_gg)^−½, V = Σ(1'A_g e_g)²/n², and the eigenvalues of G'ΩG with Ω of
// Imbens & Kolesár (2016), ρ by their moments (.6247); the interval by scipy 1.17 t.ppf.
it('CR2 and its degrees of freedom are those of the matrices that define them', () => {
  const error = clusterError(values, groups);
  expect(error.standardError).toBeCloseTo(0.11190828300315309, 12);
  expect(error.df).toBeCloseTo(4.060864389795614, 9);
  const { interval } = clusteredMeanEstimate(values, groups);
  expect(interval!.low).toBeCloseTo(0.22028745824208706, 9);
  expect(interval!.high).toBeCloseTo(0.8380458750912463, 9);
});

// The same, and Wilson's equation (p − p̂)² = t²·p(1 − p)/n_eff solved by scipy.optimize.brentq.
it("one document of 50 beside nine small ones: fewer than 3 effective groups, Wilson's interval on the effective n", () => {
  const passes = '001101001111111001011111110111111111101101010111011110000011110100101110010';
  const sizes = [50, 3, 1, 4, 2, 5, 1, 2, 3, 4];
  const labels = sizes.flatMap((size, g) => Array.from({ length: size }, () => g));
  const result = clusteredMeanEstimate(Array.from(passes, Number), labels, 0.95, unit);
  expect(result.standardError).toBeCloseTo(0.09148876362797025, 12);
  expect(result.effectiveN).toBeCloseTo(1 + 1.8158939099651563, 8);
  expect(result.interval!.low).toBeCloseTo(0.2552764901459307, 8);
  expect(result.interval!.high).toBeCloseTo(0.9119847608841715, 8);
  expect(result.caveats.map(({ code }) => code)).toContain('fewGroups');
  expect(result.warnings[0]).toContain(
    '10 groups are of unequal size and carry as much information as about 2.8 equal ones',
  );
});

// statsmodels 0.15: OLS(x, np.ones(n)).fit(cov_type='cluster', …, use_t=True): for equal sizes CR2 is its CR1, with G − 1.
it("for groups of equal size it is statsmodels' CR1 with G − 1 degrees of freedom, for any data", () => {
  const data = fc.array(
    fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true })),
    {
      minLength: 3,
      maxLength: 20,
    },
  );
  fc.assert(
    fc.property(data, (pairs) => {
      const G = pairs.length;
      const error = clusterError(
        pairs.flat(),
        pairs.flatMap((_, g) => [g, g]),
      );
      const mean = pairs.flat().reduce((a, b) => a + b, 0) / (2 * G);
      const squares = pairs.reduce((sum, [a, b]) => sum + (a + b - 2 * mean) ** 2, 0);
      expect(error.standardError).toBeCloseTo(Math.sqrt((G / (G - 1)) * squares) / (2 * G), 9);
      if (squares > 1e-9) expect(error.df).toBeCloseTo(G - 1, 6);
    }),
  );
});

describe('groups that do not differ are an answer', () => {
  it('20 groups of 3 that all pass: Wilson on 20', () => {
    const labels = Array.from({ length: 60 }, (_, i) => i % 20);
    const result = clusteredMeanEstimate(Array(60).fill(1), labels, 0.95, unit);
    // statsmodels: proportion_confint(20, 20, .05, 'wilson')
    expect(result.interval).toEqual({ low: expect.closeTo(0.8388748419471804, 9), high: 1 });
  });
  it('groups of unequal size count as their effective number', () => {
    const labels = Array.from({ length: 60 }, (_, i) => (i < 41 ? 0 : i - 40));
    const result = clusteredMeanEstimate(Array(60).fill(1), labels, 0.95, unit);
    expect(result.effectiveN).toBeCloseTo(60 ** 2 / (41 ** 2 + 19), 9);
    expect(result.interval!.low).toBeLessThan(0.4);
  });
});
