import { useMutation, useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { api, apiList, issuesOf, keyOf } from '../../api.ts';
import { useMay, useNames } from '../../resources/session/me.ts';
import type { ApiKey } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/copy.tsx';
import { Confirm, Dialog, FormDialog } from '../../ui/dialog.tsx';
import { Input, Select } from '../../ui/field.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Cell, Row, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';

const lifetimes = [
  { value: '', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
];
const accesses = [
  { value: 'full', label: 'Full: everything you can do' },
  { value: 'read', label: 'Read only' },
] as const;
const dayMs = 86_400_000;

const NewKey = ({ open, onClose }: { open: boolean; onClose: () => void }) => {
  const [name, setName] = useState('');
  const [access, setAccess] = useState<ApiKey['access']>('full');
  const [days, setDays] = useState('');
  const create = useMutation({
    mutationFn: () => {
      const expiresAt = days && new Date(Date.now() + Number(days) * dayMs).toISOString();
      return api.createKey({ name, access, ...(expiresAt && { expiresAt }) });
    },
    meta: { refreshes: [keyOf('listKeys')] },
  });
  const close = () => {
    create.reset();
    setName('');
    onClose();
  };
  const issue = issuesOf(create.error);
  if (create.data)
    return (
      <Dialog
        open={open}
        onClose={close}
        title="Key created"
        description="Copy it now: it is not shown again."
      >
        <CodeBlock text={create.data.key} label="Copy the key" />
        <div className="mt-3 flex justify-end">
          <Button look="primary" onClick={close}>
            Done
          </Button>
        </div>
      </Dialog>
    );
  return (
    <FormDialog open={open} onClose={close} title="New API key" write={create} action="Create key">
      <Input
        label="Name"
        required
        maxLength={200}
        hint="What the key is for."
        error={issue('/name')}
        value={name}
        onChange={setName}
      />
      <Select label="Access" options={accesses} value={access} onChange={setAccess} />
      <Select label="Expires" options={lifetimes} value={days} onChange={setDays} />
    </FormDialog>
  );
};

export const KeysPage = () => {
  const keys = useQuery(apiList('listKeys'));
  const may = useMay();
  const nameOf = useNames();
  const [isNew, setNew] = useState(false);
  const [leaving, setLeaving] = useState<ApiKey>();
  const newButton = may.write && (
    <Button look="primary" onClick={() => setNew(true)}>
      <Plus size={14} aria-hidden /> New key
    </Button>
  );
  return (
    <Page title="API keys" actions={keys.data && keys.data.length > 0 && newButton}>
      <Loaded
        query={keys}
        lines={5}
        empty={
          <Empty title="No API keys" action={newButton}>
            Programs send a key with each request. A key can do what its owner can do, or only read.
          </Empty>
        }
      >
        {(list) => (
          <Table
            label="API keys"
            head={['Name', 'Key', 'Access', 'Owner', 'Created', 'Last used', 'Expires', '']}
          >
            {list.map((key) => (
              <Row key={key.id}>
                <Cell className="font-medium">{key.name}</Cell>
                <Cell className="font-mono text-sm">{key.prefix}…</Cell>
                <Cell>{key.access}</Cell>
                <Cell>{nameOf(key.userId)}</Cell>
                <Cell className="text-soft">
                  <Time at={key.createdAt} />
                </Cell>
                <Cell className="text-soft">{key.lastUsedAt ? <Time at={key.lastUsedAt} /> : 'never'}</Cell>
                <Cell className="text-soft">{key.expiresAt ? <Time at={key.expiresAt} /> : 'never'}</Cell>
                <Cell className="text-right">
                  {may.write && (
                    <Button look="danger" aria-label={`Revoke ${key.name}`} onClick={() => setLeaving(key)}>
                      Revoke
                    </Button>
                  )}
                </Cell>
              </Row>
            ))}
          </Table>
        )}
      </Loaded>
      <NewKey open={isNew} onClose={() => setNew(false)} />
      {leaving && (
        <Confirm
          onClose={() => setLeaving(undefined)}
          title={`Revoke ${leaving.name}?`}
          action="Revoke key"
          send={() => api.deleteKey(leaving.id)}
          meta={{ refreshes: [keyOf('listKeys')] }}
        >
          Programs that use this key get an error from now on.
        </Confirm>
      )}
    </Page>
  );
};
