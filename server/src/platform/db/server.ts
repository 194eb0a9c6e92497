import postgres from 'postgres';
import { type Connection, openConnections } from './connections.ts';
import {
  clientOptions,
  type Database,
  type Pool,
  type Sendable,
  type Sql,
  type Statement,
  setTenant,
  type Tenant,
  takeRows,
} from './database.ts';
import { migrate } from './migrate.ts';
import { lookUpTogether, readAlone } from './reads.ts';

/** Role that requests run as when the login role would bypass row-level security. */
const appRole = 'dokima_app';
/** Makes that role, or gives it the tables that are new. */
export const appRoleSetup = `do $$ begin create role ${appRole} nologin; exception when duplicate_object or unique_violation then null; end $$;
grant usage on schema public to ${appRole};
grant select, insert, update, delete on all tables in schema public to ${appRole};`;
const minimumVersion = 15;
const maxConnections = 12;

const connect = (url: string, options: postgres.Options<{ bigint: postgres.PostgresType<bigint> }>) =>
  postgres(url, {
    ...clientOptions,
    // With the default, growing to 20 s, requests would hang while the database is away; they should fail and say so.
    backoff: () => 0.2,
    connect_timeout: 5,
    ...options,
  });

/** The URL itself is not told: it may hold a password. */
const unreachable = (error: Error & { code?: string }) =>
  new Error(
    `The database that DATABASE_URL names can't be used: ${error.message || error.code}. ` +
      'Check that PostgreSQL runs there, and the host, port, user, password and database in postgres://user:password@host:5432/database.',
    { cause: error },
  );

type Prepared = {
  /** Whether the login role must step down to the app role, which is made on the way. */
  stepsDown: boolean;
  /** How the client writes and reads the server's array types, as it has learnt by asking. */
  arrays: Pick<Pool['options'], 'parsers' | 'serializers'>;
};

/** What the client says of a URL that it can't read names neither the setting nor what to do. */
const connectOnce = (url: string): Pool => {
  try {
    return connect(url, { max: 1 });
  } catch {
    throw new Error(
      'DATABASE_URL must be a URL like postgres://user:password@host:5432/database, in which special characters of user and ' +
        'password are percent-encoded ("%" as "%25", "@" as "%40", "/" as "%2F").',
    );
  }
};

const prepare = async (url: string): Promise<Prepared> => {
  const owner = connectOnce(url);
  const arrays = owner.options;
  try {
    const [server] = await owner<{ version: number; isStandby: boolean }[]>`
      select current_setting('server_version_num')::int / 10000 as version, pg_is_in_recovery() as "isStandby"`.catch(
      (error) => {
        throw unreachable(error);
      },
    );
    if (!server || server.version < minimumVersion) {
      throw new Error(
        `DATABASE_URL names PostgreSQL ${server?.version}; Dokima needs ${minimumVersion} or newer.`,
      );
    }
    if (server.isStandby) {
      throw new Error(
        'DATABASE_URL names a standby, which only reads. Name the primary, or promote this one, and start again.',
      );
    }
    await migrate(owner);
    const [login] = await owner<{ bypasses: boolean }[]>`
      select rolsuper or rolbypassrls as bypasses from pg_roles where rolname = current_user`;
    if (!login?.bypasses) return { stepsDown: false, arrays };
    // Grants take turns, as migrations do: two at once on one table fail with "tuple concurrently updated".
    await owner.unsafe(
      `begin; select pg_advisory_xact_lock(hashtext('dokima migrate'));\n${appRoleSetup}\ncommit;`,
    );
    return { stepsDown: true, arrays };
  } finally {
    await owner.end();
  }
};

/** A server that can't begin one now, such as a standby after a failover, has no code of its own for that. */
const notBegun = (error: Error): never => {
  throw Object.assign(new Error(`No transaction began: ${error.message}`, { cause: error }), {
    code: 'BEGIN_REFUSED',
  });
};

/** `begin` is not waited for: it travels with the first statement. */
const transactionOn =
  <T>(tenant: Tenant, work: (tx: Sql) => Promise<T>) =>
  async ({ sql }: Connection): Promise<T> => {
    const begun = sql.unsafe(`begin read write; ${setTenant(tenant)}`).execute();
    try {
      const [result] = await Promise.all([work(sql), begun.catch(notBegun)]);
      const { command } = await sql.unsafe('commit');
      // PostgreSQL's answer to the commit of a transaction in which a statement failed, even one whose error was caught.
      if (command !== 'COMMIT')
        throw new Error('A statement of this transaction failed, so it was rolled back.');
      return result;
    } catch (error) {
      // Fails only with the connection, and then the transaction has ended with it.
      await sql.unsafe('rollback').catch(() => {});
      throw error;
    }
  };

const batchOn =
  <T extends object>(tenant: Tenant, statements: (tx: Sql) => [Statement<T>, ...Sendable[]]) =>
  async ({ sql }: Connection): Promise<T[]> => {
    const [first, ...others] = statements(sql);
    const begun = sql.unsafe(`begin read write; ${setTenant(tenant)}`).execute();
    const rows = first.execute();
    const rest = others.map((other) => other.execute());
    const ended = sql.unsafe('commit').execute();
    const results = await Promise.allSettled([begun, rows, ...rest, ended]);
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
    if ((await ended).command !== 'COMMIT') throw new Error('This transaction was rolled back.');
    return takeRows(await rows);
  };

/**
 * PostgreSQL on a server, migrated. Statements run under row-level security: as the login role when that is subject to it
 * (the tables FORCE it even on their owner), else as `dokima_app`.
 */
export const openServer = async (url: string): Promise<Database> => {
  const { stepsDown, arrays } = await prepare(url);
  const connections = openConnections((onclose) => {
    const sql = connect(url, {
      max: 1,
      max_lifetime: null,
      // A connection lost while it asks for the types ends the process: nobody catches that. They are known already.
      fetch_types: false,
      onclose,
      connection: {
        application_name: 'dokima',
        statement_timeout: 60_000,
        // Row-level security makes estimates rough, and a statement of 0.3 ms that is thought to be dear was compiled for 1.2 s.
        jit: 'off',
        // Reads only read; a transaction says that it writes.
        default_transaction_read_only: true,
        ...(stepsDown && { role: appRole }),
      },
    });
    Object.assign(sql.options.parsers, arrays.parsers);
    Object.assign(sql.options.serializers, arrays.serializers);
    return sql;
  }, maxConnections);
  return {
    engine: 'server',
    read: readAlone(connections),
    lookUp: lookUpTogether(connections),
    transaction: (tenant, work) => connections.use(tenant, transactionOn(tenant, work)),
    batch: (tenant, statements) => connections.use(tenant, batchOn(tenant, statements)),
    close: connections.close,
  };
};
