import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError, api } from '../api.ts';
import { Button } from '../ui/button.tsx';
import { Input } from '../ui/field.tsx';
import { Page, Section } from '../ui/page.tsx';
import { ErrorNote } from '../ui/states.tsx';
import { say } from '../ui/toast.tsx';
import { useMe } from './who.ts';

const ChangePassword = () => {
  const [currentPassword, setCurrent] = useState('');
  const [newPassword, setNew] = useState('');
  const change = useMutation({
    mutationFn: () => api.put('/me/password', { currentPassword, newPassword }),
    onSuccess: () => {
      setCurrent('');
      setNew('');
      say('The password is changed. Your other sessions have ended.');
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate();
  };
  const issue = (path: string) => (change.error instanceof ApiError ? change.error.issueOf(path) : undefined);
  return (
    <form onSubmit={submit} className="flex max-w-80 flex-col gap-3">
      <Input
        label="Current password"
        type="password"
        required
        autoComplete="current-password"
        error={issue('/currentPassword')}
        value={currentPassword}
        onChange={(event) => setCurrent(event.target.value)}
      />
      <Input
        label="New password"
        type="password"
        required
        minLength={10}
        hint="10 characters or more."
        autoComplete="new-password"
        error={issue('/newPassword')}
        value={newPassword}
        onChange={(event) => setNew(event.target.value)}
      />
      {change.error && <ErrorNote error={change.error} />}
      <Button type="submit" look="primary" disabled={change.isPending} className="self-start">
        Change the password
      </Button>
    </form>
  );
};

export const AccountPage = () => {
  const { user, organization } = useMe();
  return (
    <Page title="Your account">
      <Section title="You">
        <dl className="grid max-w-md grid-cols-[120px_1fr] gap-y-1">
          <dt className="text-soft">Name</dt>
          <dd>{user.name}</dd>
          <dt className="text-soft">E-mail</dt>
          <dd>{user.email}</dd>
          <dt className="text-soft">Role</dt>
          <dd>{user.role}</dd>
          <dt className="text-soft">Organization</dt>
          <dd>{organization.name}</dd>
        </dl>
      </Section>
      <Section title="Password">
        <ChangePassword />
      </Section>
    </Page>
  );
};
