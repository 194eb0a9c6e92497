import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link2, Plus, Trash2 } from 'lucide-react';
import { type FormEvent, useRef, useState } from 'react';
import { ApiError, api } from '../api.ts';
import { membersQuery, useMay, useMe } from '../session/who.ts';
import type { Member, Role, SignInLink } from '../types.ts';
import { Avatar, Badge, CodeBlock, Time } from '../ui/bits.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { Confirm, Dialog } from '../ui/dialog.tsx';
import { Input, Select } from '../ui/field.tsx';
import { Page } from '../ui/page.tsx';
import { ErrorNote, Skeleton } from '../ui/states.tsx';
import { Cell, Row, Table } from '../ui/table.tsx';
import { sayError } from '../ui/toast.tsx';

const roles = [
  { value: 'viewer', label: 'Viewer: reads' },
  { value: 'member', label: 'Member: reads and writes' },
  { value: 'admin', label: 'Admin: everything, members and keys too' },
];

const roleNames = roles.map(({ value, label }) => ({ value, label: label.split(':')[0]! }));

/** Adds a member and makes their link in one go. */
const Invite = ({ onClose, onLink }: { onClose: () => void; onLink: (link: ShownLink) => void }) => {
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [role, setRole] = useState('member');
  const queries = useQueryClient();
  // Of a try that added the member and got no link: the next one must not add them again.
  const added = useRef<Member>(undefined);
  const addMember = (): Promise<Member> =>
    added.current?.email === email
      ? api.patch<Member>(`/members/${added.current.id}`, { name, role })
      : api.post<Member>('/members', { name, email, role });
  const invite = useMutation({
    mutationFn: async () => {
      const member = await addMember();
      added.current = { ...member, email };
      return { member, link: await api.post<SignInLink>(`/members/${member.id}/sign-in-links`) };
    },
    onSuccess: (made) => {
      onClose();
      onLink(made);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: membersQuery.queryKey }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    invite.mutate();
  };
  const issue = (path: string) => (invite.error instanceof ApiError ? invite.error.issueOf(path) : undefined);
  return (
    <Dialog open onClose={onClose} title="Invite a member" description="You get a link to give to them.">
      <form onSubmit={submit} className="flex flex-col gap-3">
        <Input
          label="Name"
          required
          error={issue('/name')}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <Input
          label="E-mail"
          type="email"
          required
          error={issue('/email')}
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <Select label="Role" options={roles} value={role} onChange={(event) => setRole(event.target.value)} />
        {invite.error && <ErrorNote error={invite.error} />}
        <Button type="submit" look="primary" disabled={invite.isPending} className="self-end">
          Invite
        </Button>
      </form>
    </Dialog>
  );
};

type ShownLink = { member: Member; link: SignInLink };

const LinkDialog = ({ shown, onClose }: { shown: ShownLink | undefined; onClose: () => void }) => (
  <Dialog
    open={shown !== undefined}
    onClose={onClose}
    title={`A link for ${shown?.member.name}`}
    description="Whoever opens it chooses the password, once. Give it to nobody else. It is not shown again."
  >
    {shown && (
      <>
        <CodeBlock text={shown.link.url} label="Copy the link" />
        <p className="mt-2 text-soft">
          It ends <Time at={shown.link.expiresAt} />.
        </p>
      </>
    )}
  </Dialog>
);

export const MembersPage = () => {
  const members = useQuery(membersQuery);
  const me = useMe().user;
  const may = useMay();
  const queries = useQueryClient();
  const [isInviting, setInviting] = useState(false);
  const [link, setLink] = useState<ShownLink>();
  const [leaving, setLeaving] = useState<Member>();
  const refresh = () => queries.invalidateQueries({ queryKey: membersQuery.queryKey });
  const setRole = useMutation({
    mutationFn: ({ id, role }: { id: string; role: Role }) => api.patch(`/members/${id}`, { role }),
    onError: sayError,
    onSettled: refresh,
  });
  const makeLink = useMutation({
    mutationFn: async (member: Member) => ({
      member,
      link: await api.post<SignInLink>(`/members/${member.id}/sign-in-links`),
    }),
    onSuccess: setLink,
    onError: sayError,
  });
  const remove = useMutation({
    mutationFn: (id: string) => api.delete(`/members/${id}`),
    onSuccess: () => {
      setLeaving(undefined);
      return refresh();
    },
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
      {members.error && <ErrorNote error={members.error} />}
      {members.isPending && <Skeleton lines={5} />}
      {members.data && (
        <Table label="Members" head={['Name', 'E-mail', 'Role', 'Since', '']}>
          {members.data.map((member) => (
            <Row key={member.id}>
              <Cell>
                <span className="flex items-center gap-2">
                  <Avatar name={member.name} />
                  <span className="font-medium">{member.name}</span>
                  {member.id === me.id && <Badge>you</Badge>}
                  {!member.hasPassword && <Badge tone="warn">has not joined yet</Badge>}
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
                    onChange={(event) => setRole.mutate({ id: member.id, role: event.target.value as Role })}
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
                    <IconButton
                      label={`Make a sign-in link for ${member.name}`}
                      onClick={() => makeLink.mutate(member)}
                    >
                      <Link2 size={14} />
                    </IconButton>
                    <IconButton label={`Remove ${member.name}`} onClick={() => setLeaving(member)}>
                      <Trash2 size={14} />
                    </IconButton>
                  </>
                )}
              </Cell>
            </Row>
          ))}
        </Table>
      )}
      {isInviting && <Invite onClose={() => setInviting(false)} onLink={setLink} />}
      <LinkDialog shown={link} onClose={() => setLink(undefined)} />
      <Confirm
        open={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        title={`Remove ${leaving?.name}?`}
        action="Remove the member"
        busy={remove.isPending}
        onConfirm={() => leaving && remove.mutate(leaving.id)}
      >
        Their keys and sessions end at once. What they wrote stays.
        {remove.error && <ErrorNote error={remove.error} />}
      </Confirm>
    </Page>
  );
};
