/** Results of trials: the result of the engine and of the API. */
import { type Static, Type } from 'typebox';
import { oneOf } from '../../platform/one-of.ts';
import {
  caveats,
  count,
  nullable,
  nullableInterval,
  nullableNumber,
  nullableText,
  number,
  text,
  texts,
  warnings,
} from './estimate-schema.ts';

const McNemar = Type.Object(
  { exact: number('Two-sided exact p.'), midP: number('Two-sided mid-p. The verdict rests on it.') },
  { description: "McNemar's test on the records that changed." },
);

export const Drift = Type.Object(
  {
    method: text('Method.'),
    n: count('Number of pinned records that were decided again.'),
    level: number('Confidence level.'),
    agreementBefore: nullableNumber('Share of these records on which the reference agrees with people.'),
    agreementNow: nullableNumber('Share of these records on which the judge now agrees with people.'),
    difference: nullableNumber('agreementNow minus agreementBefore.'),
    interval: nullableInterval('Interval of the difference.'),
    reason: nullableText('Why there is no interval.'),
    mcnemar: nullable(
      McNemar,
      'Tests at level α/2 whether the judge agrees with people more or less often than before.',
    ),
    leniency: nullable(
      Type.Object({
        nowPass: count('Number of records that failed and now pass.'),
        nowFail: count('Number of records that passed and now fail.'),
        mcnemar: McNemar,
      }),
      'Tests at level α/2 whether the judge passes more or fewer records than before.',
    ),
    broken: texts('Records on which only the reference agrees with people.'),
    mended: texts('Records on which only the judge now agrees with people.'),
    unscored: texts('Records without a verdict in this trial.'),
    verdict: oneOf(['drifted', 'no drift seen'], 'Conclusion.'),
    sentence: text('The verdict in words.'),
    assumption: text('Assumption of all numbers here.'),
    caveats,
    warnings,
  },
  { description: 'The judge now, compared with its reference verdicts.' },
);
export type Drift = Static<typeof Drift>;

const stratum = (who: string) =>
  Type.Object(
    {
      n: count('Number of records that both judges decided.'),
      before: nullableNumber('Share that the judge in use passes.'),
      after: nullableNumber('Share that the candidate passes.'),
      difference: nullableNumber('after minus before.'),
      standardError: nullableNumber('Standard error of the difference.'),
      interval: nullableInterval(
        'Interval of the difference at the level 1 − 2α, widened by the missing verdicts.',
      ),
      nowPass: count('Number of records that the candidate alone passes.'),
      nowFail: count('Number of records that the judge in use alone passes.'),
      missing: count('Number of records without a verdict of the candidate.'),
      numNeeded: count(
        'Number of records with which 8 of 10 trials of two equal judges show that they are equivalent.',
      ),
    },
    { description: `Pass rates of both judges among the records that people ${who}.` },
  );

export const Equivalence = Type.Object(
  {
    method: text('Method.'),
    level: number('Confidence level.'),
    margin: number('Largest difference of pass rates that counts as none.'),
    passedByPeople: stratum('pass'),
    failedByPeople: stratum('fail'),
    p: nullableNumber('Largest p of the four one-sided tests.'),
    adjustedP: nullableNumber('p, adjusted by Holm for all candidates of the trial.'),
    verdict: oneOf(['equivalent', 'not equivalent', 'cannot tell'], 'Conclusion.'),
    sentence: text('The verdict in words.'),
    assumption: text('Assumption of all numbers here.'),
    caveats,
    warnings,
  },
  { description: 'Whether a candidate decides as the judge in use does.' },
);
export type Equivalence = Static<typeof Equivalence>;
export type Stratum = Equivalence['passedByPeople'];

export const AgreementGain = Type.Object(
  {
    n: count('Number of labelled records that both judges decided.'),
    before: nullableNumber('Share on which the judge in use agrees with people.'),
    beforeInterval: nullableInterval('Its interval.'),
    now: nullableNumber('Share on which the candidate agrees with people.'),
    nowInterval: nullableInterval('Its interval.'),
    difference: nullableNumber('now minus before.'),
    interval: nullableInterval('Interval of the difference.'),
    reason: nullableText('Why there is no interval.'),
    p: nullableNumber('p of the difference.'),
    adjustedP: nullableNumber('p, adjusted by Holm for all candidates of the trial.'),
    minimumDetectable: nullableNumber('Smallest difference that this number of labels can detect.'),
    verdict: text('better, worse or cannot tell.'),
    sentence: text('The verdict in words.'),
  },
  { description: 'Whether a candidate agrees with people more often.' },
);
export type AgreementGain = Static<typeof AgreementGain>;

