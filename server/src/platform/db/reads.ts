import type { Connection, Connections } from './connections.ts';
import {
  type Database,
  isConnectionLost,
  type Sql,
  type Statement,
  type Tenant,
  takeRows,
} from './database.ts';

/** Sends a statement at once, without waiting for anything, and resolves to its rows. */
type Send = (sql: Sql) => Promise<object[]>;
const send =
  <T extends object>(statement: (sql: Sql) => Statement<T>): Send =>
  async (sql) =>
    takeRows(await statement(sql).execute());

/**
 * Reads on a connection that reads for this tenant already or that learns to on the way, all sent at once; one that fails leaves
 * the others be. With `begin` and `commit` around it, a small read cost PostgreSQL and this process half as much
 * again (docs/decisions/0004).
 */
const readOn =
  ({ organizationId }: Tenant, reads: Send[]) =>
  async (connection: Connection): Promise<PromiseSettledResult<object[]>[]> => {
    const { sql, reader } = connection;
    connection.reader = undefined;
    const change =
      reader === organizationId
        ? undefined
        : sql.unsafe(`set dokima.organization = '${organizationId}'`).execute();
    const [changed, ...results] = await Promise.allSettled([change, ...reads.map((read) => read(sql))]);
    // Then what was read is another tenant's.
    if (changed.status === 'rejected') throw changed.reason;
    connection.reader = organizationId;
    const lost = results.find((result) => result.status === 'rejected' && isConnectionLost(result.reason));
    if (lost?.status === 'rejected') throw lost.reason;
    return results;
  };

/** Each read on a connection that nothing else uses meanwhile. */
export const readAlone =
  (connections: Connections): Database['read'] =>
  async <T extends object>(tenant: Tenant, statement: (sql: Sql) => Statement<T>) => {
    const [result] = await connections.use(tenant, readOn(tenant, [send(statement)]));
    if (result!.status === 'rejected') throw result!.reason;
    return result!.value as T[];
  };

/** Most look-ups that share a connection: more at once are spread over several. */
const maxTogether = 16;

/** Longest that look-ups of a millisecond may take. Each request makes one first, so this is how soon a frozen database is said to be one. */
const lookUpMs = 10_000;

type LookUp = {
  tenant: Tenant;
  read: Send;
  resolve: (rows: object[]) => void;
  reject: (error: unknown) => void;
};

/**
 * Look-ups that come in one turn of the event loop share a connection: one message there and one back instead of many, which is
 * most of what a small read costs.
 */
export const lookUpTogether = (connections: Connections): Database['lookUp'] => {
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
