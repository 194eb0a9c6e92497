/** Made-up worlds of planned looks at a growing run, and of the sizes of differences. */

import {
  type CompareOptions,
  type Comparison,
  compareRuns,
  compareTestcases,
} from '../src/engine/statistics/compare.ts';
import { compareMetrics } from '../src/engine/statistics/compare-metrics.ts';
import { cohensH } from '../src/engine/statistics/effect-sizes.ts';
import { type Random, uniform } from '../src/engine/statistics/random.ts';
import type { Observation, TestcaseColumns } from '../src/engine/statistics/testcases.ts';
import { flip, normal, type Rate, shuffled, times, type World } from './coverage.ts';
import { twoRuns } from './gate-world.ts';

/** Returns a growing run when it has its first n testcases. */
export const firstOf = (columns: TestcaseColumns, n: number): TestcaseColumns => ({
  ...columns,
  trials: columns.trials.map((count, i) => (i < n ? count : 0)),
});

export const quarters = [125, 250, 375, 500];
/** A short first look, and a long way to the second one. */
export const unequal = [50, 400, 450, 500];

type Compared = { before: TestcaseColumns; after: TestcaseColumns };

/** Whether a look decides a metric, in one direction or, without a loss, in any. */
const isDecided = (
  metrics: readonly Compared[],
  n: number,
  options: Partial<CompareOptions>,
  loss: number,
) => {
  const found = compareMetrics(
    Object.fromEntries(
      metrics.map(({ before, after }, i) => [
        `${i}`,
        { ...options, boolean: true, before, after: firstOf(after, n) },
      ]),
    ),
  );
  return Object.values(found).some(({ verdict }) =>
    loss === 0 ? verdict !== 'cannot tell' : verdict === 'worse',
  );
};

type Looked = {
  what: string;
  looks: readonly number[];
  loss: number;
  metrics?: number;
  test?: 'planned' | 'fixed' | 'sequential';
};

const methods = { planned: 'planned looks', fixed: 'McNemar mid-p', sequential: 'mixture e-process' };

const looked = ({ what, looks, loss, metrics = 1, test = 'planned' }: Looked): Rate => ({
  name: `500 testcases, ${what}, ${loss === 0 ? 'no difference' : 'five points lost'}`,
  method: methods[test],
  nominal: loss > 0 ? '"worse"; in how many, is not stated' : '"better" or "worse" in at most 5 %',
  happens: (random) => {
    const drawn = times(metrics, () => {
      const [before, after] = twoRuns(random, 500, -loss);
      return { before, after };
    });
    const plan = { looks, numTrials: 1, isOver: false };
    const options = test === 'planned' ? { test, plan } : { test };
    return looks.some((n) => isDecided(drawn, n, options, loss));
  },
});

/** Looks without a plan: each is read as if it were the only one. */
const unplanned: Rate = {
  ...looked({ what: 'four looks, each read as the only one', looks: quarters, loss: 0, test: 'fixed' }),
  method: 'McNemar mid-p, not meant for it',
  nominal: 'nothing: it is not made for this',
};

/** A person who cancels the rest of a run at a look with p < .1. */
const cancelled: Rate = {
  name: '500 testcases, four looks, cancelled at the first p below .1, no difference',
  method: 'planned looks',
  nominal: '"better" or "worse" in at most 5 %',
  happens: (random) => {
    const [before, after] = twoRuns(random, 500, 0);
    const at = (n: number, isCancelled: boolean) => {
      const plan = { looks: quarters, numTrials: 1, isOver: isCancelled, isCancelled };
      return compareTestcases(before, firstOf(after, n), { boolean: true, test: 'planned', plan });
    };
    for (const n of quarters) {
      const { verdict, p } = at(n, false);
      if (verdict !== 'cannot tell') return true;
      if (p! < 0.1) return at(n, true).verdict !== 'cannot tell';
    }
    return false;
  },
};

