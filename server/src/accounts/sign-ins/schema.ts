import { type Static, Type } from 'typebox';
import { named, ref } from '../../platform/named-schema.ts';
import { Member, MemberEmail, MemberName, MemberRole, Rights } from '../members/schema.ts';

const password = Type.String({
  minLength: 10,
  maxLength: 200,
  description: 'The new password, 10 to 200 characters.',
});
const token = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'The part of a sign-in link after the #.',
});
const organization = Type.Object(
  {
    id: Type.String({ description: 'Id of the organization.' }),
    name: Type.String({ description: 'Name of the organization.' }),
  },
  { description: 'Organization of the member.' },
);

export const Credentials = Type.Object(
  {
    email: Type.String({ maxLength: 320, description: 'E-mail address of the member.' }),
    password: Type.String({ maxLength: 200, description: 'Password of the member.' }),
  },
  { additionalProperties: false },
);
export type Credentials = Static<typeof Credentials>;

const OrganizationChoice = Type.Object(
  {
    id: Type.String({ description: 'Id of the organization.' }),
    name: Type.String({ description: 'Name of the organization.' }),
    role: MemberRole,
    current: Type.Boolean({ description: 'Whether the session is of this organization now.' }),
    joined: Type.Boolean({
      description:
        'Whether you have joined it. False after single sign-on for an organization whose admins added your address: a switch with `join` joins it.',
    }),
  },
  { description: 'An organization of the person.' },
);
const choices = Type.Array(OrganizationChoice, {
  description:
    'Organizations of the person, the current one included, by name. Empty for a key, which belongs to one organization.',
});

export const Me = named(
  'Me',
  Type.Object(
    {
      organization: Type.Object(
        {
          id: Type.String({ description: 'Id of the organization.' }),
          name: Type.String({ description: 'Name of the organization.' }),
          reportLinks: Type.Boolean({
            description: 'Whether members may make links that show a report without an account.',
          }),
        },
        { description: 'The organization that the request belongs to.' },
      ),
      user: ref(Member),
      rights: Rights('Your rights in the organization. A project may give you others.'),
      key: Type.Union(
        [
          Type.Object({
            id: Type.String({ description: 'Id of the key.' }),
            name: Type.String({ description: 'Name of the key.' }),
            prefix: Type.String({ description: 'First characters of the key.' }),
            access: Type.Union([Type.Literal('full'), Type.Literal('read')], {
              description: 'Rights of the key.',
            }),
            expiresAt: Type.Union([Type.String(), Type.Null()], {
              description: 'When it expires; null if never.',
            }),
          }),
          Type.Null(),
        ],
        { description: 'Key of this request; null if a signed-in person sent it.' },
      ),
      organizations: choices,
      position: Type.String({
        description:
          'Position of this answer in the streams of changes. Pass it as `since` to begin a stream after this answer.',
      }),
    },
    { description: 'Who sent this request.' },
  ),
);

export const OrganizationSwitch = Type.Object(
  {
    organizationId: Type.String({ description: 'Id of the organization to switch to.' }),
    join: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Whether to join it first, if its admins added you and you have not joined it yet.',
      }),
    ),
  },
  { additionalProperties: false },
);

export const SignIn = named(
  'SignIn',
  Type.Object(
    {
      id: Type.String({ description: 'Id of the sign-in.' }),
      user: ref(Member),
      expiresAt: Type.String({ description: 'When it expires.' }),
      organizations: choices,
    },
    { description: 'Sign-in of a person. The answer sets the cookie of its session.' },
  ),
);

export const PasswordChange = Type.Object(
  {
    currentPassword: Type.String({ maxLength: 200, description: 'The current password.' }),
    newPassword: password,
  },
  { additionalProperties: false },
);

export const SignInOptions = named(
  'SignInOptions',
  Type.Object(
    {
      hasPasswords: Type.Boolean({ description: 'Whether members can sign in with a password.' }),
      sso: Type.Union(
        [
          Type.Object({
            name: Type.String({ description: 'Name of the provider.' }),
            path: Type.String({ description: 'Path that begins the sign-in in a browser.' }),
          }),
          Type.Null(),
        ],
        { description: 'Single sign-on; null when it is off.' },
      ),
    },
    { description: 'The ways to sign in.' },
  ),
);

export const SignInLink = named(
  'SignInLink',
  Type.Object(
    {
      url: Type.String({
        description: 'The link to give to the member. The first person who uses it chooses the password.',
      }),
      expiresAt: Type.String({ description: 'When it expires.' }),
    },
    { description: 'Link with which a member chooses a password, the first or a new one.' },
  ),
);

export const SignInLinkFind = Type.Object({ token }, { additionalProperties: false });

export const SignInLinkTarget = named(
  'SignInLinkTarget',
  Type.Object(
    {
      organization,
      user: ref(Member),
      passwordless: Type.Boolean({
        description:
          'Whether it asks a person who came by single sign-on if they enter the organization. Such a link takes no password.',
      }),
      replacedSession: Type.Union(
        [
          Type.Object({
            email: Type.String({ description: 'E-mail address of its member.' }),
            organizationName: Type.String({ description: 'Name of its organization.' }),
          }),
          Type.Null(),
        ],
        {
          description:
            'Session of another member in this browser, which the link would replace; null if none.',
        },
      ),
    },
    { description: 'The member whom a sign-in link is for.' },
  ),
);

export const SignInLinkRedeem = Type.Object(
  {
    token,
    password: Type.Optional(password),
    name: Type.Optional(MemberName),
    email: Type.Optional(MemberEmail),
  },
  { additionalProperties: false },
);
export type SignInLinkRedeem = Static<typeof SignInLinkRedeem>;
