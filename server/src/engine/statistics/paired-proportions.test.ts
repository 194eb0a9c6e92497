import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { detectablePairedRates, fisherExact, mcnemar, newcombe, tango } from './paired-proportions.ts';

// statsmodels 0.15: mcnemar([[0, b], [c, 0]], exact=True).pvalue; mid-p 2*binom.cdf(m, n, .5) - binom.pmf(m, n, .5)
it.each([
  [1, 7, 0.0703125, 0.0390625],
  [7, 1, 0.0703125, 0.0390625],
  [100, 384, 2.918880160141003e-40, 1.836866538290022e-40],
])('McNemar of %i wins and %i losses', (wins, losses, exact, midP) => {
  const result = mcnemar(wins, losses);
  expect(result.exact / exact).toBeCloseTo(1, 9);
  expect(result.midP / midP).toBeCloseTo(1, 9);
});
it('McNemar of as many wins as losses: exact 1, mid-p 1 − ½·P(X = n/2)', () => {
  expect(mcnemar(4, 4).exact).toBe(1);
  expect(mcnemar(4, 4).midP).toBeCloseTo(1 - 70 / 256 / 2, 12);
  expect(mcnemar(0, 0)).toEqual({ exact: 1, midP: 1 });
});

// SciPy: the score test with P(loss) maximised by optimize.brentq on the likelihood's derivative, inverted by brentq.
// The first row is Fagerland, Lydersen & Laake (2014), airway data 1, 1, 7, 12: −0.517 to −0.026.
it.each([
  [1, 7, 21, -0.5172322764213774, -0.026003032480868563],
  [40, 20, 160, 0.03086453313308736, 0.21806424416682563],
  [12, 5, 40, -0.028648656091353763, 0.36611173724929214],
  [3, 0, 50, -0.015628455081360255, 0.16217091688838173],
])("Tango's interval of %i wins and %i losses in %i", (wins, losses, n, low, high) => {
  expect(tango(wins, losses, n)!.low).toBeCloseTo(low, 9);
  expect(tango(wins, losses, n)!.high).toBeCloseTo(high, 9);
});

// statsmodels 0.15: confint_proportions_2indep(x2, n2, x1, n1, method='newcomb', compare='diff').
// The second row is Newcombe (1998), example a (56/70 against 48/80): .0524 to .3339.
it.each([
  [286, 1319, 515, 1319, 0.1388940387023399, 0.20776318772512936],
  [48, 80, 56, 70, 0.05243147240236498, 0.33387265403690614],
  [0, 10, 10, 10, 0.6075093504305241, 1],
])("Newcombe's interval of %i in %i against %i in %i", (x1, n1, x2, n2, low, high) => {
  expect(newcombe(x1, n1, x2, n2)!.low).toBeCloseTo(low, 9);
  expect(newcombe(x1, n1, x2, n2)!.high).toBeCloseTo(high, 9);
});

// scipy 1.12: fisher_exact([[x1, n1 - x1], [x2, n2 - x2]])[1]
it.each([
  [19, 20, 551, 580, 1],
  [10, 20, 560, 580, 2.6219518734068094e-9],
  [0, 5, 5, 5, 0.007936507936507938],
  [3, 10, 9, 12, 0.0835573095635015],
])("Fisher's exact test of %i in %i against %i in %i", (x1, n1, x2, n2, p) => {
  expect(fisherExact(x1, n1, x2, n2) / p).toBeCloseTo(1, 9);
});

describe('for any counts', () => {
  const counts = fc
    .tuple(fc.nat(200), fc.nat(200), fc.nat(400))
    .filter(([wins, losses, same]) => wins + losses + same > 0);
  it('the interval holds the difference, stays in [−1, 1], and mirrors when the runs are swapped', () => {
    fc.assert(
      fc.property(counts, ([wins, losses, same]) => {
        const n = wins + losses + same;
        const { low, high } = tango(wins, losses, n)!;
        const difference = (wins - losses) / n;
        expect(low).toBeGreaterThanOrEqual(-1);
        expect(high).toBeLessThanOrEqual(1);
        expect(low).toBeLessThanOrEqual(difference);
        expect(high).toBeGreaterThanOrEqual(difference);
        const swapped = tango(losses, wins, n)!;
        expect(swapped.low).toBeCloseTo(-high, 9);
        expect(mcnemar(wins, losses)).toEqual(mcnemar(losses, wins));
      }),
    );
  });
  it('the interval excludes 0 exactly where the asymptotic score test rejects', () => {
    fc.assert(
      fc.property(counts, ([wins, losses, same]) => {
        fc.pre(wins + losses > 0);
        const z = Math.abs(wins - losses) / Math.sqrt(wins + losses);
        fc.pre(Math.abs(z - 1.959963984540054) > 1e-6);
        const { low, high } = tango(wins, losses, wins + losses + same)!;
        expect(low > 0 || high < 0).toBe(z > 1.959963984540054);
      }),
    );
  });
});

// scipy: brentq on Connor's equation with ψ = (b + c + 1)/(n + 2), the difference seen taken out of the noise.
it.each([
  [5, 5, 50, 0.95, 0.2610783829506355],
  [30, 20, 300, 0.95, 0.07345101531329896],
  [0, 0, 100, 0.95, 0.08396686984138313],
  [30, 20, 300, 0.995, 0.10181613152633572],
])('%i wins, %i losses of %i at level %f: %f can be seen', (wins, losses, n, level, expected) => {
  expect(detectablePairedRates(wins, losses, n, level, 0.8)).toBeCloseTo(expected, 9);
});
