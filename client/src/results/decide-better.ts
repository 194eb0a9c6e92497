import type { Outcome } from '../gate/check.ts';
import { evaluateGate } from '../gate/evaluate.ts';
import { readPolicy } from '../gate/policy.ts';
import type { RunSummary } from '../generated.ts';
import { sleep } from '../retry.ts';
import { mergeBaseFinder } from './merge-base.ts';
import type { Target, Uploaded } from './upload.ts';

export type Than = {
  /** A mark, the id of a run, or `merge-base:BRANCH`. */
  than: string;
  /** Without it the run must be shown to be better; with it, to be not worse by more than this share. Default 0. */
  margin?: number;
  /** Name or id of the only metric that counts. Default: all of the run. */
  metric?: string;
  /** Confidence level of all metrics together. Default 0.95. */
  level?: number;
  /** Maximum time to wait for the scores of judges, in milliseconds. Default 600,000. */
  timeoutMs?: number;
};

export type Decided = { outcome: 'pass' | 'fail' | 'inconclusive'; text: string };

const outcomes: Record<Outcome, Decided['outcome']> = {
  pass: 'pass',
  worse: 'fail',
  inconclusive: 'inconclusive',
  incomplete: 'inconclusive',
};

/** Waits until the service has made all scores, or cannot continue. */
export const awaitScores = async (
  { client }: Target,
  { runId, awaited }: Uploaded,
  timeoutMs: number,
): Promise<void> => {
  const end = Date.now() + timeoutMs;
  while (awaited.length > 0 && Date.now() < end) {
    const { metrics, reason, stoppedBy } = (await client.getRunDetails(runId)).progress;
    const isPending = metrics.some(({ metricId, pending }) => pending > 0 && awaited.includes(metricId));
    if (!isPending || reason || stoppedBy) return;
    if ((await client.getRun(runId)).status === 'awaiting_human_scoring') return;
    await sleep(500, undefined);
  }
};

/** Returns the run that a mark, an id or `merge-base:BRANCH` names. */
export const findBaseline = async (
  { client, projectId }: Target,
  { runId, testsetId }: Uploaded,
  than: string,
) => {
  if (/^\d+$/.test(than)) return than;
  const found = await mergeBaseFinder(client, projectId, runId, process.cwd())(than);
  if (found) return found.id;
  for await (const { id } of client.listRuns(projectId, { mark: than, testsetId }))
    if (BigInt(id) < BigInt(runId)) return id;
  return undefined;
};

const costText = ({ metrics }: RunSummary, { numRecords, costUsd }: Uploaded): string => {
  const judges = metrics.flatMap(({ cost }) => (cost ? [cost.costUsd] : []));
  const known = judges.flatMap((cost) => cost ?? []);
  const dollars = (sum: number) => `$${Number(sum.toPrecision(4))}`;
  const parts = [
    judges.length === 0
      ? 'no judge was called'
      : known.length === 0
        ? 'judges: cost not known'
        : `judges ${dollars(known.reduce((sum, cost) => sum + cost, 0))}`,
    ...(costUsd === null ? [] : [`system ${dollars(costUsd)}`]),
  ];
  return `Cost of ${numRecords} records: ${parts.join(', ')}.`;
};

/** Decides by the rules `superiority` and `nonInferiority` of a gate, for all metrics together, whether a run is better than another. */
export const decideBetter = async (
  target: Target,
  run: Uploaded,
  { than, margin = 0, metric, level = 0.95, timeoutMs = 600_000 }: Than,
): Promise<Decided> => {
  const { client, url, projectId } = target;
  await awaitScores(target, run, timeoutMs);
  const summary = await client.summarizeRun(run.runId, { level });
  const cost = costText(summary, run);
  const baseline = await findBaseline(target, run, than);
  if (baseline === undefined)
    return {
      outcome: 'pass',
      text: `There is no run to compare with yet: no earlier run is ${than}. ${cost}`,
    };
  const named = metric === undefined ? summary.metrics.map(({ metricId }) => metricId) : [metric];
  const rule = margin === 0 ? { superiority: {} } : { nonInferiority: { margin } };
  const rules = Object.fromEntries(named.map((name) => [name, rule]));
  const policy = readPolicy({ baseline, metrics: rules }, 'assertBetter');
  const { decision } = await evaluateGate(client, run.runId, policy, { level, now: Date.now() });
  const outcome = outcomes[decision.outcome];
  return {
    outcome,
    text: [
      `${outcome}: run ${run.runId} against run ${baseline} (${than})`,
      ...decision.checks.map(({ sentence, said }) => `${sentence}: ${said}`),
      cost,
      `${url}/projects/${projectId}/compare?runs=${baseline},${run.runId}`,
    ].join('\n'),
  };
};
