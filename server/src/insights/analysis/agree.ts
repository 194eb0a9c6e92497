import type { Static } from 'typebox';
import type { Criteria } from '../../../../client/src/criteria.ts';
import { placeOf } from '../../../../client/src/labels.ts';
import { cohenKappa } from '../../engine/statistics/agreement.ts';
import { caveatsOf } from '../../engine/statistics/caveats.ts';
import { clusteredMeanEstimate } from '../../engine/statistics/clusters.ts';
import { countInWords } from '../../engine/statistics/count-in-words.ts';
import type { Caveat } from '../../engine/statistics/estimate-schema.ts';
import { rateEstimate } from '../../engine/statistics/intervals.ts';
import { krippendorffAlpha, type Scale } from '../../engine/statistics/krippendorff.ts';
import { gwetAc, pairAgreement, type Ratings } from '../../engine/statistics/raters.ts';
import { storedLabels } from '../../evaluation/metrics/labels.ts';
import { parseJson } from '../../platform/json/parse-json.ts';
import type { JudgeConfig } from '../../scoring/labels/queries.ts';
import type { ReviewColumns } from './agreement-queries.ts';
import type { ReviewerAgreement } from './agreement-schema.ts';
import { type Measure, passes } from './measure-scores.ts';
import { numbersOf, textsOf } from './run-scores.ts';

export type AgreementJob = {
  config: JudgeConfig;
  reviews: ReviewColumns;
  measure: Measure;
  /** Whether reviews that are not blind count. */
  sighted: boolean;
  level: number;
  /** The criteria of the configuration; null unless the agreement on each is asked for. */
  criteria: Criteria | null;
};

/** Most reviewers, and most pairs of them, that are listed; those with the most reviews come first. */
const maxReviewers = 50;
const maxPairs = 100;
/** Most criteria that are listed. */
const maxCriteria = 200;

/** Settings of the measures for a kind of score: the scale of Krippendorff's α, the categories of κ and AC, and their weights. */
type Kind = { scale: Scale; categories: number[] | null; weights: 'none' | 'quadratic' };
const kinds: Record<Exclude<JudgeConfig['outputType'], 'category'>, Kind> = {
  boolean: { scale: 'nominal', categories: [0, 1], weights: 'none' },
  int: { scale: 'ordinal', categories: [1, 2, 3, 4, 5], weights: 'quadratic' },
  float: { scale: 'interval', categories: null, weights: 'none' },
};

/** The ratings of each criterion, 1 or 0, with the columns of the ratings of the scores, and the unit of each row. */
const readCriteria = (
  { reviews, criteria }: AgreementJob,
  { cells, unitOf, reviewers: { length: numReviewers } }: ReturnType<typeof readRatings>,
): Map<string, { ratings: Ratings; units: string[] }> => {
  const said = parseJson(reviews.criteria ?? '[]') as ({ [id: string]: number | null } | null)[];
  const found = new Map((criteria?.items ?? []).map(({ id }) => [id, new Map<string, (number | null)[]>()]));
  for (const { row, column, review } of cells) {
    for (const [id, met] of Object.entries(said[review] ?? {})) {
      const rows = found.get(id) ?? new Map<string, (number | null)[]>();
      const values = rows.get(row) ?? new Array<number | null>(numReviewers).fill(null);
      values[column] = met;
      rows.set(row, values);
      found.set(id, rows);
    }
  }
  return new Map(
    [...found].map(([id, rows]) => [
      id,
      { ratings: [...rows.values()], units: [...rows.keys()].map((row) => unitOf.get(row)!) },
    ]),
  );
};

/** Of labels, their places are compared: with an order by how far they are apart. */
const kindOf = ({ outputType, labels }: JudgeConfig, measure: Measure): Kind => {
  if (measure === 'pass') return kinds.boolean;
  if (outputType !== 'category') return kinds[outputType];
  const { items, ordered } = storedLabels(labels)!;
  return {
    scale: ordered ? 'ordinal' : 'nominal',
    categories: items.map((_, place) => place),
    weights: ordered ? 'quadratic' : 'none',
  };
};

const ratingOf = (value: number, config: JudgeConfig, measure: Measure): number => {
  if (measure === 'pass') return Number(passes(value, config));
  return config.outputType === 'category' ? placeOf(value) : value;
};

