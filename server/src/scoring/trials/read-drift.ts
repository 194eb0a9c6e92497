import { judgeDrift } from '../../engine/statistics/drift.ts';
import type { Database } from '../../platform/db/database.ts';
import { bodyOf } from '../../platform/http/http.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { findPinnedSet, findServed, listChecks, listPinnedLabels } from './pinned-queries.ts';
import { whyDue } from './start-check.ts';

/** Returns the newest checks of a judge, each compared with the pinned verdicts, as JSON text. Throws 404 when nothing is pinned. */
export const readDrift = async (
  db: Database,
  scope: Scope,
  metricId: bigint,
  { level, limit }: { level: number; limit: number },
): Promise<string> => {
  const set = bodyOf(
    await db.read(scope, (sql) => findPinnedSet(sql, scope, metricId)),
    'pinned set',
    String(metricId),
  );
  const [served] = await db.read(scope, (sql) => findServed(sql, scope, metricId));
  const labels = await db.read(scope, (sql) => listPinnedLabels(sql, scope, metricId));
  const found = await db.read(scope, (sql) => listChecks(sql, scope, metricId, limit));
  const checks = found.map(({ configId, places, passed, pending, ...check }) => {
    const verdicts = new Map(places.map((place, i) => [place, passed[i]!]));
    const records = labels.map(({ place, ...label }) => ({ ...label, current: verdicts.get(place) ?? null }));
    return {
      ...check,
      metricConfigId: configId,
      pending,
      drift: pending > 0 ? null : judgeDrift(records, level),
    };
  });
  const due = served ? whyDue(served) : null;
  return `{"pinnedSet":${set},${JSON.stringify({ level, due, checks }).slice(1)}`;
};
