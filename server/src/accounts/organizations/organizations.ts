import { type Database, type Sql, system } from '../../platform/db/database.ts';
import { newUuid } from '../../platform/http/ids.ts';
import { newApiKey } from '../keys/api-key.ts';
import { insertKey } from '../keys/queries.ts';
import { insertMember } from '../members/queries.ts';

export type NewOrganization = { organizationId: bigint; memberId: string; key: string };

/** Creates an organization with its first admin and an API key with full access. */
export const createOrganization = async (
  tx: Sql,
  name: string,
  key: string = newApiKey(),
): Promise<NewOrganization> => {
  const [organization] = await tx<
    { id: bigint }[]
  >`insert into organization (name) values (${name}) returning id`;
  const scope = { organizationId: organization!.id, memberId: newUuid() };
  await insertMember(tx, scope, scope.memberId, {
    name: 'Admin',
    email: 'admin@localhost.localdomain',
    role: 'admin',
  });
  await insertKey(tx, scope, newUuid(), key, { name: 'First key', access: 'full', expiresAt: null });
  return { ...scope, key };
};

/**
 * Creates the first organization and its key at the first start; returns undefined when there is an organization. An advisory lock
 * lets one of several starting processes create it. The key is stored only as a hash, so `show` is called before the commit: a key
 * that is valid has been printed.
 */
export const bootstrap = (
  db: Database,
  given: string | undefined,
  show: (key: string) => void,
): Promise<NewOrganization | undefined> =>
  db.transaction(system, async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtext('dokima bootstrap'))`;
    const existing = await tx`select from organization limit 1`;
    if (existing.count > 0) return undefined;
    const made = await createOrganization(tx, 'My organization', given);
    if (given === undefined) show(made.key);
    return made;
  });
