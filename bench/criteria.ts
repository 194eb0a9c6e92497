/**
 * Prints how often a loss of 6 points in each of six criteria is found with 100 testcases: by one yes or no, by "all six are met", by the
 * share of the six, and by the six compared one by one under Holm; and how often two equal systems are called different. It does so for
 * several correlations of the criteria within a record, with the product's own paired tests and its own plan from an earlier run. Then it plants errors of a judge on each
 * criterion, and says how often the product's own agreement by criterion holds them in its intervals.
 * Run: node bench/criteria.ts [draws] [draws of agreement]
 */
import { compareTestcases } from '../server/src/engine/statistics/compare.ts';
import { holm } from '../server/src/engine/statistics/holm.ts';
import { wilson } from '../server/src/engine/statistics/intervals.ts';
import { forecast, testcaseVariances } from '../server/src/engine/statistics/plan.ts';
import { seededRandom, uniform } from '../server/src/engine/statistics/random.ts';
import { addScore, emptyColumns, type TestcaseColumns } from '../server/src/engine/statistics/testcases.ts';
import { calibrateCriteria } from '../server/src/insights/analysis/calibrate-criteria.ts';
import { noLabelFacts } from '../server/src/scoring/labels/queries.ts';

const draws = Number(process.argv[2] ?? 4_000);
const agreementDraws = Number(process.argv[3] ?? 400);
const numTestcases = 100;
const numCriteria = 6;
const rate = 0.8;
/** Shares of the latent difficulty: of the testcase, and of the criterion in the testcase, both the same in the two runs. */
type World = { name: string; ofTestcase: number; ofCriterion: number };
const worlds: World[] = [
  { name: 'criteria of a record are independent', ofTestcase: 0, ofCriterion: 0.5 },
  { name: 'they correlate by .15', ofTestcase: 0.15, ofCriterion: 0.35 },
  { name: 'they correlate by .30', ofTestcase: 0.3, ofCriterion: 0.2 },
  { name: 'they correlate by .60', ofTestcase: 0.6, ofCriterion: 0.1 },
];

const random = seededRandom(20_261_128);
const normal = (): number =>
  Math.sqrt(-2 * Math.log(1 - uniform(random))) * Math.cos(2 * Math.PI * uniform(random));

const known = new Map<number, number>();

/** The point below which a standard normal falls with this probability, by bisection over a series of its distribution. */
const quantile = (probability: number): number => {
  const before = known.get(probability);
  if (before !== undefined) return before;
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
  known.set(probability, low);
  return low;
};

type Verdicts = boolean[][];

