import type { Static } from 'typebox';
import { defaultLevel } from '../../engine/statistics/intervals.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { requireMetric } from '../../scoring/labels/read-judge.ts';
import { type Compute, compute } from './compute.ts';
import { mayCostMore, type Summary } from './keep-summaries.ts';
import { readJudges } from './read-judges.ts';
import { readLabels } from './read-labels.ts';
import { withNearDuplicates } from './read-near-duplicates.ts';
import { readCriteria, readRun, requireRuns } from './read-run.ts';
import type { SummaryQuery } from './schema.ts';
import { readTraffic } from './weights.ts';

/** Summarizes a run metric by metric, or by the criteria of one. Throws 404 for an unknown run. */
export const readSummary = async (
  db: Database,
  scope: Scope,
  id: string,
  query: Static<typeof SummaryQuery>,
  computed: Compute = compute,
): Promise<Summary> => {
  const { level = defaultLevel, by, across } = query;
  const [head] = await requireRuns(db, scope, [id]);
  const { id: runId, projectId, createdAt } = head!;
  const metricId =
    query.criteriaOf === undefined ? null : (await requireMetric(db, scope, query.criteriaOf, projectId)).id;
  const ofCriteria = metricId === null ? null : await readCriteria(db, scope, runId, metricId);
  const { numCriteriaLeftOut, ...read } = ofCriteria ?? {
    ...(await readRun(db, scope, runId)),
    numCriteriaLeftOut: null,
  };
  const [run] = await withNearDuplicates(db, scope, [read]);
  // People's labels are of the metric, not of its criteria.
  const judges = ofCriteria ? {} : await readJudges(db, scope, [run!]);
  const traffic = await readTraffic(db, scope, [run!], query);
  const summed = await computed('summarize', {
    run: run!,
    judges,
    createdAt,
    level,
    traffic,
    by: by ? { name: by, labels: await readLabels(db, scope, run!, by) } : null,
    across: across ? { name: across, labels: await readLabels(db, scope, run!, across) } : null,
  });
  const body =
    numCriteriaLeftOut === null ? summed : `{"numCriteriaLeftOut":${numCriteriaLeftOut},${summed.slice(1)}`;
  const ofOtherRuns = Object.keys(judges).length > 0;
  return { body, runId, projectId, ofOtherRuns, isPassing: run!.scores.some(mayCostMore) };
};
