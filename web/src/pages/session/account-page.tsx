import { useMutation } from '@tanstack/react-query';
import { api } from '../../api.ts';
import { useFields } from '../../fields.ts';
import { useMe } from '../../resources/session/me.ts';
import { useSwitch } from '../../resources/session/use-switch.ts';
import { Button } from '../../ui/button.tsx';
import { Input } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { say } from '../../ui/toast.tsx';

const ChangePassword = () => {
  const empty = { currentPassword: '', newPassword: '' };
  const { values, setValues, fieldsOf } = useFields(empty);
  const change = useMutation({
    mutationFn: () => api.updatePassword(values),
    onSuccess: () => {
      setValues(empty);
      say('Password changed. Your other sessions have ended.');
    },
  });
  const field = fieldsOf(change.error);
  return (
    <Form write={change} action="Change password" className="max-w-80">
      <Input
        label="Current password"
        type="password"
        required
        autoComplete="current-password"
        {...field('currentPassword')}
      />
      <Input
        label="New password"
        type="password"
        required
        minLength={10}
        hint="10 characters or more."
        autoComplete="new-password"
        {...field('newPassword')}
      />
    </Form>
  );
};

/** Organizations whose admins added the person, who has not joined them. */
const Invitations = () => {
  const invitations = useMe().organizations.filter(({ joined }) => !joined);
  const join = useSwitch();
  if (invitations.length === 0) return null;
  return (
    <Section title="Invitations">
      {invitations.map(({ id: organizationId, name, role }) => (
        <div key={organizationId} className="flex items-center gap-3 py-1">
          <span>
            {name} added you as {role}. What you do there belongs to {name}.
          </span>
          <Button disabled={join.isPending} onClick={() => join.mutate({ organizationId, join: true })}>
            Join {name}
          </Button>
        </div>
      ))}
      {join.error && <ErrorNote error={join.error} />}
    </Section>
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
      <Invitations />
      <Section title="Password">
        <ChangePassword />
      </Section>
    </Page>
  );
};
