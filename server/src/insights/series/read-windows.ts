import type { Database } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { type Asked, listMeasures } from './queries.ts';
import { type Counted, chooseLive, countOf } from './read-series.ts';

/** The traffic of a project in one hour or day of UTC. */
export type TrafficWindow = { start: Date; counted: Counted };

/** Reads the measures of a project's traces by hour or day, oldest first. Windows without traces are left out. */
export const readWindows = async (
  db: Database,
  scope: Scope,
  range: Pick<Asked, 'projectId' | 'from' | 'to' | 'bucket'>,
): Promise<TrafficWindow[]> => {
  const live = await chooseLive(db, scope, range);
  const asked: Asked = { ...range, live, source: 'traces', dimension: 'all', values: null };
  const rows = await db.read(scope, (sql) => listMeasures(sql, scope, asked));
  return rows.map((row) => ({ start: row.start, counted: countOf(row, []) }));
};
