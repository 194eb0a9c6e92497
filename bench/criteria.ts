/**
 * Prints how often a loss of 6 points in each of six criteria is found with 100 testcases: by one yes or no, by "all six are met", by the
 * share of the six, and by the six compared one by one under Holm; and how often two equal systems are called different. It uses the
 * product's own paired tests, and its own plan from the variance of an earlier run.
 * Run: node bench/criteria.ts [draws]
 */
import { compareTestcases } from '../server/src/engine/statistics/compare.ts';
import { holm } from '../server/src/engine/statistics/holm.ts';
import { forecast, testcaseVariances } from '../server/src/engine/statistics/plan.ts';
import { seededRandom, uniform } from '../server/src/engine/statistics/random.ts';
import { addScore, emptyColumns, type TestcaseColumns } from '../server/src/engine/statistics/testcases.ts';

const draws = Number(process.argv[2] ?? 2_000);
const numTestcases = 100;
const numCriteria = 6;
const rate = 0.8;
/** Shares of the latent difficulty: of the testcase, and of the criterion in the testcase, both the same in the two runs. */
const [ofTestcase, ofCriterion] = [0.15, 0.35];

const random = seededRandom(20_261_128);
const normal = (): number =>
  Math.sqrt(-2 * Math.log(1 - uniform(random))) * Math.cos(2 * Math.PI * uniform(random));

/** The point below which a standard normal falls with this probability, by bisection over a series of its distribution. */
const quantile = (probability: number): number => {
  const below = (z: number): number => {
    let [term, sum] = [z, z];
    for (let i = 1; i < 60; i++) {
      term *= (-z * z) / (2 * i);
      sum += term / (2 * i + 1);
    }
    return 0.5 + sum / Math.sqrt(2 * Math.PI);
  };
  let [low, high] = [-4, 4];
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (below(middle) < probability) low = middle;
    else high = middle;
  }
  return low;
};

type Verdicts = boolean[][];

/** Two runs over the same testcases; each criterion is met with the given rates. */
const drawRuns = (before: number, after: number): [Verdicts, Verdicts] => {
  const thresholds = [quantile(before), quantile(after)] as const;
  const runs: [Verdicts, Verdicts] = [[], []];
  for (let i = 0; i < numTestcases; i++) {
    const shared = Math.sqrt(ofTestcase) * normal();
    const own = Array.from({ length: numCriteria }, () => shared + Math.sqrt(ofCriterion) * normal());
    for (const [run, threshold] of [
      [runs[0], thresholds[0]],
      [runs[1], thresholds[1]],
    ] as const)
      run.push(own.map((each) => each + Math.sqrt(1 - ofTestcase - ofCriterion) * normal() < threshold));
  }
  return runs;
};

const columnsOf = (values: readonly number[]): TestcaseColumns => {
  const columns = emptyColumns(values.length, new Int32Array(values.length), null);
  for (const [i, value] of values.entries()) addScore(columns, i, value);
  return columns;
};

const pOf = (runs: [Verdicts, Verdicts], boolean: boolean, measure: (met: boolean[]) => number): number =>
  compareTestcases(columnsOf(runs[0].map(measure)), columnsOf(runs[1].map(measure)), {
    boolean,
    bounds: { low: 0, high: 1 },
  }).p ?? 1;

const share = (met: boolean[]): number => met.filter(Boolean).length / met.length;
const questions: Record<string, (runs: [Verdicts, Verdicts]) => boolean> = {
  'one yes or no': (runs) => pOf(runs, true, ([first]) => Number(first)) < 0.05,
  'all six are met': (runs) => pOf(runs, true, (met) => Number(met.every(Boolean))) < 0.05,
  'share of the six': (runs) => pOf(runs, false, share) < 0.05,
  'any of the six, under Holm': (runs) =>
    holm(Array.from({ length: numCriteria }, (_, i) => pOf(runs, true, (met) => Number(met[i])))).some(
      (p) => p !== null && p < 0.05,
    ),
};

const count = (after: number): Map<string, number> => {
  const found = new Map(Object.keys(questions).map((name) => [name, 0]));
  for (let draw = 0; draw < draws; draw++) {
    const runs = drawRuns(rate, after);
    for (const [name, finds] of Object.entries(questions))
      if (finds(runs)) found.set(name, found.get(name)! + 1);
  }
  return found;
};

const [loss, none] = [count(rate - 0.06), count(rate)];
const percent = (times: number) => `${((100 * times) / draws).toFixed(1)} %`;
console.log(`| question | loss of 6 points found | equal systems called different |\n|---|---|---|`);
for (const name of Object.keys(questions))
  console.log(`| ${name} | ${percent(loss.get(name)!)} | ${percent(none.get(name)!)} |`);
console.log(`\n${draws} draws, ${numTestcases} testcases, ${numCriteria} criteria met in ${100 * rate} %.`);

/** The smallest loss that the plan says the share finds with a power of 80 %, from the variance of one earlier run; the mean over some runs. */
const planned = Array.from({ length: 200 }, () => {
  const [earlier] = drawRuns(rate, rate);
  return (
    forecast(numTestcases, testcaseVariances(columnsOf(earlier.map(share))), null).minimumDetectable ?? 1
  );
});
const mean = planned.reduce((sum, each) => sum + each, 0) / planned.length;
console.log(
  `The plan of the share, from one earlier run: ${(100 * mean).toFixed(1)} points at a power of 80 %.`,
);