/** Returns the ratings with one row for each record and one column for each reviewer, those with the most reviews first. */
const readRatings = ({ config, reviews, measure, sighted }: AgreementJob) => {
  const [records, spans, testcases, members] = [
    reviews.records,
    reviews.spans,
    reviews.testcases,
    reviews.reviewers,
  ].map(textsOf) as [string[], string[], string[], string[]];
  const [values, blind] = [numbersOf(reviews.values), numbersOf(reviews.blind)];
  const counted = records.map((_, i) => i).filter((i) => sighted || blind[i] === 1);
  const numbers = new Map<string, number>();
  for (const i of counted) numbers.set(members[i]!, (numbers.get(members[i]!) ?? 0) + 1);
  const reviewers = [...numbers].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([id]) => id);
  const columns = new Map(reviewers.map((id, column) => [id, column]));
  const rows = new Map<string, (number | null)[]>();
  const unitOf = new Map<string, string>();
  const cells: { row: string; column: number; review: number }[] = [];
  for (const i of counted) {
    const id = spans[i] === undefined ? records[i]! : `${records[i]} ${spans[i]}`;
    const column = columns.get(members[i]!)!;
    cells.push({ row: id, column, review: i });
    const row = rows.get(id) ?? new Array<number | null>(reviewers.length).fill(null);
    row[column] = ratingOf(values[i]!, config, measure);
    rows.set(id, row);
    unitOf.set(id, testcases[i] === 'NULL' ? records[i]! : `testcase ${testcases[i]}`);
  }
  return {
    reviewers,
    ratings: [...rows.values()],
    counted: counted.length,
    leftOut: records.length - counted.length,
    unitOf,
    units: [...rows.keys()].map((id) => unitOf.get(id)!),
    cells,
  };
};

const noFloats = 'floats have no categories: ask with measure=pass';

const overall = (
  { ratings, units: all }: { ratings: Ratings; units: readonly string[] },
  { scale, categories, weights }: Kind,
  level: number,
) => {
  const units = new Set(all).size < all.length ? all : undefined;
  const agreement = pairAgreement(ratings, level, units);
  return {
    agreement,
    alpha: krippendorffAlpha(ratings, scale, level, units),
    ac: categories
      ? gwetAc(ratings, categories, weights, level, units)
      : {
          ...agreement,
          method: 'gwet ac1',
          estimate: null,
          standardError: null,
          interval: null,
          reason: noFloats,
        },
  };
};

/** Compares a reviewer with the others who scored the same records, and measures the agreement of all without this reviewer. */
const describeReviewer = (ratings: Ratings, column: number, { scale }: Kind, level: number) => {
  const own = ratings.filter((row) => row[column] !== null);
  const [differences, shares]: [number[], number[]] = [[], []];
  for (const row of own) {
    const mine = row[column]!;
    const others = row.filter((value, other): value is number => other !== column && value !== null);
    if (others.length === 0) continue;
    differences.push(mine - others.reduce((a, b) => a + b, 0) / others.length);
    shares.push(others.filter((value) => value === mine).length / others.length);
  }
  const n = shares.length;
  const mean = (values: number[]) => (n === 0 ? null : values.reduce((a, b) => a + b, 0) / n);
  return {
    numReviews: own.length,
    numShared: n,
    agreement: mean(shares),
    difference: mean(differences),
    alphaWithout: krippendorffAlpha(
      ratings.map((row) => row.map((value, other) => (other === column ? null : value))),
      scale,
      level,
    ).estimate,
  };
};

/** The agreement of two reviewers, and how many ratings one is worth where those of a unit depend on each other. */
const agreementOfPair = (same: number[], units: string[], level: number) => {
  if (new Set(units).size === units.length) {
    const alone = rateEstimate(same.filter(Boolean).length, same.length, level);
    return { agreement: { ...alone, assumption: 'records are independent draws' }, worth: 1 };
  }
  const clustered = clusteredMeanEstimate(same, units, level, { low: 0, high: 1 });
  return {
    agreement: { ...clustered, n: same.length, assumption: 'units are independent draws' },
    worth: Math.min(1, clustered.effectiveN / same.length),
  };
};

