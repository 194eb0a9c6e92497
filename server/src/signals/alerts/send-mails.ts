import { type Database, system } from '../../platform/db/database.ts';
import { databaseTime } from '../../platform/db/time.ts';
import type { Owner } from '../../platform/http/scope.ts';
import { type AddressLinks, confirmDays } from '../addresses/links.ts';
import { countAskedOfAll, findAddress, listReceivers } from '../addresses/queries.ts';
import { stopPath } from '../addresses/routes.ts';
import { type Message, mailOf, type OwnerLinks, questionMail } from './message.ts';
import { findOrganizationName } from './queries.ts';
import type { Sender, Sent } from './send.ts';

/** Outcome of the mails of one delivery. */
export type Mailed = Sent & { receivers: { deliveredTo: string[]; unconfirmed: string[] } };

/** What is mailed, to whom, and who has it already. */
export type Mailing = { id: string; target: string; message: Message; deliveredTo: string[] };

/** Questions to one address in a day, of all organizations together. */
const asksOfAll = 5;

export type MailDeps = { db: Database; sender: Sender; links: AddressLinks };

const ownerLinksOf = ({ sender, links }: MailDeps, owner: Owner, address: string): OwnerLinks => {
  const token = links.stop(owner, address);
  return {
    stopUrl: `${sender.publicUrl}/mail-address#${token}`,
    oneClickUrl: `${sender.publicUrl}${stopPath}?token=${token}`,
  };
};

const refused = (error: string): Sent => ({ ok: false, status: null, error, retryable: false });

const withoutUrl = refused('The operator has not set DOKIMA_PUBLIC_URL.');

/** The one outcome of several mails: the failed ones count, and one that may succeed later makes it so for all. */
const outcomeOf = (mails: { address: string; sent: Sent }[], unconfirmed: string[]): Sent => {
  const failed = mails.flatMap(({ address, sent }) => (sent.ok ? [] : [{ address, ...sent }]));
  if (failed.length > 0) {
    const error = failed.map((one) => `${one.address}: ${one.error}`).join('; ');
    const status = failed[0]!.status;
    return { ok: false, status, error, retryable: failed.some(({ retryable }) => retryable) };
  }
  if (mails.length > 0 || unconfirmed.length === 0) return { ok: true, status: null };
  return refused(
    `Nothing was sent: the owners of ${unconfirmed.join(', ')} have not confirmed their addresses.`,
  );
};

/** Sends a message to each address of an alert that gets mails and does not have it yet, one mail each: no one sees the other addresses. */
export const sendMails = async (deps: MailDeps, owner: Owner, mailing: Mailing): Promise<Mailed> => {
  const { db, sender } = deps;
  const { id, target, message } = mailing;
  const all = await db.read({ organizationId: owner.organizationId }, (sql) =>
    listReceivers(sql, owner, target),
  );
  const unconfirmed = all
    .filter(({ state }) => state === 'waiting' || state === 'stopped')
    .map(({ address }) => address);
  const deliveredTo = [...mailing.deliveredTo];
  const mails: { address: string; sent: Sent }[] = [];
  for (const { address, state } of all) {
    if (unconfirmed.includes(address) || deliveredTo.includes(address)) continue;
    const isOutside = state === 'confirmed';
    const links = isOutside ? ownerLinksOf(deps, owner, address) : undefined;
    // Without an address of the service, the mail could not be stopped.
    const sent =
      isOutside && sender.publicUrl === undefined
        ? withoutUrl
        : await sender.mail(id, mailOf(address, message, sender.publicUrl, links));
    mails.push({ address, sent });
    if (sent.ok) deliveredTo.push(address);
    // The server did not answer: it would not for the others either, each after its own wait.
    else if (sent.retryable && sent.status === null) break;
  }
  return {
    ...outcomeOf(mails, deliveredTo.length > 0 ? [] : unconfirmed),
    receivers: { deliveredTo, unconfirmed },
  };
};

/** Asks the owner of an address, unless there is nothing to ask any more. */
export const sendQuestion = async (
  deps: MailDeps,
  owner: Owner,
  { id, target, message, createdAt }: Mailing & { createdAt: string },
): Promise<Sent> => {
  const { db, sender, links } = deps;
  const { address } = message.facts as { address: string };
  const { found, asked, name } = await db.transaction(system, async (tx) => ({
    found: (await findAddress(tx, owner, address))[0]!,
    asked: (await countAskedOfAll(tx, address, createdAt))[0]!.n,
    name: (await findOrganizationName(tx, owner))[0]!.name,
  }));
  if (found.state !== 'waiting' || !target.split(', ').includes(address))
    return refused(
      `There was nothing left to ask: ${address} is ${found.state === 'waiting' ? 'gone' : found.state}.`,
    );
  if (asked > asksOfAll) return refused(`${address} was asked too often in a day. Ask again tomorrow.`);
  if (sender.publicUrl === undefined) return withoutUrl;
  const token = links.confirm(owner, address, found.version, await databaseTime(db));
  const confirmUrl = `${sender.publicUrl}/mail-address#${token}`;
  const ownerLinks = ownerLinksOf(deps, owner, address);
  return sender.mail(id, questionMail(address, name, { ...ownerLinks, confirmUrl, days: confirmDays }));
};
