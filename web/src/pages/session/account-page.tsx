import { useMutation } from '@tanstack/react-query';
import { api } from '../../api.ts';
import { useFields } from '../../fields.ts';
import { useMe } from '../../resources/session/me.ts';
import { Input } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Page, Section } from '../../ui/page.tsx';
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
