import { findMetricId } from '../../evaluation/metrics/queries.ts';
import type { Database } from '../../platform/db/database.ts';
import { invalid, notFound } from '../../platform/errors.ts';
import { requireOne } from '../../platform/http/http.ts';
import { numericId, uuidId } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { findJudgeConfig, findPeopleMetric, type LabelSource } from './queries.ts';

type Metric = { id: bigint; projectId: bigint };

/** Finds a metric, in the project if one is given. Throws 404 if there is none. */
export const requireMetric = async (
  db: Database,
  scope: Scope,
  id: string,
  projectId?: bigint,
): Promise<Metric> => {
  const metricId = numericId('metric', id);
  const metric = requireOne(await db.read(scope, (sql) => findMetricId(sql, scope, metricId)), 'metric', id);
  if (projectId !== undefined && metric.projectId !== projectId) throw notFound('metric', id);
  return metric;
};

/**
 * Reads the source of the labels with which a judge is compared. Throws 404 when `against` is not a metric of the judge's project, 400 when it
 * is missing or the judge itself.
 */
export const readSource = async (
  db: Database,
  scope: Scope,
  judge: Metric,
  { labels, against }: { labels?: LabelSource['of'] | undefined; against?: string },
): Promise<LabelSource> => {
  const people = against === undefined ? undefined : await requireMetric(db, scope, against, judge.projectId);
  if (people?.id === judge.id) throw invalid('/against', 'must not be the judge itself');
  const of = labels ?? (people ? 'metric' : 'overrides');
  if (of !== 'metric') return { of };
  if (!people) throw invalid('/against', 'is required for labels=metric');
  return { of, metricId: people.id };
};

/** Finds the configuration that findJudgeConfig describes. Throws 404 when the metric has no such configuration. */
export const requireJudge = async (
  db: Database,
  scope: Scope,
  metricId: bigint,
  configId: string | undefined,
  runId: bigint | null,
) => {
  const id = configId === undefined ? null : uuidId('metric configuration', configId);
  const found = await db.read(scope, (sql) => findJudgeConfig(sql, scope, metricId, id, runId));
  return requireOne(found, 'metric configuration', configId ?? '');
};

/** Finds the source of the labels of a configuration: the human metric that scored most of its records, else overrides. */
export const findLabelSource = async (
  db: Database,
  scope: Scope,
  configId: string,
  runIds: bigint[],
): Promise<LabelSource> => {
  const [people] = await db.read(scope, (sql) => findPeopleMetric(sql, scope, configId, runIds));
  return people ? { of: 'metric', metricId: BigInt(people.metricId), byPeople: true } : { of: 'overrides' };
};
