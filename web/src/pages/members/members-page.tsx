import { useQuery } from '@tanstack/react-query';
import { Link2 } from 'lucide-react';
import { useState } from 'react';
import { etagOf } from '../../../../client/src/etags.ts';
import { api } from '../../api.ts';
import { requireAsRead } from '../../as-read.ts';
import { ManagedTable } from '../../managed-table.tsx';
import { membersQuery, useMay, useMe } from '../../resources/session/me.ts';
import { RoleSelect } from '../../resources/session/role-select.tsx';
import type { Member } from '../../types.ts';
import { Avatar, Badge } from '../../ui/badge.tsx';
import { Time } from '../../ui/time.tsx';
import { Directory } from './directory.tsx';
import { InviteDialog, LinkDialog, passwordsQuery, type ShownLink } from './invite-dialog.tsx';
import { OrganizationHead } from './organization-name.tsx';
import { SingleSignOn } from './single-sign-on.tsx';

const MemberName = ({
  member: { id, name, active, hasPassword, hasSignedInWithSso },
}: {
  member: Member;
}) => (
  <span className="flex flex-wrap items-center gap-2">
    <Avatar name={name} />
    <span className="font-medium break-words">{name}</span>
    {id === useMe().user.id && <Badge>you</Badge>}
    {!active && <Badge tone="warn">deactivated</Badge>}
    {active && !hasPassword && !hasSignedInWithSso && <Badge tone="warn">has not joined yet</Badge>}
  </span>
);

export const MembersPage = () => {
  const { administer } = useMay();
  const { data: hasPasswords = true } = useQuery(passwordsQuery);
  const [link, setLink] = useState<ShownLink>();
  return (
    <ManagedTable
      title="Members"
      noun="member"
      createLabel="Invite"
      list={membersQuery}
      may={administer}
      above={<OrganizationHead />}
      columns={[
        { head: 'Name', cell: (member) => <MemberName member={member} /> },
        { head: 'E-mail', className: 'text-soft', cell: ({ email }) => email },
        {
          head: 'Role',
          className: 'min-w-32',
          cell: (member) => (
            <RoleSelect
              person={member}
              may={administer}
              send={async (role) => {
                const now = requireAsRead(await api.getMember(member.id), member, ['role']);
                return api.updateMember(member.id, { role }, { ifMatch: etagOf(now) });
              }}
              meta={{ refreshes: [membersQuery.queryKey] }}
            />
          ),
        },
        { head: 'Since', className: 'text-soft', cell: ({ createdAt }) => <Time at={createdAt} /> },
      ]}
      fixed
      form={(form) => <InviteDialog {...form} />}
      actions={(member) => ({
        ...(hasPasswords && {
          link: {
            icon: Link2,
            label: `Create a sign-in link for ${member.name}`,
            send: async () => setLink({ member, link: await api.createSignInLink(member.id) }),
          },
        }),
      })}
      remove={{
        verb: 'Remove',
        send: api.deleteMember,
        warning: 'Their keys and sessions end immediately. Everything they wrote stays.',
      }}
    >
      <SingleSignOn />
      <Directory />
      {link && <LinkDialog shown={link} onClose={() => setLink(undefined)} />}
    </ManagedTable>
  );
};
