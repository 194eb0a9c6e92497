/** How often a gate of several rules says WORSE although nothing became worse. */
import { claim } from '../../client/src/gate/claims.ts';
import { decide, type Evidence, type Test } from '../../client/src/gate/decide.ts';
import { compareTestcases } from '../src/engine/statistics/compare.ts';
import { type Random, seededRandom, uniform } from '../src/engine/statistics/random.ts';
import { averageTrials, type Observation } from '../src/engine/statistics/testcases.ts';

/** Two runs of one system: 80 % pass, three testcases in ten are decided by chance. Then `loss` of all testcases become failures. */
const twoRuns = (random: Random, n: number, loss: number): [Observation[], Observation[]] => {
  const [before, after]: [Observation[], Observation[]] = [[], []];
  for (let testcase = 0; testcase < n; testcase++) {
    const chance = uniform(random) < 0.3 ? 2 / 3 : Number(uniform(random) < 6 / 7);
    before.push({ testcase, score: uniform(random) < chance });
    const passed = uniform(random) < chance;
    after.push({ testcase, score: passed && uniform(random) >= loss / 0.8 });
  }
  return [before, after];
};

const ruleOf = (random: Random, n: number, margin: number): Test => {
  // The truth lies exactly on the margin, where an error is most likely.
  const columns = averageTrials(...twoRuns(random, n, margin)).columns;
  return {
    ...claim('', { must: '', pass: '', worse: '' }),
    side: 'atLeast',
    line: -margin,
    difference: true,
    mustShow: false,
    write: String,
    at: async (level): Promise<Evidence> => {
      const { difference, interval, p } = compareTestcases(columns[0]!, columns[1]!, {
        boolean: true,
        level,
      });
      return { n, value: difference, interval, p };
    },
  };
};

/** Shares of gates of so many rules that say WORSE: decided together, and each alone. */
export const worseShares = async (metrics: number, n: number, margin: number, draws: number) => {
  const random = seededRandom(1);
  let [together, alone] = [0, 0];
  for (let draw = 0; draw < draws; draw++) {
    const tests = Array.from({ length: metrics }, () => ruleOf(random, n, margin));
    if ((await decide(tests, [], 0.95)).outcome === 'worse') together++;
    for (const test of tests) {
      if ((await decide([test], [], 0.95)).outcome !== 'worse') continue;
      alone++;
      break;
    }
  }
  return { together: together / draws, alone: alone / draws };
};

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

/** Returns the lines of the table for gates with this margin. */
export const gateRulesTable = async (margin: number, draws: number): Promise<string[]> => {
  const lines = [
    '| metrics | testcases | gates that say WORSE | the same if each rule decided alone |',
    '|---|---|---|---|',
  ];
  for (const n of [50, 200, 500]) {
    for (const metrics of [1, 5, 10, 20]) {
      const { together, alone } = await worseShares(metrics, n, margin, draws);
      lines.push(`| ${metrics} | ${n} | ${percent(together)} | ${percent(alone)} |`);
    }
  }
  return lines;
};
