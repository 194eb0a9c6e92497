/** Tests whether another judge decides like this one: two one-sided tests on paired verdicts, among records that people pass and that they fail. */

import { caveatOfFew, caveatsOf } from './caveats.ts';
import { type ClusterError, caveatOfGroups, clusterError } from './clusters.ts';
import { countInWords } from './count-in-words.ts';
import { normalQuantile } from './distributions.ts';
import type { Interval } from './estimate-schema.ts';
import { holm } from './holm.ts';
import { defaultLevel, tInterval } from './intervals.ts';
import { adjustedPairedError, tango } from './paired-proportions.ts';
import type { Equivalence, Stratum } from './trial-schema.ts';
import { intervalInWords, sizeInWords } from './verdict.ts';

/** A labelled record with the verdicts of people, the judge in use and another judge. */
export interface JudgedTwice {
  human: boolean;
  before: boolean;
  /** Null when the other judge gave no verdict. */
  after: boolean | null;
  /** Records of one group depend on each other; null for a record without a group. */
  group: string | null;
}

/** Below this many changed verdicts their correlation within groups is unknown, and a group counts as one record. */
const fewChanges = 10;

interface Pairs {
  n: number;
  before: number;
  after: number;
  nowPass: number;
  nowFail: number;
  missing: number;
  clusters: ClusterError | null;
}

const pairsOf = (records: readonly JudgedTwice[]): Pairs => {
  const counts = { before: 0, after: 0, nowPass: 0, nowFail: 0, missing: 0 };
  const [differences, groups]: [number[], string[]] = [[], []];
  for (const { before, after, group } of records) {
    if (after === null) {
      counts.missing++;
      continue;
    }
    counts.before += Number(before);
    counts.after += Number(after);
    if (after !== before) counts[after ? 'nowPass' : 'nowFail']++;
    groups.push(group ?? `record ${differences.length}`);
    differences.push(Number(after) - Number(before));
  }
  const grouped = new Set(groups).size < groups.length;
  return { ...counts, n: differences.length, clusters: grouped ? clusterError(differences, groups) : null };
};

/**
 * The interval of the difference. With groups, the design effect sets the weight of the records. The interval also includes that of
 * `clusterError`, whose t alone is too narrow when few verdicts change.
 */
const intervalOf = ({ n, nowPass, nowFail, missing, clusters }: Pairs, level: number): Interval | null => {
  if (n < 2) return null;
  let effective = n;
  let robust: Interval | null = null;
  if (clusters) {
    if (clusters.standardError === null) return null;
    const difference = (nowPass - nowFail) / n;
    const independent = ((nowPass + nowFail) / n - difference ** 2) / n;
    const isSparse = nowPass + nowFail < fewChanges || independent <= 0;
    const designEffect = isSparse
      ? n / clusters.equalGroups
      : Math.max(1, clusters.standardError ** 2 / independent);
    effective = n / designEffect;
    if (clusters.standardError > 0)
      robust = tInterval(clusters.mean, clusters.standardError, clusters.df, level);
  }
  const scale = effective / n;
  const score = tango(nowPass * scale, nowFail * scale, effective, level)!;
  // A missing verdict could be either: Manski (1989), J. Hum. Resour. 24:343–360.
  const unknown = missing / (n + missing);
  return {
    low: Math.max(-1, Math.min(score.low, robust?.low ?? 1) - unknown),
    high: Math.min(1, Math.max(score.high, robust?.high ?? -1) + unknown),
  };
};

const isWithin = (interval: Interval | null, margin: number): boolean =>
  interval !== null && interval.low > -margin && interval.high < margin;

/** The smallest α at which both one-sided tests reject, by the interval at the level 1 − 2α. */
const pOf = (pairs: Pairs, margin: number): number | null => {
  if (intervalOf(pairs, 0.5) === null) return null;
  let [low, high] = [1e-9, 0.5];
  if (!isWithin(intervalOf(pairs, 1 - 2 * (high - 1e-9)), margin)) return 1;
  for (let i = 0; i < 40; i++) {
    const middle = (low + high) / 2;
    if (isWithin(intervalOf(pairs, 1 - 2 * middle), margin)) high = middle;
    else low = middle;
  }
  return high;
};

/** Power to show that two equal judges are equal. */
const power = 0.8;

