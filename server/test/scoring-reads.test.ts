import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { system } from '../src/platform/db/database.ts';
import { newUuid } from '../src/platform/http/ids.ts';
import { beginClaim, claimScores, commitOutcomes, type Lease } from '../src/scoring/queue/queries.ts';
import { createMetric, createProject, createRun } from './fixtures.ts';
import { engine, startApp, type TestApp } from './harness.ts';

const records = 10_000;
const batch = 500;

/** Row-level security, by which the planner misjudges how many rows there are, is on a server's database alone. */
describe.runIf(engine === 'server')('a batch of scores, of a run that has many pending', () => {
  let app: TestApp;
  let owner: postgres.Sql;
  let runId: bigint;

  beforeAll(async () => {
    let url = '';
    app = await startApp(
      {},
      {
        databaseUrl: (given) => {
          url = given;
          return given;
        },
      },
    );
    owner = postgres(url, { max: 1 });
    const { api } = await app.organization();
    const project = await createProject(api);
    const metric = await createMetric(api, project.id, {
      evalType: 'heuristic',
      outputType: 'boolean',
      guidelines: 'function score() { return true }',
    });
    runId = BigInt((await createRun(api, project.id, [metric.id])).id);
    await owner`
      insert into record (organization_id, project_id, run_id, n, inputs, expected, outputs)
      select organization_id, project_id, id, n, '{}', '{}', '{}'
      from run, generate_series(1, ${records}) n where id = ${String(runId)}`;
    await owner`
      insert into score (organization_id, run_id, n, metric_config_id, state, lane, due_at)
      select record.organization_id, run_id, n, metric_config_id, 'pending', 'code', now()
      from record join run_metric using (run_id) where run_id = ${String(runId)}`;
  });
  afterAll(() => Promise.all([owner.end(), app.close()]));

  /** How many rows were found by an index, and how many by reading the whole table, to claim a batch and to write it. */
  const rowsRead = () =>
    app.db.transaction(system, async (tx) => {
      // PostgreSQL counts on from the connection's last transactions, until it has reported them.
      const count = async () => {
        const [read] = await tx<{ byIndex: number; whole: number }[]>`
          select idx_tup_fetch::integer as "byIndex", seq_tup_read::integer as whole
          from pg_stat_xact_user_tables where relname = 'score'`;
        return read!;
      };
      const before = await count();
      const lease: Lease = { id: newUuid(), queue: 'score', lane: 'code', runId };
      await beginClaim(tx, lease);
      const claimed = await claimScores(tx, lease, { limit: batch, leaseMs: 60_000 });
      expect(claimed).toHaveLength(batch);
      const outcomes = claimed.map(({ n, configId, fence }) => ({
        n,
        configId,
        fence,
        state: 'scored' as const,
        score: '{"binaryScore":true}',
        value: 1,
        reason: null,
        attempts: 1,
        retryInMs: null,
        evidence: null,
        inputHash: null,
        usage: null,
      }));
      expect(await commitOutcomes(tx, lease, outcomes)).toMatchObject({ count: batch });
      const after = await count();
      return { byIndex: after.byIndex - before.byIndex, whole: after.whole - before.whole };
    });

  const makeStatistics = {
    unknown: async () => {},
    // As autovacuum leaves them that looked at the table before its rows were committed.
    'of no rows': () =>
      owner`update pg_class set reltuples = 0, relpages = pg_relation_size(oid) / 8192 where relname = 'score'`,
    'of no columns': () => owner`vacuum score`,
    known: () => owner`analyze score`,
  };

  it.each(Object.entries(makeStatistics))(
    'reads these alone, with the table’s statistics %s',
    async (_, make) => {
      await make();
      const { byIndex, whole } = await rowsRead();
      expect(whole).toBe(0);
      // Each row once to claim it and once to write it, and what the batch before it has left in the index.
      expect(byIndex).toBeLessThanOrEqual(4 * batch);
    },
  );
});
