import type { FileNumbers } from '../../../../client/src/decision-file/file.ts';
import { evaluateGate } from '../../../../client/src/gate/evaluate.ts';
import { readPolicy, runNames } from '../../../../client/src/gate/policy.ts';
import type { Client } from '../../../../client/src/main.ts';

/** What a gate is asked: the rules as they were written, and the baselines in place of those of the rules. */
export type GateAsked = {
  runId: string;
  projectId: string;
  rules: unknown;
  baseline: string | null;
  level: number;
  now: number;
};

type Estimate = { n: number; estimate: number | null; interval: unknown; standardError: number | null };
const estimate = ({ n, estimate: value, interval, standardError }: Estimate) => ({
  n,
  estimate: value,
  interval,
  standardError,
});

/** Decides by rules, and returns the verdict with all numbers that it rests on: rates of the run, and differences from its baselines. */
export const numberGate = async (
  client: Client,
  { runId, projectId, rules, baseline, level, now }: GateAsked,
) => {
  const policy = readPolicy(rules, 'The rules');
  const own = { ...policy, project: projectId };
  const asked = baseline === null ? own : { ...own, baseline: runNames(baseline) };
  const { decision, about } = await evaluateGate(client, runId, asked, { level, now });
  const summary = await client.summarizeRun(runId, { level, ...policy.weights });
  const rates = summary.metrics.map(({ metricId, metricName, metricConfigId, states, passRate, mean }) => ({
    metricId,
    metricName,
    metricConfigId,
    states,
    passRate: estimate(passRate),
    mean: mean && estimate(mean),
  }));
  const comparisons: Record<string, unknown>[] = [];
  for (const { id } of about.baselines) {
    if (id === undefined) continue;
    for (const measure of ['pass', 'score'] as const) {
      const { pairs } = await client.compareRuns({ runs: [id, runId], measure, level });
      for (const found of pairs[0]!.metrics) {
        const { metricId, metricName, n, paired, before, after, difference, interval, standardError } = found;
        const { p, adjustedP, verdict, corrected } = found;
        const tested = {
          n,
          paired,
          before,
          after,
          difference,
          interval,
          standardError,
          p,
          adjustedP,
          verdict,
        };
        const people = corrected && {
          difference: corrected.difference,
          interval: corrected.interval,
          p: corrected.p,
        };
        comparisons.push({ baselineRunId: id, metricId, metricName, measure, ...tested, corrected: people });
      }
    }
  }
  const { checks, outcome, exitCode, tests } = decision;
  const numbers: FileNumbers = {
    outcome,
    exitCode,
    level,
    tests,
    checks,
    notes: about.notes,
    rates,
    comparisons,
  };
  return { numbers, baselines: about.baselines };
};
