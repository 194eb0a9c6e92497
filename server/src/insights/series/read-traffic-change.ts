import { levelTaken } from '../../engine/statistics/compare.ts';
import { compareUserRates } from '../../engine/statistics/compare-user-rates.ts';
import type { Interval } from '../../engine/statistics/estimate-schema.ts';
import { holm } from '../../engine/statistics/holm.ts';
import { defaultLevel } from '../../engine/statistics/intervals.ts';
import { pFromIntervals } from '../../engine/statistics/invert-intervals.ts';
import { meanOfSums, type Sums } from '../../engine/statistics/moments.ts';
import { caveatOfSameUsers } from '../../engine/statistics/user-sums.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { type Asked, listMeasures, listMetricsOf, listScores } from './queries.ts';
import { type Counted, chooseLive, countOf, ratesOf, sumOf, withDraws } from './read-series.ts';

/** A figure of traffic after a time and before it. */
type Figures = {
  before: number | null;
  after: number | null;
  difference: number | null;
  p: number | null;
  intervalAt: (level: number) => Interval | null;
};
type Tested = Figures & {
  of: 'passRate' | 'errors' | 'cost';
  metricId: string | null;
  metricName: string | null;
  numBefore: number;
  numAfter: number;
};

/** A figure that has changed for certain: the interval of the difference leaves out 0. */
export type TrafficChange = Omit<Tested, 'p' | 'intervalAt' | 'before' | 'after' | 'difference'> & {
  before: number;
  after: number;
  difference: number;
  interval: Interval;
  level: number;
};

const costsOf = (of: Counted): Sums => ({
  n: of.costN,
  sum: of.costSum,
  squares: of.costSquares,
  cubes: of.costCubes,
});

/** Compares two means by the square-and-add of their intervals. Zou (2007), Psychol. Methods 12:399–413. */
const compareMeans = (before: Sums, after: Sums): Figures => {
  const [x, y] = [meanOfSums(before).estimate, meanOfSums(after).estimate];
  if (x === null || y === null)
    return { before: x, after: y, difference: null, p: null, intervalAt: () => null };
  const intervalAt = (level: number): Interval | null => {
    const [ofX, ofY] = [meanOfSums(before, null, level).interval, meanOfSums(after, null, level).interval];
    if (!ofX || !ofY) return null;
    return {
      low: y - x - Math.hypot(y - ofY.low, ofX.high - x),
      high: y - x + Math.hypot(ofY.high - y, x - ofX.low),
    };
  };
  return { before: x, after: y, difference: y - x, intervalAt, p: pFromIntervals(intervalAt) };
};

/** The mean cost of a record. Nothing is claimed where records of a user depend on each other, or a few records decide the mean. */
const testCost = (before: Counted, after: Counted): Tested[] => {
  const [first, second] = [costsOf(before), costsOf(after)];
  const isShared = caveatOfSameUsers(before.userMeasured) ?? caveatOfSameUsers(after.userMeasured);
  const isSkewed = [first, second].some((sums) => meanOfSums(sums).caveats.length > 0);
  if (isShared || isSkewed || first.n === 0 || second.n === 0) return [];
  const of = { of: 'cost' as const, metricId: null, metricName: null };
  return [{ ...of, numBefore: first.n, numAfter: second.n, ...compareMeans(first, second) }];
};

const testErrors = (before: Counted, after: Counted): Tested[] => {
  const rateOf = ({ failed, measured, userFailed, userMeasured }: Counted) => ({
    passes: failed,
    n: measured,
    users: { passes: userFailed, sizes: userMeasured },
  });
  const [first, second] = [rateOf(before), rateOf(after)];
  if (first.n === 0 || second.n === 0) return [];
  const of = { of: 'errors' as const, metricId: null, metricName: null };
  const { caveats: _, ...change } = compareUserRates(first, second);
  return [{ ...of, numBefore: first.n, numAfter: second.n, ...change }];
};

