import postgres from 'postgres';
import { bootstrap } from '../server/src/accounts/organizations/organizations.ts';
import { createMetric } from '../server/src/evaluation/metrics/configure-metric.ts';
import { insertProject } from '../server/src/evaluation/projects/queries.ts';
import { insertRecords, type RecordRow } from '../server/src/evaluation/records/insert.ts';
import { takeRecordNumbers } from '../server/src/evaluation/records/take-numbers.ts';
import { type StoredScore, upsertScoreRows } from '../server/src/evaluation/scores/queries.ts';
import {
  clientOptions,
  type Database,
  type Sql,
  type Statement,
  takeRows,
} from '../server/src/platform/db/database.ts';
import { openEmbedded } from '../server/src/platform/db/embedded.ts';
import type { Scope } from '../server/src/platform/http/scope.ts';
import { startRun } from '../server/src/scoring/runs/start-run.ts';
import { batches, metrics, recordCount, recordParts, scoreText } from './dataset.ts';
import { batchSize, type Run } from './run.ts';

/**
 * The baseline: the database without the service. It gets the service's own statements, prepared. A server has the same role and
 * row-level security; the tenant is set once for the session instead of in each transaction.
 */
export type Bare = {
  scope: Scope;
  read: <T extends object>(statement: (sql: Sql) => Statement<T>) => Promise<T[]>;
  transaction: <T>(work: (tx: Sql) => Promise<T>) => Promise<T>;
  /** Vacuums the tables, so that autovacuum does not start during a measurement. */
  vacuum: () => Promise<void>;
  close: () => Promise<void>;
};

const scopeOf = (organizationId: bigint, memberId: string): Scope => ({
  organizationId,
  memberId,
  role: 'admin',
  signInId: null,
  keyId: '',
  access: 'full',
});

/** Opens the baseline on a database server that a started service has prepared. */
export const bareServer = async (url: string, connections: number): Promise<Bare> => {
  const admin = postgres(url, { ...clientOptions, max: 1 });
  const [member] = await admin<
    { id: string; organizationId: bigint }[]
  >`select id, organization_id as "organizationId" from member`;
  const scope = scopeOf(member!.organizationId, member!.id);
  const pool = postgres(url, {
    ...clientOptions,
    max: connections,
    // The spread hides our own session setting from the type check, which does not know it.
    connection: { role: 'dokima_app', 'dokima.organization': String(scope.organizationId) },
  });
  return {
    scope,
    read: async (statement) => takeRows(await statement(pool)),
    transaction: async <T>(work: (tx: Sql) => Promise<T>) => (await pool.begin(work)) as T,
    vacuum: async () => {
      await admin`vacuum (analyze)`;
    },
    close: async () => {
      await Promise.all([pool.end(), admin.end()]);
    },
  };
};

/** Opens the baseline on a new embedded database, because a running service does not share its own. */
export const bareEmbedded = async (directory: string): Promise<Bare> => {
  const db: Database = await openEmbedded(directory);
  const { organizationId, memberId } = (await bootstrap(db, undefined, () => {}))!;
  const scope = scopeOf(organizationId, memberId);
  return {
    scope,
    read: (statement) => db.read(scope, statement),
    transaction: (work) => db.transaction(scope, work),
    vacuum: async () => {
      await db.read(scope, (sql) => sql`vacuum (analyze)`);
    },
    close: () => db.close(),
  };
};

const parse = (body: string) => JSON.parse(body) as { id: string; metricVersionIds: string[] };

/** Creates a project with the five metrics and one run of them. */
export const createBareRun = ({ scope, transaction }: Bare): Promise<Run> =>
  transaction(async (tx) => {
    const [project] = await insertProject(tx, scope, { name: 'Benchmark', description: '' });
    const projectId = parse(project!.body).id;
    const metricIds: string[] = [];
    for (const [i, outputType] of metrics.entries()) {
      const body = { name: `Metric ${i}`, evalType: 'heuristic', outputType } as const;
      metricIds.push(parse(await createMetric(tx, scope, BigInt(projectId), body, '')).id);
    }
    const { id, metricVersionIds } = parse(await startRun(tx, scope, BigInt(projectId), { metricIds }));
    return { projectId, runId: id, configIds: metricVersionIds };
  });

/** Returns record `i` with a number, counted from the last one that its run has given out. */
export const recordRow = (i: number, n: number): RecordRow => ({
  n,
  testsetId: null,
  testcaseN: null,
  testcaseRevision: null,
  ...recordParts(i),
  otelLinkId: null,
  sessionId: null,
});

/** Writes the records in batches, each with its own commit. */
export const insertBareRecords = async ({ scope, transaction }: Bare, { runId }: Run): Promise<void> => {
  for (const batch of batches(recordCount, batchSize)) {
    await transaction(async (tx) => {
      await takeRecordNumbers(tx, scope, BigInt(runId), batch.length);
      const rows = batch.map((i, at) => recordRow(i, at + 1 - batch.length));
      await insertRecords(tx, scope, BigInt(runId), rows);
    });
  }
};

/** Writes five scores for each record in batches, each with its own commit. */
export const upsertBareScores = async ({ scope, transaction }: Bare, run: Run): Promise<void> => {
  for (const batch of batches(recordCount * metrics.length, batchSize)) {
    const scores = batch.map((at): StoredScore => {
      const [i, m] = [Math.floor(at / metrics.length), at % metrics.length];
      return {
        n: i + 1,
        configId: run.configIds[m]!,
        score: scoreText(i, m),
        value: 1,
        validationErrors: null,
      };
    });
    await transaction((tx) => upsertScoreRows(tx, scope, BigInt(run.runId), scores));
  }
};
