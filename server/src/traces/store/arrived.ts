import type { Sql } from '../../platform/db/database.ts';
import type { RecordKey } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';

/**
 * A trace that got spans, or events of its spans. `tests`: the records of tests within the trace that have the spans, besides the trace's
 * own record.
 */
export type ArrivedTrace = { id: bigint; projectId: bigint; tests: RecordKey[] };

/** Called last in a transaction, with the traces that got something in it. */
export type OnTraces = (tx: Sql, scope: Scope, traces: ArrivedTrace[]) => Promise<void>;

/** Returns each trace once, with all its tests. */
export const eachOnce = (traces: ArrivedTrace[]): ArrivedTrace[] => {
  const byId = Map.groupBy(traces, ({ id }) => id);
  return [...byId.values()].map((parts) => ({ ...parts[0]!, tests: parts.flatMap(({ tests }) => tests) }));
};
