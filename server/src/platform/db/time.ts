import { type Database, type Sql, type Statement, system } from './database.ts';

const selectTime = (sql: Sql): Statement<{ ms: number }> =>
  sql<{ ms: number }[]>`select floor(extract(epoch from now()) * 1000)::float8 as ms`;

/**
 * Returns the time of the database, in a transaction that of its beginning. Times that several processes compare are taken from it,
 * because the clocks of their machines differ.
 */
export const timeIn = async (tx: Sql): Promise<Date> => new Date((await selectTime(tx))[0]!.ms);

export const databaseTime = async (db: Pick<Database, 'lookUp'>): Promise<Date> =>
  new Date((await db.lookUp(system, selectTime))[0]!.ms);
