/** How often gates on changes of nothing ship a false verdict, when all are asked about the same testcases: with a ledger and without. */

import { decide } from '../../client/src/gate/decide.ts';
import { levelOfLook } from '../src/engine/statistics/ledger.ts';
import { seededRandom, uniform } from '../src/engine/statistics/random.ts';
import { averageTrials } from '../src/engine/statistics/testcases.ts';
import { gateRules, testOf } from './gate-world.ts';

const alpha = 0.05;
const alarm = gateRules.find(({ name }) => name.includes('noRegression'))!;
const proof = gateRules.find(({ name }) => name.includes('superiority'))!;
const n = 100;

/**
 * Shares of projects that see a false verdict, better or worse, within each number of looks. The testcases stay, some hard and some easy; each
 * version is the baseline of the next, and nothing ever changes. A project ends with its first false verdict.
 */
export const falseVerdicts = async (
  projects: number,
  looks: readonly number[],
  hasLedger: boolean,
): Promise<number[]> => {
  const random = seededRandom(11);
  const counts = looks.map(() => 0);
  for (let project = 0; project < projects; project++) {
    const chances = Array.from({ length: n }, () => 0.5 + 0.5 * uniform(random));
    const answer = () => chances.map((chance, testcase) => ({ testcase, score: uniform(random) < chance }));
    let before = answer();
    for (let look = 1; look <= Math.max(...looks); look++) {
      const after = answer();
      const { columns } = averageTrials(before, after);
      const runs = [columns[0]!, columns[1]!] as Parameters<typeof testOf>[1];
      const level = 1 - (hasLedger ? levelOfLook(alpha, look) : alpha);
      const isWorse = (await decide([testOf(alarm, runs)], [], level)).outcome === 'worse';
      if (isWorse || (await decide([testOf(proof, runs)], [], level)).outcome === 'pass') {
        for (const [i, most] of looks.entries()) if (look <= most) counts[i]!++;
        break;
      }
      before = after;
    }
  }
  return counts.map((count) => count / projects);
};

/** The table of docs/decisions/0245, a line each. */
export const ledgerTable = async (projects: number): Promise<string[]> => {
  const looks = [1, 5, 10, 20, 50];
  const [without, withOne] = [
    await falseVerdicts(projects, looks, false),
    await falseVerdicts(projects, looks, true),
  ];
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
  return [
    '| looks | each gate at 5 % | ledger of 5 % |',
    '| --- | --- | --- |',
    ...looks.map((count, i) => `| ${count} | ${percent(without[i]!)} | ${percent(withOne[i]!)} |`),
  ];
};
