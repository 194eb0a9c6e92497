import { type Static, Type } from 'typebox';
import { named, ref } from '../../platform/http/openapi.ts';
import { Member, MemberEmail, MemberName } from '../members/schema.ts';

const password = Type.String({
  minLength: 10,
  maxLength: 200,
  description: 'The password: 10 to 200 characters.',
});
const token = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'What stands behind the # in a sign-in link.',
});
const organization = Type.Object(
  {
    id: Type.String({ description: 'Id of the organization.' }),
    name: Type.String({ description: 'Name of the organization.' }),
  },
  { description: 'The organization of the member.' },
);

export const SignIn = Type.Object(
  {
    email: Type.String({ maxLength: 320, description: 'E-mail address of the member.' }),
    password: Type.String({ maxLength: 200, description: 'Their password.' }),
  },
  { additionalProperties: false },
);
export type SignIn = Static<typeof SignIn>;

export const Session = named(
  'Session',
  Type.Object(
    {
      id: Type.String({ description: 'Id of the session.' }),
      user: ref(Member),
      expiresAt: Type.String({ description: 'When it ends by itself.' }),
    },
    { description: 'A person who is signed in. The answer sets the cookie that further requests carry.' },
  ),
);

export const PasswordChange = Type.Object(
  {
    currentPassword: Type.String({ maxLength: 200, description: 'The password until now.' }),
    newPassword: password,
  },
  { additionalProperties: false },
);

export const SignInLink = named(
  'SignInLink',
  Type.Object(
    {
      url: Type.String({
        description: 'Give it to the member; whoever opens it chooses their password, once.',
      }),
      expiresAt: Type.String({ description: 'When it ends.' }),
    },
    { description: 'A link to choose a password: an invitation, or help for one who forgot theirs.' },
  ),
);

export const SignInLinkFind = Type.Object({ token }, { additionalProperties: false });

export const SignInLinkTarget = named(
  'SignInLinkTarget',
  Type.Object({ organization, user: ref(Member) }, { description: 'Whom a sign-in link is for.' }),
);

export const SignInLinkRedeem = Type.Object(
  { token, password, name: Type.Optional(MemberName), email: Type.Optional(MemberEmail) },
  { additionalProperties: false },
);
export type SignInLinkRedeem = Static<typeof SignInLinkRedeem>;
