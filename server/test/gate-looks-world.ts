/** How often a gate with planned looks at a growing run says WORSE, or passes, in a simulated world. */

import type { Outcome } from '../../client/src/gate/check.ts';
import { claim } from '../../client/src/gate/claims.ts';
import { decide, type Evidence, type Test } from '../../client/src/gate/decide.ts';
import { atEnd, lookEvidence } from '../../client/src/gate/looks.ts';
import { compareTestcases } from '../src/engine/statistics/compare.ts';
import type { LookPlan } from '../src/engine/statistics/planned-looks.ts';
import { seededRandom } from '../src/engine/statistics/random.ts';
import type { TestcaseColumns } from '../src/engine/statistics/testcases.ts';
import { times } from './coverage.ts';
import { gateRules, type Rule, testOf, twoRuns } from './gate-world.ts';
import { firstOf, quarters, unequal } from './looks-worlds.ts';

const [alarm, proof, , , notBelow] = gateRules as [Rule, Rule, Rule, Rule, Rule];

type GateWorld = {
  name: string;
  /** Each rule is about a separate metric. */
  rules: readonly Rule[];
  looks: readonly number[];
  change: number;
  /** Numbers of testcases at which the gate is run; by default those of the looks. */
  asked?: readonly number[];
  /** When the rest of the run is cancelled; never by default. */
  cancels?: 'futile' | 'promising';
  /** Whether each look is read as the only one. */
  unplanned?: boolean;
};

type Runs = [before: TestcaseColumns, after: TestcaseColumns];

const compareAt = ([before, after]: Runs, n: number, level: number, plan: LookPlan | null) =>
  compareTestcases(before, firstOf(after, n), {
    boolean: true,
    level,
    ...(plan && { test: 'planned', plan }),
  });

const difference = (rule: Rule, runs: Runs, n: number, plan: LookPlan | null): Test => ({
  ...rule,
  ...claim(rule.name, { must: '', pass: '', worse: '' }),
  side: 'atLeast',
  write: String,
  at: async (level): Promise<Evidence> => {
    const compared = compareAt(runs, n, level, plan);
    const { n: pairs, difference: value, interval, standardError, p } = compared;
    return lookEvidence(compared, { n: pairs, value, interval, standardError, p });
  },
});

/** Returns the rules when the run has n testcases. A line waits for the end of the run. */
const testsAt = ({ rules }: GateWorld, metrics: readonly Runs[], n: number, plan: LookPlan | null): Test[] =>
  rules.map((rule, i) => {
    if (rule.difference) return difference(rule, metrics[i]!, n, plan);
    const line = testOf(rule, metrics[i]!);
    return n < 500 ? { ...line, at: async () => atEnd } : line;
  });

const isCancelledAt = ({ cancels }: GateWorld, runs: Runs, n: number, plan: LookPlan | null): boolean => {
  if (!cancels || n >= 500) return false;
  const { look, p } = compareAt(runs, n, 0.95, plan);
  return cancels === 'futile' ? look!.futile : p !== null && p < 0.1;
};

/** Runs a gate while a run of 500 testcases grows, until it says WORSE or passes. */
const outcomeOf = async (world: GateWorld, metrics: readonly Runs[]): Promise<Outcome> => {
  const { looks, asked = looks, unplanned = false } = world;
  let outcome: Outcome = 'inconclusive';
  for (const n of asked) {
    const plan = unplanned ? null : { looks, numTrials: 1, isOver: n === 500 };
    outcome = (await decide(testsAt(world, metrics, n, plan), [], 0.95)).outcome;
    if (outcome === 'worse' || (outcome === 'pass' && !unplanned)) return outcome;
    if (!isCancelledAt(world, metrics[0]!, n, plan)) continue;
    const ended = { looks, numTrials: 1, isOver: true, isCancelled: true };
    return (await decide(testsAt(world, metrics, n, ended), [], 0.95)).outcome;
  }
  return outcome;
};

const alarms = (count: number): Rule[] => times(count, () => alarm);
const every25 = times(20, (i) => 25 * (i + 1));

export const gateLooksWorlds: GateWorld[] = [
  { name: 'an alarm, four equal looks', rules: [alarm], looks: quarters, change: 0 },
  { name: 'an alarm, looks at 50, 400, 450 and 500', rules: [alarm], looks: unequal, change: 0 },
  {
    name: 'an alarm, four equal looks, asked after each 25 testcases',
    rules: [alarm],
    looks: quarters,
    change: 0,
    asked: every25,
  },
  {
    name: 'an alarm, four equal looks, cancelled where the rest is futile',
    rules: [alarm],
    looks: quarters,
    change: 0,
    cancels: 'futile',
  },
  {
    name: 'an alarm, four equal looks, cancelled at the first p below .1',
    rules: [alarm],
    looks: quarters,
    change: 0,
    cancels: 'promising',
  },
  {
    name: 'two alarms and a line that waits for the end, four equal looks',
    rules: [...alarms(2), notBelow],
    looks: quarters,
    change: 0,
  },
  { name: 'five alarms, four equal looks', rules: alarms(5), looks: quarters, change: 0 },
  {
    name: 'an alarm, each of four looks read as the only one',
    rules: [alarm],
    looks: quarters,
    change: 0,
    unplanned: true,
  },
  { name: 'an alarm, four equal looks', rules: [alarm], looks: quarters, change: -0.05 },
  { name: 'an alarm, one look at the end', rules: [alarm], looks: [500], change: -0.05 },
  { name: 'a proof of 0.05, four equal looks', rules: [proof], looks: quarters, change: -0.05 },
  { name: 'a proof of 0.05, looks at 50, 400, 450 and 500', rules: [proof], looks: unequal, change: -0.05 },
  { name: 'two proofs of 0.05, four equal looks', rules: [proof, proof], looks: quarters, change: -0.05 },
  { name: 'a proof of 0.05, four equal looks', rules: [proof], looks: quarters, change: 0 },
  { name: 'a proof of 0.05, one look at the end', rules: [proof], looks: [500], change: 0 },
];

/** Shares of gates that pass, say WORSE, and have not enough data at the end. */
export const gateAtLooks = async (world: GateWorld, draws: number) => {
  const random = seededRandom(1);
  const counts = { pass: 0, worse: 0, inconclusive: 0, incomplete: 0 };
  for (let draw = 0; draw < draws; draw++) {
    const metrics = world.rules.map(() => twoRuns(random, 500, world.change));
    counts[await outcomeOf(world, metrics)]++;
  }
  return { pass: counts.pass / draws, worse: counts.worse / draws };
};

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

/** The table of docs/statistics.md, a line each. */
export const gateLooksTable = async (draws: number): Promise<string[]> => {
  const lines = [
    '| gate on a growing run of 500 testcases | true change | WORSE | pass |',
    '| --- | --- | --- | --- |',
  ];
  for (const world of gateLooksWorlds) {
    const { pass, worse } = await gateAtLooks(world, draws);
    const points = String(Math.round(100 * world.change)).replace('-', '−');
    lines.push(`| ${world.name} | ${points} | ${percent(worse)} | ${percent(pass)} |`);
  }
  return lines;
};
