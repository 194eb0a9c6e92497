import { type Database, type Sql, system } from '../../platform/db/database.ts';
import { newUuid } from '../../platform/http/ids.ts';
import { newApiKey } from '../keys/api-key.ts';
import { insertKey } from '../keys/queries.ts';
import { insertMember } from '../members/queries.ts';
import { createLink } from '../sign-ins/sign-in.ts';

export type NewOrganization = { organizationId: bigint; memberId: string; key: string };

type FirstMember = { organizationId: bigint; memberId: string };

const insertOrganization = async (
  tx: Sql,
  name: string,
  admin: { name: string; email: string },
): Promise<FirstMember> => {
  const [organization] = await tx<
    { id: bigint }[]
  >`insert into organization (name) values (${name}) returning id`;
  const first = { organizationId: organization!.id, memberId: newUuid() };
  await insertMember(tx, first, first.memberId, { ...admin, role: 'admin' });
  return first;
};

/** Creates an organization with its first admin, and a link with which they choose a password. */
export const createInvitedOrganization = async (
  tx: Sql,
  name: string,
  admin: { name: string; email: string },
): Promise<FirstMember & { token: string; expiresAt: string }> => {
  const first = await insertOrganization(tx, name, admin);
  return { ...first, ...(await createLink(tx, first, 'operator')) };
};

/** Creates an organization with its first admin and an API key with full access. */
export const createOrganization = async (
  tx: Sql,
  name: string,
  key: string = newApiKey(),
): Promise<NewOrganization> => {
  const admin = { name: 'Admin', email: 'admin@localhost.localdomain' };
  const scope = await insertOrganization(tx, name, admin);
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
