import { caveatOfFew, caveatsOf } from './caveats.ts';
import type { JudgedTwice } from './equivalence.ts';
import { defaultLevel } from './intervals.ts';
import { mcnemar, tango } from './paired-proportions.ts';
import type { Drift } from './trial-schema.ts';
import { sizeInWords } from './verdict.ts';

/** A pinned labelled record, with the judge's reference verdict and its present verdict. */
export type PinnedRecord = Omit<JudgedTwice, 'group'> & { id: string };

/**
 * Tests whether a judge decides a pinned set of labelled records differently from its reference: McNemar's mid-p on correct verdicts, and
 * on passes, each at half of α (Bonferroni), with Tango's interval for the change in agreement.
 */
export const judgeDrift = (records: Iterable<PinnedRecord>, level = defaultLevel): Drift => {
  const counts = { before: 0, now: 0, nowPass: 0, nowFail: 0 };
  const [broken, mended, unscored]: [string[], string[], string[]] = [[], [], []];
  let n = 0;
  for (const { id, human, before, after } of records) {
    if (after === null) {
      unscored.push(id);
      continue;
    }
    n++;
    if (before === human) counts.before++;
    if (after === human) counts.now++;
    if (after === before) continue;
    counts[after ? 'nowPass' : 'nowFail']++;
    (after === human ? mended : broken).push(id);
  }
  const tests = mcnemar(mended.length, broken.length);
  const leniency = mcnemar(counts.nowPass, counts.nowFail);
  const alpha = (1 - level) / 2 + 1e-12;
  const difference = n === 0 ? null : (counts.now - counts.before) / n;
  const size = difference === null ? '' : sizeInWords(difference, true);
  const found: string[] = [];
  if (tests.midP <= alpha) found.push(`agrees with people ${size} ${difference! < 0 ? 'less' : 'more'}`);
  if (leniency.midP <= alpha)
    found.push(counts.nowPass > counts.nowFail ? 'has become more lenient' : 'has become stricter');
  return {
    method: 'mcnemar mid-p on a pinned set, tango score interval',
    n,
    level,
    agreementBefore: n === 0 ? null : counts.before / n,
    agreementNow: n === 0 ? null : counts.now / n,
    difference,
    interval: n < 2 ? null : tango(mended.length, broken.length, n, level),
    reason: n < 2 ? 'drift needs two pinned records that the judge decided again' : null,
    mcnemar: n === 0 ? null : tests,
    leniency: n === 0 ? null : { nowPass: counts.nowPass, nowFail: counts.nowFail, mcnemar: leniency },
    broken,
    mended,
    unscored,
    verdict: found.length > 0 ? 'drifted' : 'no drift seen',
    sentence:
      found.length > 0
        ? `drifted: the judge ${found.join(' and ')} than at the reference`
        : `no drift seen: ${broken.length + mended.length} of ${n} verdicts changed`,
    assumption: 'the pinned records resemble those that the judge decides',
    ...caveatsOf(
      unscored.length > 0
        ? {
            code: 'missingVerdicts',
            sentence: `${unscored.length} pinned records have no verdict this time`,
          }
        : null,
      caveatOfFew(n, 'pinned record'),
    ),
  };
};

/**
 * The verdicts of a first trial that later ones are compared with. Labels that were chosen by the judge's verdicts cannot have these as
 * their reference: a verdict that was corrected, or drawn because it was a failure, was a random error more often than others, so a steady
 * judge decides such records differently the next time (regression to the mean).
 */
export const driftReference = (records: readonly PinnedRecord[], level = defaultLevel): Drift => ({
  ...judgeDrift(
    records.map((record) => ({ ...record, before: record.after ?? record.before })),
    level,
  ),
  sentence:
    'these verdicts are the reference of later trials: the labels were chosen by the verdicts before, which a steady judge would not repeat',
});
