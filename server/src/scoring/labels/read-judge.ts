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

/** The scores of the human metric that is the truth about a judge, if it is known. */
export const findLabelSource = async (db: Database, scope: Scope, metricId: bigint): Promise<LabelSource> => {
  const [people] = await db.read(scope, (sql) => findPeopleMetric(sql, scope, metricId));
  return people?.id == null ? { of: 'none' } : { of: 'metric', metricId: people.id, byPeople: true };
};

type Asked = { labels?: Exclude<LabelSource['of'], 'none'> | undefined; against?: string };

/**
 * Reads the source of the labels with which a judge is compared: the one asked for, else the judge's human metric. Throws 404 when
 * `against` is not a metric of the judge's project, 400 when it is the judge itself.
 */
export const readSource = async (
  db: Database,
  scope: Scope,
  judge: Metric,
  { labels = 'metric', against }: Asked,
): Promise<LabelSource> => {
  const people = against === undefined ? undefined : await requireMetric(db, scope, against, judge.projectId);
  if (people?.id === judge.id) throw invalid('/against', 'must not be the judge itself');
  if (labels !== 'metric') return { of: labels };
  return people ? { of: 'metric', metricId: people.id } : findLabelSource(db, scope, judge.id);
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
