import type { Pair } from './pair.ts';

/**
 * Returns the groups of runs that are not shown to differ, as letters for each run: two runs share a letter when no test separates
 * any two runs of the letter's group. `ranked` has the runs with a score, the best one first.
 */
export const groupLetters = (
  ranked: readonly string[],
  pairs: readonly Pair[],
  metricId: string,
): Map<string, string> => {
  const isSeparated = (a: string, b: string): boolean =>
    pairs.some(({ before, after, metrics }) => {
      // Runs that share no scored testcase have no verdict: nothing shows them to differ.
      const verdict = metrics.find((each) => each.metricId === metricId)?.verdict ?? 'cannot tell';
      return [before, after].includes(a) && [before, after].includes(b) && verdict !== 'cannot tell';
    });
  const n = ranked.length;
  const masks = Array.from({ length: 2 ** n - 1 }, (_, i) => i + 1);
  const members = (mask: number): string[] => ranked.filter((_, i) => mask & (1 << i));
  const alike = masks.filter((mask) => {
    const group = members(mask);
    return group.every((a, i) => group.slice(i + 1).every((b) => !isSeparated(a, b)));
  });
  const largest = alike.filter((mask) => !alike.some((other) => other !== mask && (other & mask) === mask));
  // The group of the best run is A.
  const first = (mask: number) => Math.log2(mask & -mask);
  const groups = largest.toSorted((a, b) => first(a) - first(b) || a - b);
  return new Map(
    ranked.map((id, i) => [
      id,
      groups.flatMap((mask, g) => (mask & (1 << i) ? [String.fromCharCode(65 + g)] : [])).join(''),
    ]),
  );
};

export type Plotted = { id: string; quality: number; cost: number };

/** Returns the ids of the points that no other point beats: none is at least as good for less, or better for as little. */
export const frontierOf = (points: readonly Plotted[]): Set<string> =>
  new Set(
    points
      .filter(
        ({ quality, cost }) =>
          !points.some(
            (other) =>
              other.quality >= quality &&
              other.cost <= cost &&
              (other.quality > quality || other.cost < cost),
          ),
      )
      .map(({ id }) => id),
  );
