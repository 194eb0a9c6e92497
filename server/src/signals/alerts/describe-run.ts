import type { Static } from 'typebox';
import { defaultLevel } from '../../engine/statistics/intervals.ts';
import type { Drift } from '../../engine/statistics/trial-schema.ts';
import type { RunVerdict } from '../../evaluation/runs/facts-schema.ts';
import { findListedRun } from '../../evaluation/runs/queries.ts';
import type { ListedRun } from '../../evaluation/runs/schema.ts';
import { compute } from '../../insights/analysis/compute.ts';
import { readJudges } from '../../insights/analysis/read-judges.ts';
import { readRun } from '../../insights/analysis/read-run.ts';
import type { Database, Sql } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { findJudgeBudget } from '../../scoring/budgets/queries.ts';
import type { JudgeBudget } from '../../scoring/budgets/schema.ts';
import type { Message } from './message.ts';
import type { EventType } from './schema.ts';

/** An event of a run. No message means that the event must be withdrawn. */
export type RunEvent = { event: EventType; about: string; message: Message | null };

type Facts = {
  projectId: string;
  projectName: string | null;
  createdAt: string;
  /** Result of the drift trial that made this run, as JSON text. */
  drift: string | null;
  triedMetricId: bigint | null;
  triedMetric: string | null;
  trialNumber: number | null;
};

const findFacts = (sql: Sql, scope: Scope, runId: bigint) => sql<Facts[]>`
  select project.id::text as "projectId", project.name as "projectName", iso_time(run.created_at) as "createdAt",
    candidate.drift::text as drift,
    trial.metric_id as "triedMetricId", metric.name as "triedMetric", trial.n as "trialNumber"
  from run
  join project on project.id = run.project_id and project.organization_id = ${scope.organizationId}
  left join trial_candidate candidate on candidate.run_id = run.id and candidate.organization_id = ${scope.organizationId}
  left join trial on trial.id = candidate.trial_id and trial.outcome is null
    and trial.organization_id = ${scope.organizationId}
  left join metric on metric.id = trial.metric_id and metric.organization_id = ${scope.organizationId}
  where run.organization_id = ${scope.organizationId} and run.id = ${runId}`;

type Detail = Static<typeof ListedRun.schema>;
type SummarizedMetric = {
  metricId: string;
  metricName: string;
  states: { pending: number; unscored: number; failed: number };
  passRate: {
    n: number;
    estimate: number | null;
    interval: { low: number; high: number } | null;
    reason: string | null;
  };
  judge: { trust: string } | null;
};

const percent = (value: number): string => `${(100 * value).toFixed(1)} %`;

/** The pass rate of a metric in a sentence, with its interval and its count. */
const rateText = ({ metricName, passRate, states, judge }: SummarizedMetric): string => {
  const { n, estimate, interval, reason } = passRate;
  const missing = states.unscored + states.failed;
  const without = missing > 0 ? `; ${missing} without a verdict` : '';
  if (estimate === null) return `${metricName}: no pass rate${reason ? `: ${reason}` : ''}${without}`;
  const range = interval ? `${percent(interval.low)} to ${percent(interval.high)}, ` : '';
  const trust = judge ? `; judge: ${judge.trust}` : '';
  return `${metricName}: ${percent(estimate)} pass (${range}n = ${n})${without}${trust}`;
};

type AboutRun = { runId: bigint; name: string; path: string; facts: object };

const outcomeWords = { worse: 'worse', inconclusive: 'not enough data', incomplete: 'incomplete' };

/** Returns the message that a gate did not pass. Each verdict is reported once, even if the next one is the same. */
const describeVerdict = (
  { gate, outcome, baselineRunId, against, reason, decidedAt }: Static<typeof RunVerdict.schema>,
  { runId, name, path, facts }: AboutRun,
): RunEvent[] => {
  if (outcome === 'pass') return [];
  const word = outcomeWords[outcome];
  const line = `${gate}: ${word}${against === null ? '' : ` against ${against}`}${reason === null ? '' : `: ${reason}`}`;
  const message = {
    title: `Gate of ${name}: ${word}`,
    lines: [line],
    path,
    facts: { ...facts, gate, outcome, baselineRunId, reason },
  };
  return [{ event: 'gate.failed', about: `gate.failed ${runId} ${gate} ${decidedAt}`, message }];
};

