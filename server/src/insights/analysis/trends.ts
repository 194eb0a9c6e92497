import type { Static } from 'typebox';
import type { Database } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { type AnchoredPoint, anchorTrend } from './anchor-trend.ts';
import { compute } from './compute.ts';
import { type KeepSummary, mayCostMore, type Summary } from './keep-summaries.ts';
import type { TrendPoint, Trends } from './project-schema.ts';
import { findNewestRuns, type RunChoice, type RunHead } from './queries.ts';
import { judgeReader } from './read-judges.ts';
import { readRun } from './read-run.ts';
import { findAskedRuns } from './sample-queries.ts';
import type { trendPoints } from './summarize.ts';
import { readSwitches } from './switches.ts';
import { type askedWeights, readRunTraffic } from './weights.ts';

/** A metric of a run, before the facts of the run are added. */
type Computed = ReturnType<typeof trendPoints>[number];
type Trend = Static<typeof Trends.schema>['metrics'][number];

export type TrendsJob = RunChoice & {
  projectId: bigint;
  limit: number;
  level: number;
  /** Whether each point comes with its judge. */
  judges: boolean;
  /** What the testcases stand for; null if each counts the same. */
  weights: ReturnType<typeof askedWeights>;
};

/** Returns a function that returns the points of a run, computed again only after a change. */
const pointReader = (
  db: Database,
  scope: Scope,
  kept: KeepSummary,
  { projectId, metricId, level, judges, limit, kind, scored, weights }: TrendsJob,
  heads: readonly RunHead[],
) => {
  const readJudges = judgeReader(
    db,
    scope,
    heads.map(({ id }) => id),
  );
  return async ({ id: runId }: RunHead): Promise<Computed[] | null> => {
    const make = async (): Promise<Summary> => {
      const run = await readRun(db, scope, runId, metricId === undefined ? undefined : [metricId]);
      const labels = judges ? await readJudges(run) : null;
      const traffic = weights && (await readRunTraffic(db, scope, run, weights));
      const body =
        weights && !traffic
          ? JSON.stringify(null)
          : await compute('trendPoints', { run, level, judges: labels, traffic });
      const ofOtherRuns = Object.keys(labels ?? {}).length > 0;
      return { body, runId, projectId, ofOtherRuns, isPassing: run.scores.some(mayCostMore) };
    };
    // Labels of the other runs of the request correct its rates.
    const others = judges ? `${limit}/${kind ?? ''}/${scored ?? ''}` : '';
    // The fields of testcases change without being noted.
    if (weights) return JSON.parse((await make()).body);
    return JSON.parse(await kept(scope, `trend ${runId}/${level}/${metricId ?? ''}/${others}`, make));
  };
};

/** Reads each metric of a project over its latest runs. */
export const readTrends = async (
  db: Database,
  scope: Scope,
  kept: KeepSummary,
  job: TrendsJob,
): Promise<Static<typeof Trends.schema>> => {
  const { projectId, limit, level, judges, weights, ...choice } = job;
  const heads = await db.read(scope, (sql) => findNewestRuns(sql, scope, projectId, choice, limit));
  const pointsOf = pointReader(db, scope, kept, job, heads);
  const metrics = new Map<string, Trend>();
  let numUnweighted = 0;
  // One run at a time: a hundred large ones would not fit into memory.
  for (const head of heads.toReversed()) {
    const { createdAt, systemVersionId } = head;
    const testsetId = head.testsetId === null ? null : String(head.testsetId);
    const ofRun = { runId: String(head.id), createdAt, testsetId, systemVersionId };
    const points = await pointsOf(head);
    if (points === null) numUnweighted++;
    for (const { metricId, metricName, outputType, ...point } of points ?? []) {
      const trend = metrics.get(metricId) ?? { metricId, metricName, outputType, points: [] };
      trend.points.push({ ...ofRun, ...point, anchored: null, change: null });
      metrics.set(metricId, trend);
    }
  }
  const switches = await readSwitches(db, scope, metrics.keys());
  const anchored = [...metrics.values()].map((trend) => ({
    ...trend,
    points: anchorTrend(
      switches.filter((one) => one.metricId === trend.metricId),
      trend.points as (TrendPoint & AnchoredPoint)[],
      level,
    ),
  }));
  const runIds = heads.map(({ id }) => id);
  const runs = judges ? await db.read(scope, (sql) => findAskedRuns(sql, scope, runIds)) : undefined;
  return {
    level,
    numRuns: heads.length,
    ...(weights && { numUnweighted }),
    metrics: weights ? [...metrics.values()] : anchored,
    ...(runs && { runs }),
  };
};
