import { asTenant } from '../../platform/db/as-tenant.ts';
import { type Sql, system } from '../../platform/db/database.ts';
import { type Owner, type Scope, serviceScope } from '../../platform/http/scope.ts';

/** The service itself, writing in a vault. */
export const vaultScope = (vaultId: bigint): Scope => ({ ...serviceScope(vaultId), access: 'full' });

/**
 * Runs `work` in the vault of an organization, in the same transaction. Makes the vault the first time. A vault is an organization without
 * members and keys, so the tenancy of every statement hides it from every request, and row-level security once more (docs/decisions/0273).
 */
export const inVault = <T>(tx: Sql, own: Owner, work: (vault: Scope) => Promise<T>): Promise<T> =>
  asTenant(tx, own, system, async () => {
    await tx`
      insert into organization (name, vault_of) values ('Vault', ${own.organizationId}) on conflict (vault_of) do nothing`;
    const [vault] = await tx<
      { id: bigint }[]
    >`select id from organization where vault_of = ${own.organizationId}`;
    return work(vaultScope(vault!.id));
  });
