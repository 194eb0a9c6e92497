import { defaultLevel, wilson } from '../../engine/statistics/intervals.ts';
import { meanOfSums } from '../../engine/statistics/moments.ts';
import { type Bins, binnedPercentile } from '../../engine/statistics/percentile.ts';
import { possibleScores } from '../../evaluation/scores/possible.ts';
import type { Database } from '../../platform/db/database.ts';
import { invalid } from '../../platform/errors.ts';
import type { Scope } from '../../platform/http/scope.ts';
import {
  type Asked,
  countChangedHours,
  findChangedHours,
  listGroups,
  listMetricsOf,
  listScores,
  listTallies,
  listVersionNames,
  type ScoreRow,
  type SeriesMetric,
  type TallyRow,
} from './queries.ts';
import type { Bucket, Series, SeriesPoint, SeriesQuery, SeriesValue } from './schema.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const lengths: Record<Bucket, number> = { hour: hourMs, day: dayMs, week: 7 * dayMs };
/** A Monday. */
const firstWeek = Date.UTC(1970, 0, 5);

/** Most buckets of a series: a month of hours. */
const maxBuckets = 750;
const maxGroups = 8;
/** Most records that one read counts itself: a tenth of a second. */
const maxLive = 2_000;

const startOf = (time: number, bucket: Bucket): number => {
  const origin = bucket === 'week' ? firstWeek : 0;
  return Math.floor((time - origin) / lengths[bucket]) * lengths[bucket] + origin;
};

/** Returns the range and the bucket of a query. Throws 400 when they do not fit together. */
export const rangeOf = (
  { from, to, bucket }: Pick<SeriesQuery, 'from' | 'to' | 'bucket'>,
  now: number,
): { from: Date; to: Date; bucket: Bucket } => {
  const end = to === undefined ? now : Date.parse(to);
  const begin = from === undefined ? end - 7 * dayMs : Date.parse(from);
  if (begin >= end) throw invalid('/from', 'must be before the end, `to`');
  const days = (end - begin) / dayMs;
  const chosen = bucket ?? (days <= 3 ? 'hour' : days <= 120 ? 'day' : 'week');
  const start = startOf(begin, chosen);
  if ((end - start) / lengths[chosen] > maxBuckets)
    throw invalid(
      '/bucket',
      `makes more than ${maxBuckets} buckets: choose a longer bucket or a shorter range`,
    );
  return { from: new Date(start), to: new Date(Math.ceil(end / hourMs) * hourMs), bucket: chosen };
};

const shareOf = (k: number, n: number, level: number): SeriesValue => ({
  n,
  estimate: n === 0 ? null : k / n,
  interval: wilson(k, n, level),
});

const addBins = (bins: Map<number, number>, text: string | null): void => {
  for (const hour of text === null ? [] : text.split(';')) {
    const [places, counts] = hour.split(':').map((list) => list.split(',').map(Number));
    places!.forEach((bin, i) => {
      bins.set(bin, (bins.get(bin) ?? 0) + counts![i]!);
    });
  }
};

type Numbers = Omit<TallyRow, 'start' | 'value' | 'latencies'>;
type Counted = Numbers & { bins: Bins; scores: Map<string, Omit<ScoreRow, 'start' | 'value'>> };

/** Adds up objects of numbers; other fields stay those of the first. */
const added = <T extends object>(rows: readonly T[]): T => {
  const total = { ...rows[0]! } as Record<string, unknown>;
  for (const row of rows.slice(1))
    for (const [key, n] of Object.entries(row))
      if (typeof n === 'number') total[key] = (total[key] as number) + n;
  return total as T;
};

const countOf = (tallies: readonly TallyRow[], scores: readonly ScoreRow[]): Counted => {
  const bins = new Map<number, number>();
  for (const { latencies } of tallies) addBins(bins, latencies);
  const byConfig = Map.groupBy(scores, ({ metricConfigId }) => metricConfigId);
  return { ...added(tallies), bins, scores: new Map([...byConfig].map(([id, rows]) => [id, added(rows)])) };
};

