import type { Fragment, Sql } from '../db/database.ts';
import { fromNow } from './job.ts';

/** Takes a job away from its worker, whose outcome is then not written. */
export const takenAway = (sql: Sql, job: string): Fragment => sql`fence = ${sql(job)}.fence + 1`;

/** Outcome of an attempt: the job has ended in a final state, or another attempt follows after `retryInMs`. */
export type Settlement<State extends string> = { attempts: number; error: string | null } & (
  | { state: State; retryInMs: null }
  | { state: 'pending'; retryInMs: number }
);

/** Sets the outcome of an attempt. */
export const settled = <State extends string>(
  sql: Sql,
  { state, attempts, error, retryInMs }: Settlement<State>,
): Fragment => sql`
  state = ${state}, attempts = ${attempts}, last_error = ${error}, fence = fence + 1,
  due_at = ${retryInMs === null ? sql`null` : fromNow(sql, retryInMs)}`;

/** The same for many rows of `job` at once, as columns of `item`. An ended job has no `retry_in_ms`. */
export const settledAs = (sql: Sql, job: string, item: string): Fragment => sql`
  state = ${sql(item)}.state, attempts = ${sql(item)}.attempts, ${takenAway(sql, job)},
  due_at = now() + ${sql(item)}.retry_in_ms * interval '1 millisecond'`;

/** Makes a job due at a time of this process; null for never. */
export const dueAt = (sql: Sql, at: Date | null): Fragment =>
  sql`due_at = ${at?.toISOString() ?? null}::text::timestamptz`;

/** Makes a waiting job due. */
export const dueNow = (sql: Sql): Fragment => sql`due_at = now()`;

/** Resets a job, so that it starts from its beginning at once. A worker that holds it writes nothing. */
export const reset = (sql: Sql, job: string): Fragment =>
  sql`state = 'pending', attempts = 0, last_error = null, ${takenAway(sql, job)}, due_at = now()`;

/** Withdraws a job; the caller sets its state. A worker that holds it writes nothing. */
export const withdrawn = (sql: Sql, job: string): Fragment => sql`${takenAway(sql, job)}, due_at = null`;
