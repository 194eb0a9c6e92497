import { type Static, Type } from 'typebox';
import { MemberRole, Rights } from '../../accounts/members/schema.ts';
import { named } from '../../platform/named-schema.ts';

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
    },
    { description: 'Who may do what in a project.' },
  ),
);

export const ProjectMemberUpdate = Type.Object({ role: MemberRole }, { additionalProperties: false });
export type ProjectMemberUpdate = Static<typeof ProjectMemberUpdate>;
