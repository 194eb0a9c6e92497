/** Size of a difference on the scales that other studies use. */

import { clusterError } from './clusters.ts';
import type { OddsRatio } from './comparison-schema.ts';
import type { Interval } from './estimate-schema.ts';
import { momentsOf, tInterval, wilson, zOf } from './intervals.ts';

/** Cohen's h = 2·arcsin √p₂ − 2·arcsin √p₁. Cohen (1988), Statistical Power Analysis, §6.2. */
export const cohensH = (p1: number, p2: number): number =>
  2 * Math.asin(Math.sqrt(p2)) - 2 * Math.asin(Math.sqrt(p1));

/**
 * The interval of the difference p₂ − p₁ on the scale of h, around the same mean of both rates: it leaves out 0 exactly if that of the
 * difference does, and holds for groups, trials and rates near 0 and 1 as that does.
 */
export const cohensHInterval = (p1: number, p2: number, { low, high }: Interval): Interval => {
  const middle = (p1 + p2) / 2;
  const rate = (p: number) => Math.min(1, Math.max(0, p));
  const at = (difference: number) => cohensH(rate(middle - difference / 2), rate(middle + difference / 2));
  return { low: at(low), high: at(high) };
};

/**
 * Cohen's d with the root mean square of both standard deviations, so that paired and unpaired runs can be compared: Cohen (1988), §2.3;
 * d_av of Lakens (2013), Front. Psychol. 4:863. Null without spread.
 */
export const cohensD = (x: ArrayLike<number>, y: ArrayLike<number>): number | null => {
  const [a, b] = [momentsOf(x), momentsOf(y)];
  const spread = Math.sqrt((a.variance + b.variance) / 2);
  return spread > 0 ? (b.mean - a.mean) / spread : null;
};

type Errors = { standardError: number | null; df: number };

const errorOf = (values: Float64Array, groups: Int32Array | null): Errors => {
  if (groups) return clusterError(values, groups);
  const { n, variance } = momentsOf(values);
  return { standardError: n < 2 ? null : Math.sqrt(variance / n), df: n - 1 };
};

/** How much each score moves d if it counts a little more, times n: by the mean, and by the spread (the influence function). */
const influenceOn = (values: Float64Array, sign: 1 | -1, { d, spread }: { d: number; spread: number }) => {
  const { mean, variance } = momentsOf(values);
  return values.map(
    (value) => (sign * (value - mean)) / spread - (d * ((value - mean) ** 2 - variance)) / (4 * spread ** 2),
  );
};

/**
 * The interval of Cohen's d: Student's t with the error of the influence of each testcase (delta method; Hampel 1974, JASA 69:383–393). Unlike the
 * usual formula it needs no normal scores, and groups may be given. `groups` are those of x, and of y if the runs are not paired. Null without
 * spread.
 */
export const cohensDInterval = (
  [x, y]: readonly [Float64Array, Float64Array],
  { isPaired, groups, level }: { isPaired: boolean; groups: readonly (Int32Array | null)[]; level: number },
): Interval | null => {
  const d = cohensD(x, y);
  if (d === null) return null;
  const spread = Math.sqrt((momentsOf(x).variance + momentsOf(y).variance) / 2);
  const [ofX, ofY] = [influenceOn(x, -1, { d, spread }), influenceOn(y, 1, { d, spread })];
  const errors = isPaired
    ? [
        errorOf(
          ofX.map((value, i) => value + ofY[i]!),
          groups[0]!,
        ),
      ]
    : [errorOf(ofX, groups[0]!), errorOf(ofY, groups[1]!)];
  const squares = errors.map(({ standardError }) =>
    standardError === null ? Number.NaN : standardError ** 2,
  );
  const variance = squares.reduce((sum, square) => sum + square, 0);
  if (!(variance > 0)) return null;
  // Satterthwaite, as Welch's test.
  const df = variance ** 2 / squares.reduce((sum, square, i) => sum + square ** 2 / errors[i]!.df, 0);
  return tInterval(d, Math.sqrt(variance), df, level);
};

/**
 * The odds ratio of two paired pass rates given the testcase, wins/losses, with Wilson's interval of wins/(wins + losses) on the scale
 * of odds. Fagerland, Lydersen & Laake (2014), Stat. Med. 33:2850–2875, §6.
 */
export const pairedOddsRatio = (wins: number, losses: number, level: number): OddsRatio | null => {
  const share: Interval | null = wilson(wins, wins + losses, level);
  if (!share) return null;
  return {
    estimate: losses === 0 ? null : wins / losses,
    low: share.low / (1 - share.low),
    high: losses === 0 ? null : share.high / (1 - share.high),
    method: 'conditional on the testcase, wilson score',
  };
};

/**
 * The odds ratio of two independent pass rates, with Gart's interval: half a testcase added to each cell.
 * Woolf (1955), Ann. Hum. Genet. 19:251–253; Gart (1966), Biometrika 53:601–610.
 */
export const unpairedOddsRatio = (
  successes1: number,
  n1: number,
  successes2: number,
  n2: number,
  level: number,
): OddsRatio | null => {
  if (n1 === 0 || n2 === 0) return null;
  const [fails1, fails2] = [n1 - successes1, n2 - successes2];
  const cells = [successes1, fails1, successes2, fails2].map((count) => count + 0.5) as [
    number,
    number,
    number,
    number,
  ];
  const centre = Math.log((cells[2] * cells[1]) / (cells[3] * cells[0]));
  const half = zOf(level) * Math.sqrt(cells.reduce((sum, cell) => sum + 1 / cell, 0));
  return {
    estimate: fails2 * successes1 === 0 ? null : (successes2 * fails1) / (fails2 * successes1),
    low: Math.exp(centre - half),
    high: Math.exp(centre + half),
    method: 'independent runs, gart logit',
  };
};