const describePair = (
  ratings: readonly { row: Ratings[number]; unit: string }[],
  [a, b]: [number, number],
  { categories, weights }: Kind,
  level: number,
) => {
  const both = ratings.flatMap(({ row, unit }) =>
    row[a] != null && row[b] != null ? [{ first: row[a], second: row[b], unit }] : [],
  );
  const { agreement, worth } = agreementOfPair(
    both.map(({ first, second }) => Number(first === second)),
    both.map(({ unit }) => unit),
    level,
  );
  const table = categories?.map((x) =>
    categories.map((y) => worth * both.filter(({ first, second }) => first === x && second === y).length),
  );
  return {
    n: both.length,
    agreement: { ...agreement, ...caveatsOf() },
    kappa: table ? { ...cohenKappa(table, weights, level), n: both.length } : null,
  };
};

/** How far reviewers agree on each criterion, those of the metric first. */
const describeCriteria = (job: AgreementJob, read: ReturnType<typeof readRatings>) => {
  const textOf = new Map(job.criteria?.items.map(({ id, text }) => [id, text]));
  return [...readCriteria(job, read)].slice(0, maxCriteria).map(([id, rated]) => ({
    id,
    text: textOf.get(id) ?? null,
    numRecordsWithSeveral: rated.ratings.filter((row) => row.filter((value) => value !== null).length > 1)
      .length,
    ...overall(rated, kinds.boolean, job.level),
  }));
};

/** Says what is one unit of the intervals. */
const caveatOfUnits = (n: number, units: number, { ofSpans }: JudgeConfig): Caveat | null => {
  if (units === n) return null;
  const [value, unit] = ofSpans ? ['span', 'record'] : ['record', 'testcase'];
  return {
    code: 'dependentRecords',
    sentence: `${countInWords(n, value!)} are of ${countInWords(units, unit!)}: ${value}s of one ${unit} depend on each other, and count as one unit of each interval`,
  };
};

/** A span has one score at a time, and the page shows it to the person who gives the next. */
const seenReviews: Caveat = {
  code: 'reviewsSeen',
  sentence:
    'who scores a span can see the score that it has: such reviews agree more than independent ones would',
};

/** Measures how far reviewers of the same records agree: all of them, each with the others, and each pair. */
export const agree = (job: AgreementJob): Static<typeof ReviewerAgreement.schema> => {
  const { config, measure, level } = job;
  const read = readRatings(job);
  const { reviewers, ratings, units, counted, leftOut } = read;
  const numUnits = new Set(units).size;
  const unit = config.ofSpans ? 'span' : 'record';
  const kind = kindOf(config, measure);
  const several = ratings
    .map((row, i) => ({ row, unit: units[i]! }))
    .filter(({ row }) => row.filter((value) => value !== null).length > 1);
  const listed = reviewers.slice(0, maxReviewers);
  const pairs = listed
    .flatMap((_, a) => listed.slice(a + 1).map((__, i): [number, number] => [a, a + 1 + i]))
    .map((pair) => ({
      userIds: pair.map((column) => reviewers[column]!),
      ...describePair(several, pair, kind, level),
    }))
    .filter(({ n }) => n > 0)
    .sort((a, b) => b.n - a.n);
  return {
    metricConfigId: config.configId,
    outputType: config.outputType,
    passingThreshold: config.passingThreshold,
    measure,
    unit,
    level,
    numReviews: counted,
    numReviewsLeftOut: leftOut,
    numRecords: ratings.length,
    numRecordsWithSeveral: several.length,
    ...overall(read, kind, level),
    reviewers: listed.map((userId, column) => ({
      userId,
      ...describeReviewer(ratings, column, kind, level),
    })),
    numReviewersLeftOut: reviewers.length - listed.length,
    pairs: pairs.slice(0, maxPairs),
    ...(job.criteria && { criteria: describeCriteria(job, read) }),
    ...caveatsOf(
      caveatOfUnits(ratings.length, numUnits, config),
      config.ofSpans && counted > 0 ? seenReviews : null,
      leftOut > 0
        ? {
            code: 'reviewsLeftOut',
            sentence: `reviews left out, because their authors could have seen other reviews: ${leftOut}`,
          }
        : null,
    ),
  };
};
