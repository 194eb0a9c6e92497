import { afterAll, beforeAll, expect, it } from 'vitest';
import { giveMachinesTheirClocks } from './clocks.ts';
import { openSimulatedDatabase, type SimulatedDatabase } from './database.ts';
import { runSchedule } from './scheduler.ts';
import { worlds } from './worlds.ts';

let database: SimulatedDatabase;
beforeAll(async () => {
  database = await openSimulatedDatabase();
});
afterAll(() => database.close());

/** Clocks are replaced only while a schedule runs: other files share this process. */
const run = async (name: string, seed: number) => {
  const takeBack = giveMachinesTheirClocks();
  try {
    return await runSchedule(database, worlds[name]!, seed);
  } finally {
    takeBack();
  }
};

/** Each night runs ten thousand others (`npm run simulate`). */
const schedules = 15;

it.each(Object.keys(worlds))('%s hold their promises in each schedule', async (name) => {
  let faults = 0;
  for (let seed = 1; seed <= schedules; seed++) {
    const outcome = await run(name, seed);
    expect(
      outcome.failure,
      `npm run simulate -- --world ${name} --seed ${seed}\n${outcome.trace.slice(-80).join('\n')}`,
    ).toBeUndefined();
    faults += outcome.faults;
  }
  expect(faults).toBeGreaterThan(schedules);
});

it.each(Object.keys(worlds))(
  '%s: the same seed gives the same schedule, whatever ran before',
  async (name) => {
    const first = await run(name, 11);
    await run(name, 12);
    expect((await run(name, 11)).trace).toEqual(first.trace);
  },
);
