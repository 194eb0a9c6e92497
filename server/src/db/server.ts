import postgres from 'postgres';
import { clientOptions, type Database, readOn, transactionOn } from './database.ts';
import { migrate } from './migrate.ts';

/** Role that requests run as when the login role would bypass row-level security. */
const appRole = 'dokima_app';
const minimumVersion = 15;

const connect = (url: string, options: postgres.Options<{ bigint: postgres.PostgresType<bigint> }>) =>
  postgres(url, {
    ...clientOptions,
    // With the default, growing to 20 s, requests would hang while the database is away; they should fail and say so.
    backoff: () => 0.2,
    connect_timeout: 5,
    ...options,
  });

/** True when the login role must step down to the app role, which is made on the way. */
const prepareRole = async (url: string): Promise<boolean> => {
  const owner = connect(url, { max: 1 });
  try {
    const [server] = await owner<
      { version: number }[]
    >`select current_setting('server_version_num')::int / 10000 as version`;
    if (!server || server.version < minimumVersion) {
      throw new Error(
        `DATABASE_URL names PostgreSQL ${server?.version}; Dokima needs ${minimumVersion} or newer.`,
      );
    }
    await migrate(owner);
    const [login] = await owner<{ bypasses: boolean }[]>`
      select rolsuper or rolbypassrls as bypasses from pg_roles where rolname = current_user`;
    if (!login?.bypasses) return false;
    // In turn, as in migrate: two grants on one table at once fail with "tuple concurrently updated".
    await owner.unsafe(`
      begin;
      select pg_advisory_xact_lock(hashtext('dokima migrate'));
      do $$ begin create role ${appRole} nologin; exception when duplicate_object or unique_violation then null; end $$;
      grant usage on schema public to ${appRole};
      grant select, insert, update, delete on all tables in schema public to ${appRole};
      commit;
    `);
    return true;
  } finally {
    await owner.end();
  }
};

/**
 * PostgreSQL on a server, migrated. Statements run under row-level security: as the login role when that is subject to it
 * (the tables FORCE it even on their owner), else as `dokima_app`.
 */
export const openServer = async (url: string): Promise<Database> => {
  const stepsDown = await prepareRole(url);
  const pool = connect(url, {
    max: 12,
    connection: {
      application_name: 'dokima',
      statement_timeout: 60_000,
      ...(stepsDown && { role: appRole }),
    },
  });
  return {
    engine: 'server',
    read: readOn(pool),
    transaction: transactionOn(pool),
    close: () => pool.end({ timeout: 5 }),
  };
};
