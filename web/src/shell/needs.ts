import type { May } from '../resources/session/me.ts';

/** What a page needs: the right, and what to ask an admin for. */
export type Need = { right: keyof May; says: string };

const needs = {
  read: {
    right: 'read',
    says: 'You may review here. Ask an admin for the role viewer or member to see this page.',
  },
  write: { right: 'write', says: 'It starts something. Ask an admin for the role member to see this page.' },
  administer: { right: 'administer', says: 'Only admins of the organization see this page.' },
} as const satisfies Record<string, Need>;

/** Pages for people who only review, and pages about themselves. */
const open =
  /^(?:\/|\/projects|\/projects\/\$projectId\/?|\/projects\/\$projectId\/(?:review|preferences(?:\/.*)?|records\/\$recordId)|\/settings\/account|\/guide.*)$/;
/** Pages that do nothing but make something, or ask a model. */
const making = /^\/projects\/\$projectId\/(?:runs\/new|runs\/simulate|first|metrics\/new|playground)$/;
const ofAdmins = /^\/settings\/(?:audit|files)$/;

/** What the page of a route needs; undefined for a page that each member may see. */
export const needOf = (route: string): Need | undefined => {
  if (open.test(route)) return undefined;
  if (ofAdmins.test(route)) return needs.administer;
  return making.test(route) ? needs.write : needs.read;
};