const stratumOf = (pairs: Pairs, margin: number, alpha: number): Stratum => {
  const { n, before, after, nowPass, nowFail, missing, clusters } = pairs;
  const changed = (nowPass + nowFail + 1) / (n + 2);
  return {
    n,
    before: n === 0 ? null : before / n,
    after: n === 0 ? null : after / n,
    difference: n === 0 ? null : (after - before) / n,
    standardError:
      n === 0 ? null : Math.max(adjustedPairedError(nowPass, nowFail, n), clusters?.standardError ?? 0),
    interval: intervalOf(pairs, 1 - 2 * alpha),
    nowPass,
    nowFail,
    missing,
    numNeeded: Math.ceil(
      ((normalQuantile(1 - alpha) + normalQuantile((1 + power) / 2)) / margin) ** 2 * changed,
    ),
  };
};

const kinds = [
  ['passedByPeople', 'that people pass'],
  ['failedByPeople', 'that people fail'],
] as const;

type Measured = Omit<Equivalence, 'verdict' | 'sentence' | 'adjustedP'>;

const measure = (records: readonly JudgedTwice[], margin: number, level: number): Measured => {
  const alpha = 1 - level;
  const passed = pairsOf(records.filter(({ human }) => human));
  const failed = pairsOf(records.filter(({ human }) => !human));
  const ps = [pOf(passed, margin), pOf(failed, margin)];
  const missing = passed.missing + failed.missing;
  return {
    method:
      'two one-sided tests by tango score intervals, among records that people pass and that they fail' +
      (passed.clusters || failed.clusters ? '; groups by their design effect and CR2' : ''),
    level,
    margin,
    passedByPeople: stratumOf(passed, margin, alpha),
    failedByPeople: stratumOf(failed, margin, alpha),
    p: ps.some((p) => p === null) ? null : Math.max(...(ps as number[])),
    assumption:
      'among the records that people pass, and among those that they fail, the labelled ones resemble those that the judge will decide',
    ...caveatsOf(
      missing > 0
        ? {
            code: 'missingVerdicts',
            sentence: `${countInWords(missing, 'labelled record')} without a verdict: the intervals allow for either`,
          }
        : null,
      ...[passed, failed].map(({ clusters }) => clusters && caveatOfGroups(clusters)),
      caveatOfFew(passed.n + failed.n, 'labelled record'),
    ),
  };
};

const conclude = (
  measured: Measured,
  adjustedP: number | null,
): Pick<Equivalence, 'verdict' | 'sentence'> => {
  const { margin, level } = measured;
  const within = sizeInWords(margin, true);
  if (adjustedP !== null && adjustedP <= 1 - level + 1e-12)
    return {
      verdict: 'equivalent',
      sentence: `equivalent: it passes as many records that people pass, and as many that they fail, within ${within}`,
    };
  for (const [name, words] of kinds) {
    const { interval } = measured[name];
    if (interval && (interval.low >= margin || interval.high <= -margin))
      return {
        verdict: 'not equivalent',
        sentence: `not equivalent: of the records ${words} it passes ${intervalInWords(interval, true)} points more (margin ${within})`,
      };
  }
  const open = kinds.filter(([name]) => !isWithin(measured[name].interval, margin));
  const why = (open.length > 0 ? open : kinds).map(([name, words]) => {
    const { n, numNeeded: needed } = measured[name];
    return n < 2
      ? `it needs labelled records ${words}, and has ${n}`
      : `${countInWords(n, 'record')} ${words}, and about ${Math.max(needed, 2)} show two equal judges to be so within ${within}`;
  });
  return { verdict: 'cannot tell', sentence: `cannot tell: ${why.join('; ')}` };
};

/**
 * Tests each candidate against the judge in use. A candidate is equivalent if its sensitivity and its rate of false passes both lie within
 * `margin` of the judge's: the pass rate of any system, good or bad, then changes by less than `margin`. Each of the four one-sided tests
 * must reject (Berger 1982, Technometrics 24:295–300; Schuirmann 1987, J. Pharmacokinet. Biopharm. 15:657–680), and Holm's adjustment over
 * the candidates keeps the chance of any wrong acceptance at 1 − level.
 */
export const testEquivalence = (
  candidates: readonly (readonly JudgedTwice[])[],
  margin: number,
  level = defaultLevel,
): Equivalence[] => {
  const all = candidates.map((records) => measure(records, margin, level));
  const adjusted = holm(all.map(({ p }) => p));
  return all.map((measured, i) => {
    const adjustedP = adjusted[i] ?? null;
    return { ...measured, adjustedP, ...conclude(measured, adjustedP) };
  });
};
