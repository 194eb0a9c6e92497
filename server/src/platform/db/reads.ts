import type { Connection, Connections } from './connections.ts';
import {
  type Database,
  isConnectionLost,
  type Sql,
  type Statement,
  type Tenant,
  takeRows,
} from './database.ts';
import type { Begin } from './transactions.ts';

/** Sends a statement at once and resolves to its rows. */
type Send = (sql: Sql) => Promise<object[]>;
const send =
  <T extends object>(statement: (sql: Sql) => Statement<T>): Send =>
  async (sql) =>
    takeRows(await statement(sql).execute());

/** Sends reads on a connection, all at once; one that fails does not affect the others. */
export type ReadOn = (
  tenant: Tenant,
  reads: Send[],
) => (connection: Connection) => Promise<PromiseSettledResult<object[]>[]>;

const throwLost = (results: PromiseSettledResult<object[]>[]): PromiseSettledResult<object[]>[] => {
  const lost = results.find((result) => result.status === 'rejected' && isConnectionLost(result.reason));
  if (lost?.status === 'rejected') throw lost.reason;
  return results;
};

/**
 * Reads on a session that already reads for this tenant, or that is switched to it on the way. With `begin` and `commit` around
 * it, a small read costs PostgreSQL and this process half as much again (docs/decisions/0004).
 */
export const readInSession: ReadOn =
  ({ organizationId }, reads) =>
  async (connection) => {
    const { sql, reader } = connection;
    connection.reader = undefined;
    const change =
      reader === organizationId
        ? undefined
        : sql.unsafe(`set dokima.organization = '${organizationId}'`).execute();
    const [changed, ...results] = await Promise.allSettled([change, ...reads.map((read) => read(sql))]);
    // The rows that were read are another tenant's.
    if (changed.status === 'rejected') throw changed.reason;
    connection.reader = organizationId;
    return throwLost(results);
  };

/** Reads in a transaction each, for connections behind a pooler: two messages in a row may reach two sessions. */
export const readInTransactions =
  (begin: Begin): ReadOn =>
  (tenant, reads) =>
  async ({ sql }) => {
    const sent = reads.map(async (read) => {
      const begun = sql.unsafe(begin('read only', tenant)).execute();
      const rows = read(sql);
      const [result] = await Promise.all([rows, begun, sql.unsafe('commit').execute()]);
      return result;
    });
    return throwLost(await Promise.allSettled(sent));
  };

/** Each read on a connection that nothing else uses at that time. */
export const readAlone =
  (connections: Connections, readOn: ReadOn): Database['read'] =>
  async <T extends object>(tenant: Tenant, statement: (sql: Sql) => Statement<T>) => {
    const [result] = await connections.use(tenant, readOn(tenant, [send(statement)]));
    if (result!.status === 'rejected') throw result!.reason;
    return result!.value as T[];
  };

/** Most look-ups that share a connection: more at once are spread over several. */
const maxTogether = 16;

/** Longest time for look-ups, which take a millisecond. Each request begins with one, so a frozen database is reported after it. */
const lookUpMs = 10_000;

type LookUp = {
  tenant: Tenant;
  read: Send;
  resolve: (rows: object[]) => void;
  reject: (error: unknown) => void;
};

/**
 * Look-ups of one turn of the event loop share a connection and travel in one message. That saves a third of the processor time
 * of a small read.
 */
export const lookUpTogether = (connections: Connections, readOn: ReadOn): Database['lookUp'] => {
  let waiting: LookUp[] = [];

  const sendGroup = async (tenant: Tenant, group: LookUp[]): Promise<void> => {
    try {
      const reads = group.map(({ read }) => read);
      const results = await connections.use(tenant, readOn(tenant, reads), lookUpMs);
      group.forEach(({ resolve, reject }, i) => {
        const result = results[i]!;
        if (result.status === 'fulfilled') resolve(result.value);
        else reject(result.reason);
      });
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  };

  const sendAll = (): void => {
    const byTenant = Map.groupBy(waiting, ({ tenant }) => tenant.organizationId);
    waiting = [];
    for (const [organizationId, all] of byTenant) {
      for (let at = 0; at < all.length; at += maxTogether)
        void sendGroup({ organizationId }, all.slice(at, at + maxTogether));
    }
  };

  return <T extends object>(tenant: Tenant, statement: (sql: Sql) => Statement<T>) => {
    const { promise, resolve, reject } = Promise.withResolvers<object[]>();
    waiting.push({ tenant, read: send(statement), resolve, reject });
    if (waiting.length === 1) setImmediate(sendAll);
    return promise as Promise<T[]>;
  };
};
