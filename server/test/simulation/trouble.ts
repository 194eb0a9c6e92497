import { noFaults } from './faults.ts';
import { crash, longestProcessSkewMs, type Schedule } from './processes.ts';
import { type Process, trouble } from './timeline.ts';

/** Most that the clock of the database is wrong. */
export const longestSkewMs = 300_000;
const within = (most: number, ms: number) => Math.max(-most, Math.min(most, ms));

const stall = ({ chance, timeline, faults, processes }: Schedule, process: Process): void => {
  if (chance.is(faults.stall * 3)) {
    const ms = chance.between(1_000, 180_000);
    timeline.noteFault(`${process.name} stands still for ${ms.toFixed()} ms`);
    process.stalledUntil = timeline.now() + ms;
  }
  if (chance.is(faults.stall / 2)) {
    const ms = chance.between(600_000, 3 * 3_600_000);
    timeline.noteFault(`all processes stand still for ${ms.toFixed()} ms`);
    for (const one of processes) one.stalledUntil = timeline.now() + ms;
  }
};

const stepClocks = (schedule: Schedule, process: Process): void => {
  const { chance, timeline, faults } = schedule;
  if (chance.is(faults.clock * 3)) {
    const step = chance.between(-longestProcessSkewMs, longestProcessSkewMs);
    timeline.noteFault(`the clock of ${process.name} steps by ${step.toFixed()} ms`);
    process.skewMs = within(longestProcessSkewMs, process.skewMs + step);
  }
  if (chance.is(faults.clock)) {
    const step = chance.between(-60_000, 60_000);
    timeline.noteFault(`the clock of the database steps by ${step.toFixed()} ms`);
    schedule.dbOffsetMs = within(longestSkewMs, schedule.dbOffsetMs + step);
  }
};

/** Brings faults that come by time, and not with a message, until there are no more faults. */
export const troubleFrom = (schedule: Schedule, ms: number): void => {
  const { chance, timeline } = schedule;
  const work = () => {
    if (schedule.faults === noFaults) return;
    const process = chance.one(schedule.processes);
    if (chance.is(schedule.faults.crash * 3)) crash(schedule, process);
    stall(schedule, process);
    stepClocks(schedule, process);
    troubleFrom(schedule, chance.between(1_000, 20_000));
  };
  timeline.add(ms, { isTimer: false, label: trouble, work });
};

/** Ends all faults. */
export const heal = (schedule: Schedule): void => {
  schedule.timeline.note('no more faults');
  schedule.faults = noFaults;
  for (const process of schedule.processes) process.stalledUntil = schedule.timeline.now();
};
