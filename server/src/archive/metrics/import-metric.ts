import { insertMetric, insertMetricConfig } from '../../evaluation/metrics/queries.ts';
import { requireImport } from '../../evaluation/projects/queries.ts';
import type { Sql } from '../../platform/db/database.ts';
import { type Issue, invalidAll } from '../../platform/errors.ts';
import { newIdLike } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { readExactTime } from '../../platform/validation.ts';
import { noteOrigins } from './transfer-queries.ts';
import type { ExportedVersion, MetricImport } from './transfer-schema.ts';

/** What of a configuration its kind does not have, or lacks. */
const issuesOf = (version: ExportedVersion, path: string): Issue[] => {
  const { evalType, outputType, promptTemplate, evalModelName, temperature, passingThreshold } = version;
  const isAi = evalType === 'ai';
  const asked = Object.entries({ promptTemplate, evalModelName, temperature });
  const issues = asked
    .filter(([, value]) => (value !== null) !== isAi)
    .map(([name]) => ({ path: `${path}/${name}`, message: isAi ? 'is required' : 'must be null' }));
  const hasThreshold = outputType !== 'boolean';
  if ((passingThreshold !== null) !== hasThreshold)
    issues.push({
      path: `${path}/passingThreshold`,
      message: hasThreshold ? 'is required' : 'must be null',
    });
  return issues;
};

/**
 * Makes a metric with all configurations that it had elsewhere, while the project is being imported. Returns the ids that they
 * have here. Throws conflict for a project that is imported.
 */
export const importMetric = async (
  tx: Sql,
  scope: Scope,
  projectId: bigint,
  { name, description, versions, ...metric }: MetricImport,
): Promise<string> => {
  const issues = versions.flatMap((version, i) => issuesOf(version, `/versions/${i}`));
  if (issues.length > 0) throw invalidAll(issues.slice(0, 100));
  const times = versions.map(({ createdAt }, i) => readExactTime(`/versions/${i}/createdAt`, createdAt));
  readExactTime('/createdAt', metric.createdAt);
  await requireImport(tx, scope, projectId);
  const ids = versions.map(({ id }) => newIdLike(id));
  const [made] = await insertMetric(tx, scope, projectId, { name, description, configId: ids.at(-1)! });
  for (const [i, { id: _, createdAt: __, ...config }] of versions.entries())
    await insertMetricConfig(tx, scope, made!.id, ids[i]!, config);
  await noteOrigins(tx, scope, made!.id, metric, { ids, times });
  return JSON.stringify({ id: String(made!.id), versionIds: ids });
};
