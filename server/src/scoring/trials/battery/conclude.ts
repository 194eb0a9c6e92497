import { adjustOthers, type JudgedEdited, testBiases } from '../../../engine/statistics/bias-battery.ts';
import { countInWords } from '../../../engine/statistics/count-in-words.ts';
import { defaultLevel } from '../../../engine/statistics/intervals.ts';
import { testSelfPreference } from '../../../engine/statistics/self-preference.ts';
import {
  type BatteryVerdict,
  type BiasTest,
  biases,
  type FoundBias,
} from '../../../engine/statistics/trial-schema.ts';
import type { CandidateRow, TrialLabel } from '../queries.ts';
import type { Trial } from '../trial.ts';
import { isEdit, whyNot } from './plan.ts';
import { writtenRecords } from './writers.ts';

/** A battery without the time of its verdict. */
export type Found = Omit<BatteryVerdict, 'decidedAt'>;

/**
 * Self-preference compares different records, whose intervals are wider than those of one record with itself, so twice the margin of the
 * edits counts as none (docs/decisions/0239).
 */
const marginOfSelf = 2;

const verdictsOf = ({ places, passed }: CandidateRow) =>
  new Map(places.map((place, i) => [place, passed[i]!]));

const named = ({ candidates }: Trial, how: CandidateRow['how']) =>
  candidates.find((candidate) => candidate.how === how && candidate.runId !== null);

const editedOf = (trial: Trial) =>
  trial.candidates.filter(({ how, runId }) => how !== 'reference' && how !== 'placebo' && runId !== null);

/** The judge's own model against others, on the records as they are; null if it was not asked for. */
const selfOf = (
  { row, candidates, writers }: Trial,
  labels: readonly TrialLabel[],
  reference: CandidateRow,
) => {
  if (!row.edits?.includes('selfPreference')) return null;
  const judges = [...candidates.flatMap(({ servedModelNames }) => servedModelNames), row.evalModelName ?? ''];
  return testSelfPreference(writtenRecords(labels, writers, judges, verdictsOf(reference)));
};

/** The verdicts of each edited candidate beside those of the reference and the placebo. */
const joinEdits = (
  trial: Trial,
  labels: readonly TrialLabel[],
  reference: CandidateRow,
  placebo: CandidateRow,
) => {
  const [before, again] = [verdictsOf(reference), verdictsOf(placebo)];
  return editedOf(trial).map((candidate) => {
    const verdicts = verdictsOf(candidate);
    return labels.map(
      ({ place, group }): JudgedEdited => ({
        reference: before.get(place) ?? null,
        placebo: again.get(place) ?? null,
        edited: verdicts.get(place) ?? null,
        group,
      }),
    );
  });
};

/** Tests the edits of a battery against its placebo. Without the runs of the reference and the placebo there is nothing to test. */
export const biasesOf = (
  trial: Trial,
  labels: readonly TrialLabel[],
): ReadonlyMap<CandidateRow, { test: BiasTest }> => {
  const [reference, placebo] = [named(trial, 'reference'), named(trial, 'placebo')];
  if (!reference || !placebo) return new Map();
  const self = selfOf(trial, labels, reference);
  const tests = testBiases(
    joinEdits(trial, labels, reference, placebo),
    trial.row.margin!,
    self ? [self.p] : [],
  );
  return new Map(editedOf(trial).map((candidate, i) => [candidate, { test: tests[i]! }]));
};

const points = (share: number): string => (100 * share).toFixed(1).replace('-', '−');

/** What the battery says about the judge's own model. */
const describeSelf = (
  self: ReturnType<typeof testSelfPreference>,
  adjustedP: number | null,
  margin: number,
): FoundBias => {
  const { numOwn, numOthers, difference, interval } = self;
  const counts = {
    bias: 'selfPreference' as const,
    n: numOwn + numOthers,
    numFlips: null,
    numPlaceboFlips: null,
    numMoreRecords: null,
    minimumDetectable: null,
    difference,
    interval,
    adjustedP,
  };
  if (self.reason !== null || difference === null || !interval)
    return {
      ...counts,
      verdict: 'not applicable',
      sentence: `not applicable: ${self.reason ?? 'there is no test'}`,
    };
  const verdict =
    interval.high <= margin
      ? 'clear'
      : adjustedP !== null && adjustedP <= 0.05 && difference > 0
        ? 'biased'
        : 'cannot tell';
  const said = `outputs of its own model (${numOwn}) pass ${points(difference)} points more often than others (${numOthers}) that people judge alike (${points(interval.low)} to ${points(interval.high)})`;
  return { ...counts, verdict, sentence: `${verdict}: ${said}` };
};

