import { type Static, Type } from 'typebox';
import { named, ref } from '../../platform/named-schema.ts';
import { Member, MemberEmail, MemberName } from '../members/schema.ts';
import { SignInLink } from '../sign-ins/schema.ts';

const name = Type.String({ minLength: 1, maxLength: 200, description: 'Name of the organization.' });

const judgeModelName = Type.Union([Type.String({ minLength: 1, maxLength: 600 }), Type.Null()], {
  description: 'Model of AI metrics that name none, such as openai/<model>; null for DOKIMA_JUDGE_MODEL.',
});

const reportLinks = Type.Boolean({
  description:
    'Whether members may make links that show a report without an account. If not, existing links show nothing.',
});

export const Organization = named(
  'Organization',
  Type.Object(
    {
      id: Type.String({ description: 'Id of the organization.' }),
      name,
      judgeModelName,
      reportLinks,
      numMembers: Type.Integer({ description: 'Number of its active members.' }),
      createdAt: Type.String({ description: 'When it was created.' }),
    },
    { description: 'An organization on this service, as the operator sees it.' },
  ),
);

export const OrganizationCreated = named(
  'OrganizationCreated',
  Type.Object(
    { organization: ref(Organization), user: ref(Member), signInLink: ref(SignInLink) },
    { description: 'A new organization, its first admin, and the link with which they choose a password.' },
  ),
);

export const OrganizationCreate = Type.Object(
  {
    name,
    adminEmail: MemberEmail,
    adminName: Type.Optional(MemberName),
  },
  { additionalProperties: false },
);
export type OrganizationCreate = Static<typeof OrganizationCreate>;

export const OrganizationUpdate = Type.Object({ name }, { additionalProperties: false });

export const OwnOrganizationUpdate = Type.Object(
  {
    name: Type.Optional(name),
    judgeModelName: Type.Optional(judgeModelName),
    reportLinks: Type.Optional(reportLinks),
  },
  { additionalProperties: false, minProperties: 1 },
);
export type OwnOrganizationUpdate = Static<typeof OwnOrganizationUpdate>;

export const OperatorLinkCreate = Type.Object({ email: MemberEmail }, { additionalProperties: false });
