/** From scores of records to the unit of every statistic: the testcase, its trials averaged first. */

/** Why a record has no score: a judge that failed is not a judge that said no. */
export type Missing = 'pending' | 'unscored' | 'failed';

/** Names a testcase. Counting by a number takes a third of the time that it takes by text. */
export type TestcaseId = string | number;

/** One record's score of one metric. Booleans are 1 and 0. */
export interface Observation {
  testcase: TestcaseId;
  /** The testcase's revision when the record was made; two runs are paired on the same one only. */
  revision?: number | string | null;
  /** Testcases that share a group depend on each other. Null: the testcase stands for itself. */
  group?: string | null;
  score: number | boolean | Missing;
}

export interface TestcaseMean {
  testcase: TestcaseId;
  revision: number | string | null;
  group: string | null;
  /** Mean of the trials that have a score; NaN when none has. */
  mean: number;
  sum: number;
  sumOfSquares: number;
  trials: number;
  missing: number;
}

export interface TestcaseMeans {
  testcases: Map<TestcaseId, TestcaseMean>;
  /** Records by what became of their score. */
  records: { scored: number; pending: number; unscored: number; failed: number };
  /** Whether any record names a group. */
  grouped: boolean;
}

/** Averages the trials of each testcase, so that repeating a testcase never inflates n. Miller (2024), arXiv 2411.00640. */
export const averageTrials = (observations: Iterable<Observation>): TestcaseMeans => {
  const testcases = new Map<TestcaseId, TestcaseMean>();
  const records = { scored: 0, pending: 0, unscored: 0, failed: 0 };
  let grouped = false;
  for (const { testcase, revision = null, group, score } of observations) {
    let entry = testcases.get(testcase);
    if (!entry) {
      entry = {
        testcase,
        revision,
        group: group ?? null,
        mean: Number.NaN,
        sum: 0,
        sumOfSquares: 0,
        trials: 0,
        missing: 0,
      };
      testcases.set(testcase, entry);
    }
    if (group != null) grouped = true;
    if (typeof score === 'string') {
      records[score]++;
      entry.missing++;
    } else {
      const value = Number(score);
      records.scored++;
      entry.trials++;
      entry.sum += value;
      entry.sumOfSquares += value * value;
      entry.mean = entry.sum / entry.trials;
    }
  }
  return { testcases, records, grouped };
};

/**
 * The group of each testcase for cluster-robust errors, as a number: one without a group is a group by itself. Looking up
 * a text that was put together for it took longer than all the rest.
 */
export const clustersOf = (testcases: readonly TestcaseMean[]): Int32Array => {
  const clusters = new Int32Array(testcases.length);
  const known = new Map<string, number>();
  let next = 0;
  for (const [i, { group }] of testcases.entries()) {
    const found = group === null ? undefined : known.get(group);
    clusters[i] = found ?? next++;
    if (group !== null && found === undefined) known.set(group, clusters[i]!);
  }
  return clusters;
};
