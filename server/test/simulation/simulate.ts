/**
 * Runs schedules of the simulation, and prints how many a second, or the trace of the first that fails:
 *
 *     npm run simulate -- --seed 123 --schedules 10000
 */
import { argv, cpuUsage, exit, stdout } from 'node:process';
import { parseArgs } from 'node:util';
import { giveMachinesTheirClocks, realNow } from './clocks.ts';
import { openSimulatedDatabase } from './database.ts';
import { faultKinds } from './faults.ts';
import { type Outcome, runSchedule } from './scheduler.ts';
import { worlds } from './worlds.ts';

const { values } = parseArgs({
  args: argv.slice(2),
  options: {
    seed: { type: 'string', default: '1' },
    schedules: { type: 'string', default: '1' },
    world: { type: 'string' },
    trace: { type: 'boolean', default: false },
  },
});
const [first, count] = [Number(values.seed), Number(values.schedules)];
const chosen = Object.entries(worlds).filter(([name]) => values.world === undefined || name === values.world);

giveMachinesTheirClocks();
const database = await openSimulatedDatabase();
const begun = realNow();
const usedBefore = cpuUsage();

/** Names the faults without which the schedule still fails. The others are part of the cause. */
const explain = async (name: string, { seed, failure, trace }: Outcome): Promise<void> => {
  stdout.write(`${trace.join('\n')}\n\nWorld ${name}, seed ${seed}: ${failure}\n`);
  const needed: string[] = [];
  for (const kind of faultKinds)
    if (!(await runSchedule(database, worlds[name]!, seed, [kind])).failure) needed.push(kind);
  stdout.write(`It passes without: ${needed.join(', ') || 'no single kind of fault'}.\n`);
  stdout.write(`Again: npm run simulate -- --world ${name} --seed ${seed}\n`);
};

let [events, faults] = [0, 0];
for (let i = 0; i < count; i++) {
  const [name, world] = chosen[i % chosen.length]!;
  const outcome = await runSchedule(database, world, first + i);
  events += outcome.events;
  faults += outcome.faults;
  if (values.trace) stdout.write(`${outcome.trace.join('\n')}\n`);
  if (outcome.failure === undefined) continue;
  stdout.write(`After ${i + 1} schedules:\n`);
  await explain(name, outcome);
  exit(1);
}
const { user, system } = cpuUsage(usedBefore);
const [seconds, processorSeconds] = [(realNow() - begun) / 1_000, (user + system) / 1e6];
stdout.write(
  `${count} schedules with ${events} events and ${faults} faults passed in ${seconds.toFixed(1)} s, with ${processorSeconds.toFixed(1)} s of the processor (${(count / processorSeconds).toFixed(1)} a second).\n`,
);
await database.close();
exit(0);
