import { Readable } from 'node:stream';
import { pino } from 'pino';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { purgeSessions } from '../src/accounts/sign-ins/queries.ts';
import { openAllowedAddresses } from '../src/engine/models/allowed-addresses.ts';
import { removeDeletedBytes } from '../src/evaluation/attachments/remove-bytes.ts';
import { openStore } from '../src/evaluation/attachments/store.ts';
import { findSnapshot, purgeChanges } from '../src/evaluation/changes/queries.ts';
import { compactRunTallies } from '../src/evaluation/runs/queries.ts';
import { countDueHour } from '../src/insights/series/count-hours.ts';
import { markChangedHours } from '../src/insights/series/mark-hours.ts';
import { type Database, type Sql, system } from '../src/platform/db/database.ts';
import { newUuid } from '../src/platform/http/ids.ts';
import { openModelLists } from '../src/scoring/providers/model-lists.ts';
import { openPriceLists } from '../src/scoring/providers/price-lists.ts';
import { purgeDeliveries } from '../src/signals/alerts/queries.ts';
import { createAlert } from './alerting.ts';
import { openEndpoint } from './endpoint.ts';
import { createMetric, createProject, createRun } from './fixtures.ts';
import { openOpenAiServer } from './model-server.ts';
import { openApp } from './opened.ts';
import { addRecords } from './reviews.ts';

/** Each chore dies before one of its commits, as when its process is killed, and another process takes over. */

const { app, own } = await openApp({
  DOKIMA_WORKERS: '0',
  DOKIMA_ALLOW_PRIVATE_ADDRESSES: 'true',
});
const models = await openOpenAiServer();
models.list([{ id: 'judge' }]);
const prices = await openEndpoint(() => ({
  body: JSON.stringify({
    m: { litellm_provider: 'openai', mode: 'chat', input_cost_per_token: 1e-6, output_cost_per_token: 1e-6 },
  }),
}));
afterAll(() => Promise.all([models.close(), prices.close()]));
const network = { allowedAddresses: openAllowedAddresses('true') };
const log = pino({ level: 'silent' });
const store = await openStore(app.config);

let projectId: string;
let runId: string;
beforeEach(async () => {
  projectId = (await createProject(own.api)).id;
  runId = (await createRun(own.api, projectId, [])).id;
  await addRecords(own.api, runId, 5, (i) => ({ inputs: { i } }));
});

const write = (statement: (tx: Sql) => PromiseLike<unknown>) =>
  app.db.transaction(system, async (tx) => void (await statement(tx)));
const countOf = async (from: (sql: Sql) => ReturnType<Sql>): Promise<number> => {
  const [found] = await app.db.read(
    system,
    (sql) => sql<{ n: number }[]>`select count(*)::int as n ${from(sql)}`,
  );
  return found!.n;
};
const chore = (work: (tx: Sql) => PromiseLike<unknown>) => (db: Database) =>
  db.transaction(system, async (tx) => void (await work(tx)));

type Chore = {
  /** Makes work for it. */
  prepare: () => Promise<unknown>;
  run: (db: Database) => Promise<unknown>;
  /** Number of its commits in one round. */
  commits: number;
  /** What there is to see: at first, after it died, and after another process did it. */
  see: () => Promise<unknown>;
  before: unknown;
  after: unknown;
  /** What time does, before another process tries. */
  wait?: () => Promise<unknown>;
};

const limits = { hours: 24, idleMinutes: 0 };
const fileIds = Array.from({ length: 3 }, () => newUuid());

