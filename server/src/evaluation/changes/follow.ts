import { type Database, type Fragment, type Sql, system } from '../../platform/db/database.ts';

/** Condition on `change`: the job has not read it yet. */
export type Unread = (sql: Sql) => Fragment;

/** A background job that reads the changes of all organizations. */
export type ChangeReader = {
  /** Key of its position in change_reader. */
  name: string;
  /** Whether changes are kept for it until it has read them, for a day at most. */
  holds: boolean;
  /** Selects the unread changes that concern it. */
  concerns: (sql: Sql, unread: Unread) => Fragment;
  /** Reads its data before the transaction, and returns the function that writes. */
  read: (unread: Unread) => Promise<(tx: Sql) => Promise<unknown>>;
};

/** `stored` is the reader's stored snapshot; `before` is that snapshot, or null if it cannot be used. */
type Position = { stored: string | null; before: string | null; now: string; hasNews: boolean };

const after = (sql: Sql, snapshot: Fragment): Fragment => sql`
  (${snapshot} is null or change.xact >= pg_snapshot_xmin(${snapshot}) and not pg_visible_in_snapshot(change.xact, ${snapshot}))`;

/**
 * Returns the reader's position, and whether there are changes after it that concern it. A snapshot of the future comes from another
 * server: this database is a copy of it.
 */
const findPosition = (sql: Sql, { name, concerns }: ChangeReader) => sql<Position[]>`
  with position as (
    select stored, case when pg_snapshot_xmax(stored) <= pg_snapshot_xmax(pg_current_snapshot()) then stored end as before
    from (select (select snapshot::pg_snapshot from change_reader where name = ${name}) as stored) reader)
  select position.stored::text as stored, position.before::text as before, pg_current_snapshot()::text as now,
    exists (${concerns(sql, () => after(sql, sql`position.before`))}) as "hasNews"
  from position`;

/** Moves the position. Its count is 0 if another process has moved it since it was read. */
const movePosition = (tx: Sql, { name, holds }: ChangeReader, { stored, now }: Position) => tx`
  insert into change_reader (name, snapshot, holds) values (${name}, ${now}, ${holds})
  on conflict (name) do update set snapshot = excluded.snapshot where change_reader.snapshot = ${stored}`;

/**
 * Lets a reader read the changes since its last call. Its writes and its position commit together, so that a process that dies neither
 * loses nor repeats a change, and only one of several processes writes. Returns whether there were changes that concern it.
 */
export const followChanges = async (db: Database, reader: ChangeReader): Promise<boolean> => {
  const [position] = await db.read(system, (sql) => findPosition(sql, reader));
  if (!position?.hasNews) return false;
  const write = await reader.read((sql) => after(sql, sql`${position.before}::text::pg_snapshot`));
  await db.transaction(system, async (tx) => {
    const { count } = await movePosition(tx, reader, position);
    if (count > 0) await write(tx);
  });
  return true;
};
