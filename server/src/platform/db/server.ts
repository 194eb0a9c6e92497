import { randomUUID } from 'node:crypto';
import postgres from 'postgres';
import { openConnections } from './connections.ts';
import { clientOptions, type Database, type Pool, system } from './database.ts';
import { openHints } from './hints.ts';
import { migrate } from './migrate.ts';
import { findGrown, keepPlannerStatistics } from './planner-statistics.ts';
import { lookUpTogether, readAlone, readInSession, readInTransactions } from './reads.ts';
import { readOnReplica } from './replica.ts';
import { readTls } from './tls.ts';
import { batchesOn, beginWith, transactionsOn } from './transactions.ts';

/** Role that requests run as when the login role would bypass row-level security. */
const appRole = 'dokima_app';
/**
 * Creates that role, lets the login role act as it, and gives it the tables that are new. Before PostgreSQL 16 every member of a
 * role may act as it.
 */
export const appRoleSetup = `do $$
begin
  begin
    create role ${appRole} nologin;
  exception when duplicate_object or unique_violation then null;
  end;
  if not pg_has_role('${appRole}', case when current_setting('server_version_num')::int < 160000 then 'member' else 'set' end) then
    grant ${appRole} to current_user;
  end if;
end $$;
grant usage on schema public to ${appRole};
grant select, insert, update, delete on all tables in schema public to ${appRole};`;
const minimumVersion = 15;
const maxConnections = 12;
/** Long reads are bound by the processor: more in parallel finish no sooner. */
const maxReplicaConnections = 4;

const connect = (given: string, options: postgres.Options<{ bigint: postgres.PostgresType<bigint> }>) => {
  const { url, ssl } = readTls(given);
  // Sessions of the service read only by default, so to postgres.js no server is read-write.
  return postgres(url.replace('target_session_attrs=read-write', 'target_session_attrs=primary'), {
    ...clientOptions,
    ...(ssl && { ssl }),
    // The default grows to 20 s, and requests would hang while the database is unavailable; they should fail with that reason.
    backoff: () => 0.2,
    connect_timeout: 5,
    ...options,
  });
};

/** PostgreSQL's error for an unknown parameter: undefined_object. */
const unknownParameter = '42704';

/** Does not show the URL, which may hold a password. */
const unreachable = (error: Error & { code?: string }) => {
  const advice =
    error.code === unknownParameter
      ? 'Remove this parameter from the URL.'
      : 'Check that PostgreSQL runs there, and the host, port, user, password and database in postgres://user:password@host:5432/database.';
  return new Error(`The database of DATABASE_URL can't be used: ${error.message || error.code}. ${advice}`, {
    cause: error,
  });
};

type Prepared = {
  /** Whether the login role bypasses row-level security, so that statements must run as the app role. */
  stepsDown: boolean;
  /** Whether there is a pooler such as PgBouncer between this process and PostgreSQL. */
  isPooled: boolean;
  /** How the client writes and reads the server's array types, which it has asked the server for. */
  arrays: Pick<Pool['options'], 'parsers' | 'serializers'>;
};

/** The client's own error for a URL that it cannot read names neither the setting nor what to do. */
const connectOnce = (url: string, setting = 'DATABASE_URL'): Pool => {
  readTls(url);
  try {
    return connect(url, { max: 1, prepare: false });
  } catch {
    throw new Error(
      `${setting} must be a URL like postgres://user:password@host:5432/database, in which special characters of user and ` +
        'password are percent-encoded ("%" as "%25", "@" as "%40", "/" as "%2F").',
    );
  }
};

/** Connects once to a server as it is: not migrated, as the login role. The caller ends the connection. */
export const connectServer = async (url: string): Promise<Pool> => {
  const sql = connectOnce(url);
  await sql`select 1`.catch((error) => {
    throw unreachable(error);
  });
  return sql;
};

/** PostgreSQL's insufficient_privilege. */
const denied = '42501';