const chores: Record<string, Chore> = {
  sessions: {
    prepare: () =>
      write(
        (tx) => tx`
          insert into sign_in (id, organization_id, member_id, hash, proven_member_ids, signed_in_at)
          select gen_random_uuid(), ${own.organizationId}, ${own.memberId}, sha256(n::text::bytea), '{}', now() - interval '2 days'
          from generate_series(1, 50) n`,
      ),
    run: chore((tx) => purgeSessions(tx, limits)),
    commits: 1,
    see: () => countOf((sql) => sql`from sign_in where signed_in_at < now() - interval '1 day'`),
    before: 50,
    after: 0,
  },
  deliveries: {
    prepare: async () => {
      const { id } = await createAlert(own.api, projectId, prices.url, { events: ['run.completed'] });
      await write(
        (tx) => tx`
          insert into alert_delivery (id, organization_id, alert_id, event, about, message, state, due_at, ended_at)
          select gen_random_uuid(), ${own.organizationId}, ${id}, 'run.completed', 'run ' || n, '{}', 'delivered', null,
            now() - make_interval(days => n)
          from generate_series(29, 32) n`,
      );
    },
    run: chore(purgeDeliveries),
    commits: 1,
    see: () => countOf((sql) => sql`from alert_delivery`),
    before: 4,
    after: 1,
  },
  changes: {
    prepare: () => write((tx) => tx`update change set noted_at = now() - interval '2 days'`),
    run: chore(async (tx) => purgeChanges(tx, (await findSnapshot(tx))[0]!.snapshot)),
    commits: 1,
    see: async () => (await countOf((sql) => sql`from change where project_id = ${projectId}`)) > 0,
    before: true,
    after: false,
  },
  'counts of runs': {
    prepare: () =>
      write(
        (tx) => tx`
          insert into run_tally (organization_id, run_id, n)
          select ${own.organizationId}, ${runId}, sign from generate_series(1, 150), unnest(array[1, -1]) sign`,
      ),
    run: chore((tx) => compactRunTallies(tx, 100)),
    commits: 1,
    see: async () => {
      const [run] = await app.db.read(
        system,
        (sql) => sql<{ rows: number; records: number }[]>`
          select count(*)::int as rows, sum(n)::int as records from run_tally
          where run_id = ${runId} and metric_config_id is null`,
      );
      return { isLong: run!.rows > 100, records: run!.records };
    },
    before: { isLong: true, records: 5 },
    after: { isLong: false, records: 5 },
  },
  'hours of series': {
    prepare: async () => {
      await write(
        (tx) =>
          tx`update record set created_at = now() - interval '3 hours' where run_id = ${runId} and n <= 2`,
      );
      while (await markChangedHours(app.db));
    },
    run: async (db) => {
      while (await countDueHour(db));
    },
    commits: 2,
    see: async () => {
      const [counted] = await app.db.read(
        system,
        (sql) => sql<{ records: number | null; runs: number }[]>`
          select sum(records)::int as records, (select count(*)::int from series_run where run_id = ${runId}) as runs
          from series_measure where project_id = ${projectId} and dimension = 'all'`,
      );
      return counted;
    },
    before: { records: null, runs: 0 },
    after: { records: 5, runs: 2 },
  },
  'bytes of deleted files': {
    prepare: async () => {
      const sha256 = 'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb';
      for (const id of fileIds)
        await store.write(id, Readable.from([Buffer.from('a')]), { sizeBytes: 1, sha256 });
      await write(
        (tx) => tx`
          insert into deleted_file (organization_id, id)
          select ${own.organizationId}, id from unnest(${fileIds}::uuid[]) id`,
      );
    },
    run: (db) => removeDeletedBytes(db, store),
    commits: 1,
    see: async () => [
      await countOf((sql) => sql`from deleted_file`),
      (await Promise.all(fileIds.map((id) => store.size(id)))).filter((size) => size !== undefined).length,
    ],
    // The bytes go first: what is noted without bytes is removed again.
    before: [3, 0],
    after: [0, 0],
  },
  'the list of prices': {
    prepare: () => write((tx) => tx`delete from price_list`),
    run: async (db) => {
      const files = { own: undefined, shipped: { date: '2025-01-01', models: {} } };
      const lists = await openPriceLists({ db, log, files, address: prices.url, network });
      try {
        await lists.refresh();
      } finally {
        await lists.close();
      }
    },
    commits: 2,
    see: () => countOf((sql) => sql`from price_list where list is not null and error is null`),
    before: 0,
    after: 1,
    // The claim of a process that died ends after ten minutes.
    wait: () => write((tx) => tx`update price_list set due_at = now()`),
  },
  'the lists of models': {
    prepare: () =>
      createMetric(own.api, projectId, {
        evalType: 'ai',
        outputType: 'boolean',
        promptTemplate: '{{ outputs.a }}',
        evalModelName: 'local/judge',
      }),
    run: async (db) => {
      const local = { name: 'local', kind: 'openai-compatible' as const, baseUrl: models.url, apiKey: 'k' };
      const lists = openModelLists({ db, network, providersOf: async () => [local as never] });
      try {
        await lists.readStale(new AbortController().signal);
      } finally {
        lists.close();
      }
    },
    commits: 1,
    see: () => countOf((sql) => sql`from model_list where organization_id = ${own.organizationId}`),
    before: 0,
    after: 1,
  },
};

/** The database of a process that dies before its commit number `at`: it does nothing more. */
const dyingAt = (at: number): Database => {
  let commits = 0;
  const dead = () => new Error('This process is dead.');
  return {
    ...app.db,
    read: async (tenant, statement) => {
      if (commits >= at) throw dead();
      return app.db.read(tenant, statement);
    },
    transaction: async (tenant, work) => {
      if (commits >= at) throw dead();
      return app.db.transaction(tenant, async (tx) => {
        const done = await work(tx);
        if (++commits >= at) throw dead();
        return done;
      });
    },
  };
};

describe('a chore that dies before a commit', () => {
  it.each(Object.keys(chores))('%s: the next process does all of it, once', async (name) => {
    const { prepare, run, commits, see, before, after, wait } = chores[name]!;
    await prepare();
    for (let at = 1; at <= commits; at++) {
      await expect(run(dyingAt(at))).rejects.toThrow('dead');
      if (at === 1) expect(await see()).toEqual(before);
      else expect(await see()).not.toEqual(after);
      await wait?.();
    }
    await run(app.db);
    expect(await see()).toEqual(after);
    await wait?.();
    await run(app.db);
    expect(await see()).toEqual(after);
  });
});