export const BiasTest = Type.Object(
  {
    n: count('Number of pinned records with all three verdicts: as it is, as it is again, and edited.'),
    numUndecided: count(
      'Number of pinned records without one of them: the edit does not apply, or the judge gave no verdict.',
    ),
    numFlips: count('Number of edited records whose verdict differs from that of the record as it is.'),
    numPlaceboFlips: count(
      'Number of the same records whose verdict differs when they are judged again as they are.',
    ),
    difference: nullableNumber('Share of flips minus share of placebo flips.'),
    interval: nullableInterval('Its interval.'),
    reason: nullableText('Why there is no interval.'),
    adjustedP: nullableNumber('p of no difference, adjusted by Holm for all edits of the battery.'),
    numToPass: count('Number of records that fail as they are and pass edited.'),
    numToFail: count('Number of records that pass as they are and fail edited.'),
    direction: oneOf(['pass', 'fail', 'neither'], 'Verdict to which the edit is shown to move records.'),
    numMoreRecords: nullableNumber(
      'Number of further records that would decide it, if the difference stays; null if it is decided, or if they are too many.',
    ),
    minimumDetectable: nullableNumber(
      'Smallest share of flips beyond the placebo that 8 of 10 batteries with these records and this noise find; null if they are too few for any.',
    ),
    verdict: oneOf(
      ['clear', 'biased', 'cannot tell'],
      '`clear`: the upper end of the interval is within the margin of the trial. `biased`: flips are shown to be more frequent than without the edit.',
    ),
    sentence: text('The verdict in words.'),
  },
  {
    description:
      'Whether an edit that keeps the truth changes the verdicts of a judge, beyond its own noise.',
  },
);
export type BiasTest = Static<typeof BiasTest>;

/** Edits of a record that keep the truth about it. */
export const edits = ['padding', 'order', 'author', 'authority', 'format', 'language'] as const;
export type Edit = (typeof edits)[number];
/** Biases that a battery tests: by its edits, and by who wrote the outputs. */
export const biases = [...edits, 'selfPreference'] as const;
export type Bias = (typeof biases)[number];

const FoundBias = Type.Object({
  bias: oneOf(
    biases,
    'The edit, or `selfPreference`: whether the judge passes outputs of its own model more often than those of others that people judge alike.',
  ),
  verdict: oneOf(
    ['clear', 'biased', 'cannot tell', 'not applicable'],
    '`not applicable`: the labelled records cannot show it; `sentence` says why.',
  ),
  n: count('Number of records that it was tested on.'),
  numFlips: nullableNumber('Number of edited records whose verdict changed; null for selfPreference.'),
  numPlaceboFlips: nullableNumber(
    'Number of them whose verdict changed without the edit; null for selfPreference.',
  ),
  difference: nullableNumber(
    'Share of flips minus share of placebo flips. For selfPreference: pass rate of own outputs minus that of others, at equal labels.',
  ),
  interval: nullableInterval('Its interval.'),
  adjustedP: nullableNumber('p of no difference, adjusted by Holm for all biases of the battery.'),
  numMoreRecords: nullableNumber(
    'Number of further records that would decide it; null if that is not known.',
  ),
  minimumDetectable: nullableNumber(
    'Smallest share of flips beyond the placebo that 8 of 10 batteries with these records and this noise find; null if they are too few for any, and for selfPreference.',
  ),
  sentence: text('The verdict in words.'),
});
export type FoundBias = Static<typeof FoundBias>;

export const BatteryVerdict = Type.Object(
  {
    verdict: oneOf(
      ['clear', 'biased', 'cannot tell'],
      '`biased`: some bias is shown. `cannot tell`: none is shown, and some edit is not clear. `clear`: each edit is clear or does not apply, and no self-preference is shown.',
    ),
    sentence: text('The verdict in words.'),
    complete: Type.Boolean({ description: 'Whether all biases were asked for.' }),
    margin: number('Largest difference that counts as none.'),
    level: number('Confidence level of the intervals.'),
    numRecords: count('Number of pinned records.'),
    metricHash: text(
      'SHA-256 of the tested configuration: its prompt, models, guidelines, criteria and threshold.',
    ),
    evalModelName: nullableText('Model that judges.'),
    servedModelNames: texts('Models that answered, as named by their provider.'),
    costUsd: nullableNumber('Cost of its verdicts in US dollars; null if one is unknown.'),
    biases: Type.Array(FoundBias, { description: 'Each bias that was asked for, with what was found.' }),
    decidedAt: text('When its last verdict was in.'),
  },
  {
    description:
      'What a battery found. It is kept when its runs are deleted and when other records are pinned.',
  },
);
export type BatteryVerdict = Static<typeof BatteryVerdict>;
