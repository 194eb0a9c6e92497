/** From scores of records to the unit of every statistic: the testcase, its trials averaged first. */

/** Why a record has no score. A failed judge does not count as a no. */
export type Missing = 'pending' | 'unscored' | 'failed';

/** Names a testcase. */
export type TestcaseId = string | number;

/** One record's score of one metric. Booleans are 1 and 0. */
export interface Observation {
  testcase: TestcaseId;
  /** The testcase's revision when the record was made; two runs are paired only on the same revision. */
  revision?: number | string | null;
  /** Testcases that share a group depend on each other. Null: the testcase has no group. */
  group?: string | null;
  score: number | boolean | Missing;
}

/** Value for a testcase without a group, or without a revision. */
export const unset = -1;

/** What each testcase stands for. A part is a value of a field with its share of the traffic; weights without shares make one part. */
export interface Weighting {
  /** The field, for readers. */
  by: string;
  /** By unit: its weight within its part. */
  weights: Float64Array;
  /** By unit: the number of its part. */
  parts: Int32Array;
  /** Share of each part; they add up to 1. */
  shares: readonly number[];
  /** Name of each part, for readers. */
  names: readonly string[];
  /** Number of units that the shares were counted on, if they are themselves a sample; absent if they are known. */
  numObserved?: number;
}

/** Values with what they stand for. Values of one cluster may depend on each other in any way. */
export interface Weighed {
  values: Float64Array;
  weighting: Weighting;
  clusters: Int32Array;
}

/** Returns the weighting of these units, in their order. */
export const takeWeights = ({ weights, parts, ...shared }: Weighting, indexes: Int32Array): Weighting => ({
  ...shared,
  weights: Float64Array.from(indexes, (i) => weights[i]!),
  parts: Int32Array.from(indexes, (i) => parts[i]!),
});

/**
 * The testcases of a run by index, a column each: objects for 100,000 testcases × 5 metrics took longer than all statistics.
 * Runs that are compared share their indexes; a testcase that is only in another run has neither trials nor missing scores here.
 */
export interface TestcaseColumns {
  /** Sum of the trials that have a score. */
  sums: Float64Array;
  sumsOfSquares: Float64Array;
  trials: Int32Array;
  /** Trials without a score. */
  missing: Int32Array;
  /** Equal numbers are equal revisions. */
  revisions: Int32Array;
  /** Equal numbers are one group; null where no testcase has one. */
  groups: Int32Array | null;
  /** What the testcases stand for; absent or null if each counts the same. */
  weighting?: Weighting | null;
  /** The scored records with what they stand for, if a sample of unequal chances was scored; then testcases are not paired. */
  drawn?: Weighed | null;
  /** Whether the trials are spans of records: a rate over spans counts each, and their units are its clusters. */
  ofSpans?: boolean;
  /** Number of records by the state of their score. */
  records: { scored: number; pending: number; unscored: number; failed: number };
}

/** No record yet of `count` testcases. */
export const emptyColumns = (
  count: number,
  revisions: Int32Array,
  groups: Int32Array | null,
): TestcaseColumns => ({
  sums: new Float64Array(count),
  sumsOfSquares: new Float64Array(count),
  trials: new Int32Array(count),
  missing: new Int32Array(count),
  revisions,
  groups,
  records: { scored: 0, pending: 0, unscored: 0, failed: 0 },
});

/** Adds a trial of a testcase, or a span of it. */
export const addTrial = (columns: TestcaseColumns, index: number, score: number): void => {
  columns.sums[index]! += score;
  columns.sumsOfSquares[index]! += score * score;
  columns.trials[index]!++;
};

export const addScore = (columns: TestcaseColumns, index: number, score: number): void => {
  addTrial(columns, index, score);
  columns.records.scored++;
};

export const addMissing = (columns: TestcaseColumns, index: number, missing: Missing): void => {
  columns.missing[index]!++;
  columns.records[missing]++;
};

/** Numbers values in the order of their first occurrence; equal values get the same number. */
const numbering = <Thing>() => {
  const numbers = new Map<Thing, number>();
  const numberOf = (thing: Thing): number => {
    const known = numbers.get(thing);
    if (known !== undefined) return known;
    numbers.set(thing, numbers.size);
    return numbers.size - 1;
  };
  return { numbers, numberOf };
};

