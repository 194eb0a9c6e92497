/** Pinned labels that were chosen by the judge's own verdicts, and the reference for another judge on them. */

type Label = { place: number; before: boolean; chosen: boolean };

/**
 * Returns the labels with verdicts that the judge in use would repeat. A verdict that was corrected, or drawn because it was a failure, was
 * a random error more often than others: any judge like this one would seem better there (regression to the mean). Such a label takes its
 * verdict from the judge's first trial, and is left out without one.
 */
export const comparableLabels = <L extends Label>(
  labels: readonly L[],
  first: ReadonlyMap<number, boolean> | null,
): L[] =>
  labels.flatMap((label) => {
    if (!label.chosen) return [label];
    const before = first?.get(label.place);
    return before === undefined ? [] : [{ ...label, before }];
  });
