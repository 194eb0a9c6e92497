import { describe, expect, it } from 'vitest';
import { findAlarm, type Verdict } from './change-alarm.ts';

/** Mulberry32: numbers from 0 to 1 that are the same in each run. */
const randomFrom = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
};

const dayMs = 24 * 3_600_000;
const stream = (
  random: () => number,
  days: number,
  aDay: number,
  rateOn: (day: number) => number,
): Verdict[] =>
  Array.from({ length: days * aDay }, (_, i) => ({
    passed: random() < rateOn(i / aDay),
    atMs: ((i + 1) * dayMs) / aDay,
  }));

/** Mean of the days until the first alarm, with its standard error. Streams without one count with their length. */
const daysToAlarm = (
  times: number,
  days: number,
  years: number,
  rateOn: (day: number) => number,
  aDay = 20,
) => {
  const random = randomFrom(7);
  const found = Array.from({ length: times }, () => {
    const verdicts = stream(random, days, aDay, rateOn);
    const alarm = findAlarm(verdicts, { rate: 0.9, years, fromMs: 0 });
    return alarm ? verdicts[alarm.index]!.atMs / dayMs : days;
  });
  const mean = found.reduce((a, b) => a + b, 0) / times;
  const variance = found.reduce((sum, x) => sum + (x - mean) ** 2, 0) / (times - 1);
  return { mean, error: Math.sqrt(variance / times) };
};

describe('findAlarm', () => {
  it('raises a false alarm once a year at most, as chosen, at a rate that is just good enough', () => {
    const { mean, error } = daysToAlarm(300, 1500, 1, () => 0.9);
    console.log(`one a year: ${mean.toFixed(0)} days to a false alarm (standard error ${error.toFixed(0)})`);
    // The streams end after 1500 days, which makes the mean smaller, never larger.
    expect(mean + 2 * error).toBeGreaterThan(365.25);
  });

  it('raises a false alarm once a month at most, as chosen', () => {
    const { mean, error } = daysToAlarm(600, 200, 1 / 12, () => 0.9);
    console.log(
      `twelve a year: ${mean.toFixed(1)} days to a false alarm (standard error ${error.toFixed(1)})`,
    );
    expect(mean + 2 * error).toBeGreaterThan(365.25 / 12);
  });

  it('finds a fall from 95 to 70 % within days, and says since when', () => {
    const { mean } = daysToAlarm(100, 120, 1, (day) => (day < 60 ? 0.95 : 0.7));
    console.log(`95 to 70 %: ${(mean - 60).toFixed(1)} days after the change`);
    expect(mean - 60).toBeGreaterThan(0);
    expect(mean - 60).toBeLessThan(6);
    const alarm = findAlarm(
      stream(randomFrom(3), 120, 20, (day) => (day < 60 ? 0.95 : 0.7)),
      {
        ...{ rate: 0.9, years: 1, fromMs: 0 },
      },
    )!;
    expect(Math.abs(alarm.since.atMs / dayMs - 60)).toBeLessThan(3);
    expect(alarm.since.passes / alarm.since.n).toBeLessThan(0.85);
  });

  it('keeps quiet without verdicts and where all pass', () => {
    expect(findAlarm([], { rate: 0.9, years: 1, fromMs: 0 })).toBeNull();
    expect(
      findAlarm(
        stream(
          () => 0,
          400,
          20,
          () => 1,
        ),
        { rate: 0.9, years: 1, fromMs: 0 },
      ),
    ).toBeNull();
  });
});
