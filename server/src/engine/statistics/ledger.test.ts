import { describe, expect, it } from 'vitest';
import { normalCdf, normalQuantile } from './distributions.ts';
import { levelLeft, levelOfLook, shareOfLook } from './ledger.ts';

/** Numbers from 0 up to 1 that repeat by their seed (Park and Miller). */
const randomBy = (seed: number) => () => {
  seed = (seed * 48_271) % 2_147_483_647;
  return seed / 2_147_483_647;
};

/** The chance of so many heads or more in n throws of a coin. */
const tailOfCoin = (heads: number, n: number): number => {
  let term = 0.5 ** n;
  let below = 0;
  for (let k = 0; k < heads; k++) {
    below += term;
    term *= (n - k) / (k + 1);
  }
  return 1 - below;
};

/**
 * The share of projects that ship a false "better" in `looks` gates on changes of nothing. All gates of a project use the same testcases,
 * some hard and some easy, and each version is the baseline of the next.
 */
const falseBetter = (projects: number, looks: number, levelOf: (t: number) => number): number => {
  const random = randomBy(20_261_128);
  let wrong = 0;
  for (let project = 0; project < projects; project++) {
    const chances = Array.from({ length: 100 }, () => 0.5 + 0.5 * random());
    const answer = () => chances.map((chance) => random() < chance);
    let baseline = answer();
    let isWrong = false;
    for (let t = 1; t <= looks && !isWrong; t++) {
      const version = answer();
      let [wins, losses] = [0, 0];
      for (const [i, passes] of version.entries()) if (passes !== baseline[i]) passes ? wins++ : losses++;
      if (wins > losses && tailOfCoin(wins, wins + losses) <= levelOf(t)) isWrong = true;
      baseline = version;
    }
    if (isWrong) wrong++;
  }
  return wrong / projects;
};

describe('a ledger of looks', () => {
  it('never spends more than its level, and says what is left', () => {
    let spent = 0;
    for (let t = 1; t <= 1_000_000; t++) spent += shareOfLook(t);
    expect(spent).toBeLessThan(1);
    expect(spent).toBeGreaterThan(0.999);
    expect(levelLeft(0.05, 0)).toBe(0.05);
    expect(levelLeft(0.05, 1)).toBeCloseTo(0.05 - levelOfLook(0.05, 1), 12);
    expect(levelLeft(0.05, 20)).toBeGreaterThan(0);
  });

  it('keeps the first look at four fifths of its power or more', () => {
    // A test of 5 % on two sides with a power of 80 %.
    const shift = normalQuantile(0.975) + normalQuantile(0.8);
    const power = normalCdf(shift - normalQuantile(1 - levelOfLook(0.05, 1) / 2));
    expect(power / 0.8).toBeGreaterThan(0.8);
  });

  it('ships a false "better" in at most 2.5 % of 2,000 projects over 50 dependent looks; without it, in more than a third', () => {
    expect(falseBetter(2_000, 50, (t) => levelOfLook(0.025, t))).toBeLessThan(0.025);
    expect(falseBetter(400, 50, () => 0.025)).toBeGreaterThan(0.33);
  });
});
