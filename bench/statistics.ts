/**
 * Compares all statistics of 100,000 records × 5 metrics with one plain pass that only adds up the scores.
 * Target: 3 s. Run: node bench/statistics.ts
 */
import { calibrate, sweepThresholds } from '../server/src/engine/statistics/calibration.ts';
import { compareMetrics } from '../server/src/engine/statistics/compare-metrics.ts';
import { krippendorffAlpha } from '../server/src/engine/statistics/krippendorff.ts';
import type { LabelledRecord } from '../server/src/engine/statistics/label-strata.ts';
import { runVariances } from '../server/src/engine/statistics/plan.ts';
import { seededRandom, uniform } from '../server/src/engine/statistics/random.ts';
import { signFlip } from '../server/src/engine/statistics/sign-flip.ts';
import { summarizeRun } from '../server/src/engine/statistics/summary.ts';
import { averageTrials, type Observation } from '../server/src/engine/statistics/testcases.ts';

const records = 100_000;
const random = seededRandom(1);
const kinds = {
  boolean: { boolean: true, bounds: { low: 0, high: 1 }, draw: () => Number(uniform(random) < 0.7) },
  int: { boolean: false, bounds: { low: 1, high: 5 }, draw: () => 1 + Math.floor(5 * uniform(random)) },
  float: { boolean: false, bounds: { low: 0, high: 1 }, draw: () => uniform(random) },
  grouped: { boolean: true, bounds: { low: 0, high: 1 }, draw: () => Number(uniform(random) < 0.4) },
  // Almost always 0 and rarely 1: so skewed that the interval comes from sign flips.
  skewed: { boolean: false, bounds: { low: 0, high: 1 }, draw: () => Number(uniform(random) < 0.00005) },
};
type Kind = keyof typeof kinds;
const names = Object.keys(kinds) as Kind[];

const drawRun = (kind: Kind): Observation[] =>
  Array.from({ length: records }, (_, i) => ({
    testcase: `1-${i}`,
    group: kind === 'grouped' ? `document ${i % 5000}` : null,
    score: kinds[kind].draw(),
  }));

/** Returns the processor milliseconds of this thread, so that other work on the machine does not count. */
const time = (work: () => unknown): number => {
  const began = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(began);
  return (user + system) / 1000;
};

const runs = names.map((kind) => ({ kind, before: drawRun(kind), after: drawRun(kind) }));
const labels: LabelledRecord[] = Array.from({ length: records }, (_, i) => {
  const human = uniform(random) < 0.7;
  return { id: `1-${i}`, human, judge: uniform(random) < (human ? 0.9 : 0.2) };
});
const ratings = labels.map(() => [1, 2, 3].map(() => 1 + Math.floor(5 * uniform(random))));

/** A few large gains and losses decide the mean of each. */
const heavy = Array.from({ length: 20 }, () =>
  Float64Array.from({ length: records }, () => (uniform(random) < 0.5 ? -1 : 1) / uniform(random) ** 0.8),
);

const passes = {
  'plain pass: add up both runs': () =>
    runs.map(({ before, after }) =>
      [before, after].map((run) => run.reduce((sum, { score }) => sum + Number(score), 0)),
    ),
  'summary of one run': () => runs.map(({ kind, after }) => summarizeRun(after, kinds[kind])),
  'comparison of two runs, Holm': () =>
    compareMetrics(
      Object.fromEntries(
        runs.map(({ kind, before, after }) => {
          const [first, second] = averageTrials(before, after).columns;
          return [kind, { before: first!, after: second!, boolean: kinds[kind].boolean }];
        }),
      ),
    ),
  'sign flips of 20 skewed metrics': () => heavy.map((differences) => signFlip(differences, 1)),
  'variances for planning': () => runs.map(({ before }) => runVariances(before)),
  'calibration and threshold sweep': () => [
    calibrate(labels),
    sweepThresholds(labels.map(({ human }, i) => ({ human, judgeScore: ratings[i]![0]! }))),
  ],
  "Krippendorff's α, ordinal, 3 raters": () => krippendorffAlpha(ratings, 'ordinal'),
};

const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1]!;
const times = Object.entries(passes).map(([name, work]) => {
  const first = time(work);
  return { name, first, warm: median([time(work), time(work), time(work)]) };
});
const plain = times[0]!;
const total = times.slice(1).reduce((sum, { first }) => sum + first, 0);
console.log(
  `${records.toLocaleString('en')} records × ${names.length} metrics; processor milliseconds of the first call, and median of three more`,
);
for (const { name, first, warm } of times) {
  console.log(
    `${name.padEnd(38)} ${first.toFixed(0).padStart(6)} ${warm.toFixed(0).padStart(6)}   ${(warm / plain.warm).toFixed(1)} × plain`,
  );
}
console.log(`everything, first calls: ${(total / 1000).toFixed(2)} s (target 3 s)`);
