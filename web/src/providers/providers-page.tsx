import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { api, listAll } from '../api.ts';
import { useMay } from '../session/who.ts';
import type { Provider } from '../types.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, ErrorNote, Skeleton } from '../ui/states.tsx';
import { Cell, Row, Table } from '../ui/table.tsx';
import { ProviderDialog } from './provider-dialog.tsx';
import { TestDialog } from './test-dialog.tsx';

const providersQuery = {
  queryKey: ['/providers'],
  queryFn: ({ signal }: { signal: AbortSignal }) => listAll<Provider>('/providers', signal),
};

type Open = { what: 'change' | 'test' | 'delete'; provider: Provider } | { what: 'new' };

export const ProvidersPage = () => {
  const providers = useQuery(providersQuery);
  const may = useMay();
  const queries = useQueryClient();
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const refresh = () => queries.invalidateQueries({ queryKey: providersQuery.queryKey });
  const remove = useMutation({
    mutationFn: (id: string) => api.delete(`/providers/${id}`),
    onSuccess: () => {
      close();
      return refresh();
    },
  });
  const newButton = may.administer && (
    <Button look="primary" onClick={() => setOpen({ what: 'new' })}>
      <Plus size={14} aria-hidden /> New provider
    </Button>
  );
  const chosen = open && open.what !== 'new' ? open.provider : undefined;
  return (
    <Page title="Providers" actions={providers.data && providers.data.length > 0 && newButton}>
      {providers.error && <ErrorNote error={providers.error} />}
      {providers.isPending && <Skeleton lines={4} />}
      {providers.data?.length === 0 && (
        <Empty title="No providers" action={newButton}>
          AI metrics ask a model to judge. Providers say where the models are and with which key; keys that
          the server was started with work without one.
          {!may.administer && ' An admin can add one.'}
        </Empty>
      )}
      {providers.data && providers.data.length > 0 && (
        <Table label="Providers" head={['Name', 'API', 'Address', 'Key', 'At once', 'A minute', '']}>
          {providers.data.map((provider) => (
            <Row key={provider.id}>
              <Cell className="font-medium">{provider.name}</Cell>
              <Cell>{provider.kind}</Cell>
              <Cell className="max-w-64 truncate text-soft">{provider.baseUrl ?? 'the usual'}</Cell>
              <Cell>{provider.hasSecret ? 'stored, encrypted' : 'none'}</Cell>
              <Cell>{provider.maxConcurrency}</Cell>
              <Cell>{provider.requestsPerMinute ?? 'no limit'}</Cell>
              <Cell className="text-right whitespace-nowrap">
                {may.administer && (
                  <span className="inline-flex gap-2">
                    <Button
                      aria-label={`Test ${provider.name}`}
                      onClick={() => setOpen({ what: 'test', provider })}
                    >
                      Test
                    </Button>
                    <Button
                      aria-label={`Change ${provider.name}`}
                      onClick={() => setOpen({ what: 'change', provider })}
                    >
                      Change
                    </Button>
                    <Button
                      look="danger"
                      aria-label={`Delete ${provider.name}`}
                      onClick={() => setOpen({ what: 'delete', provider })}
                    >
                      Delete
                    </Button>
                  </span>
                )}
              </Cell>
            </Row>
          ))}
        </Table>
      )}
      {(open?.what === 'new' || open?.what === 'change') && (
        <ProviderDialog provider={chosen} onClose={close} onDone={refresh} />
      )}
      {open?.what === 'test' && <TestDialog provider={open.provider} onClose={close} />}
      <Confirm
        open={open?.what === 'delete'}
        onClose={close}
        title={`Delete ${chosen?.name}?`}
        action="Delete the provider"
        busy={remove.isPending}
        onConfirm={() => chosen && remove.mutate(chosen.id)}
      >
        Its key goes with it. Scores that need it fail, and say so.
        {remove.error && <ErrorNote error={remove.error} />}
      </Confirm>
    </Page>
  );
};
