import { describe, expect, it } from 'vitest';
import { answerOf, answerOfAll, climbed, stepOf } from './ladder.ts';
import { levelOfLook } from './ledger.ts';
import { mcnemar } from './paired-proportions.ts';

/** Numbers from 0 up to 1 that repeat by their seed (Park and Miller). */
const randomBy = (seed: number) => () => {
  seed = (seed * 48_271) % 2_147_483_647;
  return seed / 2_147_483_647;
};

const winsOf = (after: boolean[], before: boolean[]) => {
  let [wins, losses] = [0, 0];
  for (const [i, passes] of after.entries()) if (passes !== before[i]) passes ? wins++ : losses++;
  return { wins, losses };
};
const compared = (after: boolean[], before: boolean[]) => {
  const n = after.length;
  const { wins, losses } = winsOf(after, before);
  const standardError = Math.sqrt(Math.max(0, wins + losses - (wins - losses) ** 2 / n)) / n;
  return { wins, losses, difference: (wins - losses) / n, standardError };
};

/**
 * A developer tries versions that are no better: each answers a tenth of the testcases anew, by chance. He keeps a version if the answer says
 * that it is better, and goes on from there. `open`: he sees the exact rate; else the answers of a sealed split.
 */
export const climb = (projects: number, looks: number, n: number, isOpen: boolean) => {
  const random = randomBy(20_261_128);
  let falsePasses = 0;
  let optimism = 0;
  let beyond = 0;
  for (let project = 0; project < projects; project++) {
    const chances = Array.from({ length: n }, () => 0.5 + 0.5 * random());
    const baseline = chances.map((chance) => random() < chance);
    let [kept, best, figure, isWrong] = [baseline, baseline, 0, false];
    for (let t = 1; t <= looks; t++) {
      const version = kept.map((passes, i) => (random() < 0.1 ? random() < chances[i]! : passes));
      const fromBaseline = compared(version, baseline);
      if (isOpen) {
        if (compared(version, kept).difference > 0) kept = version;
        figure = compared(kept, baseline).difference;
        continue;
      }
      const verdictOf = ({ wins, losses }: ReturnType<typeof compared>) => {
        if (mcnemar(wins, losses).midP > levelOfLook(0.05, t)) return 'cannot tell';
        return wins > losses ? 'better' : 'worse';
      };
      const answer = answerOf({ interval: null, verdict: verdictOf(fromBaseline) }, 0);
      const moved = climbed(fromBaseline, { verdict: verdictOf(compared(version, best)) });
      if (answer === 'pass') isWrong = true;
      if (moved !== null) [best, figure] = [version, moved];
      if (answer === 'pass' || moved !== null) kept = version;
    }
    if (isWrong) falsePasses++;
    optimism += figure;
    // What two noisy runs of equal versions differ by, in one of twenty.
    if (figure > 1.96 * Math.sqrt((2 * 0.15) / n)) beyond++;
  }
  return { falsePasses: falsePasses / projects, optimism: optimism / projects, beyond: beyond / projects };
};

describe('answers of a sealed split', () => {
  it('pass, worse or not enough, by the margin; all metrics must pass, and one that is worse suffices', () => {
    const of = (low: number, high: number) => {
      const verdict = low > 0 ? ('better' as const) : high < 0 ? ('worse' as const) : ('cannot tell' as const);
      return [0, 0.02].map((margin) => answerOf({ interval: { low, high }, verdict }, margin));
    };
    expect(of(0.01, 0.1)).toEqual(['pass', 'pass']);
    expect(of(-0.01, 0.1)).toEqual(['not enough', 'pass']);
    expect(of(-0.1, -0.01)).toEqual(['worse', 'not enough']);
    expect(of(-0.1, -0.03)).toEqual(['worse', 'worse']);
    expect(answerOf({ interval: null, verdict: 'cannot tell' }, 0.02)).toBe('not enough');
    expect(answerOfAll(['pass', 'pass'])).toBe('pass');
    expect(answerOfAll(['pass', 'not enough'])).toBe('not enough');
    expect(answerOfAll(['pass', 'worse', 'not enough'])).toBe('worse');
    expect(answerOfAll([])).toBe('not enough');
  });

  it('the figure moves by more than the noise alone, and is rounded to it', () => {
    expect([0.03, 0.031, 0.0049, 0.1].map(stepOf)).toEqual([0.03, 0.04, 0.005, 0.1]);
    const baseline = { difference: 0.113, standardError: 0.03 };
    expect(climbed(baseline, { verdict: 'cannot tell' })).toBeNull();
    expect(climbed(baseline, { verdict: 'better' })).toBe(0.12);
    expect(climbed(baseline, { verdict: 'worse' })).toBeNull();
    expect(climbed({ difference: null, standardError: null }, { verdict: 'better' })).toBeNull();
  });

  it('keep a developer who climbs by them from false passes and from optimism; open answers do neither', () => {
    const sealed = climb(2_000, 20, 100, false);
    const open = climb(2_000, 20, 100, true);
    expect(sealed.falsePasses).toBeLessThan(0.05);
    expect(sealed.beyond).toBeLessThan(0.05);
    expect(sealed.optimism).toBeLessThan(0.015);
    expect(open.optimism).toBeGreaterThan(0.05);
  });
});
