import { Gauge, type Registry } from 'prom-client';
import { type Database, type Sql, system } from '../../platform/db/database.ts';

/** Maximum number of counted rows, so that a scrape of a long queue takes some milliseconds. */
const maxCounted = 100_000;
/** How long one answer is used: scrapes and probes ask every few seconds. */
const trustedMs = 5_000;

export type QueueHealth = {
  /** Number of processes that reported in the last minute that they score. */
  workers: number;
  /** For each queue: the number of waiting jobs, and for how many seconds the oldest has been due. */
  queues: { queue: string; pending: number; overdueSeconds: number }[];
};

const waiting = (sql: Sql, table: 'score' | 'proposed_score', lane: 'code' | 'judge') => sql`
  select due_at from ${sql(table)} where state = 'pending' and lane = ${lane} limit ${maxCounted}`;

/** Reads score_due, proposed_score_due, execution_due and monitor_record_due, of each the first 100,000. */
const findQueues = (sql: Sql) => sql<QueueHealth['queues']>`
  select queue, count(due_at)::int as pending,
    greatest(0, coalesce(extract(epoch from now() - min(due_at)), 0))::float8 as "overdueSeconds"
  from (values ('code'), ('judge'), ('execution'), ('monitor')) as names (queue)
  left join (
    select 'code' as queue, code.due_at from (${waiting(sql, 'score', 'code')}) code
    union all select 'code', code.due_at from (${waiting(sql, 'proposed_score', 'code')}) code
    union all select 'judge', judge.due_at from (${waiting(sql, 'score', 'judge')}) judge
    union all select 'judge', judge.due_at from (${waiting(sql, 'proposed_score', 'judge')}) judge
    union all select 'execution', call.due_at
      from (select due_at from execution where state = 'pending' limit ${maxCounted}) call
    union all select 'monitor', record.due_at
      from (select due_at from monitor_record where due_at is not null limit ${maxCounted}) record
  ) due using (queue)
  group by queue
  order by queue`;

const countWorkers = (sql: Sql) =>
  sql<
    { workers: number }[]
  >`select count(*)::int as workers from worker where seen_at > now() - interval '1 minute'`;

/** Returns the function that reads the lengths of the queues, at most every 5 s. */
export const queueHealthReader = (db: Database): (() => Promise<QueueHealth>) => {
  let known: { at: number; health: Promise<QueueHealth> } | undefined;
  const read = async (): Promise<QueueHealth> => {
    const [counted] = await db.read(system, countWorkers);
    return { workers: counted!.workers, queues: await db.read(system, findQueues) };
  };
  return () => {
    if (!known || Date.now() - known.at > trustedMs) known = { at: Date.now(), health: read() };
    return known.health;
  };
};

/** Adds the gauges of the queues to `/metrics`. */
export const addQueueGauges = (registry: Registry, read: () => Promise<QueueHealth>): void => {
  const registers = [registry];
  new Gauge({
    name: 'dokima_workers',
    help: 'Number of processes that reported in the last minute that they score.',
    registers,
    async collect() {
      this.set((await read()).workers);
    },
  });
  new Gauge({
    name: 'dokima_queue_pending',
    help: 'Work that waits, by queue; 100,000 also stands for more.',
    labelNames: ['queue'],
    registers,
    async collect() {
      for (const { queue, pending } of (await read()).queues) this.set({ queue }, pending);
    },
  });
  new Gauge({
    name: 'dokima_queue_overdue_seconds',
    help: 'For how long the oldest work has been due, by queue.',
    labelNames: ['queue'],
    registers,
    async collect() {
      for (const { queue, overdueSeconds } of (await read()).queues) this.set({ queue }, overdueSeconds);
    },
  });
};