/**
 * Averages the trials of each testcase, so that repeating a testcase never inflates n. Miller (2024), arXiv 2411.00640.
 * The first record of a testcase decides its revision and group.
 */
export const averageTrials = (
  ...runs: Iterable<Observation>[]
): { columns: TestcaseColumns[]; testcases: TestcaseId[] } => {
  const testcases = numbering<TestcaseId>();
  const revisions = numbering<number | string>();
  const groups = numbering<string>();
  const indexed = runs.map((run) =>
    Array.from(run, ({ testcase, revision, group, score }) => ({
      index: testcases.numberOf(testcase),
      revision: revision == null ? unset : revisions.numberOf(revision),
      group: group == null ? unset : groups.numberOf(group),
      score,
    })),
  );
  const count = testcases.numbers.size;
  const columns = indexed.map((run) => {
    const ofRevision = new Int32Array(count).fill(unset);
    const ofGroup = new Int32Array(count).fill(unset);
    const grouped = run.some(({ group }) => group !== unset);
    const averaged = emptyColumns(count, ofRevision, grouped ? ofGroup : null);
    for (const { index, revision, group, score } of run) {
      if (!isPresent(averaged, index)) {
        ofRevision[index] = revision;
        ofGroup[index] = group;
      }
      if (typeof score === 'string') addMissing(averaged, index, score);
      else addScore(averaged, index, Number(score));
    }
    return averaged;
  });
  return { columns, testcases: [...testcases.numbers.keys()] };
};

/** Whether the run has the testcase at all. */
export const isPresent = ({ trials, missing }: TestcaseColumns, index: number): boolean =>
  trials[index]! + missing[index]! > 0;

/** The testcases that have a score. */
export const scoredIndexes = ({ trials }: TestcaseColumns): Int32Array => {
  const indexes = new Int32Array(trials.length);
  let count = 0;
  for (let i = 0; i < trials.length; i++) if (trials[i]! > 0) indexes[count++] = i;
  return indexes.subarray(0, count);
};

/** The mean over the trials of each of these testcases. */
export const meansOf = ({ sums, trials }: TestcaseColumns, indexes: Int32Array): Float64Array => {
  const means = new Float64Array(indexes.length);
  for (let i = 0; i < means.length; i++) means[i] = sums[indexes[i]!]! / trials[indexes[i]!]!;
  return means;
};

/** Whether every mean is that of a yes or a no. */
export const isBinary = (values: ArrayLike<number>): boolean => {
  for (let i = 0; i < values.length; i++) if (values[i] !== 0 && values[i] !== 1) return false;
  return true;
};

/** The group of each of these testcases for cluster-robust errors: a testcase without a group forms its own group. */
export const clustersOf = (groups: Int32Array | null, indexes: Int32Array): Int32Array => {
  const clusters = new Int32Array(indexes.length);
  // Below every number of a group.
  let alone = unset;
  for (let i = 0; i < clusters.length; i++) {
    const group = groups?.[indexes[i]!] ?? unset;
    clusters[i] = group === unset ? alone-- : group;
  }
  return clusters;
};

/**
 * Adds the trials of further runs of the same system. A testcase that was changed in between keeps the trials of its own revision. The runs of
 * a baseline are trials of one: its mean has less noise, and the unit stays the testcase.
 */
export const poolTrials = (run: TestcaseColumns, others: readonly TestcaseColumns[]): TestcaseColumns => {
  if (others.length === 0) return run;
  const sums = run.sums.slice();
  const sumsOfSquares = run.sumsOfSquares.slice();
  const trials = run.trials.slice();
  const records = { ...run.records };
  for (const other of others) {
    for (let i = 0; i < trials.length; i++) {
      if (trials[i] === 0 || other.trials[i] === 0 || other.revisions[i] !== run.revisions[i]) continue;
      sums[i]! += other.sums[i]!;
      sumsOfSquares[i]! += other.sumsOfSquares[i]!;
      trials[i]! += other.trials[i]!;
      records.scored += other.trials[i]!;
    }
  }
  return { ...run, sums, sumsOfSquares, trials, records };
};
