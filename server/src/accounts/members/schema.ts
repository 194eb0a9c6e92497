import { type Static, Type } from 'typebox';
import { named } from '../../platform/http/openapi.ts';

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
      'admin: may do everything, including members and keys. member: may read and write. viewer: may read. annotator: sees the review queues, scores and annotates their records, and no more.',
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

export const Me = named(
  'Me',
  Type.Object(
    {
      organization: Type.Object(
        {
          id: Type.String({ description: 'Id of the organization.' }),
          name: Type.String({ description: 'Name of the organization.' }),
        },
        { description: 'The organization that the request belongs to.' },
      ),
      user: Type.Unsafe<Static<typeof Member.schema>>({ $ref: 'Member#' }),
      rights: Rights('What your role lets you do in the organization. A project may give you other rights.'),
      key: Type.Union(
        [
          Type.Object({
            id: Type.String({ description: 'Id of the key.' }),
            name: Type.String({ description: 'Name of the key.' }),
            prefix: Type.String({ description: 'First characters of the key.' }),
            access: Type.Union([Type.Literal('full'), Type.Literal('read')], {
              description: 'What the key may do.',
            }),
            expiresAt: Type.Union([Type.String(), Type.Null()], {
              description: 'When it expires; null if never.',
            }),
          }),
          Type.Null(),
        ],
        { description: 'Key of this request; null if a signed-in person sent it.' },
      ),
      position: Type.String({
        description:
          'Position of this answer in the streams of changes. With it as `since`, they begin after this answer.',
      }),
    },
    { description: 'Who sent this request.' },
  ),
);
