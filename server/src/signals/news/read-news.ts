import { trustOfBoth } from '../../../../client/src/gate/grade.ts';
import { findListedRun } from '../../evaluation/runs/queries.ts';
import type { KeepSummary } from '../../insights/analysis/keep-summaries.ts';
import { readComparison } from '../../insights/analysis/read-comparison.ts';
import { readTrust } from '../../insights/analysis/read-trust.ts';
import { listMetricsOf } from '../../insights/series/queries.ts';
import { type MonitorScores, readTrafficChange } from '../../insights/series/read-traffic-change.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { countLabels, listMonitors, listNewRuns, listSentAlerts, type NewRun } from './queries.ts';
import type { News } from './schema.ts';

const hourMs = 3_600_000;
const beforeMs = 6 * 24 * hourMs;

const maxRuns = 5;
const maxEach = 10;
/** Runs that are compared: each takes tens of milliseconds. */
const maxCompared = 3;
/** Records of a comparison. With more, the page of the comparison has the answer: 10,000 took 300 ms. */
const maxRecords = 2_000;

type Compared = NonNullable<News['runs'][number]['compared']>;

type Conclusion = Pick<Compared[number], 'verdict' | 'difference' | 'interval'>;
type Comparison = {
  pairs: {
    metrics: {
      metricId: string;
      metricName: string;
      conclusion: Conclusion;
      judge: { before: { trust: string }; after: { trust: string } } | null;
    }[];
  }[];
};

/** Where the news are read from. Comparisons are kept while nothing in the project changes. */
type Reading = { db: Database; scope: Scope; projectId: bigint; kept: KeepSummary };

const compareWithBaseline = async (
  { db, scope, projectId, kept }: Reading,
  { id, baselineId, numRecords, numBaseline }: NewRun,
): Promise<Compared | null> => {
  if (baselineId === null || numRecords + numBaseline! > maxRecords) return null;
  const runs = [String(baselineId), String(id)];
  const body = await kept(scope, `comparison ${runs.join(' ')}`, async () => ({
    body: (await readComparison(db, scope, { runs })).text,
    runId: id,
    projectId,
    ofOtherRuns: true,
    isPassing: false,
  }));
  const { pairs } = JSON.parse(body) as Comparison;
  return pairs[0]!.metrics.map(
    ({ metricId, metricName, judge, conclusion: { verdict, difference, interval } }) => ({
      metricId,
      metricName,
      judge: judge && trustOfBoth(judge),
      verdict,
      difference,
      interval,
    }),
  );
};

const readRuns = async (reading: Reading, since: Date): Promise<News['runs']> => {
  const { db, scope, projectId } = reading;
  const found = await db.read(scope, (sql) => listNewRuns(sql, scope, { projectId, since }, maxRuns));
  const runs: News['runs'] = [];
  for (const [i, run] of found.entries()) {
    const [listed] = await db.read(scope, (sql) => findListedRun(sql, scope, run.id));
    if (!listed) continue;
    const { title, status, numRecords } = JSON.parse(listed.body) as News['runs'][number];
    runs.push({
      runId: String(run.id),
      title,
      status,
      numRecords,
      baselineRunId: run.baselineId === null ? null : String(run.baselineId),
      compared: i < maxCompared ? await compareWithBaseline(reading, run) : null,
    });
  }
  return runs;
};

/**
 * Names the failures of monitors by the metrics that each watches: its records have scores by others too, which people or programs
 * gave them. Scores of several configurations of a metric count together.
 */
const describeMonitors = async (
  db: Database,
  scope: Scope,
  projectId: bigint,
  scores: readonly MonitorScores[],
): Promise<Omit<News['monitors'][number], 'judge'>[]> => {
  const failing = scores.filter(({ scored, passed }) => passed < scored);
  if (failing.length === 0) return [];
  const configIds = [...new Set(failing.map(({ metricConfigId }) => metricConfigId))];
  const [monitors, metrics] = await Promise.all([
    db.read(scope, (sql) => listMonitors(sql, scope, projectId)),
    db.read(scope, (sql) => listMetricsOf(sql, scope, configIds)),
  ]);
  const named = failing.flatMap(({ monitorId, metricConfigId, scored, passed }) => {
    const monitor = monitors.find(({ id }) => id === monitorId);
    const metric = metrics.find((each) => each.metricConfigId === metricConfigId);
    if (!monitor || !metric || !monitor.metricIds.includes(metric.metricId)) return [];
    const { metricId, metricName, unit } = metric;
    const counts = { numScored: scored, numFailed: scored - passed };
    return [{ monitorId, monitorName: monitor.name, metricId, metricName, unit, ...counts }];
  });
  const together = Map.groupBy(named, ({ monitorId, metricId }) => `${monitorId} ${metricId}`);
  return [...together.values()]
    .map((of) => ({
      ...of[0]!,
      numScored: of.reduce((sum, { numScored }) => sum + numScored, 0),
      numFailed: of.reduce((sum, { numFailed }) => sum + numFailed, 0),
    }))
    .toSorted((a, b) => b.numFailed - a.numFailed)
    .slice(0, maxEach);
};

/** Returns what happened in a project in the last hours. */
export const readNews = async (
  reading: Reading,
  { hours, now }: { hours: number; now: number },
): Promise<News> => {
  const { db, scope, projectId } = reading;
  // The counts of traffic are of whole hours.
  const since = new Date(Math.floor((now - hours * hourMs) / hourMs) * hourMs);
  const window = { projectId, since };
  const windows = { from: new Date(since.getTime() - beforeMs), at: since, to: new Date(now + hourMs) };
  const [traffic, alerts, labels, runs] = await Promise.all([
    readTrafficChange(db, scope, projectId, windows),
    db.read(scope, (sql) => listSentAlerts(sql, scope, window, maxEach)),
    db.read(scope, (sql) => countLabels(sql, scope, window, maxEach)),
    readRuns(reading, since),
  ]);
  // One at a time: a judge can have many labels.
  const trust = new Map<string, string | null>();
  const withJudge = async <Figure extends { metricId: string | null }>(figures: readonly Figure[]) => {
    const found: (Figure & { judge: string | null })[] = [];
    for (const figure of figures) {
      const id = figure.metricId;
      if (id !== null && !trust.has(id)) trust.set(id, await readTrust(db, scope, BigInt(id), null));
      found.push({ ...figure, judge: id === null ? null : trust.get(id)! });
    }
    return found;
  };
  return {
    since: since.toISOString(),
    runs,
    changes: await withJudge(traffic.changes),
    alerts: [...alerts],
    monitors: await withJudge(await describeMonitors(db, scope, projectId, traffic.monitors)),
    labels: [...labels],
  };
};
