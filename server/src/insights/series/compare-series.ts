import { compareUserRates, type RateOfUsers } from '../../engine/statistics/compare-user-rates.ts';
import { holm } from '../../engine/statistics/holm.ts';
import { verdictOf } from '../../engine/statistics/verdict.ts';
import type { SeriesChange } from './schema.ts';

/** Passes of each configuration in one part of a series: a bucket, or a group over the whole range. */
export type SeriesPart = { name: string; rates: ReadonlyMap<string, RateOfUsers> };

/**
 * Compares pass rates of parts of a series, pair by pair. Users are the units; all comparisons of the answer hold together (Holm). A
 * configuration without scores in one of the parts is not compared.
 */
export const compareParts = (
  pairs: readonly (readonly [SeriesPart, SeriesPart])[],
  level: number,
): SeriesChange[] => {
  const compared = pairs.flatMap(([from, to]) =>
    [...to.rates].flatMap(([metricConfigId, after]) => {
      const before = from.rates.get(metricConfigId);
      if (!before || before.n === 0 || after.n === 0) return [];
      const change = compareUserRates(before, after, level);
      return [{ metricConfigId, from: from.name, to: to.name, ...change }];
    }),
  );
  const adjusted = holm(compared.map(({ p }) => p));
  return compared.map((change, i) => {
    const adjustedP = adjusted[i]!;
    const open = `the data allows no change${change.interval === null ? ', and is too little for an interval' : ''}`;
    const said = {
      ...change,
      p: adjustedP,
      level,
      minimumDetectable: null,
      reason: null,
      boolean: true,
      open,
    };
    return { ...change, adjustedP, tests: compared.length, ...verdictOf(said) };
  });
};
