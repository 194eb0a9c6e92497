/** Made-up worlds in which a comparison has as many testcases as a plan asks for, to see whether it finds what the plan promises. */

import { compareTestcases } from '../src/engine/statistics/compare.ts';
import { compareMetrics } from '../src/engine/statistics/compare-metrics.ts';
import { groupsOf, variancesOf, varyTogether } from '../src/engine/statistics/earlier-runs.ts';
import { type ForecastOptions, forecast } from '../src/engine/statistics/plan.ts';
import { type Random, uniform } from '../src/engine/statistics/random.ts';
import {
  averageTrials,
  type Observation,
  poolTrials,
  type TestcaseColumns,
} from '../src/engine/statistics/testcases.ts';
import { flip, normal, type Rate, times } from './coverage.ts';
import { firstOf } from './looks-worlds.ts';

/** Makes the testcases of a testset: each gives a score of a system that has lost `loss`, and perhaps its group. */
type Kind = {
  name: string;
  boolean: boolean;
  loss: number;
  /** Testcases of the earlier runs. */
  earlier: number;
  drawTestset: (
    random: Random,
    n: number,
  ) => { group?: string; score: (run: number, loss: number) => number }[];
};

/** Chance decides three testcases in ten; a loss turns passes into failures. */
const passes: Kind = {
  name: 'passes',
  boolean: true,
  loss: 0.08,
  earlier: 200,
  drawTestset: (random, n) =>
    times(n, () => {
      const chance = flip(random, 0.3) ? 2 / 3 : Number(flip(random, 6 / 7));
      const isLost = uniform(random);
      return { score: (_, loss) => Number(flip(random, chance) && isLost >= loss / 0.8) };
    }),
};

/**
 * Documents of ten questions, some with fewer or more. A question repeats the verdict of its document with chance √.3: one that both systems
 * share, or one of each system.
 */
const documents = (isShared: boolean, size: number, numEarlier: number): Kind => ({
  name: `passes of documents of ${size} questions that are hard for ${isShared ? 'both systems' : 'one system'}`,
  boolean: true,
  loss: 0.1,
  earlier: numEarlier * size,
  drawTestset: (random, n) => {
    let verdicts: boolean[] = [];
    return times(n, (i) => {
      const document = Math.floor(i / size);
      if (i % size === 0) verdicts = times(2, () => flip(random, 0.7));
      const [first, second] = verdicts as [boolean, boolean];
      const repeats = flip(random, Math.sqrt(0.3));
      const isLost = uniform(random);
      return {
        group: `${document}`,
        score: (run, loss) => {
          const ofDocument = isShared || run === 0 ? first : second;
          const passed = repeats ? ofDocument : flip(random, 0.7);
          return Number(passed && isLost >= loss / 0.7);
        },
      };
    });
  },
});

/** Stars of four tries each; a loss lowers the chance of each try. */
const stars: Kind = {
  name: 'scores 1 to 5',
  boolean: false,
  loss: 0.2,
  earlier: 200,
  drawTestset: (random, n) =>
    times(n, () => {
      const chance = 0.4 + 0.5 * uniform(random);
      return {
        score: (_, loss) =>
          1 + times(4, () => Number(flip(random, chance - loss / 4))).reduce((a, b) => a + b, 0),
      };
    }),
};

/** Skewed numbers that a loss shifts. */
const numbers = (loss: number): Kind => ({
  name: 'skewed numbers',
  boolean: false,
  loss,
  earlier: 100,
  drawTestset: (random, n) =>
    times(n, () => {
      const level = normal(random);
      return { score: (_, lost) => 0.5 * level + Math.exp(0.5 * normal(random)) - lost };
    }),
});

type Asked = Pick<ForecastOptions, 'trials' | 'baselineRuns' | 'looks' | 'tests'>;

