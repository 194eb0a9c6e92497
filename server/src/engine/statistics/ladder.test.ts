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

type World = { looks: number; n: number; isOpen: boolean; hasEffects: boolean };

/**
 * A developer climbs a hill: he changes the version that he keeps, and keeps the change if the answer says that it is better. A change redraws
 * the answers to a tenth of the testcases. With effects, three of ten are truly better and three truly worse; else none is either. `isOpen`: he
 * sees the exact rate; else the answers of a sealed split. Returns the share of projects with a false pass, the mean of figure − truth, and the
 * share of projects whose figure is beyond the noise of the truth (1.96 standard errors of two independent runs).
 */
const climb = (projects: number, { looks, n, isOpen, hasEffects }: World) => {
  const random = randomBy(20_261_128);
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const sums = { falsePasses: 0, optimism: 0, beyond: 0 };
  for (let project = 0; project < projects; project++) {
    const chances = Array.from({ length: n }, () => 0.5 + 0.5 * random());
    const baseline = { chances, passes: chances.map((chance) => random() < chance) };
    const from = mean(chances);
    let [kept, best, figure, isWrong] = [baseline, baseline, 0, false];
    for (let t = 1; t <= looks; t++) {
      const kind = hasEffects ? random() : 1;
      const [gain, loss] = [kind < 0.3 ? 0.1 : 0, kind > 0.3 && kind < 0.6 ? 0.05 : 0];
      const next = kept.chances.map((chance) => chance + gain * (1 - chance) - loss * chance);
      const passes = kept.passes.map((passed, i) => {
        if (random() < 0.1) return random() < next[i]!;
        return passed ? random() >= loss : random() < gain;
      });
      const version = { chances: next, passes };
      if (isOpen) {
        if (compared(passes, kept.passes).difference > 0) kept = version;
        best = kept;
        figure = compared(kept.passes, baseline.passes).difference;
        continue;
      }
      const verdictOf = ({ wins, losses }: ReturnType<typeof compared>) => {
        if (mcnemar(wins, losses).midP > levelOfLook(0.05, t)) return 'cannot tell';
        return wins > losses ? 'better' : 'worse';
      };
      const fromBaseline = compared(passes, baseline.passes);
      const answer = answerOf({ interval: null, verdict: verdictOf(fromBaseline) }, 0);
      const moved = climbed(fromBaseline, { verdict: verdictOf(compared(passes, best.passes)) });
      if (answer === 'pass' && mean(next) - from < 1e-9) isWrong = true;
      if (moved !== null) [best, figure] = [version, moved];
      if (answer === 'pass' || moved !== null) kept = version;
    }
    const error = figure - (mean(best.chances) - from);
    sums.falsePasses += Number(isWrong) / projects;
    sums.optimism += error / projects;
    sums.beyond += Number(Math.abs(error) > 1.96 * Math.sqrt((2 * 0.17) / n)) / projects;
  }
  return sums;
};

describe('answers of a sealed split', () => {
  it('pass, worse or not enough, by the margin; all metrics must pass, and one that is worse suffices', () => {
    const of = (low: number, high: number) => {
      const verdict =
        low > 0 ? ('better' as const) : high < 0 ? ('worse' as const) : ('cannot tell' as const);
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
    const world = { looks: 20, n: 100, hasEffects: false };
    const sealed = climb(2_000, { ...world, isOpen: false });
    const open = climb(500, { ...world, isOpen: true });
    expect(sealed.falsePasses).toBeLessThan(0.05);
    expect(sealed.beyond).toBeLessThan(0.05);
    expect(sealed.optimism).toBeLessThan(0.01);
    expect(open.optimism).toBeGreaterThan(0.05);
    const climbing = climb(1_000, { ...world, hasEffects: true, isOpen: false });
    expect(climbing.falsePasses).toBeLessThan(0.05);
    expect(climbing.beyond).toBeLessThan(0.05);
  });
});
