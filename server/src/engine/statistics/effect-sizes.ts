/** Size of a difference on the scales that other studies use. */

import type { OddsRatio } from './comparison-schema.ts';
import type { Interval } from './estimate-schema.ts';
import { momentsOf, wilson, zOf } from './intervals.ts';

/** Cohen's h = 2·arcsin √p₂ − 2·arcsin √p₁. Cohen (1988), Statistical Power Analysis, §6.2. */
export const cohensH = (p1: number, p2: number): number =>
  2 * Math.asin(Math.sqrt(p2)) - 2 * Math.asin(Math.sqrt(p1));

/**
 * Cohen's d with the root mean square of both standard deviations, so that paired and unpaired runs can be compared: Cohen (1988), §2.3;
 * d_av of Lakens (2013), Front. Psychol. 4:863. Null without spread.
 */
export const cohensD = (x: ArrayLike<number>, y: ArrayLike<number>): number | null => {
  const [a, b] = [momentsOf(x), momentsOf(y)];
  const spread = Math.sqrt((a.variance + b.variance) / 2);
  return spread > 0 ? (b.mean - a.mean) / spread : null;
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
