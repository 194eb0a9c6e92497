import { describe, expect, it } from 'vitest';
import { drawPreferences, preferredOf } from '../../../test/preference-worlds.ts';
import type { Preference } from './preference.ts';
import { fitBradleyTerry, rankPreferences } from './preferences.ts';
import { type Random, seededRandom, uniform } from './random.ts';
import { testFit } from './ranking-fit.ts';

const two: [number, number][] = [
  [0, 1],
  [0, 2],
  [1, 2],
];
const scoreOf = (x: number, wins: number): number => (x < wins ? 1 : x === 9 ? 0.5 : 0);
/** Thirty testcases on which three systems met. */
const met: Preference[] = Array.from({ length: 30 }, (_, unit) => unit).flatMap((unit) =>
  two.map(([a, b], k) => ({ unit, a, b, score: scoreOf((unit * 7 + k * 3) % 10, [6, 8, 5][k]!) })),
);

describe('fitBradleyTerry', () => {
  // choix 0.4.1 (opt_pairwise) for the strengths, statsmodels 0.15.0 (GLM, cov_type cluster, by testcase, ·30/29) for the covariance,
  // each given half a win and half a loss between each two systems in addition.
  it('equals choix and statsmodels on the same comparisons', () => {
    const { strengths, covariance, n } = fitBradleyTerry(met, 3)!;
    expect(n).toBe(30);
    const known = [0.71133205, -0.14308371, -0.56824833];
    for (const [i, strength] of strengths.entries()) expect(strength).toBeCloseTo(known[i]!, 7);
    expect(covariance[0]![0]).toBeCloseTo(0.02859743, 7);
    expect(covariance[1]![2]).toBeCloseTo(-0.0164943, 7);
  });

  it('gives a system that never wins a finite strength, and an interval as wide as the data leave it', () => {
    const always = Array.from({ length: 20 }, (_, unit) => ({ unit, a: 0, b: 1, score: 1 }));
    const { strengths, covariance } = fitBradleyTerry(always, 2)!;
    // choix 0.4.1, with a tie, which has the same strengths.
    expect(strengths[0]).toBeCloseTo(1.856786, 6);
    // Twice the standard error: the strengths' difference is at least 1.6 (a rate of .83; Wilson's bound for 20 of 20 is .84).
    expect(2 * strengths[0]! - 2 * 2 * Math.sqrt(covariance[0]![0]!)).toBeCloseTo(1.6, 0);
  });

  it('gives none where comparisons do not connect the systems, or one testcase is all', () => {
    expect(
      fitBradleyTerry(
        met.filter(({ b }) => b < 2),
        3,
      ),
    ).toBeNull();
    expect(fitBradleyTerry(met.slice(0, 3), 3)).toBeNull();
  });
});

