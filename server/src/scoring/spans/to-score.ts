import { readSpanSearch } from '../../evaluation/metrics/span-search.ts';
import type { Database } from '../../platform/db/database.ts';
import type { RecordKey } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { chooseSpans } from '../../traces/read/scored-spans.ts';
import { listPeopleMetrics, type PeopleMetric } from './queries.ts';

type SpanToScore = Omit<PeopleMetric, 'search'> & { traceId: string; spanId: string };

/** Returns the spans of a record that human metrics choose, by metric. A choice that is too large is left out. */
export const findSpansToScore = async (
  db: Database,
  scope: Scope,
  key: RecordKey,
): Promise<SpanToScore[]> => {
  const metrics = await db.read(scope, (sql) => listPeopleMetrics(sql, scope, key));
  const found: SpanToScore[] = [];
  for (const { search, ...metric } of metrics) {
    const { spans, problem } = await db.transaction(scope, (tx) =>
      chooseSpans(tx, scope, key, readSpanSearch(search)),
    );
    if (problem) continue;
    found.push(...spans.map(({ traceId, spanId }) => ({ ...metric, traceId, spanId })));
  }
  return found;
};
