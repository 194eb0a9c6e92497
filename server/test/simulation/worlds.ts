import { openDeliveries } from './deliveries.ts';
import { openExecutions } from './executions.ts';
import type { OpenWorld } from './scheduler.ts';
import { openSchedules } from './schedules.ts';
import { openScores } from './scores.ts';

/** The worlds by their names. Schedules go round them. */
export const worlds: Record<string, OpenWorld> = {
  deliveries: openDeliveries,
  schedules: openSchedules,
  executions: openExecutions,
  scores: openScores,
};
