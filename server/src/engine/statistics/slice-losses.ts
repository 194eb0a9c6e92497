/** Finds the slices of a testset that lost more than the rest. */
import type { Interval } from './estimate-schema.ts';
import { momentsOf } from './intervals.ts';
import { type Random, seededRandom, uniform } from './random.ts';
import { shrink } from './shrinkage.ts';
import { unset } from './testcases.ts';

/** A field by which testcases form slices. */
export type SliceField = {
  field: string;
  /** Values of the field. */
  values: readonly string[];
  /** By testcase: the index in `values`, or `unset`. */
  labels: Int32Array;
};

/** Testcases that two runs share: the mean over the trials of each. */
export type SlicedPairs = { before: Float64Array; after: Float64Array; groups: Int32Array | null };

export type SliceLoss = {
  field: string;
  value: string;
  n: number;
  before: number;
  after: number;
  difference: number;
  /** The difference, shrunk towards that of all slices of the field, with its interval. */
  shrunk: number;
  shrunkInterval: Interval;
  /** Adjusted for all slices of all fields. Two-sided, so that losses are named in at most half of 1 − level. */
  p: number;
};

/** A slice with fewer testcases says little, and is not tested. */
export const fewestInSlice = 5;
const mostDraws = 1_999;
const fewestDraws = 199;
/** Additions of one test, about 0.1 s. */
const budget = 60_000_000;

type Units = { differences: Float64Array; labels: Int32Array[] };

/** Testcases are the units; with groups, the groups: their mean, and their label if all of their testcases share it. */
const unitsOf = (
  differences: Float64Array,
  labels: readonly Int32Array[],
  groups: Int32Array | null,
): Units => {
  if (!groups) return { differences, labels: [...labels] };
  const places = new Map<number, number>();
  const unitOf = groups.map((group) => {
    const known = places.get(group) ?? places.size;
    places.set(group, known);
    return known;
  });
  const sums = new Float64Array(places.size);
  const counts = new Int32Array(places.size);
  for (const [i, unit] of unitOf.entries()) {
    sums[unit]! += differences[i]!;
    counts[unit]!++;
  }
  const ofUnits = labels.map((ofTestcases) => {
    const common = new Int32Array(places.size).fill(unset - 1);
    for (const [i, unit] of unitOf.entries()) {
      if (common[unit] === unset - 1) common[unit] = ofTestcases[i]!;
      else if (common[unit] !== ofTestcases[i]) common[unit] = unset;
    }
    return common;
  });
  return { differences: sums.map((sum, unit) => sum / counts[unit]!), labels: ofUnits };
};

type Slice = { field: number; value: number; members: Int32Array };

const slicesOf = (labels: readonly Int32Array[], fields: readonly SliceField[]): Slice[] =>
  fields.flatMap(({ values }, field) =>
    values.flatMap((_, value): Slice[] => {
      const ofField = labels[field]!;
      const members: number[] = [];
      for (let i = 0; i < ofField.length; i++) if (ofField[i] === value) members.push(i);
      return members.length < fewestInSlice ? [] : [{ field, value, members: Int32Array.from(members) }];
    }),
  );

const sumOf = (values: Float64Array, members: Int32Array): number => {
  let sum = 0;
  for (let i = 0; i < members.length; i++) sum += values[members[i]!]!;
  return sum;
};

const shuffle = (values: Float64Array, random: Random): void => {
  for (let i = values.length - 1; i > 0; i--) {
    const j = Math.floor(uniform(random) * (i + 1));
    [values[i], values[j]] = [values[j]!, values[i]!];
  }
};

const flipSigns = (values: Float64Array, random: Random): void => {
  for (let from = 0; from < values.length; from += 32) {
    let word = random();
    for (let i = from; i < Math.min(from + 32, values.length); i++) {
      if (word & 1) values[i] = -values[i]!;
      word >>>= 1;
    }
  }
};

/** Returns the function that writes the loss of each slice beyond that of all testcases, in standard errors of a random slice of its size. */
const lossesOf = ({ differences, labels }: Units, slices: readonly Slice[]) => {
  const n = differences.length;
  const { mean, variance } = momentsOf(differences);
  const errors = Float64Array.from(slices, ({ members: { length } }) =>
    Math.sqrt((variance + mean ** 2) * length * (1 - length / n)),
  );
  // The slice of each testcase, field by field.
  const places = [...new Set(slices.map(({ field }) => field))].map((field) => {
    const ofValue = new Map(slices.flatMap((slice, i) => (slice.field === field ? [[slice.value, i]] : [])));
    return labels[field]!.map((value) => ofValue.get(value) ?? slices.length);
  });
  return (values: Float64Array, into: Float64Array): void => {
    into.fill(0);
    let total = 0;
    for (let i = 0; i < n; i++) total += values[i]!;
    for (const place of places) for (let i = 0; i < n; i++) into[place[i]!]! += values[i]!;
    for (let i = 0; i < slices.length; i++) {
      const expected = (slices[i]!.members.length / n) * total;
      into[i] = errors[i]! > 0 ? (expected - into[i]!) / errors[i]! : 0;
    }
  };
};

/**
 * The single-step maxT adjustment: the share of random draws whose largest loss of any slice is as large as that of each slice. Westfall &
 * Young (1993), Resampling-Based Multiple Testing, 2.3. The observed data counts as a draw.
 */
