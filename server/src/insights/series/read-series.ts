import { hasMean } from '../../../../client/src/score-value.ts';
import { levelOfEach } from '../../engine/statistics/compare.ts';
import type { Caveat } from '../../engine/statistics/estimate-schema.ts';
import { defaultLevel } from '../../engine/statistics/intervals.ts';
import { meanOfSums, type Sums } from '../../engine/statistics/moments.ts';
import { type Bins, binnedPercentiles } from '../../engine/statistics/percentile.ts';
import {
  caveatOfSameUsers,
  meanOfUserSums,
  numUserGroups,
  rateOfUserSums,
} from '../../engine/statistics/user-sums.ts';
import { storedLabels } from '../../evaluation/metrics/labels.ts';
import { possibleScores } from '../../evaluation/scores/possible.ts';
import type { Database } from '../../platform/db/database.ts';
import { invalid } from '../../platform/errors.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { compareParts, type SeriesPart } from './compare-series.ts';
import {
  type Asked,
  countChangedHours,
  findChangedHours,
  listGroups,
  listMeasures,
  listMetricsOf,
  listScores,
  listUnequalRates,
  listVersionNames,
  type MeasureRow,
  type ScoreRow,
  type SeriesMetric,
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
/** Maximum number of labels of a metric whose shares are listed: a month of hours by tag would have a million. */
const maxListedLabels = 20;
/** Maximum number of records that one read counts itself: a tenth of a second. */
const maxLive = 2_000;

const startOf = (time: number, bucket: Bucket): number => {
  const origin = bucket === 'week' ? firstWeek : 0;
  return Math.floor((time - origin) / lengths[bucket]) * lengths[bucket] + origin;
};

/** Returns the range and the bucket of a query. Throws 400 when they do not fit together. */
export const rangeOf = (
  { createdAfter, createdBefore, bucket }: Pick<SeriesQuery, 'createdAfter' | 'createdBefore' | 'bucket'>,
  now: number,
): { from: Date; to: Date; bucket: Bucket } => {
  const end = createdBefore === undefined ? now : Date.parse(createdBefore);
  const begin = createdAfter === undefined ? end - 7 * dayMs : Date.parse(createdAfter);
  if (begin >= end) throw invalid('/createdAfter', 'must be before createdBefore');
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

/** Adds counts to `bins`, from hours as listMeasures writes them. */
const addBins = (bins: number[], text: string): void => {
  for (const hour of text.split(';')) {
    const colon = hour.indexOf(':');
    const places = numbersOf(hour, 0, colon);
    const counts = numbersOf(hour, colon + 1, hour.length);
    for (let i = 0; i < places.length; i++) bins[places[i]!] = (bins[places[i]!] ?? 0) + counts[i]!;
  }
};

/** Reads whole numbers separated by commas. A series of hours by tag has a million of them: split and Number take four times as long. */
const numbersOf = (text: string, from: number, to: number): number[] => {
  const numbers: number[] = [];
  let number = 0;
  for (let at = from; at < to; at++) {
    const digit = text.charCodeAt(at) - 48;
    if (digit >= 0) number = number * 10 + digit;
    else {
      numbers.push(number);
      number = 0;
    }
  }
  numbers.push(number);
  return numbers;
};

/** A row with its numbers by group of users as arrays. */
type ByGroup<Row, Keys extends keyof Row> = Omit<Row, Keys> & Record<Keys, number[]>;
type Scored = Omit<ByGroup<ScoreRow, 'userScored' | 'userPassed' | 'userSums'>, 'label'>;
type Numbers = Omit<ByGroup<MeasureRow, 'userMeasured' | 'userFailed'>, 'start' | 'value' | 'latencies'>;
export type Counted = Numbers & {
  bins: Bins;
  /** By configuration. */
  scores: Map<string, Scored>;
  /** Those with one label of a category, by configuration and place of the label. */
  labelled: Map<string, Scored>;
};
const labelKey = (configId: string, place: number): string => `${configId} ${place}`;

/** Adds up the numbers in objects, and those in their arrays by place; other fields are taken from the first. */
const added = <T extends object>(rows: readonly T[]): T => {
  const total = { ...rows[0]! } as Record<string, unknown>;
  for (const row of rows.slice(1))
    for (const [key, n] of Object.entries(row)) {
      if (typeof n === 'number') total[key] = (total[key] as number) + n;
      else if (Array.isArray(n))
        total[key] = Array.from(
          { length: Math.max(n.length, (total[key] as number[]).length) },
          (_, i) => (n[i] ?? 0) + ((total[key] as number[])[i] ?? 0),
        );
    }
  return total as T;
};

/** Reads numbers by group of users, as byUserGroup writes them: one for each group once there is any. */
const readGroups = (text: string | null): number[] => {
  if (text === null) return [];
  const byGroup = new Array<number>(numUserGroups).fill(0);
  for (const hour of text.split(';')) {
    const [groups, numbers] = hour.split(':').map((part) => part.split(',').map(Number));
    for (let i = 0; i < groups!.length; i++) byGroup[groups![i]!]! += numbers![i]!;
  }
  return byGroup;
};

const scoredOf = ({ userScored, userPassed, userSums, label: _, ...row }: ScoreRow): Scored => ({
  ...row,
  userScored: readGroups(userScored),
  userPassed: readGroups(userPassed),
  userSums: readGroups(userSums),
});

const addedBy = (rows: readonly ScoreRow[], keyOf: (row: ScoreRow) => string): Map<string, Scored> =>
  new Map([...Map.groupBy(rows, keyOf)].map(([key, of]) => [key, added(of.map(scoredOf))]));

export const countOf = (
  { latencies, userMeasured, userFailed, ...measure }: MeasureRow,
  scores: readonly ScoreRow[],
): Counted => {
  const bins: number[] = [];
  if (latencies !== null) addBins(bins, latencies);
  const [whole, labelled] = [
    scores.filter(({ label }) => label < 0),
    scores.filter(({ label }) => label >= 0),
  ];
  return {
    ...measure,
    bins,
    userMeasured: readGroups(userMeasured),
    userFailed: readGroups(userFailed),
    scores: addedBy(whole, ({ metricConfigId }) => metricConfigId),
    labelled: addedBy(labelled, ({ metricConfigId, label }) => labelKey(metricConfigId, label)),
  };
};

/** The counts of all buckets together. */
export const sumOf = (counted: readonly Counted[]): Counted => {
  const bins: number[] = [];
  for (const one of counted)
    one.bins.forEach((count, bin) => {
      bins[bin] = (bins[bin] ?? 0) + count!;
    });
  const total = (of: 'scores' | 'labelled'): Map<string, Scored> => {
    const rows = Map.groupBy(
      counted.flatMap((one) => [...one[of]]),
      ([key]) => key,
    );
    return new Map([...rows].map(([key, all]) => [key, added(all.map(([, row]) => row))]));
  };
  return { ...added(counted), bins, scores: total('scores'), labelled: total('labelled') };
};

const latencyOf = (bins: Bins, level: number, caveat: Caveat | null): SeriesPoint['latency'] => {
  const [p50, p95, p99] = binnedPercentiles(bins, [0.5, 0.95, 0.99], level).map((value) => ({
    ...value,
    caveats: caveat ? [caveat] : [],
  }));
  return { p50: p50!, p95: p95!, p99: p99! };
};

/** The mean of values without an end, with a caveat if those of a user depend on each other. */
const meanOf = (sums: Sums, level: number, caveat: Caveat | null): SeriesValue => {
  const mean = meanOfSums(sums, null, level);
  return caveat ? { ...mean, caveats: [...mean.caveats, caveat] } : mean;
};

/** A metric with what must be said if monitors draw records for it at different rates. */
type DrawnMetric = SeriesMetric & { ofDraw: Caveat | null };
/** With the places of its labels that are listed. */
type ReadMetric = DrawnMetric & { places: number[] };

const percent = (share: number): string => `${Number((100 * share).toPrecision(3))} %`;

/** Adds to each metric whether its records were drawn alike. Within one monitor they were. */
export const withDraws = async (
  db: Database,
  scope: Scope,
  { projectId, dimension, source }: Asked,
  metrics: readonly SeriesMetric[],
): Promise<DrawnMetric[]> => {
  const isMixed = dimension !== 'monitor' && source !== 'runs';
  const unequal = isMixed ? await db.read(scope, (sql) => listUnequalRates(sql, scope, projectId)) : [];
  return metrics.map((metric) => {
    const rates = unequal.find(({ metricId }) => metricId === metric.metricId);
    const ofDraw: Caveat | null = rates
      ? {
          code: 'notSampled',
          sentence: `monitors draw the records of ${metric.metricName} at rates from ${percent(rates.least)} to ${percent(rates.most)}, and this number counts them alike: it is about the scored records, not about the traffic; the summary of the run weighs them, and each monitor has its own number`,
        }
      : null;
    return { ...metric, ofDraw };
  });
};

/** The share of each label that is listed, as the pass rate is counted. The intervals of all labels hold at once. */
const labelShares = (of: Counted, metric: ReadMetric, whole: Scored, level: number) => {
  const labels = storedLabels(metric.labels);
  if (!labels) return undefined;
  const each = levelOfEach(level, labels.items.length === 2 ? 1 : labels.items.length);
  const { counted: n, userScored: sizes } = whole;
  return metric.places.map((place) => {
    const row = of.labelled.get(labelKey(metric.metricConfigId, place));
    // Scores with this label may have no user, while others have one.
    const passes = sizes.map((_, group) => row?.userScored[group] ?? 0);
    const numScores = row?.counted ?? 0;
    const share = limitedBy(metric, rateOfUserSums(numScores, n, { passes, sizes }, each));
    return { label: labels.items[place]!, numScores, share };
  });
};

/** The places of the labels that were given most, in the order of the metric. */
const listedPlaces = (buckets: readonly Counted[], { labels, metricConfigId }: SeriesMetric): number[] => {
  const numOf = (place: number) =>
    buckets.reduce(
      (sum, { labelled }) => sum + (labelled.get(labelKey(metricConfigId, place))?.counted ?? 0),
      0,
    );
  return (storedLabels(labels)?.items ?? [])
    .map((_, place) => ({ place, given: numOf(place) }))
    .filter(({ given }) => given > 0)
    .sort((a, b) => b.given - a.given)
    .slice(0, maxListedLabels)
    .map(({ place }) => place)
    .sort((a, b) => a - b);
};

/** Adds what is to be said of the draw. */
const limitedBy = ({ ofDraw }: DrawnMetric, value: SeriesValue): SeriesValue =>
  ofDraw ? { ...value, caveats: [ofDraw, ...value.caveats] } : value;

/** The scores of one configuration; none if it gave none. */
const scorePoint = (of: Counted, metric: ReadMetric, level: number): SeriesPoint['scores'] => {
  const { metricConfigId, outputType, unit } = metric;
  const row = of.scores.get(metricConfigId);
  if (!row) return [];
  const { scored, counted: n, passed, pending, unscored, failed, userScored } = row;
  const users = { sizes: userScored, sums: row.userSums, squares: row.userSquares };
  const sums = { n, sum: row.scoreSum, squares: row.scoreSquares };
  const mean = !hasMean(outputType)
    ? null
    : meanOfUserSums(sums, users, possibleScores[outputType], level, unit);
  const states = { scored, pending, unscored, failed };
  const passRate = rateOfUserSums(passed, n, { passes: row.userPassed, sizes: userScored }, level, unit);
  const labels = labelShares(of, metric, row, level);
  return [
    {
      metricConfigId,
      states,
      passRate: limitedBy(metric, passRate),
      mean: mean && limitedBy(metric, mean),
      ...(labels && { labels }),
    },
  ];
};

const pointOf = (start: string, of: Counted, metrics: readonly ReadMetric[], level: number): SeriesPoint => {
  const caveat = caveatOfSameUsers(of.userMeasured);
  const tokens = { n: of.tokensN, sum: of.tokensSum, squares: of.tokensSquares, cubes: of.tokensCubes };
  const cost = { n: of.costN, sum: of.costSum, squares: of.costSquares, cubes: of.costCubes };
  return {
    start,
    numRecords: of.records,
    errors: rateOfUserSums(of.failed, of.measured, { passes: of.userFailed, sizes: of.userMeasured }, level),
    latency: latencyOf(of.bins, level, caveat),
    tokens: { input: of.inputTokens, output: of.outputTokens, mean: meanOf(tokens, level, caveat) },
    cost: { sum: of.costSum, mean: meanOf(cost, level, caveat) },
    scores: metrics.flatMap((metric) => scorePoint(of, metric, level)),
  };
};

/** The passes of each configuration. */
export const ratesOf = (of: Counted): SeriesPart['rates'] =>
  new Map(
    [...of.scores].map(([configId, { counted, passed, userScored, userPassed }]) => [
      configId,
      { n: counted, passes: passed, users: { sizes: userScored, passes: userPassed } },
    ]),
  );

type CountedGroup = { value: string; label: string; buckets: { start: string; counted: Counted }[] };

/** Pairs the buckets of each group with those before them, or all groups with the first. */
const pairsOf = (
  groups: readonly CountedGroup[],
  compare: NonNullable<SeriesQuery['compare']>,
  /** The end of the series and the length of a bucket. */
  { end, length }: { end: number; length: number },
  now: number,
): (readonly [SeriesPart, SeriesPart])[] => {
  if (compare === 'groups') {
    const [first, ...others] = groups.map(({ label, buckets }) => ({
      name: label,
      group: null,
      rates: ratesOf(sumOf(buckets.map(({ counted }) => counted))),
      grows: end >= now,
    }));
    return others.map((other) => [first!, other] as const);
  }
  return groups.flatMap(({ label, buckets }) => {
    const parts = buckets.map(({ start, counted }) => ({
      name: start,
      group: label,
      rates: ratesOf(counted),
      grows: Date.parse(start) + length > now,
    }));
    return parts.slice(1).map((part, i) => [parts[i]!, part] as const);
  });
};

/** Chooses the hours that this read counts itself, newest first, up to a limit of records. */
export const chooseLive = async (
  db: Database,
  scope: Scope,
  range: Pick<Asked, 'projectId' | 'from' | 'to'>,
) => {
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

/** Counts the buckets of each group that has records. */
const countGroups = (
  values: readonly string[],
  measures: readonly MeasureRow[],
  scores: readonly ScoreRow[],
  labelsOf: (value: string) => string,
): CountedGroup[] =>
  values.flatMap((value) => {
    const mine = measures.filter((row) => row.value === value);
    if (mine.length === 0) return [];
    const scored = Map.groupBy(
      scores.filter((row) => row.value === value),
      (row) => row.start.getTime(),
    );
    const buckets = mine.map((row) => ({
      start: row.start.toISOString(),
      counted: countOf(row, scored.get(row.start.getTime()) ?? []),
    }));
    return [{ value, label: labelsOf(value), buckets }];
  });

/** Returns latency, tokens, cost and scores of the records of a project over time. */
export const readSeries = async (
  db: Database,
  scope: Scope,
  projectId: bigint,
  query: Omit<SeriesQuery, 'monitorId'> & { monitorId?: string },
  now: number,
): Promise<Series> => {
  const { by, monitorId, source = null, level = defaultLevel, compare } = query;
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
  const [measures, scores, [rest]] = await Promise.all([
    db.read(scope, (sql) => listMeasures(sql, scope, narrow)),
    db.read(scope, (sql) => listScores(sql, scope, narrow)),
    db.read(scope, (sql) => countChangedHours(sql, scope, asked)),
  ]);
  const configIds = [...new Set(scores.map(({ metricConfigId }) => metricConfigId))];
  const metrics = await db.read(scope, (sql) => listMetricsOf(sql, scope, configIds));
  const drawn = await withDraws(db, scope, asked, metrics);
  const versionIds = by === 'version' ? chosen.flatMap(({ value }) => (value === '' ? [] : [value])) : [];
  const versions = await db.read(scope, (sql) => listVersionNames(sql, scope, versionIds));
  const nameOf = new Map(versions.map(({ id, name }) => [id, name]));
  const labelsOf = (value: string) => labelOf(value, by, nameOf);
  const counted = countGroups(
    chosen.map(({ value }) => value),
    measures,
    scores,
    labelsOf,
  );
  const all = counted.flatMap(({ buckets }) => buckets.map((bucket) => bucket.counted));
  const read = drawn.map((metric) => ({ ...metric, places: listedPlaces(all, metric) }));
  const span = { end: range.to.getTime(), length: lengths[range.bucket] };
  return {
    start: range.from.toISOString(),
    end: range.to.toISOString(),
    bucket: range.bucket,
    level,
    countedUntil: rest!.countedUntil,
    numUncountedHours: rest!.uncounted,
    metrics: metrics.map(({ labels, ...metric }) => ({
      ...metric,
      ...(labels !== null && { labels: storedLabels(labels)! }),
    })),
    groups: counted.map(({ value, label, buckets }) => ({
      value: by === undefined || value === '' ? null : value,
      label,
      total: pointOf(range.from.toISOString(), sumOf(buckets.map((bucket) => bucket.counted)), read, level),
      points: buckets.map((bucket) => pointOf(bucket.start, bucket.counted, read, level)),
    })),
    numOtherGroups: Math.max(0, (chosen[0]?.groups ?? 0) - chosen.length),
    ...(compare !== undefined && {
      changes: compareParts(pairsOf(counted, compare, span, now), drawn, level),
    }),
  };
};
