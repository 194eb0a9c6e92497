import type { Client, RunComparison, RunSummary } from '../../../client/src/main.ts';
import { CliError } from '../errors.ts';
import type { MetricEvidence, TrialEvidence } from './decide.ts';
import type { MetricPolicy, Policy } from './policy.ts';

type SummarizedMetric = RunSummary['metrics'][number];
type ComparedMetric = RunComparison['pairs'][number]['metrics'][number];
/** The comparison of one metric, or why there is none. */
type Compared = { metric?: ComparedMetric | undefined; reason?: string | undefined };

/** Finds a metric of the run by name or id. If it has several configurations, returns the one that the run was started with. */
const findMetric = ({ runId, metrics }: RunSummary, named: string): SummarizedMetric => {
  const found = metrics.filter(({ metricId, metricName }) => metricId === named || metricName === named);
  const ids = new Set(found.map(({ metricId }) => metricId));
  if (ids.size > 1)
    throw new CliError(
      `Several metrics of run ${runId} have the name '${named}'.`,
      `Use the id of one of them instead: ${[...ids].join(', ')}`,
    );
  const metric = found.find(({ pinned }) => pinned) ?? found[0];
  if (metric) return metric;
  const there = metrics.map(({ metricName }) => metricName).join(', ') || 'none';
  throw new CliError(`Run ${runId} has no metric '${named}'.`, `It has: ${there}`);
};

const evidenceOf = (
  metric: SummarizedMetric,
  { of }: MetricPolicy,
  { metric: compared, reason }: Compared,
): MetricEvidence => {
  const { estimate, interval, standardError, n, level } =
    of === 'score' ? (metric.mean ?? metric.passRate) : metric.passRate;
  const { pending, unscored, failed } = metric.states;
  return {
    name: metric.metricName,
    n,
    estimate,
    interval,
    standardError,
    level,
    lacking: pending + unscored + failed,
    comparison: compared && {
      n: compared.n,
      difference: compared.difference,
      interval: compared.interval,
      minimumDetectable: compared.minimumDetectable,
      sentence: compared.sentence,
    },
    notCompared: reason,
  };
};

/** Returns what the service says about each metric that the rules name. */
export const metricEvidence = async (
  client: Client,
  policy: Policy,
  runId: string,
  baselineId: string | undefined,
  level: number,
): Promise<Map<string, MetricEvidence>> => {
  const summary = await client.summarizeRun(runId, { level });
  const comparisons = new Map<string, Promise<RunComparison>>();
  const compare = async (measure: MetricPolicy['of'], metricId: string): Promise<Compared> => {
    if (baselineId === undefined) return {};
    const comparison =
      comparisons.get(measure) ?? client.compareRuns({ runs: [baselineId, runId], level, measure });
    comparisons.set(measure, comparison);
    const pair = (await comparison).pairs[0];
    return {
      metric: pair?.metrics.find((metric) => metric.metricId === metricId),
      reason: pair?.notCompared.find((metric) => metric.metricId === metricId)?.reason,
    };
  };
  const evidence = new Map<string, MetricEvidence>();
  for (const rules of policy.metrics) {
    const metric = findMetric(summary, rules.metric);
    evidence.set(rules.metric, evidenceOf(metric, rules, await compare(rules.of, metric.metricId)));
  }
  return evidence;
};

/** Returns the results of the trials of each testcase that must pass, in the order of the rules. */
export const trialEvidence = async (
  client: Client,
  { mustPass }: Policy,
  projectId: string,
  runId: string,
): Promise<TrialEvidence[]> => {
  const trials = mustPass.map(() => ({ passed: 0, failed: 0, lacking: 0 }));
  if (mustPass.length === 0) return trials;
  for await (const record of client.listProjectRecords(projectId, { runId })) {
    for (const [i, { testcase, metric }] of mustPass.entries()) {
      if (record.testcaseId !== testcase) continue;
      const state = record.scoreStates.find((one) => one.metricId === metric || one.metricName === metric);
      if (state?.passed === true) trials[i]!.passed++;
      else if (state?.passed === false) trials[i]!.failed++;
      else trials[i]!.lacking++;
    }
  }
  return trials;
};
