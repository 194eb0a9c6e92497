import type { Fragment, Sql } from '../db/database.ts';

/** Every table with due_at, by the way in which a worker holds its due rows. */
export const jobTables = {
  /** A lease in the row: due_at is its end, and fence its number. */
  inRow: ['alert_delivery', 'execution', 'preference_pair'],
  /** A lease in a separate row, because marking each row would write it twice (scoring/queue). */
  beside: ['score', 'proposed_score'],
  /** The transaction that does the job, which is short. */
  inTransaction: ['monitor_record', 'schedule', 'series_hour'],
  /** Nothing: who takes the job sets due_at to later, when another tries again if it dies. */
  later: ['price_list'],
} as const;

/**
 * A table of jobs that are held in their rows. A job is pending until it has ended. Its due_at is when a worker may take it: at once, after
 * a back-off, or when the lease of the worker that has it ends. Its fence rises whenever it is taken, settled or reset, and nothing is
 * written under an earlier fence. Jobs belong to a parent, and parents take turns.
 */
export type JobTable<Id extends string = string> = {
  table: (typeof jobTables.inRow)[number];
  parent: string;
  id: Id;
  idType: 'integer' | 'uuid';
  /** Condition on jobs that may be taken; default: all. */
  open?: (sql: Sql) => Fragment;
};

/** A job that is this worker's until its lease ends. */
export type Held<Id extends string = string> = { fence: number } & Record<Id, number | string>;

/** The time this many milliseconds from now. */
export const fromNow = (sql: Sql, ms: number): Fragment =>
  sql`now() + ${ms}::float8 * interval '1 millisecond'`;

/** Whether a worker may take a job. */
export const isDue = (sql: Sql): Fragment => sql`state = 'pending' and due_at <= now()`;

/** Whether the worker that took a job still holds it. */
export const isHeld = (sql: Sql, { fence }: { fence: number }): Fragment =>
  sql`fence = ${fence} and state = 'pending'`;
