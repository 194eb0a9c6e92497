import { expect, it } from 'vitest';
import { compareMetrics } from './compare-metrics.ts';
import { seededRandom, uniform } from './random.ts';
import { averageTrials } from './testcases.ts';
import { levelInWords } from './verdict.ts';

const random = seededRandom(11);

/** Two runs of 200 testcases; the second loses `lost`. */
const runsOf = (lost: number, stars: boolean) => {
  const scoreAt = (p: number) => (stars ? 1 + 4 * Number(uniform(random) < p) : uniform(random) < p);
  const observe = (p: number) =>
    Array.from({ length: 200 }, (_, testcase) => ({ testcase, score: scoreAt(p) }));
  const { columns } = averageTrials(observe(0.8), observe(0.8 - lost));
  const bounds = stars ? { low: 1, high: 5 } : { low: 0, high: 1 };
  return { before: columns[0]!, after: columns[1]!, boolean: !stars, bounds };
};

it('the interval of a verdict excludes 0 exactly if the verdict is given, at the level of its step', () => {
  let [numGiven, numPlain] = [0, 0];
  for (let draw = 0; draw < 40; draw++) {
    const compared = Object.values(
      compareMetrics({
        a: runsOf(0.15, false),
        b: runsOf(0.1, true),
        c: runsOf(0.09, false),
        d: runsOf(0.08, draw % 2 === 0),
        e: runsOf(0, false),
      }),
    );
    for (const { verdict, verdictInterval, verdictLevel, interval, p, adjustedP, sentence } of compared) {
      const isOutside = verdictInterval!.low > 0 || verdictInterval!.high < 0;
      expect(isOutside && adjustedP! <= 0.05).toBe(verdict !== 'cannot tell');
      expect(1 - verdictLevel).toBeCloseTo((0.05 * p!) / adjustedP!, 9);
      if (verdict === 'cannot tell') continue;
      numGiven++;
      expect(sentence).toContain(`${levelInWords(verdictLevel)} interval`);
      if (verdictLevel > 0.95) numPlain++;
      expect(verdictInterval!.low).toBeLessThanOrEqual(interval!.low);
    }
  }
  // Most verdicts are given at a higher level than that of the plain interval.
  expect(numGiven).toBeGreaterThan(40);
  expect(numPlain).toBeGreaterThan(numGiven / 2);
});
