/** How often the rules of a gate pass, fail or cannot tell, in a simulated world: two runs of one system that may have lost passes. */

import type { Outcome } from '../../client/src/gate/check.ts';
import { claim } from '../../client/src/gate/claims.ts';
import { decide, type Evidence, type Test } from '../../client/src/gate/decide.ts';
import { compareTestcases } from '../src/engine/statistics/compare.ts';
import { rateEstimate } from '../src/engine/statistics/intervals.ts';
import { type Random, seededRandom, uniform } from '../src/engine/statistics/random.ts';
import { averageTrials, type Observation, type TestcaseColumns } from '../src/engine/statistics/testcases.ts';

/** Pass rate of the baseline. */
const baseRate = 0.85;

/** Draws two runs. Three testcases in ten are decided by chance; then the rate changes by `change` wherever it can. */
export const twoRuns = (random: Random, n: number, change: number): [TestcaseColumns, TestcaseColumns] => {
  const [before, after]: [Observation[], Observation[]] = [[], []];
  for (let testcase = 0; testcase < n; testcase++) {
    const chance = uniform(random) < 0.3 ? 2 / 3 : Number(uniform(random) < (baseRate - 0.2) / 0.7);
    before.push({ testcase, score: uniform(random) < chance });
    const passed = uniform(random) < chance;
    const flips = uniform(random) < (change < 0 ? -change / baseRate : change / (1 - baseRate));
    after.push({ testcase, score: flips ? change > 0 : passed });
  }
  const { columns } = averageTrials(before, after);
  return [columns[0]!, columns[1]!];
};

export type Rule = { name: string; line: number; difference: boolean; mustShow: boolean };

/** The rules of the table: those of the ready policies, then the others. */
export const gateRules: Rule[] = [
  { name: '`noRegression` (pull-request)', line: 0, difference: true, mustShow: false },
  { name: '`nonInferiority` 0.05 (nightly)', line: -0.05, difference: true, mustShow: true },
  { name: '`nonInferiority` 0.03 (release)', line: -0.03, difference: true, mustShow: true },
  { name: '`superiority`', line: 0, difference: true, mustShow: true },
  { name: '`notBelow` 0.8', line: 0.8, difference: false, mustShow: false },
  { name: '`atLeast` 0.8', line: 0.8, difference: false, mustShow: true },
];

export const testOf = (rule: Rule, [before, after]: [TestcaseColumns, TestcaseColumns]): Test => ({
  ...rule,
  ...claim(rule.name, { must: '', pass: '', worse: '' }),
  side: 'atLeast',
  write: String,
  at: async (level): Promise<Evidence> => {
    if (rule.difference) {
      const compared = compareTestcases(before, after, { boolean: true, level });
      const { n, difference, interval, standardError, p } = compared;
      return { n, value: difference, interval, standardError, p };
    }
    const passes = after.sums.reduce((a, b) => a + b, 0);
    const { n, estimate, interval } = rateEstimate(passes, after.sums.length, level);
    return { n, value: estimate, interval };
  },
});

/** Shares of gates that pass, fail, and have not enough data, for each rule. */
export const gateShares = async (
  n: number,
  change: number,
  draws: number,
): Promise<Record<'pass' | 'worse' | 'inconclusive', number>[]> => {
  const random = seededRandom(1);
  const counts = gateRules.map(
    () => ({ pass: 0, worse: 0, inconclusive: 0, incomplete: 0 }) as Record<Outcome, number>,
  );
  for (let draw = 0; draw < draws; draw++) {
    const runs = twoRuns(random, n, change);
    for (const [i, rule] of gateRules.entries())
      counts[i]![(await decide([testOf(rule, runs)], [], 0.95)).outcome]++;
  }
  return counts.map(({ pass, worse, inconclusive }) => ({
    pass: pass / draws,
    worse: worse / draws,
    inconclusive: inconclusive / draws,
  }));
};

export const tableSizes = [50, 100, 200, 500, 1000];
export const tableChanges = [0, -0.02, -0.05, -0.1, 0.05];

const shareText = (share: number): string => String(Math.round(100 * share));

/** The table of docs/deciding.md, a line each. */
export const gateTable = async (draws: number): Promise<string[]> => {
  const lines = [
    `| testcases | true change | ${gateRules.map(({ name }) => name).join(' | ')} |`,
    `|${' --- |'.repeat(gateRules.length + 2)}`,
  ];
  for (const n of tableSizes)
    for (const change of tableChanges) {
      const shares = await gateShares(n, change, draws);
      const cells = shares.map(({ pass, worse, inconclusive }) =>
        [pass, worse, inconclusive].map(shareText).join(' / '),
      );
      const points = `${change > 0 ? '+' : ''}${Math.round(100 * change)}`.replace('-', '−');
      lines.push(`| ${n.toLocaleString('en')} | ${points} | ${cells.join(' | ')} |`);
    }
  return lines;
};

/** Share of teams whose gate stops one of twelve changes that each lose 1.5 points of 300 testcases; a stopped change ends the draw. */
export const ratchet = async (draws: number, anchored: boolean): Promise<number> => {
  const random = seededRandom(3);
  const [alarm] = gateRules;
  let stopped = 0;
  for (let draw = 0; draw < draws; draw++) {
    // The chance of each testcase, which only falls.
    const chances = Float64Array.from({ length: 300 }, () =>
      uniform(random) < 0.3 ? 2 / 3 : Number(uniform(random) < 0.93),
    );
    const run = () =>
      Array.from(chances, (chance, testcase) => ({ testcase, score: uniform(random) < chance }));
    const first = run();
    let before = first;
    for (let step = 0; step < 12; step++) {
      for (const [i, chance] of chances.entries())
        if (uniform(random) < 0.015 / 0.85) chances[i] = chance * 0;
      const after = run();
      const tests = (anchored ? [before, first] : [before]).map((against) => {
        const { columns } = averageTrials(against, after);
        return testOf(alarm!, [columns[0]!, columns[1]!]);
      });
      if ((await decide(tests, [], 0.95)).outcome === 'worse') {
        stopped++;
        break;
      }
      before = after;
    }
  }
  return stopped / draws;
};
