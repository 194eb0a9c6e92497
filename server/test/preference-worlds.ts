/** Made-up worlds of preferences by known strengths. */
import type { Preference } from '../src/engine/statistics/preference.ts';
import { rankPreferences } from '../src/engine/statistics/preferences.ts';
import { type Random, uniform } from '../src/engine/statistics/random.ts';
import { times, type World } from './coverage.ts';

const chanceOf = (own: number, other: number): number => 1 / (1 + Math.exp(other - own));

/**
 * Comparisons by known strengths. A third of the testcases decide all their pairs by one draw, so that pairs of a testcase depend on
 * each other; the expected score of each pair is the model's.
 */
export const drawPreferences = (
  random: Random,
  strengths: readonly number[],
  testcases: number,
): Preference[] =>
  times(testcases, (unit) => {
    const shared = uniform(random) < 1 / 3 ? uniform(random) : undefined;
    return strengths.flatMap((own, a) =>
      strengths.slice(a + 1).map((other, i): Preference => {
        const p = chanceOf(own, other);
        const tie = Math.min(p, 1 - p) / 2;
        const u = shared ?? uniform(random);
        return { unit, a, b: a + 1 + i, score: u < p - tie / 2 ? 1 : u < p + tie / 2 ? 0.5 : 0 };
      }),
    );
  }).flat();

/** The chance of a system to win against another of them. */
export const preferredOf = (strengths: readonly number[], system: number): number =>
  strengths.reduce((sum, other, j) => sum + (j === system ? 0 : chanceOf(strengths[system]!, other)), 0) /
  (strengths.length - 1);

const wordsOf = (strengths: readonly number[], testcases: number) =>
  `strengths ${strengths.join(', ')}, ${testcases} testcases`;

const preferred = (strengths: readonly number[], testcases: number): World => ({
  name: `the strongest, ${wordsOf(strengths, testcases)}`,
  method: 'preferred',
  truth: preferredOf(strengths, 0),
  draw: (random) => {
    const { systems } = rankPreferences(drawPreferences(random, strengths, testcases), strengths.length);
    return { interval: systems?.[0]?.interval ?? null, caveats: [] };
  },
});

const against = (strengths: readonly number[], testcases: number): World => ({
  name: `the strongest against the weakest, ${wordsOf(strengths, testcases)}`,
  method: 'one run against another',
  truth: chanceOf(strengths[0]!, strengths.at(-1)!),
  draw: (random) => {
    const { pairs } = rankPreferences(drawPreferences(random, strengths, testcases), strengths.length);
    const pair = pairs.find(({ a, b }) => a === 0 && b === strengths.length - 1);
    return { interval: pair?.expected?.interval ?? null, caveats: [] };
  },
});

export const preferenceWorlds: World[] = [
  preferred([0.6, 0.1, -0.2, -0.5], 40),
  preferred([2, 0, -2], 60),
  preferred([0.3, -0.3], 30),
  against([0.6, 0.1, -0.2, -0.5], 40),
  against([2, 0, -2], 60),
  against([0.3, -0.3], 30),
  against([0.5, -0.5], 8),
  against([0.5, -0.5], 15),
];
