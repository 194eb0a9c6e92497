import type { Static } from 'typebox';
import type { Criteria } from '../../../../client/src/criteria.ts';
import { placeOf } from '../../../../client/src/labels.ts';
import { cohenKappa } from '../../engine/statistics/agreement.ts';
import { caveatsOf } from '../../engine/statistics/caveats.ts';
import { countInWords } from '../../engine/statistics/count-in-words.ts';
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

/** The ratings of each criterion, 1 or 0, with the rows and columns of the ratings of the scores. */
const readCriteria = (
  { reviews, criteria }: AgreementJob,
  cells: readonly { row: string; column: number; review: number }[],
  numReviewers: number,
): Map<string, Ratings> => {
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
  return new Map([...found].map(([id, rows]) => [id, [...rows.values()]]));
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
  const [records, testcases, members] = [reviews.records, reviews.testcases, reviews.reviewers].map(
    textsOf,
  ) as [string[], string[], string[]];
  const [values, blind] = [numbersOf(reviews.values), numbersOf(reviews.blind)];
  const counted = records.map((_, i) => i).filter((i) => sighted || blind[i] === 1);
  const numbers = new Map<string, number>();
  for (const i of counted) numbers.set(members[i]!, (numbers.get(members[i]!) ?? 0) + 1);
  const reviewers = [...numbers].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([id]) => id);
  const columns = new Map(reviewers.map((id, column) => [id, column]));
  const rows = new Map<string, (number | null)[]>();
  const units = new Set<string>();
  const cells: { row: string; column: number; review: number }[] = [];
  for (const i of counted) {
    const id = records[i]!;
    const column = columns.get(members[i]!)!;
    cells.push({ row: id, column, review: i });
    const row = rows.get(id) ?? new Array<number | null>(reviewers.length).fill(null);
    row[column] = ratingOf(values[i]!, config, measure);
    rows.set(id, row);
    units.add(testcases[i] === 'NULL' ? id : testcases[i]!);
  }
  return {
    reviewers,
    ratings: [...rows.values()],
    counted: counted.length,
    leftOut: records.length - counted.length,
    testcases: units.size,
    cells,
  };
};

const noFloats = 'floats have no categories: ask with measure=pass';

const overall = (ratings: Ratings, { scale, categories, weights }: Kind, level: number) => {
  const agreement = pairAgreement(ratings, level);
  return {
    agreement,
    alpha: krippendorffAlpha(ratings, scale, level),
    ac: categories
      ? gwetAc(ratings, categories, weights, level)
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

const describePair = (ratings: Ratings, [a, b]: [number, number], kind: Kind, level: number) => {
  const both = ratings.flatMap((row): [number, number][] =>
    row[a] != null && row[b] != null ? [[row[a], row[b]]] : [],
  );
  const { categories, weights } = kind;
  const table = categories?.map((x) =>
    categories.map((y) => both.filter(([first, second]) => first === x && second === y).length),
  );
  const agreement = rateEstimate(both.filter(([x, y]) => x === y).length, both.length, level);
  return {
    n: both.length,
    agreement: { ...agreement, assumption: 'records are independent draws', ...caveatsOf() },
    kappa: table ? cohenKappa(table, weights, level) : null,
  };
};

/** How far reviewers agree on each criterion, those of the metric first. */
const describeCriteria = (job: AgreementJob, { cells, reviewers }: ReturnType<typeof readRatings>) => {
  const textOf = new Map(job.criteria?.items.map(({ id, text }) => [id, text]));
  return [...readCriteria(job, cells, reviewers.length)].slice(0, maxCriteria).map(([id, ratings]) => ({
    id,
    text: textOf.get(id) ?? null,
    numRecordsWithSeveral: ratings.filter((row) => row.filter((value) => value !== null).length > 1).length,
    ...overall(ratings, kinds.boolean, job.level),
  }));
};

/** Measures how far reviewers of the same records agree: all of them, each with the others, and each pair. */
export const agree = (job: AgreementJob): Static<typeof ReviewerAgreement.schema> => {
  const { config, measure, level } = job;
  const read = readRatings(job);
  const { reviewers, ratings, counted, leftOut, testcases } = read;
  const kind = kindOf(config, measure);
  const several = ratings.filter((row) => row.filter((value) => value !== null).length > 1);
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
    level,
    numReviews: counted,
    numReviewsLeftOut: leftOut,
    numRecords: ratings.length,
    numRecordsWithSeveral: several.length,
    ...overall(ratings, kind, level),
    reviewers: listed.map((userId, column) => ({
      userId,
      ...describeReviewer(ratings, column, kind, level),
    })),
    numReviewersLeftOut: reviewers.length - listed.length,
    pairs: pairs.slice(0, maxPairs),
    ...(job.criteria && { criteria: describeCriteria(job, read) }),
    ...caveatsOf(
      testcases < ratings.length
        ? {
            code: 'dependentRecords',
            sentence: `${ratings.length} records are of ${countInWords(testcases, 'testcase')}: records of one testcase depend on each other, and the intervals are too narrow by that`,
          }
        : null,
      leftOut > 0
        ? {
            code: 'reviewsLeftOut',
            sentence: `reviews left out, because their authors could have seen other reviews: ${leftOut}`,
          }
        : null,
    ),
  };
};
