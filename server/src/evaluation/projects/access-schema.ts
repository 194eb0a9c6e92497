import { type Static, Type } from 'typebox';
import { MemberRole, Rights } from '../../accounts/members/schema.ts';
import { named } from '../../platform/named-schema.ts';
import { oneOf } from '../../platform/one-of.ts';

export const restricted = Type.Boolean({
  description: "Whether only the project's members and the organization's admins see the project.",
});

export const ProjectMember = Type.Object(
  { userId: Type.String({ description: 'Id of the member.' }), role: MemberRole },
  { description: 'A member of the project and the role that it gives them.' },
);

export const ProjectAccess = named(
  'ProjectAccess',
  Type.Object(
    {
      restricted,
      projectName: Type.String({ description: 'Name of the project.' }),
      members: Type.Array(ProjectMember, {
        description: 'Members to whom the project gives a role, in the order in which they got it.',
      }),
      rights: Rights('Your rights in the project.'),
      uses: Type.Array(oneOf(['review', 'production'], 'A use.'), {
        description:
          'What the project is used for beside evaluations. review: it has a metric that people score, or a side-by-side comparison. production: it has traces, a monitor or an alert.',
      }),
      numToReview: Type.Integer({
        minimum: 0,
        maximum: 100,
        description: 'Number of records that wait for your score, at most 100; 0 if you may not review.',
      }),
    },
    { description: 'Who may do what in a project.' },
  ),
);

export const ProjectMemberUpdate = Type.Object({ role: MemberRole }, { additionalProperties: false });
export type ProjectMemberUpdate = Static<typeof ProjectMemberUpdate>;
