import type { Scope } from '../auth.ts';
import type { Sql } from '../db/database.ts';
import { invalid, notFound } from '../errors.ts';
import { bodyOf, one } from '../http.ts';
import { numericId, uuidId } from '../ids.ts';
import { requireProject } from '../projects/queries.ts';
import {
  countTestcases,
  currentConfigs,
  findProjectVersion,
  findRun,
  insertRun,
  insertRunMetrics,
  type PinnedMetric,
} from './queries.ts';
import type { RunCreate } from './schema.ts';

/** Pins the configurations current now, in the order of `ids`. Throws notFound for a metric of another project. */
const pinMetrics = async (
  tx: Sql,
  scope: Scope,
  projectId: bigint,
  ids: string[],
): Promise<PinnedMetric[]> => {
  if (new Set(ids).size < ids.length) throw invalid('/metricIds', 'must name each metric once');
  const metricIds = ids.map((id) => numericId('metric', id));
  const current = new Map(
    (await currentConfigs(tx, scope, projectId, metricIds)).map((metric) => [metric.metricId, metric]),
  );
  return metricIds.map((id) => {
    const metric = current.get(id);
    if (!metric) throw notFound('metric', String(id));
    return metric;
  });
};

/** Starts a run with the configurations current now. Throws notFound for a metric, testset or version of another project. */
export const startRun = async (
  tx: Sql,
  scope: Scope,
  projectId: bigint,
  body: RunCreate,
): Promise<string> => {
  const testsetId = body.testsetId == null ? null : numericId('testset', body.testsetId);
  const systemVersionId =
    body.systemVersionId == null ? null : uuidId('system version', body.systemVersionId);
  await requireProject(tx, scope, projectId);
  const metrics = await pinMetrics(tx, scope, projectId, body.metricIds);
  const testcases =
    testsetId && one(await countTestcases(tx, scope, projectId, testsetId), 'testset', String(testsetId));
  if (systemVersionId) {
    one(await findProjectVersion(tx, scope, projectId, systemVersionId), 'system version', systemVersionId);
  }
  const run = { testsetId, systemVersionId, numExpectedRecords: testcases ? testcases.n : null };
  const [made] = await insertRun(tx, scope, projectId, run);
  await insertRunMetrics(tx, scope, made!.id, metrics);
  return bodyOf(await findRun(tx, scope, made!.id), 'run', String(made!.id));
};
