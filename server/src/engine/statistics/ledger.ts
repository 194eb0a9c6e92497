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

/** A verdict about a testset that left the service. */
export type Look = {
  /** Hash of the snapshot, so that the same testcases are the same wherever they are stored. */
  snapshot: string;
  runIds: readonly string[];
  metricConfigId: string;
  at: Date;
};

export type Period = 'month' | 'quarter' | 'year';

/** Whether two times are in the same period of the calendar, in UTC. */
const isSamePeriod = (a: Date, b: Date, per: Period): boolean => {
  if (a.getUTCFullYear() !== b.getUTCFullYear()) return false;
  if (per === 'year') return true;
  const [first, second] = [a.getUTCMonth(), b.getUTCMonth()];
  return per === 'month' ? first === second : Math.floor(first / 3) === Math.floor(second / 3);
};

/** What makes two looks one: the same question about the same answers tells nothing new. The order of the runs does not matter. */
const keyOf = ({ snapshot, runIds, metricConfigId }: Look): string =>
  JSON.stringify([snapshot, runIds.toSorted(), metricConfigId]);

/**
 * The number of a look among those of its period. A look that was there before has the number that it had: asking again costs nothing.
 * `earlier` are the looks at the testset in the order of their times.
 */
export const numberOfLook = (earlier: readonly Look[], look: Look, per: Period): number => {
  const keys = new Set<string>();
  for (const each of earlier) {
    if (!isSamePeriod(each.at, look.at, per)) continue;
    keys.add(keyOf(each));
    if (keyOf(each) === keyOf(look)) return keys.size;
  }
  return keys.size + 1;
};
