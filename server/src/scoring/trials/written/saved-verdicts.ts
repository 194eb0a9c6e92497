import { comparableLabels } from '../../../engine/statistics/chosen-labels.ts';
import type { FirstVerdicts, SavedVerdicts, TrialLabel } from '../queries.ts';

export const byPlace = ({
  places,
  passed,
}: Pick<FirstVerdicts, 'places' | 'passed'>): ReadonlyMap<number, boolean> =>
  new Map(places.map((place, i) => [place, passed[i]!]));

/**
 * Returns the labels with verdicts of the saved prompt. Its verdicts in a trial chose no label. Pinned ones may have
 * (`comparableLabels`).
 */
export const withSaved = (
  labels: readonly TrialLabel[],
  saved: SavedVerdicts | null,
  first: FirstVerdicts | null,
): TrialLabel[] => {
  if (!saved) return comparableLabels(labels, first && byPlace(first));
  const verdicts = byPlace(saved);
  return labels.flatMap((label) => {
    const before = verdicts.get(label.place);
    return before === undefined ? [] : [{ ...label, before }];
  });
};
