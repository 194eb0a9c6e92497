/** Made-up worlds whose people scored a sample of unequal chances: half of it are records that a judge failed. */

import { compareTestcases } from '../src/engine/statistics/compare.ts';
import { weighDraw } from '../src/engine/statistics/drawn.ts';
import { meanEstimate } from '../src/engine/statistics/intervals.ts';
import { type Random, uniform } from '../src/engine/statistics/random.ts';
import { summarizeTestcases } from '../src/engine/statistics/summary.ts';
import { addScore, emptyColumns, type TestcaseColumns, unset } from '../src/engine/statistics/testcases.ts';
import { drawEqually, flip, judged, type Rate, times, type World } from './coverage.ts';

const unit = { low: 0, high: 1 };

/** Testcases with their trials. People score some of these. Trials repeat the verdict of their testcase in seven of ten. */
type Run = { testcases: number; trials?: number; scored: number; truth: number; specificity: number };

type Scored = { unit: number; judge: number; human: number; isLabelled: boolean };

const drawRun = (random: Random, { testcases, trials = 1, scored, truth, specificity }: Run): Scored[] => {
  const records = times(testcases, (testcase) => {
    const usual = flip(random, truth);
    return times(trials, () => {
      const repeats = trials === 1 || flip(random, 0.7);
      const isGood = repeats ? usual : flip(random, truth);
      return { unit: testcase, ...judged(random, isGood, 0.95, specificity) };
    });
  }).flat();
  return drawEqually(random, records, scored);
};

/** The columns of a run; scores from 1 to 5 are 2 to 5 for a pass, and 1 to 4 for a failure. */
const columnsOf = (random: Random, run: Run, stars = false): TestcaseColumns => {
  const records = drawRun(random, run).map((record) => ({
    ...record,
    score: stars ? 1 + record.human + Math.floor(4 * uniform(random)) : record.human,
  }));
  const columns = emptyColumns(run.testcases, new Int32Array(run.testcases).fill(unset), null);
  for (const { unit: testcase, isLabelled, score } of records)
    if (isLabelled) addScore(columns, testcase, score);
  const units = Int32Array.from(records, (record) => record.unit);
  const { weighed } = weighDraw({
    units,
    clusters: units,
    strata: Int32Array.from(records, ({ judge }) => judge),
    values: Float64Array.from(records, ({ isLabelled, score }) => (isLabelled ? score : Number.NaN)),
  });
  return { ...columns, drawn: weighed };
};

const inWords = ({ testcases, trials = 1, scored, truth, specificity }: Run) =>
  `pass rate ${truth}, ${testcases} testcases${trials > 1 ? ` × ${trials} trials` : ''}, people scored ${scored}, half of what a judge (0.95, ${specificity}) failed`;

const rateOf = (run: Run, stars = false): World => ({
  name: `${stars ? 'scores 1 to 5, ' : ''}${inWords(run)}`,
  method: "people's mean by the draw",
  truth: stars ? 2.5 + run.truth : run.truth,
  draw: (random) =>
    summarizeTestcases(columnsOf(random, run, stars), {
      boolean: !stars,
      bounds: stars ? { low: 1, high: 5 } : unit,
    }),
});

const compareDrawn = (random: Random, run: Run, specificity: number) => {
  const [before, after] = [run, { ...run, specificity }].map((one) => columnsOf(random, one));
  return compareTestcases(before!, after!, { boolean: true });
};

const difference = (run: Run, specificity: number): World => ({
  name: `no difference, ${inWords(run)}, or a judge (0.95, ${specificity})`,
  method: "people's difference by the draws",
  truth: 0,
  draw: (random) => compareDrawn(random, run, specificity),
});

const example: Run = { testcases: 300, scored: 100, truth: 0.9, specificity: 0.7 };
const large: Run = { testcases: 1_000, scored: 100, truth: 0.9, specificity: 0.7 };
const repeated: Run = { testcases: 200, trials: 3, scored: 120, truth: 0.8, specificity: 0.8 };
const few: Run = { testcases: 1_000, scored: 40, truth: 0.9, specificity: 0.8 };

export const drawnWorlds: World[] = [
  ...[example, large, repeated, few].map((run) => rateOf(run)),
  rateOf(example, true),
  rateOf(repeated, true),
  difference(example, 0.9),
  difference({ ...large, scored: 200 }, 0.4),
];

/** The rate of the reviewed records, taken for that of the run. */
export const wrongDraws: World[] = [
  {
    ...rateOf(example),
    method: 'Wilson over what people scored, not meant for it',
    draw: (random) =>
      meanEstimate(
        drawRun(random, example)
          .filter(({ isLabelled }) => isLabelled)
          .map(({ human }) => human),
        0.95,
        unit,
      ),
  },
];

export const drawnRates: Rate[] = [
  {
    name: `no difference, ${inWords(example)}, or a judge (0.95, 0.4)`,
    method: "people's difference by the draws",
    nominal: '"better" or "worse" in at most 5 %',
    happens: (random) => compareDrawn(random, example, 0.4).verdict !== 'cannot tell',
  },
];
