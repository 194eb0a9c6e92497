import { useMutation, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { api, apiQuery } from '../../api.ts';
import { useFields } from '../../fields.ts';
import type { RowForm } from '../../managed-table.tsx';
import type { Role } from '../../resources/session/role-select.tsx';
import type { Member, SignInLink } from '../../types.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { Input, Select } from '../../ui/field.tsx';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { Time } from '../../ui/time.tsx';

const roles: { value: Role; label: string }[] = [
  { value: 'viewer', label: 'Viewer: reads' },
  { value: 'annotator', label: 'Annotator: reviews' },
  { value: 'member', label: 'Member: reads and writes' },
  { value: 'admin', label: 'Admin: everything, members and keys too' },
];

/** Whether members can have passwords, and so sign-in links. */
export const passwordsQuery = {
  ...apiQuery('getSignInOptions'),
  staleTime: 300_000,
  select: ({ hasPasswords }: { hasPasswords: boolean }) => hasPasswords,
};

export type ShownLink = { member: Pick<Member, 'name'>; link: SignInLink };

export const LinkDialog = ({
  shown: { member, link },
  onClose,
}: {
  shown: ShownLink;
  onClose: () => void;
}) => (
  <ShownOnce
    onClose={onClose}
    title={`A link for ${member.name}`}
    description="The first person to open the link chooses the password. Give it only to this member. It is not shown again."
    texts={{ 'Copy the link': link.url }}
  >
    <p className="text-soft">
      It expires <Time at={link.expiresAt} />.
    </p>
  </ShownOnce>
);

/** Adds a member and creates their sign-in link. */
export const InviteDialog = ({ dialog, saving }: RowForm<Member>) => {
  const { data: hasPasswords = true } = useQuery(passwordsQuery);
  const { values, fieldsOf } = useFields({ name: '', email: '', role: 'member' as Role });
  // The member of an attempt that failed before it had a link: the next attempt must not add the same person again.
  const added = useRef<Member>(undefined);
  const addMember = (): Promise<Member> => {
    const { email, ...changes } = values;
    return added.current?.email === email
      ? api.updateMember(added.current.id, changes)
      : api.createMember(values);
  };
  const invite = useMutation({
    mutationFn: async () => {
      const member = await addMember();
      added.current = { ...member, email: values.email };
      // Where passwords are off, members sign in with single sign-on.
      return hasPasswords ? { member, link: await api.createSignInLink(member.id) } : undefined;
    },
    meta: saving.meta,
    onSuccess: (made) => {
      if (!made) dialog.onClose();
    },
  });
  const field = fieldsOf(invite.error);
  if (invite.data) return <LinkDialog shown={invite.data} onClose={dialog.onClose} />;
  return (
    <FormDialog
      {...dialog}
      title="Invite a member"
      description={
        hasPasswords
          ? 'You get a sign-in link to send to them.'
          : 'They sign in with single sign-on, by this address.'
      }
      write={invite}
      action="Invite"
    >
      <Input label="Name" required {...field('name')} />
      <Input label="E-mail" type="email" required {...field('email')} />
      <Select label="Role" options={roles} {...field('role')} />
    </FormDialog>
  );
};
