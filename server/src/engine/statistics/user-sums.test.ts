import { describe, expect, it } from 'vitest';
import { wilson } from './intervals.ts';
import { seededRandom } from './random.ts';
import { meanOfUserSums, numUserGroups, rateOfUserSums, userMean } from './user-sums.ts';

type World = { users: number; each: number; rate: number; correlation: number; alone?: number };

const unit = { low: 0, high: 1 };

/** Passes of users that agree with the user's own with a chance of √correlation, and of records without a user. */
const draw = ({ users, each, rate, correlation, alone = 0 }: World, random: () => number) => {
  const [sizes, passes] = [
    new Array<number>(numUserGroups).fill(0),
    new Array<number>(numUserGroups).fill(0),
  ];
  let all = 0;
  for (let user = 0; user < users; user++) {
    const group = Math.floor(random() * numUserGroups);
    const typical = random() < rate;
    for (let i = 0; i < each; i++) {
      const passed = Number(random() < Math.sqrt(correlation) ? typical : random() < rate);
      sizes[group]!++;
      passes[group]! += passed;
      all += passed;
    }
  }
  for (let i = 0; i < alone; i++) all += Number(random() < rate);
  return { n: users * each + alone, passes: all, users: { sizes, passes } };
};

const coverageOf = (world: World, draws: number) => {
  const numbers = seededRandom(4);
  const random = () => numbers() / 2 ** 32;
  const counts = { held: 0, warned: 0, asIndependent: 0 };
  for (let i = 0; i < draws; i++) {
    const { n, passes, users } = draw(world, random);
    const { interval, caveats } = rateOfUserSums(passes, n, users);
    const independent = wilson(passes, n)!;
    if (interval!.low <= world.rate && interval!.high >= world.rate) counts.held++;
    if (caveats.length > 0) counts.warned++;
    if (independent.low <= world.rate && independent.high >= world.rate) counts.asIndependent++;
  }
  return {
    held: counts.held / draws,
    warned: counts.warned / draws,
    asIndependent: counts.asIndependent / draws,
  };
};

describe('a rate of records that come by users', () => {
  it.each<World & { asIndependent: number }>([
    { users: 40, each: 5, rate: 0.9, correlation: 0.3, asIndependent: 0.85 },
    { users: 100, each: 3, rate: 0.9, correlation: 0.3, asIndependent: 0.92 },
    { users: 500, each: 4, rate: 0.95, correlation: 0.3, asIndependent: 0.89 },
    { users: 100, each: 3, rate: 0.9, correlation: 0.3, alone: 300, asIndependent: 0.94 },
    { users: 300, each: 1, rate: 0.9, correlation: 0, asIndependent: 1 },
  ])('holds the truth: $users × $each', ({ asIndependent, ...world }) => {
    const found = coverageOf(world, 2000);
    expect(found.held).toBeGreaterThan(0.925);
    expect(found.held).toBeLessThan(0.975);
    expect(found.asIndependent).toBeLessThanOrEqual(asIndependent);
  });

  it('warns where few users decide it', () => {
    const found = coverageOf({ users: 20, each: 10, rate: 0.9, correlation: 0.3 }, 1000);
    expect(found.warned).toBeGreaterThan(0.93);
    expect(found.held).toBeGreaterThan(found.asIndependent + 0.1);
  });

  it('is Wilson’s without users', () => {
    expect(rateOfUserSums(9, 10, { sizes: [], passes: [] })).toEqual({
      n: 10,
      estimate: 0.9,
      interval: wilson(9, 10),
      caveats: [],
    });
    expect(rateOfUserSums(0, 0, { sizes: [], passes: [] })).toMatchObject({ estimate: null, interval: null });
  });

  it('counts each user as one where all pass: 640 of 64 users are worth about 64', () => {
    const numbers = seededRandom(8);
    const random = () => numbers() / 2 ** 32;
    const found = Array.from({ length: 200 }, () => {
      const { n, passes, users } = draw({ users: 64, each: 10, rate: 1, correlation: 1 }, random);
      const { sizes, passes: sums } = users;
      return userMean({ n, sum: passes, squares: passes }, { sizes, sums, squares: passes }, unit)!;
    });
    const mean = found.reduce((all, { effectiveN }) => all + effectiveN, 0) / found.length;
    expect(mean).toBeGreaterThan(55);
    expect(mean).toBeLessThan(75);
    expect(found.every(({ estimate, interval }) => estimate === 1 && interval!.high === 1)).toBe(true);
  });

  it('one user alone has no interval, and scores on a scale stay inside it', () => {
    const one = { sizes: [5], sums: [20], squares: 82 };
    const { interval, caveats } = meanOfUserSums({ n: 5, sum: 20, squares: 82 }, one, { low: 1, high: 5 });
    expect(interval).toBeNull();
    expect(caveats).toMatchObject([{ code: 'fewGroups' }]);
    const two = { sizes: [5, 5], sums: [25, 20], squares: 207 };
    const mean = meanOfUserSums({ n: 10, sum: 45, squares: 207 }, two, { low: 1, high: 5 });
    expect(mean.interval!.high).toBeLessThanOrEqual(5);
    expect(mean.interval!.low).toBeGreaterThanOrEqual(1);
  });
});