const pointOf = (
  start: string,
  of: Counted,
  metrics: readonly SeriesMetric[],
  level: number,
): SeriesPoint => ({
  start,
  records: of.records,
  errors: shareOf(of.failed, of.measured, level),
  latency: {
    p50: binnedPercentile(of.bins, 0.5, level),
    p95: binnedPercentile(of.bins, 0.95, level),
    p99: binnedPercentile(of.bins, 0.99, level),
  },
  tokens: {
    input: of.inputTokens,
    output: of.outputTokens,
    mean: meanOfSums({ n: of.tokensN, sum: of.tokensSum, squares: of.tokensSquares }, null, level),
  },
  cost: {
    sum: of.costSum,
    mean: meanOfSums({ n: of.costN, sum: of.costSum, squares: of.costSquares }, null, level),
  },
  scores: metrics.flatMap(({ metricConfigId, outputType }) => {
    const row = of.scores.get(metricConfigId);
    if (!row) return [];
    const { scored: n, passed, pending, unscored, failed, scoreSum: sum, scoreSquares: squares } = row;
    const mean =
      outputType === 'boolean' ? null : meanOfSums({ n, sum, squares }, possibleScores[outputType], level);
    const states = { scored: n, pending, unscored, failed };
    return [{ metricConfigId, states, passRate: shareOf(passed, n, level), mean }];
  }),
});

/** Chooses the hours that this read counts itself, newest first, while their records are few. */
const chooseLive = async (db: Database, scope: Scope, range: Pick<Asked, 'projectId' | 'from' | 'to'>) => {
  const hours = await db.read(scope, (sql) => findChangedHours(sql, scope, range, maxLive));
  let left = maxLive;
  return hours
    .filter(({ records }) => {
      const isLive = records <= left;
      if (isLive) left -= records;
      return isLive;
    })
    .map(({ hour }) => hour);
};

const labelOf = (value: string, by: SeriesQuery['by'], versions: ReadonlyMap<string, string>): string => {
  if (by === undefined) return 'All records';
  if (value === '') return by === 'version' ? 'No version' : `No ${by}`;
  return by === 'version' ? (versions.get(value) ?? 'Deleted version') : value;
};

/** Returns what the records of a project took and scored, over time. */
export const readSeries = async (
  db: Database,
  scope: Scope,
  projectId: bigint,
  query: Omit<SeriesQuery, 'monitorId'> & { monitorId?: string },
  now: number,
): Promise<Series> => {
  const { by, monitorId, source = null, level = defaultLevel } = query;
  const range = { projectId, ...rangeOf(query, now) };
  const live = await chooseLive(db, scope, range);
  const dimension = monitorId === undefined ? (by ?? 'all') : 'monitor';
  const asked: Asked = {
    ...range,
    live,
    source,
    dimension,
    values: monitorId === undefined ? null : [monitorId],
  };
  const chosen =
    by === undefined
      ? [{ value: monitorId ?? '', groups: 1 }]
      : await db.read(scope, (sql) => listGroups(sql, scope, asked, maxGroups));
  const narrow: Asked = { ...asked, values: chosen.map(({ value }) => value) };
  const [tallies, scores, [rest]] = await Promise.all([
    db.read(scope, (sql) => listTallies(sql, scope, narrow)),
    db.read(scope, (sql) => listScores(sql, scope, narrow)),
    db.read(scope, (sql) => countChangedHours(sql, scope, asked)),
  ]);
  const configIds = [...new Set(scores.map(({ metricConfigId }) => metricConfigId))];
  const metrics = await db.read(scope, (sql) => listMetricsOf(sql, scope, configIds));
  const versionIds = by === 'version' ? chosen.flatMap(({ value }) => (value === '' ? [] : [value])) : [];
  const versions = await db.read(scope, (sql) => listVersionNames(sql, scope, versionIds));
  const nameOf = new Map(versions.map(({ id, name }) => [id, name]));
  const start = range.from.toISOString();
  return {
    from: start,
    to: range.to.toISOString(),
    bucket: range.bucket,
    level,
    countedUntil: rest!.countedUntil,
    uncountedHours: rest!.uncounted,
    metrics,
    groups: chosen.flatMap(({ value }) => {
      const mine = tallies.filter((row) => row.value === value);
      if (mine.length === 0) return [];
      const scored = Map.groupBy(
        scores.filter((row) => row.value === value),
        (row) => row.start.getTime(),
      );
      const all = countOf(mine, [...scored.values()].flat());
      const group = {
        value: by === undefined || value === '' ? null : value,
        label: labelOf(value, by, nameOf),
        total: pointOf(start, all, metrics, level),
        points: mine.map((row) =>
          pointOf(
            row.start.toISOString(),
            countOf([row], scored.get(row.start.getTime()) ?? []),
            metrics,
            level,
          ),
        ),
      };
      return [group];
    }),
    otherGroups: Math.max(0, (chosen[0]?.groups ?? 0) - chosen.length),
  };
};