/** Two runs over the same testcases; each criterion is met with the given rates. */
const drawRuns = (
  { ofTestcase, ofCriterion }: World,
  before: number,
  after: number,
): [Verdicts, Verdicts] => {
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

const count = (world: World, after: number, names = Object.keys(questions)): Map<string, number> => {
  const found = new Map(names.map((name) => [name, 0]));
  for (let draw = 0; draw < draws; draw++) {
    const runs = drawRuns(world, rate, after);
    for (const name of names) if (questions[name]!(runs)) found.set(name, found.get(name)! + 1);
  }
  return found;
};

const percent = (times: number, of = draws) => `${((100 * times) / of).toFixed(1)} %`;

/** The correlation over testcases of the shares of two equal runs, which an earlier pair of runs shows. */
const correlationIn = (world: World): number => {
  const [x, y]: number[][] = [[], []];
  for (let i = 0; i < 200; i++) {
    const [before, after] = drawRuns(world, rate, rate);
    x!.push(...before.map(share));
    y!.push(...after.map(share));
  }
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [a, b] = [mean(x!), mean(y!)];
  const product = (u: number[], v: number[], c: number, d: number) =>
    u.reduce((sum, value, k) => sum + (value - c) * (v[k]! - d), 0);
  return product(x!, y!, a, b) / Math.sqrt(product(x!, x!, a, a) * product(y!, y!, b, b));
};

/** The smallest loss that the plan says the share finds with a power of 80 %, from the variance of one earlier run; the mean over some runs. */
const planned = (world: World, correlation: number): number => {
  const found = Array.from({ length: 200 }, () => {
    const [earlier] = drawRuns(world, rate, rate);
    const variances = testcaseVariances(columnsOf(earlier.map(share)));
    return forecast(numTestcases, variances, null, { correlation, shares: true }).minimumDetectable ?? 1;
  });
  return found.reduce((sum, each) => sum + each, 0) / found.length;
};

for (const world of worlds) {
  const [loss, none] = [count(world, rate - 0.06), count(world, rate)];
  const correlation = correlationIn(world);
  const least = planned(world, correlation);
  const atLeast = count(world, rate - least, ['share of the six']).get('share of the six')!;
  console.log(
    `\n${world.name}\n\n| question | loss of 6 points found | equal systems called different |\n|---|---|---|`,
  );
  for (const name of Object.keys(questions))
    console.log(`| ${name} | ${percent(loss.get(name)!)} | ${percent(none.get(name)!)} |`);
  console.log(
    `The plan from one earlier run, with the correlation of ${correlation.toFixed(2)} that two runs show: the share finds a loss of ${(100 * least).toFixed(1)} points with a power of 80 %; found in ${percent(atLeast)}.`,
  );
}
console.log(`\n${draws} draws, ${numTestcases} testcases, ${numCriteria} criteria met in ${100 * rate} %.`);

/** What a judge gets right on each criterion: of those that people say are met, and of the others. */
const planted = [
  { rate: 0.8, sensitivity: 0.95, specificity: 0.9 },
  { rate: 0.7, sensitivity: 0.9, specificity: 0.7 },
  { rate: 0.5, sensitivity: 0.85, specificity: 0.85 },
  { rate: 0.9, sensitivity: 0.99, specificity: 0.6 },
  { rate: 0.6, sensitivity: 0.7, specificity: 0.95 },
  { rate: 0.3, sensitivity: 0.8, specificity: 0.8 },
];
const numLabels = 300;
/** Share of the judge's luck that the criteria of a record have in common: it misreads a record, not a criterion. */
const ofRecord = 0.4;

type Pair = { [id: string]: 0 | 1 };

/** Records that people and the judge decided, criterion by criterion. */
const drawLabels = (): [string, Pair, Pair][] =>
  Array.from({ length: numLabels }, (_, i) => {
    const luck = Math.sqrt(ofRecord) * normal();
    const [judge, people]: [Pair, Pair] = [{}, {}];
    for (const [place, { rate: met, sensitivity, specificity }] of planted.entries()) {
      const isMet = uniform(random) < met;
      const isRight = luck + Math.sqrt(1 - ofRecord) * normal() < quantile(isMet ? sensitivity : specificity);
      people[`c${place}`] = isMet ? 1 : 0;
      judge[`c${place}`] = isMet === isRight ? 1 : 0;
    }
    return [`1-${i + 1}`, judge, people];
  });

const arrayOf = (values: readonly unknown[]) => `{${values.join()}}`;

/** The product's own agreement by criterion on some labels. */
const agreementOn = (said: [string, Pair, Pair][]) => {
  const [none, ids] = [arrayOf(said.map(() => 'NULL')), arrayOf(said.map(([id]) => id))];
  const zeros = arrayOf(said.map(() => 0));
  return calibrateCriteria({
    judge: {
      configId: 'c',
      evalType: 'ai',
      outputType: 'float',
      passingThreshold: 0.5,
      labels: null,
      ofSpans: false,
    },
    labels: {
      spans: null,
      records: ids,
      testcases: none,
      inputs: none,
      humanPassed: zeros,
      human: zeros,
      judge: zeros,
      samples: none,
      strata: none,
      sizes: none,
      chances: none,
      drawn: none,
      reviews: zeros,
      reviewPasses: zeros,
      rules: none,
      humanLabels: null,
      ...noLabelFacts,
    },
    criteria: {
      criteria: JSON.stringify({
        items: planted.map((_, place) => ({
          id: `c${place}`,
          text: `c${place}`,
          weight: 1,
          mustPass: false,
        })),
      }),
      said: JSON.stringify(said),
    },
    split: 'all',
    level: 0.95,
  });
};

const holds = (interval: { low: number; high: number } | null, truth: number): number =>
  Number(interval !== null && interval.low <= truth && truth <= interval.high);

const held = planted.map(() => ({ sensitivity: 0, specificity: 0, ofSensitivity: 0, ofSpecificity: 0 }));
const whole = { truth: 0, clustered: 0, plain: 0 };
whole.truth =
  planted.reduce(
    (sum, { rate: met, sensitivity, specificity }) => sum + met * sensitivity + (1 - met) * specificity,
    0,
  ) / planted.length;
for (let draw = 0; draw < agreementDraws; draw++) {
  const { criteria, together } = agreementOn(drawLabels());
  for (const [place, { sensitivity, specificity }] of planted.entries()) {
    const of = criteria[place]!;
    held[place]!.sensitivity += holds(of.sensitivity.interval, sensitivity);
    held[place]!.specificity += holds(of.specificity.interval, specificity);
    held[place]!.ofSensitivity += of.sensitivity.estimate!;
    held[place]!.ofSpecificity += of.specificity.estimate!;
  }
  whole.clustered += holds(together.agreement.interval, whole.truth);
  const { estimate, n } = together.agreement;
  whole.plain += holds(wilson(estimate! * n, n), whole.truth);
}
console.log(
  `\nA judge of known error, ${agreementDraws} draws of ${numLabels} labelled records\n\n| met | sensitivity planted, found, held | specificity planted, found, held |\n|---|---|---|`,
);
const mean = (sum: number) => `${((100 * sum) / agreementDraws).toFixed(1)} %`;
for (const [place, each] of planted.entries())
  console.log(
    `| ${100 * each.rate} % | ${100 * each.sensitivity} %, ${mean(held[place]!.ofSensitivity)}, ${mean(held[place]!.sensitivity)} | ${100 * each.specificity} %, ${mean(held[place]!.ofSpecificity)}, ${mean(held[place]!.specificity)} |`,
  );
console.log(
  `All verdicts together agree in ${(100 * whole.truth).toFixed(1)} %: held by the interval clustered by record in ${mean(whole.clustered)}, by one that takes them as independent in ${mean(whole.plain)}.`,
);