/** The conclusion in words. */
const conclude = (found: readonly FoundBias[]): Pick<BatteryVerdict, 'verdict' | 'sentence'> => {
  const of = (verdict: FoundBias['verdict']) => found.filter((each) => each.verdict === verdict);
  const names = (list: readonly FoundBias[]) =>
    list.map(({ bias }) => (isEdit(bias) ? bias : 'self-preference')).join(', ');
  const [biased, left] = [of('biased'), of('not applicable')];
  const open = of('cannot tell').filter(({ bias }) => isEdit(bias));
  const openSelf = of('cannot tell').some(({ bias }) => !isEdit(bias));
  const notes = [
    ...(openSelf ? ['self-preference is not decided'] : []),
    ...(left.length > 0 ? [`not applicable: ${names(left)}`] : []),
  ];
  const said = (verdict: BatteryVerdict['verdict'], sentence: string) => ({
    verdict,
    sentence: [sentence, ...notes].join('; '),
  });
  if (biased.length > 0) return said('biased', `biased by ${names(biased)}`);
  if (open.length > 0) return said('cannot tell', `cannot tell about ${names(open)}`);
  const clear = of('clear').filter(({ bias }) => isEdit(bias)).length;
  if (clear === 0) return said('cannot tell', 'cannot tell: no edit applies to the pinned records');
  return said('clear', `clear: none of ${countInWords(clear, 'edit')} changes verdicts beyond the margin`);
};

const withoutTest = (bias: FoundBias['bias'], sentence: string): FoundBias => ({
  bias,
  verdict: 'not applicable',
  n: 0,
  numFlips: null,
  numPlaceboFlips: null,
  difference: null,
  interval: null,
  adjustedP: null,
  numMoreRecords: null,
  minimumDetectable: null,
  sentence: `not applicable: ${sentence}`,
});

/** Cost of all verdicts; null if one is unknown. */
const costOf = (candidates: readonly CandidateRow[]): number | null => {
  const costs = candidates.map(({ costUsd, places }) => costUsd !== null && costUsd * places.length);
  return costs.every((cost) => cost !== false) ? costs.reduce((sum, cost) => sum + cost, 0) : null;
};

/** What a battery found: what is stored, or what its verdicts show once all are in. Null before, and without its runs. */
export const findBattery = (trial: Trial, labels: readonly TrialLabel[]): Found | null => {
  const { row, candidates } = trial;
  const [reference, placebo] = [named(trial, 'reference'), named(trial, 'placebo')];
  if (row.kind !== 'battery' || !reference || !placebo || candidates.some(({ runId }) => runId === null))
    return null;
  // All verdicts failed, such as for want of a price: a verdict of the battery would be kept for good.
  if (reference.places.length === 0 && reference.failure !== null) return null;
  const tests = biasesOf(trial, labels);
  const self = selfOf(trial, labels, reference);
  const [adjusted = null] = self ? adjustOthers(joinEdits(trial, labels, reference, placebo), [self.p]) : [];
  const found = (row.edits ?? []).map((bias): FoundBias => {
    if (bias === 'selfPreference') return describeSelf(self!, adjusted, marginOfSelf * row.margin!);
    const candidate = candidates.find(({ how }) => how === bias);
    if (!candidate) return withoutTest(bias, whyNot[bias]);
    const {
      n,
      numFlips,
      numPlaceboFlips,
      difference,
      interval,
      adjustedP,
      numMoreRecords,
      minimumDetectable,
      verdict,
      sentence,
    } = tests.get(candidate)!.test;
    return {
      bias,
      n,
      numFlips,
      numPlaceboFlips,
      difference,
      interval,
      adjustedP,
      numMoreRecords,
      minimumDetectable,
      verdict,
      sentence,
    };
  });
  return {
    ...conclude(found),
    complete: biases.every((bias) => row.edits?.includes(bias)),
    margin: row.margin!,
    level: defaultLevel,
    numRecords: labels.length,
    metricHash: row.metricHash,
    evalModelName: row.evalModelName,
    servedModelNames: [...new Set(candidates.flatMap(({ servedModelNames }) => servedModelNames))].sort(),
    costUsd: costOf(candidates),
    biases: found,
  };
};

/** The stored verdict of a battery, else what its verdicts show now. */
export const batteryOf = (
  trial: Trial,
  labels: readonly TrialLabel[],
  isDone: boolean,
): BatteryVerdict | null => {
  if (trial.row.verdict !== null) return JSON.parse(trial.row.verdict) as BatteryVerdict;
  const found = isDone ? findBattery(trial, labels) : null;
  const times = trial.candidates.flatMap(({ lastAt }) => lastAt ?? []);
  return found && { ...found, decidedAt: times.sort().at(-1) ?? trial.row.createdAt };
};