/** Keeps the changes that are shown, with their intervals. All tests hold together (Holm). */
export const decided = (tests: readonly Tested[], level: number): TrafficChange[] => {
  const numTests = tests.filter(({ p }) => p !== null).length;
  const adjusted = holm(tests.map(({ p }) => p));
  return tests.flatMap(({ p, intervalAt, before, after, difference, ...of }, i) => {
    const adjustedP = adjusted[i]!;
    if (adjustedP === null || adjustedP > 1 - level || difference === null) return [];
    const taken = levelTaken(level, p, adjustedP, numTests);
    const interval = intervalAt(taken);
    if (!interval || (interval.low <= 0 && interval.high >= 0)) return [];
    return [{ ...of, before: before!, after: after!, difference, interval, level: taken }];
  });
};

type Windows = { from: Date; at: Date; to: Date };

/** The scores that a monitor's records, or their spans, got after `at`, by configuration. */
export type MonitorScores = { monitorId: string; metricConfigId: string; scored: number; passed: number };

const readMonitors = async (db: Database, scope: Scope, asked: Asked): Promise<MonitorScores[]> => {
  const rows = await db.read(scope, (sql) =>
    listScores(sql, scope, { ...asked, dimension: 'monitor', source: null }),
  );
  const whole = rows.filter(({ label }) => label < 0);
  const sums = Map.groupBy(whole, ({ value, metricConfigId }) => `${value} ${metricConfigId}`);
  return [...sums.values()].map((of) => ({
    monitorId: of[0]!.value,
    metricConfigId: of[0]!.metricConfigId,
    scored: of.reduce((sum, { counted }) => sum + counted, 0),
    passed: of.reduce((sum, { passed }) => sum + passed, 0),
  }));
};

/**
 * Compares the traffic of a project after `at` with that before: pass rates, errors and the cost of a record. Returns the changes that
 * are shown, and the scores of monitors after `at`. Reads the counts of hours, so `at` is a whole hour. Metrics that monitors draw at
 * different rates are left out.
 */
export const readTrafficChange = async (
  db: Database,
  scope: Scope,
  projectId: bigint,
  { from, at, to }: Windows,
): Promise<{ changes: TrafficChange[]; monitors: MonitorScores[] }> => {
  const range = { projectId, from, to };
  const live = await chooseLive(db, scope, range);
  const asked: Asked = { ...range, bucket: 'hour', live, source: 'traces', dimension: 'all', values: null };
  const [measures, scores, monitors] = await Promise.all([
    db.read(scope, (sql) => listMeasures(sql, scope, asked)),
    db.read(scope, (sql) => listScores(sql, scope, asked)),
    readMonitors(db, scope, { ...asked, from: at, bucket: 'day' }),
  ]);
  const byHour = Map.groupBy(scores, ({ start }) => start.getTime());
  const hours = measures.map((row) => ({
    start: row.start,
    counted: countOf(row, byHour.get(row.start.getTime()) ?? []),
  }));
  const [earlier, later] = [
    hours.filter(({ start }) => start < at).map(({ counted }) => counted),
    hours.filter(({ start }) => start >= at).map(({ counted }) => counted),
  ];
  if (earlier.length === 0 || later.length === 0) return { changes: [], monitors };
  const [before, after] = [sumOf(earlier), sumOf(later)];
  const configIds = [...after.scores.keys()].filter((id) => before.scores.has(id));
  const metrics = await withDraws(
    db,
    scope,
    asked,
    await db.read(scope, (sql) => listMetricsOf(sql, scope, configIds)),
  );
  const [ratesBefore, ratesAfter] = [ratesOf(before), ratesOf(after)];
  const rates = metrics.flatMap(({ metricConfigId, metricId, metricName, ofDraw }): Tested[] => {
    const [first, second] = [ratesBefore.get(metricConfigId)!, ratesAfter.get(metricConfigId)!];
    if (ofDraw !== null || first.n === 0 || second.n === 0) return [];
    const { caveats: _, ...change } = compareUserRates(first, second);
    return [{ of: 'passRate', metricId, metricName, numBefore: first.n, numAfter: second.n, ...change }];
  });
  const tests = [...rates, ...testErrors(before, after), ...testCost(before, after)];
  return { changes: decided(tests, defaultLevel), monitors };
};
