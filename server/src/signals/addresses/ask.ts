import type { Sql } from '../../platform/db/database.ts';
import { conflict, rateLimited } from '../../platform/errors.ts';
import type { Owner } from '../../platform/http/scope.ts';
import { countAsked, findAddress, listUnasked, lockAsking, noteAsked, quietDays } from './queries.ts';

/** Questions of an organization in a day, and questions to one address: an admin of a project must not flood other people. */
export const [asksOfOrganization, asksOfAddress] = [50, 3];

const day = 86_400;

/** Throws 429 if the organization has asked too many owners today. */
const requireFewAsks = async (tx: Sql, owner: Owner, more: number): Promise<void> => {
  const [asked] = await countAsked(tx, owner);
  if (asked!.n + more > asksOfOrganization) throw rateLimited(day, 'mails to confirm addresses');
};

/** Notes a question to each address of `target` whose owner no link that works has reached, and returns them. Throws 429 if they are too many. */
export const askUnasked = async (tx: Sql, owner: Owner, target: string): Promise<string[]> => {
  await lockAsking(tx, owner);
  const addresses = (await listUnasked(tx, owner, target)).map(({ address }) => address);
  if (addresses.length === 0) return [];
  await requireFewAsks(tx, owner, addresses.length);
  for (const address of addresses) await noteAsked(tx, owner, address);
  return addresses;
};

/** Notes another question to one address. Throws 409 if there is nothing to ask, 429 if its owner was asked too often. */
export const askAgain = async (tx: Sql, owner: Owner, address: string): Promise<void> => {
  await lockAsking(tx, owner);
  const [found] = await findAddress(tx, owner, address);
  const { state, askedToday, mayAskStopped } = found!;
  if (state === 'member' || state === 'confirmed')
    throw conflict(`${address} gets mails already.`, { address, state });
  if (state === 'stopped' && !mayAskStopped)
    throw conflict(
      `The owner of ${address} has stopped these mails. You can ask again ${quietDays} days after that.`,
      { address, state },
    );
  if ((askedToday ?? 0) >= asksOfAddress) throw rateLimited(day, `mails to ${address}`);
  await requireFewAsks(tx, owner, 1);
  await noteAsked(tx, owner, address);
};
