import { levelOfEach, levelTaken } from '../../engine/statistics/compare.ts';
import {
  compareUserRates,
  type RateOfUsers,
  type UserRateChange,
} from '../../engine/statistics/compare-user-rates.ts';
import type { Caveat } from '../../engine/statistics/estimate-schema.ts';
import { holm } from '../../engine/statistics/holm.ts';
import { intervalInWords, levelInWords, verdictOf } from '../../engine/statistics/verdict.ts';
import type { SeriesMetric } from './queries.ts';
import type { SeriesChange } from './schema.ts';

/** Passes of each configuration in one part of a series: a bucket, or a group over the whole range. */
export type SeriesPart = {
  name: string;
  /** The label of the group that a bucket is of. */
  group: string | null;
  rates: ReadonlyMap<string, RateOfUsers>;
  /** Whether records can still come. */
  grows: boolean;
};

const judgeError: Caveat = {
  code: 'judgeError',
  sentence: "a model gives these scores; the interval leaves the judge's errors out",
};

const stillGrows: Caveat = {
  code: 'notSequential',
  sentence:
    'records can still come, and this test is for one look: looking again and again finds changes by chance',
};

/** Why a change is not claimed. */
const openText = ({ interval }: Pick<UserRateChange, 'interval'>, tests: number, level: number): string => {
  if (interval === null) return 'there are too few scores for an interval';
  const { low, high } = interval;
  return low > 0 || high < 0
    ? `${intervalInWords(interval, true)} points would be a change in one test, but not in one of ${tests}`
    : `the ${levelInWords(level)} interval, ${intervalInWords(interval, true)} points, contains 0`;
};

/**
 * Compares pass rates of parts of a series, pair by pair. Users are the units; all comparisons of the answer hold together (Holm). A
 * configuration without scores in one of the parts is not compared.
 */
export const compareParts = (
  pairs: readonly (readonly [SeriesPart, SeriesPart])[],
  metrics: readonly (SeriesMetric & { ofDraw: Caveat | null })[],
  level: number,
): SeriesChange[] => {
  const compared = pairs.flatMap(([from, to]) =>
    metrics.flatMap(({ metricConfigId, evalType, ofDraw, unit }) => {
      const [before, after] = [from.rates.get(metricConfigId), to.rates.get(metricConfigId)];
      if (!before || !after || before.n === 0 || after.n === 0) return [];
      const { caveats, ...change } = compareUserRates(before, after, level, unit);
      return [
        {
          metricConfigId,
          group: to.group,
          from: from.name,
          to: to.name,
          numBefore: before.n,
          numAfter: after.n,
          ...change,
          caveats: [
            ...(ofDraw ? [ofDraw] : []),
            ...caveats,
            ...(evalType === 'ai' ? [judgeError] : []),
            ...(from.grows || to.grows ? [stillGrows] : []),
          ],
        },
      ];
    }),
  );
  const tests = compared.filter(({ p }) => p !== null).length;
  const simultaneousLevel = levelOfEach(level, tests);
  const adjusted = holm(compared.map(({ p }) => p));
  return compared.map(({ intervalAt, ...change }, i) => {
    const adjustedP = adjusted[i]!;
    const open = openText(change, tests, level);
    const intervalLevel = levelTaken(level, change.p, adjustedP, tests);
    const of = {
      ...change,
      p: adjustedP,
      level,
      interval: intervalAt(intervalLevel),
      intervalLevel,
      minimumDetectable: null,
      reason: null,
      boolean: true,
      open,
    };
    const together = { simultaneousInterval: intervalAt(simultaneousLevel), simultaneousLevel, tests };
    return { ...change, ...together, adjustedP, ...verdictOf(of) };
  });
};
