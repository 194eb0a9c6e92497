import { describe, expect, it } from 'vitest';
import { normalCdf, normalQuantile } from './distributions.ts';
import { bothAbove, type FreshLook, measureWear } from './fresh-cases.ts';
import { seededRandom, uniform } from './random.ts';

/** A project: some old testcases, gates with 20 fresh ones each, and how many of the old testcases that would fail were repaired. */
type World = { numOld: number; looks: number; worn: number; rate: number; renews?: boolean };

/**
 * Looks of a project. Some testcases are hard and some easy for all versions, and versions differ a little. Fresh testcases are old ones from
 * the next look on.
 */
const lookAt = ({ numOld, looks, worn, rate, renews = true }: World, seed: number): FreshLook[] => {
  const random = seededRandom(seed);
  // Box and Muller (1958): quantiles to the last digit would take most of the test's time.
  const normal = () =>
    Math.sqrt(-2 * Math.log(1 - uniform(random))) * Math.cos(2 * Math.PI * uniform(random));
  const made = (unit: string, canBeRepaired: boolean) => ({
    unit,
    ease: normal(),
    isRepaired: canBeRepaired && uniform(random) < worn / (1 - rate),
  });
  const old = Array.from({ length: numOld }, (_, i) => made(`old ${i}`, true));
  return Array.from({ length: looks }, (_, look) => {
    const version = normalQuantile(rate) + 0.15 * normal();
    const passes = ({ ease, isRepaired }: (typeof old)[number]) =>
      isRepaired || Math.sqrt(0.7) * ease + Math.sqrt(0.3) * normal() < version;
    const fresh = Array.from({ length: 20 }, (_, i) => made(`fresh ${look} ${i}`, false));
    const found = {
      old: old.map((one) => ({ unit: one.unit, passes: Number(passes(one)), n: 1 })),
      fresh: fresh.map((one) => ({ unit: one.unit, rate: Number(passes(one)), weight: 1 })),
    };
    if (renews) old.push(...fresh);
    return found;
  });
};

/** Shares of projects in which wear is announced, and whose interval of the optimism covers 0, which is the truth without wear. */
const shares = (world: World, projects: number) => {
  let [announced, covers] = [0, 0];
  for (let seed = 1; seed <= projects; seed++) {
    const { optimism, bet } = measureWear(lookAt(world, seed), { alpha: 0.05, level: 0.95 })!;
    if (bet.announcedAt !== null) announced++;
    if (optimism.interval.low <= 0 && optimism.interval.high >= 0) covers++;
  }
  return { announced: announced / projects, covers: covers / projects };
};

describe('fresh testcases against old ones', () => {
  it('knows how often two errors come together', () => {
    expect(bothAbove(1, 2, 0)).toBeCloseTo(normalCdf(-1) * normalCdf(-2), 6);
    expect(bothAbove(1.5, 1, 0.999)).toBeCloseTo(normalCdf(-1.5), 4);
    // SciPy: multivariate_normal([0, 0], [[1, 0.5], [0.5, 1]]).cdf([-1, -1]).
    expect(bothAbove(1, 1, 0.5)).toBeCloseTo(0.0625149, 5);
  });

  it('announces no wear where there is none, and the interval of the optimism holds', () => {
    for (const numOld of [20, 100]) {
      const { announced, covers } = shares({ numOld, looks: 5, worn: 0, rate: 0.8 }, 60);
      expect(announced, `${numOld}`).toBeLessThanOrEqual(0.05);
      expect(covers, `${numOld}`).toBeGreaterThan(0.87);
      expect(covers, `${numOld}`).toBeLessThan(1);
    }
  });

  it('announces wear of 15 points, and not the luck of an old set that all passed', () => {
    expect(
      shares({ numOld: 300, looks: 12, worn: 0.15, rate: 0.8, renews: false }, 6).announced,
    ).toBeGreaterThan(0.6);
    const lucky = lookAt({ numOld: 20, looks: 12, worn: 0, rate: 0.8 }, 1).map(({ fresh }) => ({
      old: Array.from({ length: 20 }, (_, i) => ({ unit: `${i}`, passes: 1, n: 1 })),
      fresh,
    }));
    expect(measureWear(lucky, { alpha: 0.05, level: 0.95 })!.bet.announcedAt).toBeNull();
  });

  it('weighs fresh testcases by how many they stand for, and needs both kinds', () => {
    const old = [{ unit: 'a', passes: 1, n: 2 }];
    const fresh = [
      { unit: 'b', rate: 1, weight: 3 },
      { unit: 'c', rate: 0, weight: 1 },
    ];
    const { optimism } = measureWear([{ old, fresh }], { alpha: 0.05, level: 0.95 })!;
    expect(optimism).toMatchObject({ old: 0.5, fresh: 0.75, difference: -0.25 });
    expect(measureWear([{ old, fresh: [] }], { alpha: 0.05, level: 0.95 })).toBeNull();
  });
});
