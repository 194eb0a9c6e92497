/** Tests whether a judge passes outputs of its own model more often than those of other models that people judge alike. */
import { countInWords } from './count-in-words.ts';
import { normalCdf } from './distributions.ts';
import type { Interval } from './estimate-schema.ts';
import { newcombe } from './paired-proportions.ts';

/** A labelled record with the judge's verdict, and whether the judge's own model wrote its output. */
export interface WrittenRecord {
  human: boolean;
  judge: boolean | null;
  own: boolean;
  group: string | null;
}

/** Fewest records of the judge's own model, and of others. */
export const fewestOfSide = 10;

/** Records of one group depend on each other, so the first of each side and label stands for them. */
const distinctOf = (records: readonly WrittenRecord[]): (WrittenRecord & { judge: boolean })[] => {
  const seen = new Set<string>();
  return records.flatMap(({ judge, ...record }, i) => {
    if (judge === null) return [];
    const key = `${record.human} ${record.own} ${record.group ?? `record ${i}`}`;
    if (seen.has(key)) return [];
    seen.add(key);
    return [{ ...record, judge }];
  });
};

export type SelfPreference = {
  numOwn: number;
  numOthers: number;
  /** Pass rate of own outputs minus that of others, at equal labels; null if it cannot be computed. */
  difference: number | null;
  interval: Interval | null;
  p: number | null;
  /** Why there is no test; null with one. */
  reason: string | null;
};

/**
 * The difference of the judge's pass rates, own outputs minus others, within the records that people pass and those that they fail, weighted
 * as Mantel and Haenszel (1959) do, with Newcombe's intervals put together by MOVER (Zou & Donner 2008). The test is that of
 * Cochran, Mantel and Haenszel.
 */
export const testSelfPreference = (records: readonly WrittenRecord[]): SelfPreference => {
  const used = distinctOf(records);
  const numOwn = used.filter(({ own }) => own).length;
  const numOthers = used.length - numOwn;
  const none = { numOwn, numOthers, difference: null, interval: null, p: null };
  if (numOwn < fewestOfSide || numOthers < fewestOfSide)
    return {
      ...none,
      reason: `the judge's own model wrote ${numOwn} of ${countInWords(used.length, 'labelled record')} whose model is known, other models ${numOthers}: it needs ${fewestOfSide} of each`,
    };
  const strata = [true, false].flatMap((human) => {
    const of = (own: boolean) => used.filter((record) => record.human === human && record.own === own);
    const [own, others] = [of(true), of(false)];
    if (own.length === 0 || others.length === 0) return [];
    const passes = (side: typeof own) => side.filter(({ judge }) => judge).length;
    return [{ x: passes(own), n: own.length, y: passes(others), m: others.length }];
  });
  if (strata.length === 0)
    return { ...none, reason: 'people never gave the same label to outputs of its own model and of others' };
  const weights = strata.map(({ n, m }) => (n * m) / (n + m));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let [difference, below, above, score, variance] = [0, 0, 0, 0, 0];
  for (const [i, { x, n, y, m }] of strata.entries()) {
    const weight = weights[i]! / total;
    const own = x / n - y / m;
    const interval = newcombe(x, n, y, m)!;
    difference += weight * own;
    below += (weight * (own - interval.low)) ** 2;
    above += (weight * (interval.high - own)) ** 2;
    const passes = (x + y) / (n + m);
    score += x - n * passes;
    variance += n + m > 1 ? (n * m * passes * (1 - passes)) / (n + m - 1) : 0;
  }
  return {
    numOwn,
    numOthers,
    difference,
    interval: {
      low: Math.max(-1, difference - Math.sqrt(below)),
      high: Math.min(1, difference + Math.sqrt(above)),
    },
    p: variance === 0 ? 1 : 2 * normalCdf(-Math.abs(score) / Math.sqrt(variance)),
    reason: null,
  };
};