const maxAdjusted = (
  differences: Float64Array,
  {
    losses,
    slices,
    draw,
    draws,
  }: {
    losses: ReturnType<typeof lossesOf>;
    slices: number;
    draw: (values: Float64Array) => void;
    draws: number;
  },
): Float64Array => {
  // One place more, for testcases outside of every slice of a field.
  const [seen, found] = [new Float64Array(slices + 1), new Float64Array(slices + 1)];
  losses(differences, seen);
  const exceeding = new Float64Array(slices).fill(1);
  const drawn = differences.slice();
  for (let i = 0; i < draws; i++) {
    draw(drawn);
    losses(drawn, found);
    let largest = -Infinity;
    for (let slice = 0; slice < slices; slice++) if (found[slice]! > largest) largest = found[slice]!;
    for (let slice = 0; slice < slices; slice++) if (largest >= seen[slice]! - 1e-9) exceeding[slice]!++;
  }
  return exceeding.map((count) => count / (draws + 1));
};

/**
 * Tests all slices of all fields at once. A slice has lost more than the rest if two tests reject. Flipped signs ask whether it lost at
 * all: exact if the runs are equal, however much more some slices vary than others. Shuffled differences ask whether it lost more than the
 * rest: exact if a loss has nothing to do with the fields. The larger p holds for both (Berger 1982, Technometrics 24:295–300).
 */
const adjustedPs = (
  units: Units,
  slices: readonly Slice[],
  { seed, draws }: { seed: number; draws: number },
): Float64Array => {
  const { differences } = units;
  const fields = new Set(slices.map(({ field }) => field)).size;
  const affordable = Math.floor(budget / (differences.length * (fields + 2)));
  const random = seededRandom(seed);
  const test = (draw: (values: Float64Array, random: Random) => void) =>
    maxAdjusted(differences, {
      losses: lossesOf(units, slices),
      slices: slices.length,
      draw: (values) => draw(values, random),
      draws: Math.max(fewestDraws, Math.min(draws, affordable)),
    });
  const [shuffled, flipped] = [test(shuffle), test(flipSigns)];
  return shuffled.map((p, i) => Math.min(1, 2 * Math.max(p, flipped[i]!)));
};

const meanOf = (values: Float64Array, members: Int32Array): number => sumOf(values, members) / members.length;

/** The pooled variance of a unit's difference within the slices of a field; never 0, because equal differences do not prove it. */
const varianceWithin = (differences: Float64Array, slices: readonly Slice[]): number => {
  let [squares, freedom] = [0, 0];
  for (const { members } of slices) {
    const mean = meanOf(differences, members);
    for (const member of members) squares += (differences[member]! - mean) ** 2;
    freedom += members.length - 1;
  }
  return Math.max(squares, 0.5) / freedom;
};

/**
 * Returns the slices of all fields, the worst first by the shrunken difference, each with a p that is adjusted for all of them. Slices with
 * the same testcases are returned once.
 */
export const sliceLosses = (
  { before, after, groups }: SlicedPairs,
  fields: readonly SliceField[],
  { level, seed, draws = mostDraws }: { level: number; seed: number; draws?: number },
): SliceLoss[] => {
  const units = unitsOf(
    after.map((value, i) => value - before[i]!),
    fields.map(({ labels }) => labels),
    groups,
  );
  const found = slicesOf(units.labels, fields);
  const slices = fields.flatMap((_, field) => {
    const ofField = found.filter((slice) => slice.field === field);
    return ofField.length > 1 ? ofField : [];
  });
  if (slices.length === 0) return [];
  const ps = adjustedPs(units, slices, { seed, draws });
  const ofTestcases = slicesOf(
    fields.map(({ labels }) => labels),
    fields,
  );
  const losses = fields.flatMap((field, f) => {
    const ofField = slices.filter((slice) => slice.field === f);
    if (ofField.length === 0) return [];
    const within = varianceWithin(units.differences, ofField);
    const shrunk = shrink(
      ofField.map(({ members }) => meanOf(units.differences, members)),
      ofField.map(({ members }) => within / members.length),
      level,
    );
    return ofField.map((slice, i) => {
      const { members } = ofTestcases.find((one) => one.field === f && one.value === slice.value)!;
      const [meanBefore, meanAfter] = [meanOf(before, members), meanOf(after, members)];
      return {
        members,
        loss: {
          field: field.field,
          value: field.values[slice.value]!,
          n: members.length,
          before: meanBefore,
          after: meanAfter,
          difference: meanAfter - meanBefore,
          shrunk: shrunk[i]!.estimate,
          shrunkInterval: shrunk[i]!.interval,
          p: ps[slices.indexOf(slice)]!,
        },
      };
    });
  });
  const seen = new Set<string>();
  return losses
    .filter(({ members }) => {
      const key = members.join();
      return !seen.has(key) && seen.add(key);
    })
    .map(({ loss }) => loss)
    .sort((a, b) => a.shrunk - b.shrunk);
};

/** The slices that are shown to have lost more than the rest. */
export const namedLosses = (losses: readonly SliceLoss[], level: number): SliceLoss[] =>
  losses.filter(({ p, difference }) => p <= 1 - level + 1e-12 && difference < 0);
