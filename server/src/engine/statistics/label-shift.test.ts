import { expect, it } from 'vitest';
import { shiftOfOrder, stuartMaxwell } from './label-shift.ts';
import { seededRandom, uniform } from './random.ts';

const draws = 2_000;

/** The labels of a testcase in two equal runs, with trials that depend on the testcase, and testcases that depend on their group. */
const equalRuns = (seed: number) => {
  const random = seededRandom(seed);
  return Array.from({ length: 60 }, () => {
    const own = [0.2 + uniform(random), 0.2 + uniform(random), 0.2 + uniform(random)];
    const total = own[0]! + own[1]! + own[2]!;
    const trial = () => {
      const at = uniform(random) * total;
      return at < own[0]! ? 0 : at < own[0]! + own[1]! ? 1 : 2;
    };
    const [before, after] = [0, 1].map(() => [trial(), trial(), trial()]) as [number[], number[]];
    const share = (label: number, of: number[]) => of.filter((one) => one === label).length / of.length;
    return {
      differences: [0, 1, 2].map((label) => share(label, after) - share(label, before)),
      net: before.flatMap((b) => after.map((a) => Math.sign(a - b) / 9)).reduce((x, y) => x + y, 0),
    };
  });
};

it('equal runs with several trials are called different in about 5 %', () => {
  let [nominal, ordinal] = [0, 0];
  for (let seed = 1; seed <= draws; seed++) {
    const units = equalRuns(seed);
    if (stuartMaxwell(units.map(({ differences }) => differences))!.p <= 0.05) nominal++;
    if (
      seed % 10 === 0 &&
      shiftOfOrder(
        units.map(({ net }) => net),
        seed,
      )! <= 0.05
    )
      ordinal++;
  }
  // Three standard errors are 1.5 and 4.6 points.
  expect(nominal / draws).toBeGreaterThan(0.03);
  expect(nominal / draws).toBeLessThan(0.065);
  expect(ordinal / (draws / 10)).toBeLessThan(0.1);
});

it('has no p if no testcase changed its label', () => {
  expect(stuartMaxwell([[0, 0, 0]])).toBe(null);
  expect(shiftOfOrder([0, 0], 1)).toBe(null);
});
