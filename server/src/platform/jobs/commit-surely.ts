import { type Database, isUnavailable, type Sql, system, type Tenant } from '../db/database.ts';

/** Waits between the attempts at a commit: 20 s in all, within the leases of jobs. */
const waitsMs = [50, 200, 750, 4_000, 15_000];

/** The database stayed away, so it is not known whether a transaction has committed. */
export class CommitUnknown extends Error {}

/** A transaction whose COMMIT has been sent. */
type Sent<T> = { id: string; result: T };

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const statusOf = async (db: Database, id: string): Promise<string | null> => {
  const [found] = await db.read(
    system,
    (sql) => sql<{ status: string | null }[]>`select pg_xact_status(${id}::text::xid8) as status`,
  );
  return found!.status;
};

/**
 * Runs a transaction whose effect was paid for, and again while the database is unavailable: `work` must write only through its
 * transaction. If a COMMIT has no answer, PostgreSQL is asked whether it has committed, so nothing is written twice. Throws `CommitUnknown` if that
 * stays unknown; after any other error nothing was written. After an abort it does not wait.
 */
export const commitSurely = async <T>(
  db: Database,
  tenant: Tenant,
  signal: AbortSignal,
  work: (tx: Sql) => Promise<T>,
): Promise<T> => {
  let sent: Sent<T> | undefined;
  const commit = (): Promise<T> =>
    db.transaction(tenant, async (tx) => {
      const named = tx<{ id: string }[]>`select pg_current_xact_id()::text as id`.execute();
      const [result, [current]] = await Promise.all([work(tx), named]);
      sent = { id: current!.id, result };
      return result;
    });
  let failure: unknown;
  for (const waitMs of [0, ...waitsMs, 0]) {
    if (waitMs > 0 && !signal.aborted) await wait(waitMs);
    try {
      const status = sent && (await statusOf(db, sent.id));
      if (status === 'committed') return sent!.result;
      if (status === 'in progress') continue;
      sent = undefined;
      if (failure !== undefined && waitMs === 0) throw failure;
      return await commit();
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      failure = error;
    }
  }
  if (!sent) throw failure;
  throw new CommitUnknown('The database does not say whether a transaction has committed.');
};
