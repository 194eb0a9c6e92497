import { setTimeout as delay } from 'node:timers/promises';
import { difference, median, medianProcessor, type Processor, time } from './measure.ts';

/** What some work costs. */
export type Cost = {
  seconds: number;
  /** Processor time until the work ends. */
  cpu?: Processor | undefined;
  /** Processor time from then on, until the service is calm: indexes, statistics and counts that it makes by itself. */
  later?: Processor | undefined;
  /** What the database has grown by when the service is calm, its write-ahead log left out on a server. */
  diskBytes?: number | undefined;
  /** Bytes of write-ahead log, undefined for an embedded database. */
  walBytes?: number | undefined;
};

/** Does some work and measures it. */
export type Meter = (work: () => Promise<unknown>) => Promise<Cost>;

export type Gauges = {
  /** Undefined without /proc. */
  processor: () => Promise<Processor | undefined>;
  storage: () => Promise<{ diskBytes: number; walBytes?: number }>;
};

/** The last work that follows a write begins 12 seconds after it: the planner's statistics. */
const leastMs = 14_000;
/** A service is calm when it and its database used less than this share of a core for some seconds. */
const calm = { seconds: 3, share: 0.03 };

export const untilCalm = async ({ processor }: Pick<Gauges, 'processor'>): Promise<void> => {
  const begun = performance.now();
  const readings: number[] = [];
  for (;;) {
    const reading = await processor();
    if (!reading) return delay(leastMs);
    readings.push(reading.service + (reading.database ?? 0));
    const used = readings.at(-1)! - (readings.at(-1 - calm.seconds) ?? Number.NEGATIVE_INFINITY);
    if (performance.now() - begun > leastMs && used <= calm.seconds * calm.share) return;
    await delay(1_000);
  }
};

/** Measures until the work ends. */
export const meterOf =
  ({ processor }: Pick<Gauges, 'processor'>): Meter =>
  async (work) => {
    const before = await processor();
    const seconds = await time(work);
    const after = await processor();
    return { seconds, cpu: before && after && difference(before, after) };
  };

/** Measures until the service is calm after the work, from when it was calm before. */
export const wholeMeterOf =
  (gauges: Gauges): Meter =>
  async (work) => {
    await untilCalm(gauges);
    const before = await gauges.storage();
    const cost = await meterOf(gauges)(work);
    const ended = await gauges.processor();
    await untilCalm(gauges);
    const calmed = await gauges.processor();
    const after = await gauges.storage();
    return {
      ...cost,
      later: ended && calmed && difference(ended, calmed),
      diskBytes: after.diskBytes - before.diskBytes,
      walBytes:
        after.walBytes === undefined || before.walBytes === undefined
          ? undefined
          : after.walBytes - before.walBytes,
    };
  };

const medianOf = (values: (number | undefined)[]): number | undefined => {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : median(known);
};

/** Returns the median of each part of the costs. */
export const medianCost = (costs: Cost[]): Cost => ({
  seconds: median(costs.map(({ seconds }) => seconds)),
  cpu: medianProcessor(costs.flatMap(({ cpu }) => cpu ?? [])),
  later: medianProcessor(costs.flatMap(({ later }) => later ?? [])),
  diskBytes: medianOf(costs.map(({ diskBytes }) => diskBytes)),
  walBytes: medianOf(costs.map(({ walBytes }) => walBytes)),
});

/**
 * Measures the service and the baseline `rounds` times in turn, so that other work on the machine slows both equally. Returns the medians.
 * Processor time is more reliable than seconds on a shared machine.
 */
export const compare = async (
  rounds: number,
  service: () => Promise<unknown>,
  bare: () => Promise<unknown>,
  meter: Meter,
): Promise<Cost & { bareSeconds: number }> => {
  const costs: Cost[] = [];
  const bareSeconds: number[] = [];
  for (let round = 0; round < rounds; round++) {
    costs.push(await meter(service));
    bareSeconds.push(await time(bare));
  }
  return { ...medianCost(costs), bareSeconds: median(bareSeconds) };
};
