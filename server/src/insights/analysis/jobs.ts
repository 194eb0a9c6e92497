import { agree } from './agree.ts';
import { calibrate, listJudgeDisagreements } from './calibrate.ts';
import { listChanges } from './changes.ts';
import { compare } from './compare.ts';
import { plan } from './plan.ts';
import { summarize, trendPoints } from './summarize.ts';

/** What the computing thread can do, by name. */
export const jobs = {
  summarize,
  trendPoints,
  plan,
  compare,
  listChanges,
  calibrate,
  listJudgeDisagreements,
  agree,
};

export type Jobs = typeof jobs;
export type JobName = keyof Jobs;
