import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Database } from './db/database.ts';
import { freeBytes } from './db/disk.ts';

/** Opens the metrics of this process for `/metrics`: memory, garbage collection, event loop, disk and database connections. */
export const openMetrics = (db: Database, dataDirectory: string): Registry => {
  const registry = new Registry();
  // Its timer runs always: every 10 ms, the default, it takes 0.4 % of a core from an idle service.
  const eventLoopMonitoringPrecision = 100;
  collectDefaultMetrics({ register: registry, prefix: 'dokima_', eventLoopMonitoringPrecision });
  new Gauge({
    name: 'dokima_data_free_bytes',
    help: 'Free bytes where DOKIMA_DATA_DIR is.',
    registers: [registry],
    async collect() {
      this.set(await freeBytes(dataDirectory));
    },
  });
  const { load, replica } = db;
  if (replica) {
    new Counter({
      name: 'dokima_replica_reads_total',
      help: 'Long reads that went to the replica, and those that went to the primary because the replica was away or behind.',
      labelNames: ['server'],
      registers: [registry],
      collect() {
        this.reset();
        for (const [server, count] of Object.entries(replica.reads)) this.inc({ server }, count);
      },
    });
  }
  if (load) {
    new Gauge({
      name: 'dokima_database_uses',
      help: 'Statements and transactions of this process that run or wait for a connection.',
      labelNames: ['state'],
      registers: [registry],
      collect() {
        for (const [state, count] of Object.entries(load())) this.set({ state }, count);
      },
    });
  }
  return registry;
};

/** Adds the number of deletions that are under way. */
export const addDeletionsGauge = (registry: Registry, count: () => number): Gauge =>
  new Gauge({
    name: 'dokima_deletions_under_way',
    help: 'Projects, runs and testsets that are hidden and being deleted in slices.',
    registers: [registry],
    collect() {
      this.set(count());
    },
  });

/** Adds the counter of the scores that this process has made. */
export const scoreCounter = (registry: Registry): Counter<'lane' | 'state'> =>
  new Counter({
    name: 'dokima_scores_total',
    help: 'Outcomes of scores that this process made, by lane and state; pending means that it will be tried again.',
    labelNames: ['lane', 'state'],
    registers: [registry],
  });
