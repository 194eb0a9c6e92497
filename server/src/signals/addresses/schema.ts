import { Type } from 'typebox';
import { named } from '../../platform/named-schema.ts';
import { oneOf } from '../../platform/one-of.ts';

/** Whether an address gets mails of the organization. */
export const addressStates = ['member', 'confirmed', 'waiting', 'stopped'] as const;
export type AddressState = (typeof addressStates)[number];

const nullableTime = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

export const MailAddress = named(
  'MailAddress',
  Type.Object(
    {
      address: Type.String({ description: 'E-mail address.' }),
      state: oneOf(
        addressStates,
        'member: a member of the organization has this address, and did not choose it themselves. confirmed: its owner wants the mails. waiting: its owner has not answered yet. stopped: its owner does not want them. Only member and confirmed get mails.',
      ),
      askedAt: nullableTime('When its owner was last asked; null if never.'),
    },
    { description: 'Address to which an alert sends mails.' },
  ),
);

const token = Type.String({
  minLength: 1,
  maxLength: 2000,
  description: 'The part of the link behind the #.',
});
export const AddressToken = Type.Object({ token }, { additionalProperties: false });

export const AddressQuestion = named(
  'AddressQuestion',
  Type.Object(
    {
      does: oneOf(['confirm', 'stop'], 'What the link does: it begins or ends the mails.'),
      address: Type.String({ description: 'E-mail address that the link is for.' }),
      organizationName: Type.String({ description: 'Name of the organization that sends the mails.' }),
      answered: Type.Boolean({ description: 'Whether it is so already.' }),
    },
    { description: 'What a link in a mail is for.' },
  ),
);
