import type { Static } from 'typebox';
import { pairUp } from '../../engine/statistics/compare.ts';
import type { MetricRuns } from '../../engine/statistics/compare-metrics.ts';
import { countInWords } from '../../engine/statistics/count-in-words.ts';
import { holm } from '../../engine/statistics/holm.ts';
import {
  namedLosses,
  type SliceField,
  type SliceLoss,
  sliceLosses,
} from '../../engine/statistics/slice-losses.ts';
import { clustersOf, meansOf, unset } from '../../engine/statistics/testcases.ts';
import type { TestcaseLabels } from './queries.ts';
import { type Unit, unitLabels } from './run-scores.ts';
import type { SliceLosses } from './slices-schema.ts';

/** The two runs of a metric whose slices are tested. */
export type SlicedRuns = Pick<MetricRuns, 'before' | 'after' | 'boolean' | 'bounds'> & { units: Unit[] };

/** Most slices of a metric that are listed. */
const maxListed = 5;

/** Returns the fields with the label of each of these units. */
const fieldsOf = (units: Unit[], labels: readonly TestcaseLabels[], pairs: Int32Array): SliceField[] =>
  [...new Set(labels.map(({ field }) => field))].map((field) => {
    const ofUnits = unitLabels(
      units,
      labels.filter((one) => one.field === field),
    );
    const numbers = new Map<string, number>();
    const ofPairs = pairs.map((unit) => {
      const label = ofUnits[unit]!;
      if (label === null) return unset;
      const known = numbers.get(label) ?? numbers.size;
      numbers.set(label, known);
      return known;
    });
    return { field, values: [...numbers.keys()], labels: ofPairs };
  });

type Options = { level: number; seed: number };

/** A difference is at most as large as the scale of the scores. */
const onScale = (loss: SliceLoss, bounds: SlicedRuns['bounds']): SliceLoss => {
  if (!bounds) return loss;
  const most = bounds.high - bounds.low;
  const within = (value: number) => Math.max(-most, Math.min(most, value));
  const { shrunkInterval: interval } = loss;
  return { ...loss, shrunkInterval: { low: within(interval.low), high: within(interval.high) } };
};

const lossesOf = (
  { before, after, units, bounds }: SlicedRuns,
  labels: readonly TestcaseLabels[],
  options: Options,
): SliceLoss[] => {
  const { pairs } = pairUp(before, after);
  const groups = before.groups && clustersOf(before.groups, pairs);
  return sliceLosses(
    { before: meansOf(before, pairs), after: meansOf(after, pairs), groups },
    fieldsOf(units, labels, pairs),
    options,
  ).map((loss) => onScale(loss, bounds));
};

const signed = (value: number, isRate: boolean): string =>
  (isRate ? (100 * value).toFixed(1) : value.toFixed(2)).replace('-', '−');

/** Says which slices lost more than the rest, or that none is shown to. */
const sentenceOf = (found: readonly SliceLoss[], all: readonly SliceLoss[], isRate: boolean): string => {
  const fields = new Set(all.map(({ field }) => field)).size;
  const among = `${countInWords(all.length, 'slice')} of ${countInWords(fields, 'field')}`;
  if (all.length === 0) return 'no field of the shared testcases divides them into slices that can be tested';
  if (found.length === 0) return `no slice is shown to have lost more than the rest (${among})`;
  const points = isRate ? ' points' : '';
  const said = found
    .slice(0, maxListed)
    .map(
      ({ field, value, n, difference, shrunk }) =>
        `${field} ${value}: ${signed(difference, isRate)}${points} (shrunken ${signed(shrunk, isRate)}, n = ${n})`,
    );
  const more = found.length > maxListed ? ` and ${found.length - maxListed} more` : '';
  return `lost more than the rest: ${said.join('; ')}${more}, among ${among}`;
};

/** Lists the worst slices: first those that are named, then those that are the least likely to be chance. */
const listed = (losses: readonly SliceLoss[], isNamed: (loss: SliceLoss) => boolean) =>
  losses
    .map((loss) => ({ ...loss, named: isNamed(loss) }))
    .sort((a, b) => Number(b.named) - Number(a.named) || (a.named ? 0 : a.p - b.p))
    .slice(0, maxListed);

/** Tests, for each metric, whether a slice of the testset lost more than the rest. Holm covers all metrics of the answer. */
export const describeSlices = (
  metrics: readonly SlicedRuns[],
  labels: readonly TestcaseLabels[],
  options: Options,
): Static<typeof SliceLosses.schema>[] => {
  const all = metrics.map((metric) => lossesOf(metric, labels, options));
  const smallest = all.map((losses) => (losses.length === 0 ? null : Math.min(...losses.map(({ p }) => p))));
  const adjusted = holm(smallest);
  return all.map((losses, i) => {
    const [p, adjustedP] = [smallest[i]!, adjusted[i]!];
    // A metric whose smallest p is adjusted k times has its other p adjusted as often.
    const times = p && adjustedP ? adjustedP / p : 1;
    const found = namedLosses(
      losses.map((loss) => ({ ...loss, p: Math.min(1, loss.p * times) })),
      options.level,
    );
    const isNamed = ({ field, value }: SliceLoss) =>
      found.some((one) => one.field === field && one.value === value);
    return {
      fields: [...new Set(losses.map(({ field }) => field))],
      numSlices: losses.length,
      p,
      adjustedP,
      sentence: sentenceOf(losses.filter(isNamed), losses, metrics[i]!.boolean),
      worst: listed(losses, isNamed),
    };
  });
};
