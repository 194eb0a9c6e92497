import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';

/** Loaded before a service (`node --import`): its chores, which rest for a minute between two rounds, rest for a moment. */
const { setTimeout } = timers;
timers.setTimeout = ((ms: number, ...rest: []) =>
  setTimeout(ms === 60_000 ? 10 : ms, ...rest)) as typeof setTimeout;
syncBuiltinESMExports();
