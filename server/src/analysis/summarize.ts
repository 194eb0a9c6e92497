import type { OutputType } from '../metrics/schema.ts';
import type { Interval } from '../statistics/intervals.ts';
import { type Summary, summarizeRun } from '../statistics/summary.ts';
import type { LabelColumns } from './queries.ts';
import {
  labelPairs,
  type Measure,
  nameOf,
  observationsOf,
  type RunColumns,
  type RunScores,
  readRuns,
  type Scores,
} from './run-scores.ts';

/** Most groups that a breakdown gives; the largest come first. */
export const maxGroups = 100;
/** Most flaky testcases that are named. */
const maxNamed = 100;

const binsOfFloat = 20;

/** What a score can be: a missing one could have been anything in between. */
const possible: Record<OutputType, Interval> = {
  boolean: { low: 0, high: 1 },
  int: { low: 1, high: 5 },
  float: { low: 0, high: 1 },
};

/** How often each value was given; floats in bins of equal width, the last of which holds both its ends. */
const distributionOf = ({ outputType, numbers, values }: Scores, units: RunScores['units']) => {
  const present = values.filter((value, i) => value >= 0 && units.has(numbers[i]!));
  if (outputType !== 'float') {
    const { low, high } = possible[outputType];
    const counts = new Map(Array.from({ length: high - low + 1 }, (_, i) => [low + i, 0]));
    for (const value of present) counts.set(value, (counts.get(value) ?? 0) + 1);
    return [...counts].map(([value, count]) => ({ low: value, high: value, count }));
  }
  const counts = new Array<number>(binsOfFloat).fill(0);
  for (const value of present) counts[Math.min(binsOfFloat - 1, Math.floor(value * binsOfFloat))]!++;
  return counts.map((count, i) => ({ low: i / binsOfFloat, high: (i + 1) / binsOfFloat, count }));
};

const estimateOf = ({ names }: RunScores, summary: Summary) => {
  const { flaky, records: _, ...estimate } = summary;
  return {
    ...estimate,
    flaky: {
      count: flaky.length,
      testcases: flaky
        .slice(0, maxNamed)
        .map((trials) => ({ ...trials, testcase: nameOf(names, trials.testcase) })),
    },
  };
};

/** What is said of who a configuration is. */
export const configOf = ({
  metricId,
  metricName,
  configId,
  evalType,
  outputType,
  passingThreshold,
  pinned,
}: Scores) => ({
  metricId,
  metricName,
  metricConfigId: configId,
  evalType,
  outputType,
  passingThreshold,
  pinned,
});

const judgeCost = ({ evalType, costUsd, inputTokens, outputTokens, priced }: Scores) =>
  evalType === 'ai' ? { costUsd, inputTokens, outputTokens, priced: priced ?? 0 } : null;

const summaryOf = (run: RunScores, scores: Scores, measure: Measure, level: number) =>
  summarizeRun(observationsOf(run, scores, measure), {
    boolean: measure === 'pass' || scores.outputType === 'boolean',
    bounds: possible[measure === 'pass' ? 'boolean' : scores.outputType],
    level,
  });

const summarizeScores = (run: RunScores, scores: Scores, level: number) => {
  const passRate = summaryOf(run, scores, 'pass', level);
  return {
    ...configOf(scores),
    states: passRate.records,
    passRate: estimateOf(run, passRate),
    mean: scores.outputType === 'boolean' ? null : estimateOf(run, summaryOf(run, scores, 'score', level)),
    distribution: distributionOf(scores, run.units),
  };
};

/** The records that carry each label, of the most frequent labels, and how many labels there are beyond these. */
const largestGroups = (labels: LabelColumns) => {
  const groups = new Map<string, Set<number>>();
  for (const [n, label] of labelPairs(labels)) {
    const group = groups.get(label);
    if (group) group.add(n);
    else groups.set(label, new Set([n]));
  }
  const largest = [...groups]
    .sort(([a, x], [b, y]) => y.size - x.size || (a < b ? -1 : 1))
    .slice(0, maxGroups);
  return { largest, leftOut: groups.size - largest.length };
};

/**
 * The scores of each group, told apart in one pass: looking through all scores for each of a hundred groups took 12 s for
 * 100,000 records × 5 metrics.
 */
const splitScores = (scores: Scores, groupsOf: ReadonlyMap<number, number[]>, count: number): Scores[] => {
  const parts = Array.from({ length: count }, (): Scores => ({ ...scores, numbers: [], values: [] }));
  for (const [i, n] of scores.numbers.entries()) {
    for (const group of groupsOf.get(n) ?? []) {
      parts[group]!.numbers.push(n);
      parts[group]!.values.push(scores.values[i]!);
    }
  }
  return parts;
};

const breakDown = (run: RunScores, labels: LabelColumns, level: number) => {
  const { largest, leftOut } = largestGroups(labels);
  const groupsOf = new Map<number, number[]>();
  for (const [group, [, numbers]] of largest.entries()) {
    for (const n of numbers) {
      const groups = groupsOf.get(n);
      if (groups) groups.push(group);
      else groupsOf.set(n, [group]);
    }
  }
  const parts = run.scores.map((scores) => splitScores(scores, groupsOf, largest.length));
  return {
    groups: largest.map(([value, numbers], group) => ({
      value,
      numRecords: numbers.size,
      metrics: parts.map((ofMetric) => summarizeScores(run, ofMetric[group]!, level)),
    })),
    groupsLeftOut: leftOut,
  };
};

const plainEstimate = ({
  method,
  n,
  level,
  estimate,
  standardError,
  interval,
  reason,
  assumption,
  warnings,
}: Summary) => ({
  method,
  n,
  level,
  estimate,
  standardError,
  interval,
  reason,
  assumption,
  warnings,
});

/** What a run adds to the trend of each of its metrics. */
export const trendPoints = ({ run: columns, level }: { run: RunColumns; level: number }) => {
  const run = readRuns([columns])[0]!;
  return run.scores.map((scores) => {
    const passRate = summaryOf(run, scores, 'pass', level);
    return {
      ...configOf(scores),
      states: passRate.records,
      groupedBy: run.groupedBy,
      passRate: plainEstimate(passRate),
      mean: scores.outputType === 'boolean' ? null : plainEstimate(summaryOf(run, scores, 'score', level)),
    };
  });
};

export type SummaryJob = {
  run: RunColumns;
  createdAt: string;
  level: number;
  by: { name: string; labels: LabelColumns } | null;
};

/** What a run says, metric by metric, and for each group of records when it is broken down. */
export const summarize = ({ run: columns, createdAt, level, by }: SummaryJob) => {
  const run = readRuns([columns])[0]!;
  const breakdown = by && { by: by.name, ...breakDown(run, by.labels, level) };
  return {
    runId: run.runId,
    createdAt,
    level,
    numRecords: run.units.size,
    groupedBy: run.groupedBy,
    metrics: run.scores.map((scores) => ({
      ...summarizeScores(run, scores, level),
      cost: judgeCost(scores),
    })),
    breakdown,
  };
};
