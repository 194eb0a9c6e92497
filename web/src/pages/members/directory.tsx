import { useMutation } from '@tanstack/react-query';
import { api, apiList } from '../../api.ts';
import { useFields } from '../../fields.ts';
import { ManagedTable, NameCell, type RowForm } from '../../managed-table.tsx';
import { useMay } from '../../resources/session/me.ts';
import type { ScimToken } from '../../types.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { Input } from '../../ui/field.tsx';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { Time } from '../../ui/time.tsx';

/** Creates a token and shows it once. */
const TokenDialog = ({ dialog, saving }: RowForm<ScimToken>) => {
  const { values, fieldsOf } = useFields({ name: 'Directory' });
  const create = useMutation({ mutationFn: () => api.createScimToken(values), meta: saving.meta });
  if (create.data)
    return (
      <ShownOnce
        onClose={dialog.onClose}
        title="Token created"
        description="Copy both into your directory now: the token is not shown again."
        texts={{ 'Copy the base URL': create.data.url, 'Copy the token': create.data.token }}
      />
    );
  return (
    <FormDialog {...dialog} write={create}>
      <Input label="Name" required hint="What the token is for." {...fieldsOf(create.error)('name')} />
    </FormDialog>
  );
};

/** The tokens with which a directory (Okta, Entra ID) adds and removes members. For admins. */
export const Directory = () => {
  if (!useMay().administer) return null;
  return (
    <ManagedTable
      as="section"
      title="Provisioning (SCIM)"
      noun="token"
      list={apiList('listScimTokens')}
      may
      empty="With a token your directory, such as Okta or Entra ID, adds, changes and deactivates members."
      columns={[
        { head: 'Name', cell: (token) => <NameCell of={token} /> },
        { head: 'Token', className: 'font-mono text-sm', cell: ({ prefix }) => `${prefix}…` },
        { head: 'Created', className: 'text-soft', cell: ({ createdAt }) => <Time at={createdAt} /> },
        { head: 'Last used', className: 'text-soft', cell: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
      ]}
      fixed
      form={(form) => <TokenDialog {...form} />}
      remove={{
        verb: 'Revoke',
        send: api.deleteScimToken,
        warning: 'The directory can no longer change members. The members stay.',
      }}
    />
  );
};
