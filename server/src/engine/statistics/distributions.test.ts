import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  binomialCdf,
  binomialPmf,
  normalCdf,
  normalQuantile,
  tQuantile,
  tTwoSided,
  tUpper,
} from './distributions.ts';
import { regularizedBeta, regularizedGamma } from './special.ts';

const relative = (actual: number, expected: number): number => Math.abs(actual / expected - 1);

// mpmath 1.3 with mp.dps = 40: betainc(df/2, 1/2, 0, df/(df+t*t), regularized=True)/2; quantiles with findroot on it.
// SciPy's own t.ppf is good to 2e-11 only (12.706204736432095 for .975 at 1 degree of freedom; tan(.475π) = 12.706204736174…).
it.each([
  [2.5, 1, 0.1211189415908434],
  [1.2, 3, 0.1581310573490526],
  [-4.0621, 9, 0.9985834960798049],
  [0.001, 50, 0.49960304738775085],
  [5, 1318, 3.252493892591378e-7],
  [30, 5, 3.859324310248026e-7],
])('P(T > %f) with %i degrees of freedom is right to 1e-12', (t, df, expected) => {
  expect(relative(tUpper(t, df), expected)).toBeLessThan(1e-12);
});

it('P(T > 1.96) with 100,000 degrees of freedom is right to 1e-11', () => {
  expect(relative(tUpper(1.96, 1e5), 0.02499928159715082)).toBeLessThan(1e-11);
});

it.each([
  [0.975, 1, 12.706204736174692],
  [0.975, 2, 4.302652729749462],
  [0.8, 4, 0.9409645772351813],
  [0.975, 9, 2.262157162798205],
  [0.025, 30, -2.042272456301238],
  [0.995, 1318, 2.579564703968318],
  [0.975, 99999, 1.9599877077718444],
])('the %f quantile of t with %i degrees of freedom is right to 1e-11', (p, df, expected) => {
  expect(relative(tQuantile(p, df), expected)).toBeLessThan(1e-11);
});

// python -c "from scipy.stats import norm; print(norm.cdf(z), norm.ppf(p))"
it.each([
  [-8, 6.22096057427174e-16],
  [-1.96, 0.024997895148220435],
  [-0.3, 0.3820885778110474],
  [0, 0.5],
  [0.001, 0.500398942213911],
  [1.5, 0.9331927987311419],
  [4, 0.9999683287581669],
])('Φ(%f) is right to 1e-12', (z, expected) => {
  expect(relative(normalCdf(z), expected)).toBeLessThan(1e-12);
});
it.each([
  [1e-12, -7.034483825301131],
  [0.025, -1.9599639845400545],
  [0.3, -0.5244005127080409],
  [0.8, 0.8416212335729143],
  [0.999, 3.090232306167813],
])('the %f quantile of the normal distribution is right to 1e-12', (p, expected) => {
  expect(relative(normalQuantile(p), expected)).toBeLessThan(1e-12);
});

// python -c "from scipy.stats import chi2; print(chi2.cdf(x, df), chi2.sf(x, df))"
it.each([
  [3.84, 1, 0.9499564787512949, 0.05004352124870519],
  [0.1, 2, 0.04877057549928599, 0.951229424500714],
  [10, 5, 0.9247647538534878, 0.07523524614651217],
  [300, 250, 0.9834817268421313, 0.016518273157868715],
  [0.001, 3, 8.40791905804616e-6, 0.9999915920809419],
])(
  'the incomplete gamma function, as both tails of χ² at %f with %i degrees of freedom, is right to 1e-12',
  (x, df, ...tails) => {
    for (const [i, tail] of regularizedGamma(df / 2, x / 2).entries())
      expect(relative(tail, tails[i]!)).toBeLessThan(1e-12);
  },
);

// python -c "from scipy.stats import beta; print(beta.cdf(x, a, b))"
it.each([
  [0.3, 2, 5, 0.5798250000000003],
  [0.01, 0.5, 0.5, 0.06376856085851985],
  [0.63, 400, 230, 0.3961256338963601],
  [0.999, 50000, 40, 0.06380832048665626],
])('the incomplete beta function at %f (%f, %f) is right to 1e-11', (x, a, b, expected) => {
  expect(relative(regularizedBeta(x, 1 - x, a, b)[0], expected)).toBeLessThan(1e-11);
});

// python -c "from scipy.stats import binom; print(binom.pmf(k, n, p), binom.cdf(k, n, p))"
it.each([
  [1, 8, 0.5, 9 / 256 - 1 / 256, 0.03515625],
  [200, 484, 0.5, 2.4218898812853596e-5, 7.796947319708621e-5],
  [49700, 100000, 0.5, 0.000417072960984171, 0.02909867655509517],
  [3, 10, 0.1, 0.05739562799999998, 0.9872048016],
  [0, 20, 0.05, 0.35848592240854216, 0.35848592240854227],
])('P(X = %i) and P(X ≤ %i) of binomial(%i, %f) are right to 1e-12', (k, n, p, pmf, cdf) => {
  expect(relative(binomialPmf(k, n, p), pmf)).toBeLessThan(1e-12);
  expect(relative(binomialCdf(k, n, p), cdf)).toBeLessThan(1e-12);
});

describe('for any argument', () => {
  const probability = fc.double({ min: 1e-9, max: 1 - 1e-9, noNaN: true });
  it('a quantile is the inverse of its distribution function', () => {
    fc.assert(
      fc.property(probability, fc.integer({ min: 1, max: 5000 }), (p, df) => {
        expect(relative(1 - tUpper(tQuantile(p, df), df), p)).toBeLessThan(1e-6);
        expect(relative(normalCdf(normalQuantile(p)), p)).toBeLessThan(1e-9);
      }),
    );
  });
  it('t is symmetric: both tails of ±t weigh the same', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 50, noNaN: true }), fc.integer({ min: 1, max: 1000 }), (t, df) => {
        expect(tUpper(t, df) + tUpper(-t, df)).toBeCloseTo(1, 12);
        expect(tTwoSided(-t, df)).toBe(tTwoSided(t, df));
      }),
    );
  });
});

it('the regularized beta function ends where rounding puts both x and 1 − x above their line', () => {
  const [lower, upper] = regularizedBeta(0.5196926032660903, 0.48030739673390976, 0.623, 0.5);
  expect(lower + upper).toBeCloseTo(1, 14);
  expect(lower).toBeCloseTo(regularizedBeta(0.51969260326, 1 - 0.51969260326, 0.623, 0.5)[0], 10);
});