/** Returns the message that the judges wait for a higher budget. Each budget is reported once. */
const describeStop = (
  { stopped, budgetUsd, spentUsd }: Static<typeof JudgeBudget.schema>,
  { runId, name, path, facts }: AboutRun,
): RunEvent[] => {
  if (!stopped) return [];
  const message = {
    title: `The judges of ${name} have spent their budget`,
    lines: [
      `${spentUsd.toFixed(2)} USD of ${budgetUsd!.toFixed(2)} USD are spent. Scores wait until the budget is raised.`,
    ],
    path,
    facts: { ...facts, budgetUsd, spentUsd },
  };
  return [{ event: 'budget.reached', about: `budget.reached ${runId} ${budgetUsd}`, message }];
};

const completion = async (
  db: Database,
  scope: Scope,
  runId: bigint,
  createdAt: string,
): Promise<SummarizedMetric[]> => {
  const run = await readRun(db, scope, runId);
  const summary = await compute('summarize', {
    run,
    judges: await readJudges(db, scope, [run]),
    createdAt,
    level: defaultLevel,
    traffic: null,
    by: null,
    across: null,
  });
  return (JSON.parse(summary) as { metrics: SummarizedMetric[] }).metrics;
};

/** Returns the current events of a run. */
export const describeRun = async (db: Database, scope: Scope, runId: bigint): Promise<RunEvent[]> => {
  const [facts] = await db.read(scope, (sql) => findFacts(sql, scope, runId));
  const [found] = await db.read(scope, (sql) => findListedRun(sql, scope, runId));
  if (!facts || !found) return [];
  const detail = JSON.parse(found.body) as Detail;
  const project = { id: facts.projectId, name: facts.projectName };
  const path = `/projects/${facts.projectId}/runs/${runId}`;
  const run = { id: String(runId), title: detail.title };
  const inProject = facts.projectName ? ` in ${facts.projectName}` : '';
  const isComplete = detail.status === 'completed';
  const events: RunEvent[] = [];

  if (detail.kind === 'evaluation') {
    const metrics = isComplete ? await completion(db, scope, runId, facts.createdAt) : [];
    const rates = metrics.map(({ metricId, metricName, passRate, states, judge }) => {
      const { n, estimate, interval } = passRate;
      return {
        metricId,
        metricName,
        n,
        passRate: estimate,
        interval,
        ...states,
        judge: judge?.trust ?? null,
      };
    });
    const message = {
      title: `${detail.title}${inProject} is complete`,
      lines: [`${detail.numRecords} records`, ...metrics.map(rateText)],
      path,
      facts: { project, run, numRecords: detail.numRecords, metrics: rates },
    };
    events.push({
      event: 'run.completed',
      about: `run.completed ${runId}`,
      message: isComplete ? message : null,
    });
  }

  const name = `${detail.title}${inProject}`;
  for (const verdict of detail.verdicts)
    events.push(...describeVerdict(verdict, { runId, name, path, facts: { project, run } }));

  const [budget] = await db.read(scope, (sql) => findJudgeBudget(sql, scope, runId));
  if (budget)
    events.push(...describeStop(JSON.parse(budget.body), { runId, name, path, facts: { project, run } }));

  return [...events, ...describeDrift(runId, { ...facts, project })];
};

/** Returns the message that a trial has found drift; none for a discarded trial. */
const describeDrift = (
  runId: bigint,
  {
    drift,
    triedMetricId,
    triedMetric,
    trialNumber,
    project,
  }: Facts & { project: { id: string; name: string | null } },
): RunEvent[] => {
  const found: Drift | null = JSON.parse(drift ?? 'null');
  if (found?.verdict !== 'drifted') return [];
  const message = {
    title: `The judge of ${triedMetric} has drifted`,
    lines: [`${found.sentence} (n = ${found.n})`],
    path: `/projects/${project.id}/metrics/${triedMetricId}/judge`,
    facts: {
      project,
      metric: { id: String(triedMetricId), name: triedMetric },
      trialNumber,
      runId: String(runId),
      n: found.n,
      sentence: found.sentence,
      brokenRecordIds: found.broken,
    },
  };
  return [{ event: 'drift.found', about: `drift.found ${runId}`, message }];
};
