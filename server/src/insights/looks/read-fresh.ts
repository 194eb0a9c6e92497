import { countInWords } from '../../engine/statistics/count-in-words.ts';
import { list } from '../../engine/statistics/examined-cases.ts';
import {
  type FreshLook,
  type FreshUnit,
  measureWear,
  type OldUnit,
} from '../../engine/statistics/fresh-cases.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { type FreshRun, listFreshRuns } from './fresh-queries.ts';
import type { MetricWear } from './schema.ts';

type Sums = { passes: number; n: number; weight: number };

const added = (sums: Map<string, Sums>, unit: string, { passes, n, weight }: Sums): void => {
  const known = sums.get(unit) ?? { passes: 0, n: 0, weight: 0 };
  sums.set(unit, { passes: known.passes + passes, n: known.n + n, weight: known.weight + weight });
};

/** Returns the testcases of a run by groups. A fresh testcase in a group of old ones is not independent of them, and is left out. */
const lookOf = ({ units, passes, counts, weights }: FreshRun): FreshLook => {
  const names = list<string>(units);
  const [ofPasses, ofCounts] = [list<number>(passes), list<number>(counts)];
  const ofWeights = list<number | null>(weights);
  const old = new Map<string, Sums>();
  for (const [i, weight] of ofWeights.entries())
    if (weight === null) added(old, names[i]!, { passes: ofPasses[i]!, n: ofCounts[i]!, weight: 0 });
  const fresh = new Map<string, Sums>();
  for (const [i, weight] of ofWeights.entries())
    if (weight !== null && !old.has(names[i]!))
      added(fresh, names[i]!, { passes: (weight * ofPasses[i]!) / ofCounts[i]!, n: 1, weight });
  return {
    old: Array.from(old, ([unit, sums]): OldUnit => ({ unit, passes: sums.passes, n: sums.n })),
    fresh: Array.from(
      fresh,
      ([unit, sums]): FreshUnit => ({ unit, rate: sums.passes / sums.weight, weight: sums.weight }),
    ),
  };
};

const percent = (share: number): string => `${(100 * share).toFixed(0)} %`;
const points = (share: number): string => (100 * share).toFixed(1);

const sentenceOf = ({ numFresh, numRuns, optimism, bet }: Omit<MetricWear, 'sentence'>): string => {
  const { old, fresh, difference, interval } = optimism;
  const found = `Fresh testcases pass in ${percent(fresh)} and old ones in ${percent(old)}: old − fresh is ${points(difference)} points (${points(interval.low)} to ${points(interval.high)}), from ${countInWords(numFresh, 'fresh testcase')} in ${countInWords(numRuns, 'run')}.`;
  const evidence = `${bet.evidence.toPrecision(2)} of ${Math.round(bet.needed)}`;
  return bet.announcedBy === null
    ? `${found} Wear is not shown: the evidence is ${evidence}.`
    : `${found} Wear is shown since run ${bet.announcedBy}: versions look better on the old testcases than they are.`;
};

/** Compares fresh testcases with old ones by each metric of the newest run that took some. All metrics share `alpha`. */
export const readFresh = async (
  db: Database,
  scope: Scope,
  {
    testsetId,
    split,
    alpha,
    level,
  }: { testsetId: bigint; split: string | null; alpha: number; level: number },
): Promise<MetricWear[]> => {
  const runs = await db.read(scope, (sql) => listFreshRuns(sql, scope, { testsetId, split }));
  const newest = runs.filter(({ runId }) => runId === runs.at(-1)!.runId);
  return newest.flatMap(({ metricId, metricName }) => {
    const looks = runs
      .filter((run) => run.metricId === metricId)
      .map((run) => ({ runId: run.runId, ...lookOf(run) }))
      .filter(({ old, fresh }) => old.length > 0 && fresh.length > 0);
    const measured = measureWear(looks, { alpha: alpha / newest.length, level });
    if (!measured) return [];
    const { optimism, bet } = measured;
    const found = {
      metricId,
      metricName,
      numRuns: looks.length,
      numFresh: looks.reduce((sum, { fresh }) => sum + fresh.length, 0),
      optimism,
      bet: {
        evidence: bet.purse,
        needed: bet.needed,
        announcedBy: bet.announcedAt === null ? null : looks[bet.announcedAt - 1]!.runId,
      },
    };
    return [{ ...found, sentence: sentenceOf(found) }];
  });
};
