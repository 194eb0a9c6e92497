/**
 * A ledger of looks at a testset. A gate that is asked often about the same testcases finds a difference by luck: at 2.5 % each, twenty looks
 * at changes of nothing ship a false "better" in 28 % of projects. The ledger gives each look a part of one level.
 */

/** The sum of t^-1.5 over all t, Riemann's zeta at 1.5. */
const zeta = 2.612375348685488;

/**
 * The share of the level that look t gets; all shares add up to 1. By the union bound, the chance of any false verdict among all looks is at
 * most the level, however the looks depend on each other: they share testcases, baselines and people. The power 1.5 is a compromise: with 2
 * the twentieth look is tested at a third of this level, with less the first one loses more than a fifth of its power.
 */
export const shareOfLook = (t: number): number => t ** -1.5 / zeta;

/** The level at which look t is tested, when all looks together may err with probability `alpha`. */
export const levelOfLook = (alpha: number, t: number): number => alpha * shareOfLook(t);

/** The part of `alpha` that is left after `looks` looks. */
export const levelLeft = (alpha: number, looks: number): number => {
  let spent = 0;
  for (let t = 1; t <= looks; t++) spent += shareOfLook(t);
  return alpha * Math.max(0, 1 - spent);
};

/** The periods of a ledger: those of the calendar, in UTC. */
export const periods = ['month', 'quarter', 'year'] as const;
export type Period = (typeof periods)[number];
