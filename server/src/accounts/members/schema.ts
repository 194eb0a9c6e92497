import { type Static, Type } from 'typebox';
import { named } from '../../platform/named-schema.ts';

export const MemberName = Type.String({ minLength: 1, maxLength: 200, description: 'Name of the person.' });
export const MemberEmail = Type.String({
  pattern: String.raw`^[^@\s]+@[^@\s]+$`,
  maxLength: 320,
  expects: 'an e-mail address',
  description: 'E-mail address, unique in the organization.',
});
export const MemberRole = Type.Union(
  [Type.Literal('admin'), Type.Literal('member'), Type.Literal('annotator'), Type.Literal('viewer')],
  {
    description:
      'admin: may do everything, including members and keys. member: may read and write. viewer: may read. annotator: may only see the review queues and score and annotate their records.',
  },
);

export const Member = named(
  'Member',
  Type.Object(
    {
      id: Type.String({ description: 'Id of the member; the userId of what they write.' }),
      name: MemberName,
      email: MemberEmail,
      role: MemberRole,
      hasPassword: Type.Boolean({
        description: 'Whether the member has chosen a password with a sign-in link and so can sign in.',
      }),
      hasSignedInWithSso: Type.Boolean({
        description: 'Whether a single sign-on account belongs to the member.',
      }),
      active: Type.Boolean({
        description: 'False if the directory deactivated the member, who then has no access.',
      }),
      createdAt: Type.String({ description: 'When they became a member.' }),
    },
    { description: 'A person in the organization.' },
  ),
);

export const MemberCreate = Type.Object(
  { name: MemberName, email: MemberEmail, role: MemberRole },
  { additionalProperties: false },
);
export type MemberCreate = Static<typeof MemberCreate>;

export const MemberUpdate = Type.Object(
  { name: Type.Optional(MemberName), role: Type.Optional(MemberRole) },
  { additionalProperties: false, minProperties: 1 },
);
export type MemberUpdate = Static<typeof MemberUpdate>;

/** Rights of a member. */
export const Rights = (description: string) =>
  Type.Array(
    Type.Union([Type.Literal('read'), Type.Literal('review'), Type.Literal('write'), Type.Literal('admin')]),
    { description },
  );
