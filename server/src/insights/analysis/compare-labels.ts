import { placeOf } from '../../../../client/src/labels.ts';
import { shiftOfOrder, stuartMaxwell } from '../../engine/statistics/label-shift.ts';
import { storedLabels } from '../../evaluation/metrics/labels.ts';
import type { RunScores, Scores } from './run-scores.ts';

/** Most moves of an answer: 100 labels have 10,000 pairs. */
const mostMoves = 200;

type OfRun = { run: RunScores; scores: Scores };

/** Counts the labels of each testcase of a run. */
const countLabels = ({ run, scores }: OfRun, names: readonly string[]): Map<number, number[]> => {
  const { items } = storedLabels(scores.labels)!;
  const places = items.map((label) => names.indexOf(label));
  const counts = new Map<number, number[]>();
  for (const [record, value] of scores.own.entries()) {
    if (!(value >= 0)) continue;
    const unit = run.unitOf[record]!;
    const own = counts.get(unit) ?? names.map(() => 0);
    own[places[placeOf(value)]!]!++;
    counts.set(unit, own);
  }
  return counts;
};

/** The units with a record that has this label. */
export const unitsWith = ({ run, scores }: OfRun, label: string): Set<number> => {
  const place = storedLabels(scores.labels)?.items.indexOf(label) ?? -1;
  const found = new Set<number>();
  for (const [record, value] of scores.own.entries())
    if (value >= 0 && placeOf(value) === place) found.add(run.unitOf[record]!);
  return found;
};

const sharesOf = (counts: number[]): number[] => {
  const all = counts.reduce((a, b) => a + b, 0);
  return counts.map((count) => count / all);
};

/** How much more often the label after is better than the label before. */
const netOf = (before: number[], after: number[]): number =>
  before.reduce((net, b, i) => net + after.reduce((sum, a, j) => sum + a * b * Math.sign(j - i), 0), 0);

/**
 * Compares how two runs of the same testcases distribute labels. Null without labels in both, with weights or a drawn sample, and without a testcase in
 * both runs. Two lists of labels are joined by their texts, and have an order only if they are the same list.
 */
export const compareLabels = (before: OfRun, after: OfRun, seed: number) => {
  const [first, second] = [storedLabels(before.scores.labels), storedLabels(after.scores.labels)];
  if (!first || !second || after.run.weighting || before.scores.draw || after.scores.draw) return null;
  const names = [...new Set([...second.items, ...first.items])];
  const isSame = second.items.join('\n') === first.items.join('\n');
  const ordered = first.ordered && second.ordered && isSame;
  const [countsBefore, countsAfter] = [countLabels(before, names), countLabels(after, names)];
  const { groups } = after.run;
  const byCluster = new Map<string, { differences: number[]; net: number }>();
  const sums = { before: names.map(() => 0), after: names.map(() => 0) };
  const moved = new Map<string, number>();
  let n = 0;
  for (const [unit, counted] of countsBefore) {
    const later = countsAfter.get(unit);
    // A testcase that changed between the runs is another question, which no verdict compares.
    if (!later || before.run.revisions[unit] !== after.run.revisions[unit]) continue;
    n++;
    const [was, is] = [sharesOf(counted), sharesOf(later)];
    const group = groups?.[unit] ?? -1;
    const key = group >= 0 ? `group ${group}` : `unit ${unit}`;
    const cluster = byCluster.get(key) ?? { differences: names.map(() => 0), net: 0 };
    byCluster.set(key, cluster);
    for (const i of names.keys()) {
      cluster.differences[i]! += is[i]! - was[i]!;
      sums.before[i]! += was[i]!;
      sums.after[i]! += is[i]!;
    }
    cluster.net += netOf(was, is);
    for (const i of names.keys())
      for (const j of names.keys())
        if (was[i]! > 0 && is[j]! > 0) moved.set(`${i} ${j}`, (moved.get(`${i} ${j}`) ?? 0) + 1);
  }
  if (n === 0) return null;
  const clusters = [...byCluster.values()];
  const shares = names.map((label, i) => ({
    label,
    passes: second.passing.includes(label),
    before: sums.before[i]! / n,
    after: sums.after[i]! / n,
  }));
  const found = ordered ? null : stuartMaxwell(clusters.map(({ differences }) => differences));
  const nets = clusters.map(({ net }) => net);
  const moves = [...moved]
    .map(([key, numTestcases]) => {
      const [i, j] = key.split(' ').map(Number);
      return { from: names[i!]!, to: names[j!]!, numTestcases };
    })
    .sort((a, b) => b.numTestcases - a.numTestcases);
  return {
    n,
    test: ordered ? ('sign flips' as const) : ('stuart-maxwell' as const),
    statistic: found?.statistic ?? null,
    df: found?.df ?? null,
    p: ordered ? shiftOfOrder(nets, seed) : (found?.p ?? null),
    netBetter: ordered ? nets.reduce((a, b) => a + b, 0) / n : null,
    shares,
    moves: moves.slice(0, mostMoves),
    numMovesLeftOut: Math.max(0, moves.length - mostMoves),
  };
};
