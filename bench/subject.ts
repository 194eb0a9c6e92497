import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Engine } from '../server/src/platform/db/database.ts';
import { type Bare, bareEmbedded, bareServer } from './bare.ts';
import type { Connection } from './connection.ts';
import { type Gauges, type Meter, meterOf, wholeMeterOf } from './cost.ts';
import type { Measurement } from './measure.ts';
import { type Postgres, startPostgres } from './postgres.ts';
import { type Service, startService } from './service.ts';

/** What a benchmark measures: the service on one engine, and as a baseline the engine without the service. */
export type Subject = {
  engine: Engine;
  service: Service;
  bare: Bare;
  /** Opens keep-alive connections to the service, which are closed when the benchmark ends. */
  connect: (count: number) => Promise<Connection[]>;
  /** Returns settings for another service with an empty database. */
  emptySettings: () => Promise<Record<string, string>>;
  /** Measures until the work ends. */
  meter: Meter;
  /** Measures until everything that the work leaves to the service is done too. */
  wholeMeter: Meter;
};

export type Benchmark = (subject: Subject) => Promise<Measurement[]>;

/** Returns what the files of a folder take, however deep they are. */
const folderBytes = async (folder: string): Promise<{ diskBytes: number }> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = await Promise.all(
    // A file may be deleted while others are looked at.
    entries.map(({ parentPath, name }) => lstat(join(parentPath, name)).catch(() => undefined)),
  );
  return { diskBytes: sizes.reduce((sum, stats) => sum + (stats?.isFile() ? stats.size : 0), 0) };
};

const gaugesOf = (service: Service, server: Postgres | undefined, folder: string): Gauges => ({
  processor: async () => {
    const own = await service.processorSeconds();
    return own === undefined ? undefined : { service: own, database: await server?.processorSeconds() };
  },
  storage: async () => server?.storage(mainDatabase) ?? folderBytes(folder),
});

/** The database of the service that is measured. */
const mainDatabase = 'service_1';

/** The most connections that a benchmark opens. */
export const maxConnections = 32;

/** Starts the engine and the service on it, runs the benchmarks one after the other, and stops everything. */
export const runBenchmarks = async (
  engine: Engine,
  benchmarks: Benchmark[],
  report: (rows: Measurement[]) => void,
): Promise<void> => {
  const cleanups: (() => Promise<unknown>)[] = [];
  const measure = async () => {
    const directory = await mkdtemp(join(tmpdir(), 'dokima-bench-'));
    cleanups.unshift(() => rm(directory, { recursive: true, force: true }));
    let server: Postgres | undefined;
    if (engine === 'server') {
      server = await startPostgres();
      cleanups.unshift(server.stop);
    }
    let services = 0;
    const emptySettings = async () => {
      const name = `service_${++services}`;
      const settings = { DOKIMA_DATA_DIR: join(directory, name) };
      return server ? { ...settings, DATABASE_URL: await server.createDatabase(name) } : settings;
    };
    const settings: Record<string, string> = await emptySettings();
    const service = await startService(settings);
    cleanups.unshift(service.stop);
    const bare = settings.DATABASE_URL
      ? await bareServer(settings.DATABASE_URL, maxConnections)
      : await bareEmbedded(join(directory, 'bare'));
    cleanups.unshift(bare.close);
    const gauges = gaugesOf(service, server, settings.DOKIMA_DATA_DIR!);
    const memoryRow = async (work: string): Promise<Measurement> => ({
      work,
      engine,
      memory: { service: (await service.memory()) ?? Number.NaN, database: await server?.memory() },
    });
    report([await memoryRow('memory after the start')]);
    for (const benchmark of benchmarks) {
      const open: Connection[] = [];
      const connect = async (count: number) => {
        const made = await Promise.all(Array.from({ length: count }, service.connect));
        open.push(...made);
        return made;
      };
      await service.resetPeakMemory();
      const rows = await benchmark({
        engine,
        service,
        bare,
        connect,
        emptySettings,
        meter: meterOf(gauges),
        wholeMeter: wholeMeterOf(gauges),
      });
      const peakMb = await service.peakMemory();
      report(rows.map((row) => ({ peakMb, ...row })));
      for (const connection of open) connection.close();
    }
    report([await memoryRow('memory after all of them')]);
  };
  // After Ctrl-C no database server must keep running.
  const interrupted = new Promise<never>((_resolve, reject) => {
    process.once('SIGINT', () => reject(new Error('Interrupted.')));
  });
  try {
    await Promise.race([measure(), interrupted]);
  } finally {
    for (const cleanup of cleanups) await cleanup();
  }
};
