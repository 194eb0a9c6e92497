import type { Connection, Connections } from './connections.ts';
import { type Database, type Sql, setTenant, type Tenant } from './database.ts';

/** The message that begins a transaction of a tenant. */
export type Begin = (access: 'read only' | 'read write', tenant: Tenant) => string;

/** Settings that the session lacks are set for each transaction: a pooler may give each one another session. */
export const beginWith =
  (settings: Record<string, string | number>): Begin =>
  (access, tenant) => {
    const local = Object.entries(settings).map(([name, value]) => `set local ${name} = ${value}; `);
    const isolation = tenant.isSnapshot ? 'isolation level repeatable read ' : '';
    return `begin ${isolation}${access}; ${local.join('')}${setTenant(tenant)}`;
  };

/** A server that cannot begin a transaction now, such as a standby after a failover, has no error code for it. */
const notBegun = (error: Error): never => {
  throw Object.assign(new Error(`The transaction could not begin: ${error.message}`, { cause: error }), {
    code: 'BEGIN_REFUSED',
  });
};

/** PostgreSQL answers ROLLBACK to the commit of a transaction in which a statement failed, even when its error was caught. */
const requireCommit = ({ command }: { command: string }): void => {
  if (command !== 'COMMIT') throw new Error('A statement of this transaction failed, so it was rolled back.');
};

export const transactionsOn =
  (connections: Connections, begin: Begin): Database['transaction'] =>
  <T>(tenant: Tenant, work: (tx: Sql) => Promise<T>) =>
    connections.use(tenant, async ({ sql }: Connection): Promise<T> => {
      // Not awaited: it travels with the first statement.
      const begun = sql.unsafe(begin('read write', tenant)).execute();
      try {
        const [result] = await Promise.all([work(sql), begun.catch(notBegun)]);
        requireCommit(await sql.unsafe('commit'));
        return result;
      } catch (error) {
        // Fails only with the connection, which ends the transaction too.
        await sql.unsafe('rollback').catch(() => {});
        throw error;
      }
    });

export const batchesOn =
  (connections: Connections, begin: Begin): Database['batch'] =>
  <T>(tenant: Tenant, work: (tx: Sql) => Promise<T>) =>
    connections.use(tenant, async ({ sql }: Connection): Promise<T> => {
      const begun = sql.unsafe(begin('read write', tenant)).execute();
      const working = work(sql);
      const ended = sql.unsafe('commit').execute();
      const results = await Promise.allSettled([begun.catch(notBegun), working, ended]);
      const failed = results.find((result) => result.status === 'rejected');
      if (failed) throw failed.reason;
      requireCommit(await ended);
      return working;
    });
