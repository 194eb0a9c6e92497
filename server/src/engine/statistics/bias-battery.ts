/** Tests whether edits that keep the truth change a judge's verdicts: a bias battery, corrected for the judge's own noise. */
import { countInWords } from './count-in-words.ts';
import { normalQuantile } from './distributions.ts';
import { holm } from './holm.ts';
import { defaultLevel } from './intervals.ts';
import { defaultPower, detectableErrors, detectablePairedRates, mcnemar } from './paired-proportions.ts';
import { testPairs } from './paired-tests.ts';
import type { BiasTest } from './trial-schema.ts';

/** The verdicts of a judge on one record: twice as it is, and once edited. Null without a verdict. */
export interface JudgedEdited {
  reference: boolean | null;
  placebo: boolean | null;
  edited: boolean | null;
  /** Records of one group depend on each other; null for a record without a group. */
  group: string | null;
}

/** Largest number of further records that an answer names. */
const mostRecords = 100_000;

const codesOf = (groups: readonly (string | null)[]): Int32Array | null => {
  const codes = new Map<string, number>();
  const found = Int32Array.from(groups, (group, i) => {
    const name = group ?? `record ${i}`;
    codes.set(name, codes.get(name) ?? codes.size);
    return codes.get(name)!;
  });
  return codes.size < found.length ? found : null;
};

const measure = (records: readonly JudgedEdited[]) => {
  const decided = records.filter(
    ({ reference, placebo, edited }) => reference !== null && placebo !== null && edited !== null,
  );
  const before = Float64Array.from(decided, ({ reference, placebo }) => Number(placebo !== reference));
  const after = Float64Array.from(decided, ({ reference, edited }) => Number(edited !== reference));
  const pairs = {
    before,
    after,
    differences: after.map((value, i) => value - before[i]!),
    groups: codesOf(decided.map(({ group }) => group)),
    weighed: null,
  };
  const { interval, reason, p, minimumDetectable } = testPairs(pairs, {
    boolean: true,
    level: defaultLevel,
    power: defaultPower,
    seed: 1,
    test: 'fixed',
    bounds: { low: 0, high: 1 },
  });
  const sum = (values: Float64Array) => values.reduce((total, value) => total + value, 0);
  const changed = (edited: boolean) =>
    decided.filter((record) => record.edited === edited && record.placebo === !edited).length;
  const n = decided.length;
  return {
    n,
    numUndecided: records.length - n,
    numFlips: sum(after),
    numPlaceboFlips: sum(before),
    difference: n === 0 ? null : (sum(after) - sum(before)) / n,
    wins: pairs.differences.filter((value) => value > 0).length,
    losses: pairs.differences.filter((value) => value < 0).length,
    /** By the test of one edit of records that belong together; null if they do not. */
    detectableByGroups: pairs.groups ? minimumDetectable : null,
    interval,
    reason,
    p,
    numToPass: changed(true),
    numToFail: changed(false),
  };
};

type Measured = ReturnType<typeof measure>;

/**
 * Number of further records after which the difference, if it stays as it is, is decided: its interval ends at the margin, or the test finds
 * it. The discordant share has half a pair added to each cell (Agresti & Min 2005). Null if it is very large.
 */
const moreRecords = ({ n, difference, wins, losses }: Measured, margin: number, tests: number) => {
  if (difference === null) return null;
  const share = (wins + losses + 1) / (n + 2);
  const z = (alpha: number) => normalQuantile(1 - alpha / 2);
  const alpha = 1 - defaultLevel;
  const needed =
    difference < margin
      ? share * (z(alpha) / (margin - difference)) ** 2
      : share * (z(alpha / tests) / difference) ** 2;
  const more = Math.max(10, Math.ceil(needed) - n);
  return more > mostRecords ? null : more;
};

/**
 * The smallest share of flips beyond the placebo that 8 of 10 batteries with these records and this noise find. Null if not even a flip of
 * every record would be found.
 */
const detectableFlips = (
  { n, wins, losses, detectableByGroups }: Pick<Measured, 'n' | 'wins' | 'losses' | 'detectableByGroups'>,
  tests: number,
): number | null => {
  if (n === 0) return null;
  // The smallest p of the battery is compared with α ÷ tests.
  const level = 1 - (1 - defaultLevel) / Math.max(1, tests);
  const share =
    detectableByGroups === null
      ? detectablePairedRates(wins, losses, n, level, defaultPower)
      : (detectableByGroups * detectableErrors(level)) / detectableErrors();
  return share < 1 ? share : null;
};

