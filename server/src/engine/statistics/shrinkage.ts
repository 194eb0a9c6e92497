import type { Interval } from './estimate-schema.ts';
import { zOf } from './intervals.ts';

/** Points of the integral over the standard deviation between groups. */
const points = 200;

type Step = { logWeight: number; mean: number; ofMean: number; between: number };

/** The log density of one standard deviation between groups, and the common mean if it is the true one. */
const stepAt = (tau: number, values: readonly number[], variances: readonly number[]): Step => {
  const between = tau * tau;
  let [sum, weighted, logs] = [0, 0, 0];
  for (const [i, value] of values.entries()) {
    const weight = 1 / (variances[i]! + between);
    sum += weight;
    weighted += weight * value;
    logs += Math.log(weight);
  }
  const mean = weighted / sum;
  const misfit = values.reduce(
    (total, value, i) => total + (value - mean) ** 2 / (variances[i]! + between),
    0,
  );
  // Flat in the variance, so proportional to tau in the standard deviation.
  const logWeight = Math.log(tau) + (logs - Math.log(sum) - misfit) / 2;
  return { logWeight, mean, ofMean: 1 / sum, between };
};

/**
 * Returns the mean of each group, shrunk towards the common mean. The worst of thirty small groups is worst partly by chance, so the
 * estimate of a group with little data moves most. The variance between groups is integrated out under a flat prior, so the intervals
 * include its uncertainty. With three groups or fewer nothing moves.
 *
 * Efron & Morris (1975), JASA 70:311–319; Morris & Tang (2011), Stat. Sci. 26:271–287.
 */
export const shrink = (
  values: readonly number[],
  variances: readonly number[],
  level: number,
): { estimate: number; interval: Interval }[] => {
  const z = zOf(level);
  const around = (estimate: number, variance: number) => {
    const half = z * Math.sqrt(variance);
    return { estimate, interval: { low: estimate - half, high: estimate + half } };
  };
  if (values.length <= 3) return values.map((value, i) => around(value, variances[i]!));
  const scale = Math.sqrt(variances.reduce((a, b) => a + b, 0) / variances.length);
  const steps = Array.from({ length: points }, (_, i) => {
    const u = (i + 0.5) / points;
    const step = stepAt((scale * u) / (1 - u), values, variances);
    // The distance between the points grows with tau.
    return { ...step, logWeight: step.logWeight - 2 * Math.log(1 - u) };
  });
  const highest = Math.max(...steps.map(({ logWeight }) => logWeight));
  const weights = steps.map(({ logWeight }) => Math.exp(logWeight - highest));
  const total = weights.reduce((a, b) => a + b, 0);
  return values.map((value, i) => {
    let [first, second] = [0, 0];
    for (const [s, { mean, ofMean, between }] of steps.entries()) {
      const share = variances[i]! / (variances[i]! + between);
      const estimate = value - share * (value - mean);
      const variance = variances[i]! * (1 - share) + share ** 2 * ofMean;
      first += (weights[s]! / total) * estimate;
      second += (weights[s]! / total) * (variance + estimate ** 2);
    }
    return around(first, second - first ** 2);
  });
};
