import { signFlip } from './sign-flip.ts';
import { regularizedGamma } from './special.ts';

/** Solves a symmetric system by elimination. Null if a row depends on the others. */
const solve = (matrix: number[][], vector: number[]): number[] | null => {
  const rows = matrix.map((row, i) => [...row, vector[i]!]);
  const n = rows.length;
  for (let at = 0; at < n; at++) {
    const pivot = rows
      .slice(at)
      .reduce((best, row, i) => (Math.abs(row[at]!) > Math.abs(rows[best]![at]!) ? at + i : best), at);
    [rows[at], rows[pivot]] = [rows[pivot]!, rows[at]!];
    const head = rows[at]!;
    if (Math.abs(head[at]!) < 1e-9) return null;
    for (const [i, row] of rows.entries()) {
      if (i === at) continue;
      const factor = row[at]! / head[at]!;
      for (let j = at; j <= n; j++) row[j]! -= factor * head[j]!;
    }
  }
  return rows.map((row, i) => row[n]! / row[i]!);
};

/**
 * Whether the labels of the same testcases are distributed differently in two runs. A row is an independent unit: a testcase, or a group of them.
 * Its numbers are, by label, the share of its trials with the label after minus before.
 *
 * (Σd)′(Σdd′)⁻¹(Σd) against χ². With one trial and no groups Σdd′ is the covariance of Stuart (1955), Biometrika 42:412–416, and Maxwell (1970), Br. J.
 * Psychiatry 116:651–655, so it is their test; with more it is the score test that takes each unit as one draw. Labels that no unit gained or lost are left out.
 */
export const stuartMaxwell = (
  units: readonly (readonly number[])[],
): { statistic: number; df: number; p: number } | null => {
  const k = units[0]?.length ?? 0;
  const moved = Array.from({ length: k }, (_, i) => i).filter((i) => units.some((unit) => unit[i] !== 0));
  // The last share is one minus the others.
  for (let kept = moved.slice(0, -1); kept.length > 0; kept = kept.slice(0, -1)) {
    const sums = kept.map((i) => units.reduce((sum, unit) => sum + unit[i]!, 0));
    const squares = kept.map((i) =>
      kept.map((j) => units.reduce((sum, unit) => sum + unit[i]! * unit[j]!, 0)),
    );
    const solved = solve(squares, sums);
    if (!solved) continue;
    const statistic = sums.reduce((total, sum, i) => total + sum * solved[i]!, 0);
    return { statistic, df: kept.length, p: regularizedGamma(kept.length / 2, statistic / 2)[1] };
  }
  return null;
};

/**
 * Whether ordered labels moved up or down. A number is, for one unit, how often its label is better after, minus how often it is worse, over all pairs
 * of its trials. Only the order counts, not how far labels are apart. The signs are flipped in all ways that the order of the runs allows: with one trial
 * this is the exact sign test (Dixon & Mood 1946).
 */
export const shiftOfOrder = (units: readonly number[], seed: number): number | null => {
  // A unit that did not move has no sign, and exact counting has room for few units.
  const moved = units.filter((unit) => unit !== 0);
  return moved.length === 0 ? null : signFlip(moved, seed).p;
};