const drawRuns = (
  random: Random,
  kind: Kind,
  { n, trials, runs, loss }: { n: number; trials: number; runs: number; loss: number },
): TestcaseColumns[] => {
  const testset = kind.drawTestset(random, n);
  const runOf = (run: number) =>
    testset.flatMap(({ score, group }, testcase) =>
      times(
        trials,
        (): Observation => ({
          testcase,
          score: score(Number(run === runs - 1), run === runs - 1 ? loss : 0),
          ...(group !== undefined && { group }),
        }),
      ),
    );
  return averageTrials(...times(runs, runOf)).columns;
};

/** Plans by two earlier runs of equal systems, as the service does. */
const planOf = (random: Random, kind: Kind, asked: Asked): { numNeeded: number; looks: number[] } => {
  const { trials = 1, baselineRuns = 1 } = asked;
  const version = baselineRuns > 1 ? '1' : null;
  const [older, newest] = drawRuns(random, kind, { n: kind.earlier, trials, runs: 2, loss: 0 }).map(
    (testcases) => ({ testcases, version }),
  );
  const all = [newest!, older!];
  const { correlation, other } = varyTogether(newest!, all, kind.boolean);
  const groups = groupsOf(newest!, other);
  const { numNeeded, neededLooks } = forecast(kind.earlier, variancesOf(newest!, all), kind.loss, {
    ...asked,
    boolean: kind.boolean,
    correlation,
    groups: groups && { ...groups, earlierSize: groups.size },
  });
  return { numNeeded: numNeeded!, looks: neededLooks! };
};

/** Whether the comparison that was planned finds the loss. */
const isFound = (random: Random, kind: Kind, asked: Asked): boolean => {
  const { trials = 1, baselineRuns = 1, looks: numLooks = 1 } = asked;
  const { numNeeded, looks } = planOf(random, kind, asked);
  const runs = drawRuns(random, kind, { n: numNeeded, trials, runs: baselineRuns + 1, loss: kind.loss });
  const before = poolTrials(runs[0]!, runs.slice(1, -1));
  const after = runs.at(-1)!;
  const { boolean } = kind;
  if (numLooks === 1) return compareTestcases(before, after, { boolean }).verdict === 'worse';
  const plan = { looks, numTrials: trials, isOver: false };
  return looks.some(
    (n) =>
      compareTestcases(before, firstOf(after, n), { boolean, test: 'planned', plan }).verdict === 'worse',
  );
};

const planned = (kind: Kind, what: string, asked: Asked = {}): Rate => ({
  name: `a loss of ${kind.loss} that was planned for, ${kind.name}${what}`,
  method: 'plan',
  nominal: '"worse" in 80 %',
  happens: (random) => isFound(random, kind, asked),
});

/** Several metrics that are read together. One has lost. */
const plannedTogether = (metrics: number): Rate => ({
  name: `a loss of ${passes.loss} that was planned for, passes, one of ${metrics} metrics`,
  method: 'plan',
  nominal: '"worse" in 80 % or more: Holm may need less than planned',
  happens: (random) => {
    const { numNeeded } = planOf(random, passes, { tests: metrics });
    const compared = times(metrics, (i) => {
      const loss = i === 0 ? passes.loss : 0;
      const [before, after] = drawRuns(random, passes, { n: numNeeded, trials: 1, runs: 2, loss });
      return [`${i}`, { before: before!, after: after!, boolean: true }] as const;
    });
    return compareMetrics(Object.fromEntries(compared))[0]!.verdict === 'worse';
  },
});

export const planRates: Rate[] = [
  planned(passes, ''),
  planned(passes, ', three trials', { trials: 3 }),
  planned(passes, ', three pooled runs of the baseline', { baselineRuns: 3 }),
  planned(passes, ', four looks', { looks: 4 }),
  plannedTogether(5),
  planned(documents(true, 10, 40), ''),
  planned(documents(false, 10, 40), ''),
  planned(documents(false, 10, 20), ', 20 in the earlier run'),
  planned(documents(false, 10, 40), ', four looks', { looks: 4 }),
  planned(documents(false, 5, 60), ', three trials', { trials: 3 }),
  planned(stars, ''),
  planned(stars, ', four looks', { looks: 4 }),
  planned(numbers(0.3), ''),
  planned(numbers(0.8), ''),
];
