import type { Fragment, Sql } from '../db/database.ts';
import { fromNow } from './job.ts';

/** Takes a job from the worker that has it: what that one makes of it is not written. */
export const takenAway = (sql: Sql, job: string): Fragment => sql`fence = ${sql(job)}.fence + 1`;

/** What an attempt has come to: the job has ended in a state of its own, or another attempt follows after `retryInMs`. */
export type Settlement<State extends string> = { attempts: number; error: string | null } & (
  | { state: State; retryInMs: null }
  | { state: 'pending'; retryInMs: number }
);

/** Sets what an attempt has come to. */
export const settled = <State extends string>(
  sql: Sql,
  { state, attempts, error, retryInMs }: Settlement<State>,
): Fragment => sql`
  state = ${state}, attempts = ${attempts}, last_error = ${error}, fence = fence + 1,
  due_at = ${retryInMs === null ? sql`null` : fromNow(sql, retryInMs)}`;

/** The same for many rows at once, as columns of `item`. One that has ended has no `retry_in_ms`. */
export const settledAs = (sql: Sql, item: string): Fragment => sql`
  state = ${sql(item)}.state, attempts = ${sql(item)}.attempts,
  due_at = now() + ${sql(item)}.retry_in_ms * interval '1 millisecond'`;

/** Makes a job due at a time of this process; null for never. */
export const dueAt = (sql: Sql, at: Date | null): Fragment =>
  sql`due_at = ${at?.toISOString() ?? null}::text::timestamptz`;

/** Makes a job due that waits for something else. */
export const dueNow = (sql: Sql): Fragment => sql`due_at = now()`;

/** Sets a job that is to be done from its beginning, at once. A worker that has it writes nothing. */
export const reset = (sql: Sql, job: string): Fragment =>
  sql`state = 'pending', attempts = 0, last_error = null, ${takenAway(sql, job)}, due_at = now()`;

/** Sets a job that is not to be done any more, beside its state. A worker that has it writes nothing. */
export const withdrawn = (sql: Sql, job: string): Fragment => sql`${takenAway(sql, job)}, due_at = null`;
