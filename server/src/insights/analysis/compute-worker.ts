import { parentPort } from 'node:worker_threads';
import { clusterTexts } from '../../engine/statistics/cluster-texts.ts';
import { examine } from '../../engine/statistics/examine.ts';
import { agree } from './agree.ts';
import { calibrate, listJudgeDisagreements } from './calibrate.ts';
import { calibrateCriteria } from './calibrate-criteria.ts';
import { listChanges } from './changes.ts';
import { compare } from './compare.ts';
import { measureJury } from './measure-jury.ts';
import { plan, planCriteria } from './plan.ts';
import { rankStudy } from './rank-study.ts';
import { countNear } from './same-inputs.ts';
import { summarize, trendPoints } from './summarize.ts';

const jobs = {
  summarize,
  trendPoints,
  plan,
  planCriteria,
  compare,
  listChanges,
  calibrate,
  calibrateCriteria,
  listJudgeDisagreements,
  agree,
  measureJury,
  clusterTexts,
  countNear,
  examine,
  rankStudy,
};
export type Jobs = typeof jobs;

export type Ask = { name: keyof Jobs; job: unknown };
/** The result of a job as JSON text, or its error. */
export type Answer = { text: string } | { error: unknown };

const compute = ({ name, job }: Ask): Answer => {
  try {
    return { text: JSON.stringify((jobs[name] as (job: unknown) => unknown)(job)) };
  } catch (error) {
    return { error };
  }
};

// Answers jobs in the order of their arrival.
parentPort!.on('message', (ask: Ask) => parentPort!.postMessage(compute(ask)));
