/** Tests whether another judge agrees with people more often than this one: a paired test of correct verdicts. */
import { agreementWithPeople } from './calibration.ts';
import type { JudgedTwice } from './equivalence.ts';
import type { Interval } from './estimate-schema.ts';
import { holm } from './holm.ts';
import { defaultLevel } from './intervals.ts';
import { defaultPower } from './paired-proportions.ts';
import { testPairs } from './paired-tests.ts';
import type { AgreementGain } from './trial-schema.ts';
import { verdictOf } from './verdict.ts';

const mean = (values: Float64Array): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;

/** The interval of the share on which a judge agrees with people. Records of one group depend on each other. */
const agreementInterval = (records: readonly JudgedTwice[], side: 'before' | 'after'): Interval | null =>
  agreementWithPeople(
    records.map((record, i) => ({
      id: String(i),
      judge: record[side]!,
      human: record.human,
      unit: record.group,
    })),
  ).interval;

const measure = (records: readonly JudgedTwice[]) => {
  const decided = records.filter(({ after }) => after !== null);
  const before = Float64Array.from(decided, ({ human, before }) => Number(before === human));
  const after = Float64Array.from(decided, ({ human, after }) => Number(after === human));
  const codes = new Map<string, number>();
  const groups = Int32Array.from(decided, ({ group }, i) => {
    const name = group ?? `record ${i}`;
    codes.set(name, codes.get(name) ?? codes.size);
    return codes.get(name)!;
  });
  const pairs = {
    before,
    after,
    differences: after.map((value, i) => value - before[i]!),
    groups: codes.size < decided.length ? groups : null,
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
  const [shareBefore, shareNow] = [mean(before), mean(after)];
  const difference = shareNow === null ? null : shareNow - shareBefore!;
  const n = decided.length;
  return {
    n,
    before: shareBefore,
    beforeInterval: agreementInterval(decided, 'before'),
    now: shareNow,
    nowInterval: agreementInterval(decided, 'after'),
    difference,
    interval,
    reason,
    p,
    minimumDetectable,
  };
};

/** Tests the agreement of candidates with people against that of the judge in use. */
export const testAgreement = (candidates: readonly (readonly JudgedTwice[])[]): AgreementGain[] => {
  const all = candidates.map(measure);
  const adjusted = holm(all.map(({ p }) => p));
  return all.map((measured, i) => {
    const adjustedP = adjusted[i] ?? null;
    const verdict = verdictOf({ ...measured, p: adjustedP, level: defaultLevel, boolean: true });
    return { ...measured, adjustedP, ...verdict };
  });
};
