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
const distributionOf = (
  { outputType, numbers, values }: Scores,
  units: RunScores['units'],
  keep?: Set<number>,
) => {
  const present = values.filter((value, i) => {
    const n = numbers[i]!;
    return value >= 0 && units.has(n) && keep?.has(n) !== false;
  });
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

const summaryOf = (run: RunScores, scores: Scores, measure: Measure, level: number, keep?: Set<number>) =>
  summarizeRun(observationsOf(run, scores, measure, keep), {
    boolean: measure === 'pass' || scores.outputType === 'boolean',
    bounds: possible[measure === 'pass' ? 'boolean' : scores.outputType],
    level,
  });

const summarizeScores = (run: RunScores, scores: Scores, level: number, keep?: Set<number>) => {
  const passRate = summaryOf(run, scores, 'pass', level, keep);
  return {
    ...configOf(scores),
    states: passRate.records,
    passRate: estimateOf(run, passRate),
    mean:
      scores.outputType === 'boolean' ? null : estimateOf(run, summaryOf(run, scores, 'score', level, keep)),
    distribution: distributionOf(scores, run.units, keep),
  };
};

const breakDown = (run: RunScores, labels: LabelColumns, level: number) => {
  const groups = new Map<string, Set<number>>();
  for (const [n, label] of labelPairs(labels)) {
    const group = groups.get(label);
    if (group) group.add(n);
    else groups.set(label, new Set([n]));
  }
  const largest = [...groups]
    .sort(([a, x], [b, y]) => y.size - x.size || (a < b ? -1 : 1))
    .slice(0, maxGroups);
  return {
    groups: largest.map(([value, numbers]) => ({
      value,
      numRecords: numbers.size,
      metrics: run.scores.map((scores) => summarizeScores(run, scores, level, numbers)),
    })),
    groupsLeftOut: groups.size - largest.length,
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
