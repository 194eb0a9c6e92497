import type { Sql } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { findTraceRun, insertTraceRun, lockTraceRun, type TraceRun } from './queries.ts';

/** Returns the project's run for the traces of a day or of an execution of a suite, and makes it when it is the first. */
export const traceRunOf = async (tx: Sql, scope: Scope, of: TraceRun): Promise<bigint> => {
  const [found] = await findTraceRun(tx, scope, of);
  if (found) return found.id;
  await lockTraceRun(tx, of);
  // Another request may have made it while this one waited.
  const [foundNow] = await findTraceRun(tx, scope, of);
  return (foundNow ?? (await insertTraceRun(tx, scope, of))[0]!).id;
};