/** Says what to grant when the login role may not make the tables. */
const explainDenied = async (owner: Pool, error: Error & { code?: string }): Promise<never> => {
  if (error.code !== denied) throw error;
  const [login] = await owner<{ role: string; database: string; schema: string }[]>`
    select quote_ident(current_user) as role, quote_ident(current_database()) as database,
      quote_ident(coalesce(current_schema(), 'public')) as schema`;
  const { role, database, schema } = login!;
  throw new Error(
    `The role ${role} may not make the tables: ${error.message}. As a superuser, run: ` +
      `alter database ${database} owner to ${role}; grant usage, create on schema ${schema} to ${role};`,
    { cause: error },
  );
};

/** Throws when a table lacks its policy: in a restored database they come last, so the restore has not finished. */
const requireIsolation = async (owner: Pool): Promise<void> => {
  const [open] = await owner<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
      and exists (select from pg_attribute where attrelid = pg_class.oid and attname = 'organization_id' and not attisdropped)
      and not (relrowsecurity and relforcerowsecurity and exists (select from pg_policy where polrelid = pg_class.oid))
    limit 1`;
  if (open)
    throw new Error(
      `The table ${open.name} has no row-level security, which keeps organizations apart: the restore of this database has not finished. Restore it again, into an empty database.`,
    );
};

const prepare = async (url: string): Promise<Prepared> => {
  const owner = connectOnce(url);
  const arrays = owner.options;
  try {
    const found = await owner<{ version: number; isStandby: boolean; pid: number }[]>`
      select current_setting('server_version_num')::int / 10000 as version, pg_is_in_recovery() as "isStandby",
        pg_backend_pid() as pid`.catch((error) => {
      throw unreachable(error);
    });
    const { version, isStandby, pid } = found[0]!;
    if (version < minimumVersion) {
      throw new Error(`DATABASE_URL names PostgreSQL ${version}; Dokima needs ${minimumVersion} or newer.`);
    }
    if (isStandby) {
      throw new Error(
        'DATABASE_URL names a standby, which only reads. Name the primary, or promote this one, and start again.',
      );
    }
    await migrate(owner).catch((error) => explainDenied(owner, error));
    await requireIsolation(owner);
    // A pooler tells its clients its own process number.
    const isPooled = found.state.pid !== pid;
    const [login] = await owner<{ bypasses: boolean }[]>`
      select rolsuper or rolbypassrls as bypasses from pg_roles where rolname = current_user`;
    if (!login?.bypasses) return { stepsDown: false, isPooled, arrays };
    // Grants take turns, as migrations do: two at once on one table fail with "tuple concurrently updated".
    await owner.unsafe(
      `begin; select pg_advisory_xact_lock(hashtext('dokima migrate'));\n${appRoleSetup}\ncommit;`,
    );
    return { stepsDown: true, isPooled, arrays };
  } finally {
    await owner.end();
  }
};

/** Identifies a cluster of servers that copy each other; undefined where the role may not ask. */
const findCluster = async (sql: Pool): Promise<string | undefined> => {
  const [found] = await sql<{ id: string }[]>`
    select system_identifier::text || ' ' || current_database() as id from pg_control_system()`.catch(
    () => [],
  );
  return found?.id;
};

/**
 * Returns whether there is a pooler before the replica. If the replica does not answer, it assumes a pooler, which is safe either way.
 * Throws when the replica is a copy of another database.
 */
const isReplicaPooled = async (url: string, primaryUrl: string): Promise<boolean> => {
  const [replica, primary] = [connectOnce(url, 'DATABASE_REPLICA_URL'), connectOnce(primaryUrl)];
  try {
    const found = await replica<{ pid: number }[]>`select pg_backend_pid() as pid`.catch(() => undefined);
    if (!found) return true;
    const [copy, original] = await Promise.all([findCluster(replica), findCluster(primary)]);
    if (copy !== original) throw new Error('DATABASE_REPLICA_URL does not name a standby of DATABASE_URL.');
    return found.state.pid !== found[0]!.pid;
  } finally {
    await Promise.all([replica.end(), primary.end()]);
  }
};

/** Opens hints on their own connection. Undefined behind a pooler: in transaction mode it gives the listening session to other clients. */
const openHintsOf = (url: string, read: Database['read'], isPooled: boolean) =>
  isPooled
    ? undefined
    : openHints(
        randomUUID(),
        (channel, payload) => read(system, (sql) => sql`select from pg_notify(${channel}, ${payload})`),
        (options) =>
          connect(url, {
            max: 1,
            max_lifetime: null,
            fetch_types: false,
            ...options,
            connection: { application_name: 'dokima' },
          }),
      );

/**
 * PostgreSQL on a server, migrated. Statements run under row-level security: as the login role when that is subject to it
 * (the tables FORCE it even on their owner), else as `dokima_app`. Behind a pooler nothing depends on the session: neither settings nor
 * prepared statements. `replicaUrl` names a streaming standby for long reads.
 */
export const openServer = async (url: string, replicaUrl?: string): Promise<Database> => {
  const { stepsDown, isPooled, arrays } = await prepare(url);
  const settings = {
    statement_timeout: 60_000,
    // Row-level security makes estimates rough: a statement of 0.3 ms was thought to be long and compiled for 1.2 s.
    jit: 'off',
    ...(stepsDown && { role: appRole }),
  };
  // Sessions only read; a transaction that writes says so.
  const session = { ...settings, default_transaction_read_only: true };
  const poolOf = (address: string, isPooled: boolean, max: number) =>
    openConnections((onclose) => {
      const sql = connect(address, {
        max: 1,
        max_lifetime: null,
        prepare: !isPooled,
        // Given here, because a connection that is lost while it asks for the types would end the process: nothing catches that error.
        fetch_types: false,
        onclose,
        connection: { application_name: 'dokima', ...(!isPooled && session) },
      });
      Object.assign(sql.options.parsers, arrays.parsers);
      Object.assign(sql.options.serializers, arrays.serializers);
      return sql;
    }, max);
  const connections = poolOf(url, isPooled, maxConnections);
  const begin = beginWith(isPooled ? settings : {});
  const readOnOf = (isPooled: boolean) =>
    isPooled ? readInTransactions(beginWith(settings)) : readInSession;
  const readOn = readOnOf(isPooled);
  const read = readAlone(connections, readOn);
  const lookUp = lookUpTogether(connections, readOn);
  const transaction = transactionsOn(connections, begin);
  const batch = batchesOn(connections, begin);
  const statistics = keepPlannerStatistics(
    () => read(system, findGrown),
    () => connect(url, { max: 1, prepare: false }),
  );
  const openReplica = async (address: string) => {
    const isPooled = await isReplicaPooled(address, url);
    const connections = poolOf(address, isPooled, maxReplicaConnections);
    const { read: readThere, reads } = readOnReplica(
      { read, lookUp },
      { connections, readOn: readOnOf(isPooled) },
    );
    return { read: readThere, reads, close: connections.close };
  };
  const replica = replicaUrl === undefined ? undefined : await openReplica(replicaUrl);
  const hints = openHintsOf(url, read, isPooled);
  return {
    engine: 'server',
    description: `PostgreSQL${isPooled ? ', through a connection pooler' : ''}${replica ? ', with a replica for long reads' : ''}`,
    read,
    lookUp,
    transaction: (tenant, work) => transaction(tenant, work).finally(statistics.noteWrite),
    batch: (tenant, work) => batch(tenant, work).finally(statistics.noteWrite),
    load: connections.load,
    ...(hints && { hints }),
    ...(replica && { replica }),
    close: async () => {
      await replica?.close();
      await hints?.close();
      await statistics.close();
      await connections.close();
    },
  };
};