/** 50 documents of 10 testcases, in an order that the service draws, or as a testset has them. */
const documentsLooked = (isDrawn: boolean): Rate => ({
  name: `500 testcases in 50 documents, ${isDrawn ? 'in an order that is drawn' : 'document by document'}, four looks, no difference`,
  method: isDrawn ? 'planned looks' : 'planned looks, not meant for it',
  nominal: isDrawn
    ? '"better" or "worse" in at most 5 %'
    : 'nothing: it is not made for this, and has the caveat `orderNotDrawn`',
  happens: (random) => {
    const testset = times(500, (i) => i);
    const order = isDrawn ? shuffled(random, testset) : testset;
    const run = () => {
      const verdicts = times(50, () => flip(random, 0.7));
      return order.map((testcase): Observation => {
        const group = Math.floor(testcase / 10);
        const score = flip(random, 0.55) ? verdicts[group]! : flip(random, 0.7);
        return { testcase, group: `${group}`, score };
      });
    };
    const [before, after] = [run(), run()];
    const plan = { looks: quarters, numTrials: 1, isOver: false };
    return quarters.some((n) => {
      const options = { boolean: true, test: 'planned', plan } as const;
      return compareRuns(before, after.slice(0, n), options).verdict !== 'cannot tell';
    });
  },
});

export const looksRates: Rate[] = [
  looked({ what: 'four equal looks', looks: quarters, loss: 0 }),
  looked({ what: 'looks at 50, 400, 450 and 500', looks: unequal, loss: 0 }),
  looked({ what: 'four equal looks, any of five metrics', looks: quarters, loss: 0, metrics: 5 }),
  cancelled,
  documentsLooked(true),
  unplanned,
  documentsLooked(false),
  looked({ what: 'four equal looks', looks: quarters, loss: 0.05 }),
  looked({ what: 'looks at 50, 400, 450 and 500', looks: unequal, loss: 0.05 }),
  looked({ what: 'one look at the end', looks: [500], loss: 0.05, test: 'fixed' }),
  looked({ what: 'four equal looks', looks: quarters, loss: 0.05, test: 'sequential' }),
];

const runOf = (scores: readonly (number | boolean)[]): Observation[] =>
  scores.map((score, testcase) => ({ testcase, score }));

const sizeAnswer = (
  { effectSizes, caveats }: Comparison<unknown>,
  name: 'cohensHInterval' | 'cohensDInterval',
) => ({
  interval: effectSizes[name],
  caveats,
});

/** Cohen's h of passes of testcases that are easy or hard for both runs. */
const sizeOfRates = (n: number, [before, after]: [number, number]): World => ({
  name: `h of pass rates ${before} and ${after}, n = ${n}`,
  method: "Cohen's h",
  truth: cohensH(before, after),
  draw: (random) => {
    const luck = times(n, () => uniform(random));
    const run = (rate: number) =>
      runOf(luck.map((own) => (flip(random, 0.5) ? own < rate : flip(random, rate))));
    return sizeAnswer(compareRuns(run(before), run(after), { boolean: true }), 'cohensHInterval');
  },
});

/** Cohen's d of scores that correlate by .7 between the runs. `shape` draws with mean 0 and variance 1. */
const sizeOfScores = (n: number, d: number, what: string, shape: (random: Random) => number): World => ({
  name: `d of ${what} scores that differ by ${d} standard deviations, n = ${n}`,
  method: "Cohen's d",
  truth: d,
  draw: (random) => {
    const common = times(n, () => shape(random));
    const run = (shift: number) =>
      runOf(common.map((both) => shift + Math.sqrt(0.7) * both + Math.sqrt(0.3) * shape(random)));
    return sizeAnswer(compareRuns(run(0), run(d), { boolean: false }), 'cohensDInterval');
  },
});

const exponential = (random: Random): number => -Math.log(1 - uniform(random)) - 1;

const sizeInGroups: World = {
  name: 'd of normal scores in 40 groups of 10, no difference',
  method: "Cohen's d",
  truth: 0,
  draw: (random) => {
    const run = () =>
      times(40, (group) => {
        const shared = 0.7 * normal(random);
        return times(
          10,
          (i): Observation => ({
            testcase: 10 * group + i,
            group: `${group}`,
            score: shared + normal(random),
          }),
        );
      }).flat();
    return sizeAnswer(compareRuns(run(), run(), { boolean: false }), 'cohensDInterval');
  },
};

export const sizeWorlds: World[] = [
  sizeOfRates(60, [0.95, 0.85]),
  sizeOfRates(300, [0.85, 0.8]),
  sizeOfScores(40, 0.8, 'normal', normal),
  sizeOfScores(100, 0.3, 'normal', normal),
  sizeOfScores(30, 0.5, 'exponential', exponential),
  sizeOfScores(100, 0.5, 'exponential', exponential),
  sizeInGroups,
];