/** The same for a battery that has not begun, of a judge without noise. */
export const detectableWith = (n: number, tests: number): number | null =>
  detectableFlips({ n, wins: 0, losses: 0, detectableByGroups: null }, tests);

const verdictOf = ({ interval, difference }: Measured, adjustedP: number | null, margin: number) => {
  // An effect that is shown to be within the margin is none, however small its p.
  if (interval && interval.high <= margin) return 'clear' as const;
  if (adjustedP !== null && adjustedP <= 1 - defaultLevel && difference! > 0) return 'biased' as const;
  return 'cannot tell' as const;
};

const directionOf = ({ numToPass, numToFail }: Measured): BiasTest['direction'] => {
  if (mcnemar(numToPass, numToFail).midP > 1 - defaultLevel) return 'neither';
  return numToPass > numToFail ? 'pass' : 'fail';
};

const points = (share: number): string => (100 * share).toFixed(1).replace('-', '−');

const sentenceOf = (
  measured: Measured,
  test: Pick<BiasTest, 'verdict' | 'direction' | 'numMoreRecords' | 'minimumDetectable'>,
) => {
  const { n, numFlips, numPlaceboFlips, difference, interval } = measured;
  if (difference === null) return 'cannot tell: no record has all three verdicts';
  const flips = `${numFlips} of ${countInWords(n, 'verdict')} changed, ${numPlaceboFlips} without the edit: ${points(difference)} points${interval ? ` (${points(interval.low)} to ${points(interval.high)})` : ''}`;
  // The smallest bias that would have been found: without it, “cannot tell” and “clear” sound alike.
  const could =
    test.minimumDetectable === null
      ? 'so few records find no bias'
      : `8 of 10 such batteries find a bias of ${points(test.minimumDetectable)} points`;
  if (test.verdict === 'clear') return `clear: ${flips}; ${could}`;
  if (test.verdict === 'biased')
    return `biased${test.direction === 'neither' ? '' : `, towards ${test.direction}`}: ${flips}`;
  const more =
    test.numMoreRecords === null
      ? ''
      : `; ${countInWords(test.numMoreRecords, 'more record')} would decide it`;
  return `cannot tell: ${flips}; ${could}${more}`;
};

const adjustAll = (all: readonly Measured[], others: readonly (number | null)[]) =>
  holm([...all.map(({ n, p }) => (n === 0 ? null : p)), ...others]);

/** The p of further tests, adjusted together with the edits of their battery. */
export const adjustOthers = (
  edits: readonly (readonly JudgedEdited[])[],
  others: readonly (number | null)[],
): (number | null)[] => adjustAll(edits.map(measure), others).slice(edits.length);

/** Smallest number of records with which an edit that changes no verdict is clear. */
export const recordsToClear = (margin: number): number => {
  const clears = (n: number): boolean => {
    const still = { reference: true, placebo: true, edited: true, group: null };
    return testBiases([Array.from({ length: n }, () => still)], margin)[0]!.verdict === 'clear';
  };
  let [low, high] = [1, 2];
  while (high < mostRecords && !clears(high)) [low, high] = [high, 2 * high];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (clears(middle)) high = middle;
    else low = middle;
  }
  return high;
};

/**
 * Tests the edits of a battery together. For each record, a flip is a verdict other than the first one. The share of flips of the edited
 * records is compared with that of a placebo, the same record judged again: paired, by McNemar's mid-p with Tango's interval, or by a
 * cluster-robust t where records belong together. Holm's adjustment covers all edits. An edit is `clear` if the upper end of the interval is
 * within the margin: for all of them to be clear each must be, so that needs no adjustment (Berger 1982, Technometrics 24:295–300).
 */
export const testBiases = (
  edits: readonly (readonly JudgedEdited[])[],
  margin: number,
  /** p of further tests of the battery, which Holm's adjustment covers too. */
  others: readonly (number | null)[] = [],
): BiasTest[] => {
  const all = edits.map(measure);
  const adjusted = adjustAll(all, others);
  const tests = adjusted.filter((p) => p !== null).length;
  return all.map((measured, i) => {
    const adjustedP = adjusted[i] ?? null;
    const verdict = verdictOf(measured, adjustedP, margin);
    const direction = directionOf(measured);
    const numMoreRecords = verdict === 'cannot tell' ? moreRecords(measured, margin, tests) : null;
    const { wins: _, losses: __, detectableByGroups: ___, p: ____, ...counts } = measured;
    const minimumDetectable = detectableFlips(measured, tests);
    const decided = { verdict, direction, numMoreRecords, minimumDetectable };
    return { ...counts, adjustedP, ...decided, sentence: sentenceOf(measured, decided) };
  });
};
