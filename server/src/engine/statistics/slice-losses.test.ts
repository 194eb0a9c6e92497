import { describe, expect, it } from 'vitest';
import { type Random, seededRandom, uniform } from './random.ts';
import { namedLosses, type SlicedPairs, type SliceField, sliceLosses } from './slice-losses.ts';

const n = 600;
const field = (name: string, of: (i: number) => number, count: number): SliceField => ({
  field: name,
  values: Array.from({ length: count }, (_, value) => `${name} ${value}`),
  labels: Int32Array.from({ length: n }, (_, i) => of(i)),
});
/** 30 languages of 20 testcases, 4 sources, and 12 topics that cross them. */
const fields = [
  field('lang', (i) => i % 30, 30),
  field('source', (i) => Math.floor(i / 150), 4),
  field('topic', (i) => (i * 7) % 12, 12),
];

/** Two runs: before and after, by testcase, the chance to pass. */
const pairsOf = (random: Random, before: (i: number) => number, after = before): SlicedPairs => {
  const draw = (chance: (i: number) => number) =>
    Float64Array.from({ length: n }, (_, i) => Number(uniform(random) < chance(i)));
  return { before: draw(before), after: draw(after), groups: null };
};
const options = { level: 0.95, seed: 1, draws: 199 };
const namedIn = (pairs: SlicedPairs) => namedLosses(sliceLosses(pairs, fields, options), options.level);

/** Share of draws in which a slice is named. */
const naming = (draws: number, pairs: (random: Random) => SlicedPairs): number => {
  const random = seededRandom(7);
  let count = 0;
  for (let i = 0; i < draws; i++) if (namedIn(pairs(random)).length > 0) count++;
  return count / draws;
};

describe('a slice that loses more than the rest', () => {
  it('is named first: one language of 30 falls from 90 to 25 %', () => {
    const random = seededRandom(3);
    for (let draw = 0; draw < 20; draw++) {
      const pairs = pairsOf(
        random,
        () => 0.9,
        (i) => (i % 30 === 7 ? 0.25 : 0.9),
      );
      const [first, ...others] = namedIn(pairs);
      expect([first!.field, first!.value, first!.n]).toEqual(['lang', 'lang 7', 20]);
      expect(others.filter(({ field }) => field === 'lang')).toEqual([]);
      // The worst of thirty is bad partly by chance.
      expect(first!.shrunk).toBeGreaterThan(first!.difference);
      expect(first!.shrunk).toBeLessThan(-0.1);
    }
  });

  // The standard error of .05 in 150 draws is .018.
  it.each<[string, (random: Random) => SlicedPairs]>([
    ['equal runs', (random) => pairsOf(random, () => 0.9)],
    [
      'equal runs that differ more on some languages',
      (random) => pairsOf(random, (i) => (i % 30 < 3 ? 0.5 : 0.98)),
    ],
    [
      'a loss of ten points in every slice',
      (random) =>
        pairsOf(
          random,
          () => 0.9,
          () => 0.8,
        ),
    ],
  ])('none is named in 95 % of draws: %s', (_, pairs) => {
    expect(naming(150, pairs)).toBeLessThanOrEqual(0.05);
  });

  it('does not count groups as if their testcases were independent', () => {
    // 60 documents of ten testcases, each of one language, that pass or fail as a whole.
    const pairs = (random: Random): SlicedPairs => {
      const draw = () => Array.from({ length: 60 }, () => Number(uniform(random) < 0.8));
      const [a, b] = [draw(), draw()];
      const of = (values: number[]) => Float64Array.from({ length: n }, (_, i) => values[i % 60]!);
      return { before: of(a), after: of(b), groups: Int32Array.from({ length: n }, (_, i) => i % 60) };
    };
    const byLanguage = [field('lang', (i) => i % 10, 10)];
    const random = seededRandom(5);
    let [grouped, alone] = [0, 0];
    for (let draw = 0; draw < 60; draw++) {
      const drawn = pairs(random);
      const count = (given: SlicedPairs) =>
        namedLosses(sliceLosses(given, byLanguage, options), options.level).length > 0;
      if (count(drawn)) grouped++;
      if (count({ ...drawn, groups: null })) alone++;
    }
    expect(grouped).toBeLessThanOrEqual(4);
    expect(alone).toBeGreaterThan(20);
  });

  it('returns slices with the same testcases once, and none of a field with one slice', () => {
    const random = seededRandom(1);
    const twice = [
      field('lang', (i) => i % 3, 3),
      field('locale', (i) => i % 3, 3),
      field('one', () => 0, 1),
    ];
    const losses = sliceLosses(
      pairsOf(random, () => 0.5),
      twice,
      options,
    );
    expect(losses.map(({ field }) => field)).toEqual(['lang', 'lang', 'lang']);
  });

  it('shrunken intervals hold the true differences of the slices', () => {
    const random = seededRandom(9);
    let [held, all] = [0, 0];
    for (let draw = 0; draw < 40; draw++) {
      const losses = Array.from({ length: 30 }, () => 0.25 * uniform(random));
      const pairs = pairsOf(
        random,
        () => 0.8,
        (i) => 0.8 - losses[i % 30]!,
      );
      for (const { value, shrunkInterval } of sliceLosses(pairs, fields.slice(0, 1), options)) {
        const truth = -losses[Number(value.split(' ')[1])]!;
        all++;
        if (shrunkInterval.low <= truth && truth <= shrunkInterval.high) held++;
      }
    }
    expect(held / all).toBeGreaterThan(0.93);
    expect(held / all).toBeLessThan(0.99);
  });
});
