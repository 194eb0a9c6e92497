import { createMetric } from '../../evaluation/metrics/configure-metric.ts';
import { appendRunMetrics, lockRunMetrics } from '../../evaluation/runs/queries.ts';
import { upsertScores } from '../../evaluation/scores/upsert-scores.ts';
import type { Sql } from '../../platform/db/database.ts';
import { insertAuditEvent } from '../../platform/http/audit.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { Evaluation } from '../conventions/evaluation.ts';
import {
  type ClientMetric,
  type FoundResult,
  findClientMetrics,
  findOutdated,
  lockMetricNames,
} from './queries.ts';
import { outputTypeOf, toScore } from './to-score.ts';

/** `at`: when the score was given that moves with its trace. */
type Placed = { runId: bigint; n: number; evaluation: Evaluation & { at?: string } };

const guidelines = 'Clients send the scores, as evaluation events of OpenTelemetry.';

/** Returns the metrics of these results by name, and makes those that the project lacks. */
const metricsOf = async (
  tx: Sql,
  scope: Scope,
  projectId: bigint,
  evaluations: Evaluation[],
): Promise<Map<string, ClientMetric>> => {
  const byName = new Map(evaluations.toReversed().map((each) => [each.name, each]));
  const find = async () => {
    const found = await findClientMetrics(tx, scope, projectId, [...byName.keys()]);
    return new Map(found.map((metric) => [metric.name, metric]));
  };
  const known = await find();
  if (known.size === byName.size) return known;
  await lockMetricNames(tx, projectId);
  // Another request may have made them while this one waited.
  const knownNow = await find();
  for (const [name, evaluation] of byName) {
    if (knownNow.has(name)) continue;
    const outputType = outputTypeOf(evaluation);
    await createMetric(
      tx,
      scope,
      projectId,
      { name, evalType: 'heuristic', outputType, guidelines },
      undefined,
    );
  }
  return find();
};

/** Leaves out scores that move with their trace to a record which has a newer one. */
const withoutOutdated = async (
  tx: Sql,
  scope: Scope,
  runId: bigint,
  placed: Placed[],
  metrics: Map<string, ClientMetric>,
): Promise<Placed[]> => {
  const keyOf = ({ n, configId }: { n: number; configId: string }) => `${n} ${configId}`;
  const configOf = ({ evaluation }: Placed) => metrics.get(evaluation.name)!.configId;
  const dated = placed.flatMap((each) =>
    each.evaluation.at ? [{ n: each.n, configId: configOf(each), at: each.evaluation.at }] : [],
  );
  if (dated.length === 0) return placed;
  const outdated = new Set((await findOutdated(tx, scope, runId, dated)).map(keyOf));
  return placed.filter(
    (each) => !each.evaluation.at || !outdated.has(keyOf({ n: each.n, configId: configOf(each) })),
  );
};

/** Stores results as scores of records of one run. Of several results for one record and metric, the last one counts. */
const storeResults = async (
  tx: Sql,
  scope: Scope,
  runId: bigint,
  placed: Placed[],
  metrics: Map<string, ClientMetric>,
): Promise<number> => {
  const last = new Map(placed.map((each) => [`${each.n} ${each.evaluation.name}`, each]));
  await lockRunMetrics(tx, runId);
  const current = await withoutOutdated(tx, scope, runId, [...last.values()], metrics);
  const items = current.map(({ n, evaluation }) => {
    const { configId, outputType } = metrics.get(evaluation.name)!;
    return { key: { runId, n }, configId, ...toScore(outputType, evaluation) };
  });
  await appendRunMetrics(tx, scope, runId, [...metrics.values()], { sampled: true });
  await upsertScores(tx, scope, runId, items);
  return items.length;
};

/** Stores results as scores of their records, in their order. */
export const applyResults = async (tx: Sql, scope: Scope, results: FoundResult[]): Promise<void> => {
  for (const [projectId, ofProject] of Map.groupBy(results, (result) => result.projectId)) {
    const placed = ofProject.map(({ runId, n, content }) => {
      const evaluation = JSON.parse(content) as Placed['evaluation'];
      return { runId, n, evaluation };
    });
    let scores = 0;
    // In one order everywhere, so that requests wait for each other in turn.
    const runs = [...Map.groupBy(placed, ({ runId }) => runId)].sort(([a], [b]) => (a < b ? -1 : 1));
    for (const [runId, ofRun] of runs) {
      const evaluations = ofRun.map(({ evaluation }) => evaluation);
      const metrics = await metricsOf(tx, scope, projectId, evaluations);
      scores += await storeResults(tx, scope, runId, ofRun, metrics);
    }
    if (scores === 0) continue;
    const details = { scores };
    await insertAuditEvent(tx, scope, {
      operation: 'sendEvaluations',
      resource: 'Scores',
      projectId,
      details,
    });
  }
};
