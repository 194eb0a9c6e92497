/** What a judge is held against: the judge, the people, and where their labels come from. */

import { findMetricId } from '../../evaluation/metrics/queries.ts';
import type { Database } from '../../platform/db/database.ts';
import { invalid, notFound } from '../../platform/errors.ts';
import { one } from '../../platform/http/http.ts';
import { numericId, uuidId } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { findJudgeConfig, type LabelSource } from './calibration-queries.ts';

export const requireMetric = async (db: Database, scope: Scope, id: string) => {
  const metricId = numericId('metric', id);
  return one(await db.read(scope, (sql) => findMetricId(sql, scope, metricId)), 'metric', id);
};

/** The labels that are asked for. Throws notFound for people's metric of another project, 400 when it is missing. */
export const sourceOf = async (
  db: Database,
  scope: Scope,
  judge: { id: bigint; projectId: bigint },
  { labels, against }: { labels?: LabelSource['of']; against?: string },
): Promise<LabelSource> => {
  const people = against === undefined ? undefined : await requireMetric(db, scope, against);
  if (people && people.projectId !== judge.projectId) throw notFound('metric', against!);
  if (people && people.id === judge.id) throw invalid('/against', 'must be another metric than the judge');
  const of = labels ?? (people ? 'metric' : 'overrides');
  if (of !== 'metric') return { of };
  if (!people) throw invalid('/against', 'is required for labels=metric');
  return { of, metricId: people.id };
};

export const requireJudge = async (
  db: Database,
  scope: Scope,
  metricId: bigint,
  configId: string | undefined,
  runId: bigint | null,
) => {
  const id = configId === undefined ? null : uuidId('metric configuration', configId);
  const found = await db.read(scope, (sql) => findJudgeConfig(sql, scope, metricId, id, runId));
  return one(found, 'metric configuration', configId ?? '');
};
