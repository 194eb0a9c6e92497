/**
 * Distribution functions and quantiles, to about 1e-12 relative in both tails.
 *
 * Own code rather than a package: `@stdlib/stats-base-dists-t` alone has 15 direct dependencies, each with its own,
 * and the functions needed fit on two screens with their tests against mpmath and SciPy.
 */
import { binomialDensity, logGamma, regularizedBeta, regularizedGamma } from './special.ts';

/** Φ(z) by the incomplete gamma function: Q(½, z²/2) = 2·Φ(−|z|) (DLMF 7.11.2). */
export const normalCdf = (z: number): number => {
  const [lower, upper] = regularizedGamma(0.5, (z * z) / 2);
  return z < 0 ? upper / 2 : (1 + lower) / 2;
};

/**
 * The x from 0 to `to` where a decreasing upper tail equals `q`: Newton's method, held inside a bracket that bisection shrinks
 * (Numerical Recipes, §9.4).
 */
export const invertUpperTail = (
  upper: (x: number) => number,
  density: (x: number) => number,
  q: number,
  start: number,
  to: number,
): number => {
  let [low, high, x] = [0, to, start];
  for (let i = 0; i < 400; i++) {
    const excess = upper(x) - q;
    if (excess === 0) return x;
    if (excess > 0) low = x;
    else high = x;
    let next = x + excess / density(x);
    if (!(next > low && next < high)) {
      next = high === Number.POSITIVE_INFINITY ? 2 * Math.max(x, 1) : (low + high) / 2;
    }
    if (Math.abs(next - x) <= 2e-16 * Math.abs(next)) return next;
    x = next;
  }
  return x;
};

/** Φ⁻¹(p). The start is Abramowitz & Stegun 26.2.23, which Newton's method on Φ makes exact. */
export const normalQuantile = (p: number): number => {
  if (!(p > 0 && p < 1))
    return p === 0 ? Number.NEGATIVE_INFINITY : p === 1 ? Number.POSITIVE_INFINITY : Number.NaN;
  if (p === 0.5) return 0;
  const q = Math.min(p, 1 - p);
  const t = Math.sqrt(-2 * Math.log(q));
  const start =
    t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
  const density = (z: number) => Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
  const z = invertUpperTail((x) => normalCdf(-x), density, q, start, 40);
  return p < 0.5 ? -z : z;
};

/** P(T > t) of Student's t with `df` degrees of freedom: half of I_{df/(df+t²)}(df/2, ½) (DLMF 8.17; A&S 26.7.1). */
export const tUpper = (t: number, df: number): number => {
  const square = t * t;
  const [tail] = regularizedBeta(df / (df + square), square / (df + square), df / 2, 0.5);
  return t < 0 ? 1 - tail / 2 : tail / 2;
};

/** P(|T| > |t|): the two-sided p-value of a t statistic. */
export const tTwoSided = (t: number, df: number): number => 2 * tUpper(Math.abs(t), df);

/** The quantile of Student's t. */
export const tQuantile = (p: number, df: number): number => {
  if (p === 0.5) return 0;
  const q = Math.min(p, 1 - p);
  const logScale = logGamma((df + 1) / 2) - logGamma(df / 2) - Math.log(df * Math.PI) / 2;
  const density = (t: number) => Math.exp(logScale - ((df + 1) / 2) * Math.log1p((t * t) / df));
  const z = -normalQuantile(q);
  // First term of the Cornish–Fisher expansion (A&S 26.7.5).
  const start = z + (z ** 3 + z) / (4 * df);
  const t = invertUpperTail((x) => tUpper(x, df), density, q, start, Number.POSITIVE_INFINITY);
  return p < 0.5 ? -t : t;
};

/** P(X = k) of the binomial distribution. */
export const binomialPmf = (k: number, n: number, p: number): number => binomialDensity(k, n, p, 1 - p);

/** P(X ≤ k) of the binomial distribution: I_{1−p}(n − k, k + 1) (A&S 26.5.24). */
export const binomialCdf = (k: number, n: number, p: number): number =>
  k < 0 ? 0 : k >= n ? 1 : regularizedBeta(1 - p, p, n - k, k + 1)[0];
