import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { Type } from 'typebox';
import { validator } from '../../platform/validation.ts';

const lifetimeDays = 7;
const dayMs = 86_400_000;

/** Days after which a link to confirm an address has expired. */
export const confirmDays = lifetimeDays;

/** Who can confirm, or stop, mails of an organization to an address. */
export type Link = {
  does: 'confirm' | 'stop';
  organizationId: string;
  address: string;
  /** confirm: that of the address, which a stop raises. */
  version?: number | undefined;
  /** confirm: when the link expires, by the clock of the database. */
  until?: number | undefined;
};

const isLink = validator(
  Type.Object({
    does: Type.Union([Type.Literal('confirm'), Type.Literal('stop')]),
    organizationId: Type.String(),
    address: Type.String(),
    version: Type.Optional(Type.Integer()),
    until: Type.Optional(Type.Number()),
  }),
);

/** Makes and reads the signed links in mails. A link that stops mails never expires: mails are kept for years. */
export type AddressLinks = {
  confirm: (owner: { organizationId: bigint }, address: string, version: number, now: Date) => string;
  stop: (owner: { organizationId: bigint }, address: string) => string;
  /** Returns what a token is for; undefined if it is not genuine or has expired. */
  read: (token: string, now: Date) => Link | undefined;
};

export const openAddressLinks = (key: KeyObject): AddressLinks => {
  const sign = (text: string): Buffer => createHmac('sha256', key).update(text).digest();
  const tokenOf = (link: Link): string => {
    const text = Buffer.from(JSON.stringify(link)).toString('base64url');
    return `${text}.${sign(text).toString('base64url')}`;
  };
  return {
    confirm: ({ organizationId }, address, version, now) =>
      tokenOf({
        does: 'confirm',
        organizationId: String(organizationId),
        address,
        version,
        until: now.getTime() + lifetimeDays * dayMs,
      }),
    stop: ({ organizationId }, address) =>
      tokenOf({ does: 'stop', organizationId: String(organizationId), address }),
    read: (token, now) => {
      const [text = '', mac = ''] = token.split('.');
      const given = Buffer.from(mac, 'base64url');
      const expected = sign(text);
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
      const link = JSON.parse(Buffer.from(text, 'base64url').toString()) as Link;
      if (isLink(link).length > 0) return undefined;
      if (link.does === 'stop') return link;
      return link.version !== undefined && link.until !== undefined && now.getTime() < link.until
        ? link
        : undefined;
    },
  };
};
