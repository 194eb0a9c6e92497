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
    const alarm = findAlarm(verdicts, { rate: 0.9, years, fromMs: 0, nowMs: days * dayMs });
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
        rate: 0.9,
        years: 1,
        fromMs: 0,
        nowMs: 120 * dayMs,
      },
    )!;
    expect(Math.abs(alarm.since.atMs / dayMs - 60)).toBeLessThan(3);
    expect(alarm.since.passes / alarm.since.n).toBeLessThan(0.85);
  });

  it('keeps quiet without verdicts and where all pass', () => {
    expect(findAlarm([], { rate: 0.9, years: 1, fromMs: 0, nowMs: 1 })).toBeNull();
    expect(
      findAlarm(
        stream(
          () => 0,
          400,
          20,
          () => 1,
        ),
        { rate: 0.9, years: 1, fromMs: 0, nowMs: 400 * dayMs },
      ),
    ).toBeNull();
  });
});

/** Verdicts of users with five each, whose verdicts are the user's own with a chance of √.3 and so have a correlation of .3. */
const ofUsers = (
  random: () => number,
  {
    days,
    aDay,
    hours,
    rateOn,
  }: { days: number; aDay: number; hours: number; rateOn: (day: number) => number },
): Verdict[] =>
  Array.from({ length: (days * aDay) / 5 }, (_, user): Verdict[] => {
    const from = ((user + random()) * 5 * dayMs) / aDay;
    const rate = rateOn(from / dayMs);
    const typical = random() < rate;
    return Array.from({ length: 5 }, () => ({
      passed: random() < Math.sqrt(0.3) ? typical : random() < rate,
      atMs: from + random() * hours * 3_600_000,
      unit: `user ${user}`,
    }));
  })
    .flat()
    .sort((a, b) => a.atMs - b.atMs);

/** The share of months with an alarm, with 50 verdicts a day. */
const alarmsAMonth = (months: number, hours: number, rateOn: (day: number) => number, isTold = true) => {
  const random = randomFrom(2);
  let alarms = 0;
  for (let month = 0; month < months; month++) {
    const verdicts = ofUsers(random, { days: 30, aDay: 50, hours, rateOn });
    const told = isTold ? verdicts : verdicts.map(({ passed, atMs }) => ({ passed, atMs }));
    if (findAlarm(told, { rate: 0.9, years: 1, fromMs: 0, nowMs: 30 * dayMs })) alarms++;
  }
  return alarms / months;
};

describe('findAlarm where verdicts come by users', () => {
  it.each([
    ['together', 0.01],
    ['spread over six hours', 6],
  ])('is wrong in at most one month of twenty at the line, %s', (_, hours) => {
    expect(alarmsAMonth(800, hours, () => 0.9)).toBeLessThanOrEqual(0.05);
    expect(alarmsAMonth(100, hours, () => 0.93)).toBeLessThanOrEqual(0.02);
    // As independent verdicts they raise one in most months.
    expect(alarmsAMonth(60, hours, () => 0.9, false)).toBeGreaterThan(0.5);
  });

  it('finds a fall from 95 to 80 % within twenty days', () => {
    expect(alarmsAMonth(100, 6, (day) => (day < 10 ? 0.95 : 0.8))).toBeGreaterThan(0.8);
  });

  it('bets on a user’s first verdict at once, and on the mean of a day when it has ended', () => {
    const startMs = 1000 * dayMs;
    const of = (passed: (i: number) => boolean): Verdict[] =>
      Array.from({ length: 300 }, (_, i) => ({
        passed: passed(i),
        atMs: startMs + i * 60_000,
        unit: `user ${i % 30}`,
      }));
    const settings = { rate: 0.9, years: 1, fromMs: startMs - 10 * dayMs };
    const during = { ...settings, nowMs: startMs + dayMs / 2 };
    const after = { ...settings, nowMs: startMs + 2 * dayMs };
    const atOnce = findAlarm(
      of(() => false),
      during,
    )!;
    expect(atOnce.index).toBeLessThan(30);
    // Each user passes first and fails later.
    const later = of((i) => i < 30);
    expect(findAlarm(later, during)).toBeNull();
    expect(findAlarm(later, after)).toMatchObject({ index: 299, since: { n: 270, passes: 0 } });
  });
});

describe('findAlarm where verdicts are spans', () => {
  /** 50 records a day with 1 to 20 spans, which have a correlation of one half within their record. */
  const records = (random: () => number, rateOn: (day: number) => number): Verdict[] =>
    Array.from({ length: 1500 }, (_, i) => {
      const rate = rateOn(i / 50);
      const typical = random() < rate;
      const n = 1 + Math.floor(random() * 20);
      const passes = Array.from({ length: n }, () =>
        Number(random() < Math.SQRT1_2 ? typical : random() < rate),
      ).reduce((a, b) => a + b, 0);
      return { passed: passes === n, spans: { n, passes }, atMs: ((i + 1) * dayMs) / 50 };
    });
  const alarms = (
    months: number,
    rateOn: (day: number) => number,
    read: (records: Verdict[]) => Verdict[],
  ) => {
    const random = randomFrom(5);
    const found = Array.from({ length: months }, () =>
      findAlarm(read(records(random, rateOn)), { rate: 0.9, years: 1, fromMs: 0, nowMs: 30 * dayMs }),
    );
    return found.filter((alarm) => alarm !== null).length / months;
  };
  const alone = (records: Verdict[]): Verdict[] =>
    records.flatMap(({ spans, atMs }) =>
      Array.from({ length: spans!.n }, (_, i) => ({ passed: i < spans!.passes, atMs })),
    );

  it('is wrong in at most one month of twenty at the line, and finds a fall', () => {
    const rates = [
      alarms(
        400,
        () => 0.9,
        (records) => records,
      ),
      alarms(100, () => 0.9, alone),
      alarms(
        100,
        (day) => (day < 10 ? 0.95 : 0.8),
        (records) => records,
      ),
    ] as const;
    console.log(
      `months with an alarm: ${rates[0]}; each span a verdict: ${rates[1]}; after a fall: ${rates[2]}`,
    );
    expect(rates[0]).toBeLessThanOrEqual(0.08);
    expect(rates[1]).toBeGreaterThan(0.5);
    expect(rates[2]).toBeGreaterThan(0.8);
  });
});
