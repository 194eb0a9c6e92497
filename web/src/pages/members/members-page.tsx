import { useMutation, useQuery } from '@tanstack/react-query';
import { Link2, Plus, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { api, apiQuery, issuesOf, keyOf } from '../../api.ts';
import { membersQuery, useMay, useMe } from '../../resources/session/me.ts';
import type { Member, SignInLink } from '../../types.ts';
import { Avatar, Badge } from '../../ui/badge.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/copy.tsx';
import { Confirm, Dialog, FormDialog } from '../../ui/dialog.tsx';
import { Input, Select } from '../../ui/field.tsx';
import { Page } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Cell, Row, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { sayError } from '../../ui/toast.tsx';
import { Directory } from './directory.tsx';
import { OrganizationName } from './organization-name.tsx';

type Role = Member['role'];

const roles: { value: Role; label: string }[] = [
  { value: 'viewer', label: 'Viewer: reads' },
  { value: 'annotator', label: 'Annotator: reviews' },
  { value: 'member', label: 'Member: reads and writes' },
  { value: 'admin', label: 'Admin: everything, members and keys too' },
];

const roleNames = roles.map(({ value, label }) => ({ value, label: label.split(':')[0]! }));

/** Whether members can have passwords, and so sign-in links. */
const useHasPasswords = (): boolean => {
  const { data } = useQuery({ ...apiQuery('getSignInOptions'), staleTime: 300_000 });
  return data?.hasPasswords ?? true;
};

/** Adds a member and creates their sign-in link. */
const Invite = ({ onClose, onLink }: { onClose: () => void; onLink: (link: ShownLink) => void }) => {
  const hasPasswords = useHasPasswords();
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('member');
  // The member of an attempt that failed before it had a link: the next attempt must not add the same person again.
  const added = useRef<Member>(undefined);
  const addMember = (): Promise<Member> =>
    added.current?.email === email
      ? api.updateMember(added.current.id, { name, role })
      : api.createMember({ name, email, role });
  const invite = useMutation({
    mutationFn: async () => {
      const member = await addMember();
      added.current = { ...member, email };
      // Where passwords are off, members sign in with single sign-on.
      return hasPasswords ? { member, link: await api.createSignInLink(member.id) } : undefined;
    },
    meta: { refreshes: [keyOf('listMembers')] },
    onSuccess: (made) => {
      onClose();
      if (made) onLink(made);
    },
  });
  const issue = issuesOf(invite.error);
  return (
    <FormDialog
      open
      onClose={onClose}
      title="Invite a member"
      description={
        hasPasswords
          ? 'You get a sign-in link to send to them.'
          : 'They sign in with single sign-on, by this address.'
      }
      write={invite}
      action="Invite"
    >
      <Input label="Name" required error={issue('/name')} value={name} onChange={setName} />
      <Input label="E-mail" type="email" required error={issue('/email')} value={email} onChange={setEmail} />
      <Select label="Role" options={roles} value={role} onChange={setRole} />
    </FormDialog>
  );
};

type ShownLink = { member: Member; link: SignInLink };

const LinkDialog = ({ shown, onClose }: { shown: ShownLink | undefined; onClose: () => void }) => (
  <Dialog
    open={shown !== undefined}
    onClose={onClose}
    title={`A link for ${shown?.member.name}`}
    description="The first person to open the link chooses the password. Give it only to this member. It is not shown again."
  >
    {shown && (
      <>
        <CodeBlock text={shown.link.url} label="Copy the link" />
        <p className="mt-2 text-soft">
          It expires <Time at={shown.link.expiresAt} />.
        </p>
      </>
    )}
  </Dialog>
);

export const MembersPage = () => {
  const members = useQuery(membersQuery);
  const me = useMe().user;
  const may = useMay();
  const hasPasswords = useHasPasswords();
  const [isInviting, setInviting] = useState(false);
  const [link, setLink] = useState<ShownLink>();
  const [leaving, setLeaving] = useState<Member>();
  const refreshes = [keyOf('listMembers')];
  const setRole = useMutation({
    mutationFn: ({ id, role }: { id: string; role: Role }) => api.updateMember(id, { role }),
    meta: { refreshes },
    onError: sayError,
  });
  const makeLink = useMutation({
    mutationFn: async (member: Member) => ({ member, link: await api.createSignInLink(member.id) }),
    onSuccess: setLink,
    onError: sayError,
  });
  return (
    <Page
      title="Members"
      actions={
        may.administer && (
          <Button look="primary" onClick={() => setInviting(true)}>
            <Plus size={14} aria-hidden /> Invite
          </Button>
        )
      }
    >
      <OrganizationName />
      <Loaded query={members} lines={5}>
        {(list) => (
          <Table label="Members" head={['Name', 'E-mail', 'Role', 'Since', '']}>
            {list.map((member) => (
              <Row key={member.id}>
                <Cell>
                  <span className="flex items-center gap-2">
                    <Avatar name={member.name} />
                    <span className="font-medium">{member.name}</span>
                    {member.id === me.id && <Badge>you</Badge>}
                    {!member.active && <Badge tone="warn">deactivated</Badge>}
                    {member.active && !member.hasPassword && !member.hasSignedInWithSso && (
                      <Badge tone="warn">has not joined yet</Badge>
                    )}
                  </span>
                </Cell>
                <Cell className="text-soft">{member.email}</Cell>
                <Cell className="min-w-32">
                  {may.administer ? (
                    <Select
                      label={`Role of ${member.name}`}
                      hideLabel
                      options={roleNames}
                      value={member.role}
                      onChange={(role) => setRole.mutate({ id: member.id, role })}
                    />
                  ) : (
                    member.role
                  )}
                </Cell>
                <Cell className="text-soft">
                  <Time at={member.createdAt} />
                </Cell>
                <Cell className="text-right whitespace-nowrap">
                  {may.administer && (
                    <>
                      {hasPasswords && (
                        <IconButton
                          icon={Link2}
                          label={`Create a sign-in link for ${member.name}`}
                          onClick={() => makeLink.mutate(member)}
                        />
                      )}
                      <IconButton
                        icon={Trash2}
                        label={`Remove ${member.name}`}
                        onClick={() => setLeaving(member)}
                      />
                    </>
                  )}
                </Cell>
              </Row>
            ))}
          </Table>
        )}
      </Loaded>
      <Directory />
      {isInviting && <Invite onClose={() => setInviting(false)} onLink={setLink} />}
      <LinkDialog shown={link} onClose={() => setLink(undefined)} />
      {leaving && (
        <Confirm
          onClose={() => setLeaving(undefined)}
          title={`Remove ${leaving.name}?`}
          action="Remove member"
          send={() => api.deleteMember(leaving.id)}
          meta={{ refreshes }}
        >
          Their keys and sessions end immediately. Everything they wrote stays.
        </Confirm>
      )}
    </Page>
  );
};