describe('rankPreferences', () => {
  it('holds known strengths in 19 of 20 draws, seeded', () => {
    const random = seededRandom(23);
    for (const [strengths, testcases] of [
      [[0.6, 0.1, -0.2, -0.5], 40],
      [[2, 0, -2], 60],
      [[0.3, -0.3], 30],
    ] as [number[], number][]) {
      // With 400 draws each share was .949 to .970.
      const draws = 100;
      const held = { strength: 0, winRate: 0 };
      const truth = strengths.map((_, i) => preferredOf(strengths, i));
      for (let draw = 0; draw < draws; draw++) {
        const systems = rankPreferences(drawPreferences(random, strengths, testcases), strengths.length)
          .systems!;
        for (const [i, { strengthInterval, interval }] of systems.entries()) {
          held.strength += Number(
            strengthInterval.low <= strengths[i]! && strengths[i]! <= strengthInterval.high,
          );
          held.winRate += Number(interval.low <= truth[i]! && truth[i]! <= interval.high);
        }
      }
      const all = draws * strengths.length;
      expect(held.strength / all).toBeGreaterThanOrEqual(0.92);
      expect(held.winRate / all).toBeGreaterThanOrEqual(0.92);
    }
  });

  it('tells equal systems apart in at most 1 of 20 draws, and different ones in most, seeded', () => {
    const random = seededRandom(24);
    const share = (strengths: number[]) => {
      let told = 0;
      for (let draw = 0; draw < 100; draw++)
        told += Number(
          rankPreferences(drawPreferences(random, strengths, 50), 4).pairs.some(({ apart }) => apart),
        );
      return told / 100;
    };
    const [equal, different] = [share([0, 0, 0, 0]), share([0.6, 0.2, -0.2, -0.6])];
    expect(equal).toBeLessThanOrEqual(0.075);
    expect(different).toBeGreaterThanOrEqual(0.9);
  });

  it('counts each testcase once, however often its pairs are compared', () => {
    const once = rankPreferences(met, 3);
    const often = rankPreferences([...met, ...met, ...met], 3);
    const width = ({ systems }: typeof once) => systems![0]!.interval.high - systems![0]!.interval.low;
    expect(width(often)).toBeGreaterThan(0.95 * width(once));
  });

  it('says of each two runs who won how often, and which places are open', () => {
    const { pairs, systems } = rankPreferences(met, 3);
    expect(pairs[0]).toMatchObject({ a: 0, b: 1, wins: 18, ties: 3, losses: 9 });
    expect(pairs[0]!.winRate.estimate).toBeCloseTo(0.65, 10);
    expect(systems!.map(({ rank }) => rank)).toEqual([
      { best: 1, worst: 2 },
      { best: 1, worst: 3 },
      { best: 2, worst: 3 },
    ]);
  });

  it('calls two systems apart exactly if their interval leaves out one half', () => {
    const random = seededRandom(25);
    const seen = new Set<boolean>();
    for (let draw = 0; draw < 300; draw++) {
      const testcases = 8 + (draw % 30);
      const { pairs, systems } = rankPreferences(drawPreferences(random, [0.5, -0.5], testcases), 2);
      const { expected, apart } = pairs[0]!;
      expect(systems![0]!.interval.low).toBeCloseTo(expected!.interval.low, 12);
      expect(apart).toBe(expected!.interval.low > 0.5 || expected!.interval.high < 0.5);
      seen.add(apart);
    }
    expect(seen.size).toBe(2);
  });

  it('that all tied leave an interval with a width, for two systems and for more', () => {
    const tied = (systems: number) =>
      rankPreferences(
        met.filter(({ b }) => b < systems).map((pair) => ({ ...pair, score: 0.5 })),
        systems,
      ).systems!;
    for (const systems of [2, 3])
      for (const { winRate, interval } of tied(systems)) {
        expect(winRate).toBeCloseTo(0.5, 10);
        expect(interval.low).toBeLessThan(0.49);
        expect(interval.high).toBeGreaterThan(0.51);
      }
  });

  it('without comparisons has no ranking, and says why', () => {
    expect(rankPreferences([], 3)).toMatchObject({ systems: null, reason: 'no pair has been compared' });
  });
});

/** Preferences of `units` testcases, each with all pairs of `systems`; `chance` that the first of a pair wins. */
const study = (
  random: Random,
  units: number,
  systems: number,
  chance: (a: number, b: number) => number,
): Preference[] =>
  Array.from({ length: units }, (_, unit) =>
    Array.from({ length: systems }, (_, a) =>
      Array.from({ length: systems - a - 1 }, (_, i): Preference => {
        const b = a + 1 + i;
        return { unit, a, b, score: Number(uniform(random) < chance(a, b)) };
      }),
    ).flat(),
  ).flat();

describe('a ranking and its pairs', () => {
  it('a circle, in which each of three beats the next, is no ranking: it does not fit, and each pair says so', () => {
    const inCircle = (a: number, b: number) => (b - a === 1 ? 0.85 : 0.15);
    const { fit, pairs, warnings } = rankPreferences(study(seededRandom(3), 40, 3, inCircle), 3);
    expect(fit).toMatchObject({ df: 1, fits: false });
    expect(fit!.p).toBeLessThan(0.001);
    expect(warnings.join()).toContain('the ranking does not describe its pairs');
    for (const { apart, directP, sentence } of pairs) {
      expect(apart).toBe(false);
      expect(directP).toBeLessThan(0.001);
      expect(sentence).toMatch(/their own comparisons tell them apart .* though the ranking does not/);
    }
  });

  it('two systems, or too few testcases, cannot contradict a ranking', () => {
    const even = () => 0.5;
    expect(rankPreferences(study(seededRandom(3), 60, 2, even), 2).fit).toBeNull();
    expect(rankPreferences(study(seededRandom(3), 10, 3, even), 3).fit).toBeNull();
  });

  it.each([
    [3, 40, 0.5],
    [3, 120, 1],
    [4, 100, 1],
    [5, 60, 1.5],
  ])(
    '%i systems with strengths, %i testcases: the test finds no misfit in 95 %, seeded',
    (systems, units, spread) => {
      const random = seededRandom(20);
      const chance = (a: number, b: number) => 1 / (1 + Math.exp((spread * (b - a)) / systems));
      const rejected = Array.from({ length: 200 }, () => {
        const preferences = study(random, units, systems, chance);
        return testFit(preferences, fitBradleyTerry(preferences, systems)!, 0.95)!.fits;
      }).filter((fits) => !fits).length;
      expect(rejected / 200).toBeLessThanOrEqual(0.085);
    },
  );
});
