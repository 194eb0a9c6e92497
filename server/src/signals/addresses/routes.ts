import type { KeyObject } from 'node:crypto';
import { type Database, system } from '../../platform/db/database.ts';
import { databaseTime, timeIn } from '../../platform/db/time.ts';
import { ApiError } from '../../platform/errors.ts';
import { insertAuditEvent } from '../../platform/http/audit.ts';
import { type App, publicBodyLimitBytes } from '../../platform/http/http.ts';
import { Success, successBody } from '../../platform/http/openapi.ts';
import { ref } from '../../platform/named-schema.ts';
import { type AddressLinks, type Link, openAddressLinks } from './links.ts';
import { confirmAddress, findQuestion, stopAddress } from './queries.ts';
import { AddressQuestion, AddressToken } from './schema.ts';

const tags = ['Alerts'];

type AddressDeps = { db: Database; addressKey: KeyObject };

const linkEnded = () =>
  new ApiError(
    'UNAUTHORIZED',
    'This link does not work, or no longer. Ask the people who sent it for a new one.',
  );

const ownerOf = ({ organizationId }: Link) => ({ organizationId: BigInt(organizationId) });

/** Does what a link is for, and notes it in the audit log if it changed anything. Throws 401 for a link that no longer works. */
const follow = async (db: Database, links: AddressLinks, token: string, ip: string): Promise<void> => {
  await db.transaction(system, async (tx) => {
    const link = links.read(token, await timeIn(tx));
    if (!link) throw linkEnded();
    const owner = ownerOf(link);
    const { does, address, version = 0 } = link;
    const note = (operation: string) =>
      insertAuditEvent(
        tx,
        { ...owner, address: ip },
        { operation, resource: 'Alerts', after: JSON.stringify({ address }) },
      );
    if (does === 'stop') {
      if ((await stopAddress(tx, owner, address)).length > 0) await note('stopMailAddress');
      return;
    }
    const [confirmed] = await confirmAddress(tx, owner, { address, version });
    if (!confirmed) throw linkEnded();
    if (!confirmed.wasConfirmed) await note('confirmMailAddress');
  });
};

/** What the owners of addresses do with the links in their mails. Only a POST changes anything: programs that scan mails open links. */
export const addressRoutes = (app: App, { db, addressKey }: AddressDeps): void => {
  const links = openAddressLinks(addressKey);
  const described = { tags, security: [] as [], body: AddressToken };
  const options = { bodyLimit: publicBodyLimitBytes, config: { public: true } };

  app.post(
    '/mail-addresses/find',
    {
      ...options,
      schema: {
        operationId: 'getAddressQuestion',
        summary: 'Get what a link in a mail is for.',
        description: 'It is a POST, so that no log contains the token.',
        ...described,
        response: { 200: ref(AddressQuestion) },
      },
    },
    async (request, reply) => {
      const link = links.read(request.body.token, await databaseTime(db));
      const [found] = link ? await db.read(system, (sql) => findQuestion(sql, ownerOf(link), link)) : [];
      if (!found) throw linkEnded();
      return reply.json(found.body);
    },
  );

  app.post(
    '/mail-addresses/redeem',
    {
      ...options,
      schema: {
        operationId: 'redeemAddressLink',
        summary: 'Confirm an address, or stop the mails to it.',
        description: 'The link says which.',
        ...described,
        response: { 200: ref(Success) },
      },
    },
    async (request, reply) => {
      await follow(db, links, request.body.token, request.ip);
      return reply.json(successBody);
    },
  );
};

/** Where the header List-Unsubscribe leads. */
export const stopPath = '/mail-address/stop';

/**
 * The address in the header List-Unsubscribe: mail programs send a POST to it when their user presses their own button (RFC 8058), and others open
 * the page. It is not part of the API.
 */
export const stopRoutes = (
  app: App,
  { db, addressKey, publicUrl }: AddressDeps & { publicUrl: string },
): void => {
  const links = openAddressLinks(addressKey);
  const tokenOf = (query: unknown): string => {
    const { token } = query as { token?: unknown };
    return typeof token === 'string' ? token : '';
  };
  // The body says "List-Unsubscribe=One-Click", in one of two types, and nothing else.
  app.addContentTypeParser('*', (_request, payload, done) => {
    payload.resume();
    payload.on('end', () => done(null));
    payload.on('error', done);
  });
  const options = { bodyLimit: publicBodyLimitBytes, schema: { hide: true } };
  app.get(stopPath, options, (request, reply) =>
    reply
      .header('cache-control', 'no-store')
      .header('referrer-policy', 'no-referrer')
      .redirect(`${publicUrl}/mail-address#${encodeURIComponent(tokenOf(request.query))}`),
  );
  app.post(stopPath, options, async (request, reply) => {
    const token = tokenOf(request.query);
    if (links.read(token, await databaseTime(db))?.does !== 'stop') throw linkEnded();
    await follow(db, links, token, request.ip);
    return reply.header('cache-control', 'no-store').json(successBody);
  });
};
