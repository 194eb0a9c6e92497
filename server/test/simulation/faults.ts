import { type Random, uniform } from '../../src/engine/statistics/random.ts';
import type { Break } from './wire.ts';

/** Names of the faults. The seed of a schedule chooses which it has, and how many. */
export const faultKinds = ['crash', 'stall', 'clock', 'refused', 'unanswered', 'slow', 'receiver'] as const;
export type FaultKind = (typeof faultKinds)[number];

export type Chance = {
  /** From 0 to 1. */
  number: () => number;
  between: (from: number, to: number) => number;
  integer: (from: number, to: number) => number;
  one: <T>(of: readonly T[]) => T;
  is: (probability: number) => boolean;
};

export const chanceOf = (random: Random): Chance => {
  const number = () => uniform(random);
  const between = (from: number, to: number) => from + number() * (to - from);
  const integer = (from: number, to: number) => Math.floor(between(from, to + 1));
  const one = <T>(of: readonly T[]): T => of[integer(0, of.length - 1)]!;
  return { number, between, integer, one, is: (probability) => number() < probability };
};

/** Probability of each kind at each place where it may happen. */
export type Faults = Record<FaultKind, number>;

export const noFaults = Object.fromEntries(faultKinds.map((kind) => [kind, 0])) as Faults;

/** Each schedule has some kinds only: if all happened all the time, one would hide the other. */
export const drawFaults = (chance: Chance): Faults =>
  Object.fromEntries(faultKinds.map((kind) => [kind, chance.one([0, 0, 0.02, 0.1])])) as Faults;

const refusals = ['57P01', '40P01', '53300', '57014'];

/** What breaks a transaction, if anything. */
export const drawBreak = (chance: Chance, { refused, unanswered }: Faults): Break | undefined => {
  if (chance.is(refused)) return { kind: 'refused', at: chance.integer(1, 6), code: chance.one(refusals) };
  return chance.is(unanswered) ? { kind: 'unanswered' } : undefined;
};

export const slowMs = 100;

/** Time that a message to or from the database takes, in ms. Some take longer than a lease. */
export const drawLatency = (chance: Chance, { slow }: Faults): number =>
  chance.is(slow) ? chance.between(slowMs, 90_000) : chance.between(0.2, 5);
