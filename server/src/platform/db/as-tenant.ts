import { type Sql, setTenant, type Tenant } from './database.ts';

/**
 * Runs `work` in the same transaction with the rows of another tenant, and returns to `own`. If `work` throws, the transaction ends, and its
 * tenant with it.
 */
export const asTenant = async <T>(
  tx: Sql,
  own: Tenant,
  other: Tenant,
  work: () => Promise<T>,
): Promise<T> => {
  await tx.unsafe(setTenant(other));
  const result = await work();
  await tx.unsafe(setTenant(own));
  return result;
};
