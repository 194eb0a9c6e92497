/**
 * Writes the rates at which each rule of a gate passes, fails and cannot decide to bench/gate-table.md, the table of docs/deciding.md, and
 * those of gates with planned looks to bench/gate-looks-table.md, a table of docs/statistics.md. Then
 * prints how often `dokima gate` says WORSE although nothing became worse, for gates of several rules, as the table of docs/statistics.md.
 * The runs are two trials of one system: 80 % pass, three testcases in ten are decided by chance. Run: node bench/gate.ts [draws]
 */
import { writeFile } from 'node:fs/promises';
import { claim } from '../client/src/gate/claims.ts';
import { decide, type Evidence, type Test } from '../client/src/gate/decide.ts';
import { compareTestcases } from '../server/src/engine/statistics/compare.ts';
import { type Random, seededRandom, uniform } from '../server/src/engine/statistics/random.ts';
import { averageTrials, type Observation } from '../server/src/engine/statistics/testcases.ts';
import { gateLooksTable } from '../server/test/gate-looks-world.ts';
import { gateTable } from '../server/test/gate-world.ts';

const draws = Number(process.argv[2] ?? 2000);

const write = (name: string, lines: string[]) =>
  writeFile(new URL(name, import.meta.url), `${lines.join('\n')}\n`);

await write('./gate-table.md', await gateTable(draws));
await write('./gate-looks-table.md', await gateLooksTable(draws));

/** Two runs of one system; then `loss` of all testcases become failures. */
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

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

console.log('| metrics | testcases | margin | any WORSE | any WORSE without Holm |\n|---|---|---|---|---|');
for (const margin of [0, 0.02]) {
  for (const n of [50, 200, 500]) {
    for (const metrics of [1, 5, 10, 20]) {
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
      console.log(
        `| ${metrics} | ${n} | ${margin} | ${percent(together / draws)} | ${percent(alone / draws)} |`,
      );
    }
  }
}
