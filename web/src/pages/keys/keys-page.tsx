import { api, apiList } from '../../api.ts';
import { ManagedTable, NameCell } from '../../managed-table.tsx';
import { useMay, useNames } from '../../resources/session/me.ts';
import { Time } from '../../ui/time.tsx';
import { KeyDialog } from './key-dialog.tsx';

export const KeysPage = () => {
  const nameOf = useNames();
  return (
    <ManagedTable
      title="API keys"
      noun="key"
      list={apiList('listKeys')}
      may={useMay().write}
      empty="Programs send a key with each request. A key can do what its owner can do, or only read."
      columns={[
        { head: 'Name', cell: (key) => <NameCell of={key} /> },
        { head: 'Key', className: 'font-mono text-sm', cell: ({ prefix }) => `${prefix}…` },
        { head: 'Access', cell: ({ access }) => access },
        { head: 'Owner', cell: ({ userId }) => nameOf(userId) },
        { head: 'Created', className: 'text-soft', cell: ({ createdAt }) => <Time at={createdAt} /> },
        { head: 'Last used', className: 'text-soft', cell: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
        { head: 'Expires', className: 'text-soft', cell: ({ expiresAt }) => <Time at={expiresAt} /> },
      ]}
      fixed
      form={(form) => <KeyDialog {...form} />}
      remove={{
        verb: 'Revoke',
        send: api.deleteKey,
        warning: 'Programs that use this key get an error from now on.',
      }}
    />
  );
};
