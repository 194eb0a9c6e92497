import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { api, apiList, keyOf } from '../../api.ts';
import { useMay } from '../../resources/session/me.ts';
import type { Provider } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { countOf } from '../../ui/format.ts';
import { Page } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Cell, Row, Table } from '../../ui/table.tsx';
import { DefaultJudge } from './default-judge.tsx';
import { PricesDialog } from './prices-dialog.tsx';
import { kinds, ProviderDialog } from './provider-dialog.tsx';
import { TestDialog } from './test-dialog.tsx';

type Open = { what: 'change' | 'prices' | 'test' | 'delete'; provider: Provider } | { what: 'new' };

/** Providers without prices of their own go by the table of the server. */
const pricesText = ({ prices }: Provider): string => {
  const count = Object.keys(prices).length;
  return count === 0 ? 'server’s table' : countOf(count, 'model');
};

export const ProvidersPage = () => {
  const providers = useQuery(apiList('listProviders'));
  const may = useMay();
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const newButton = may.administer && (
    <Button look="primary" onClick={() => setOpen({ what: 'new' })}>
      <Plus size={14} aria-hidden /> New provider
    </Button>
  );
  const chosen = open && open.what !== 'new' ? open.provider : undefined;
  return (
    <Page title="Providers" actions={providers.data && providers.data.length > 0 && newButton}>
      <DefaultJudge />
      <Loaded
        query={providers}
        lines={4}
        empty={
          <Empty title="No providers" action={newButton}>
            AI metrics ask a model to judge. A provider holds the address of the models and the key. Keys from
            the environment of the server work without a provider.
            {!may.administer && ' An admin can add a provider.'}
          </Empty>
        }
      >
        {(list) => (
          <Table
            label="Providers"
            head={[
              'Name',
              'API',
              'Address',
              'Key',
              'Concurrent requests',
              'Requests per minute',
              'Prices',
              '',
            ]}
          >
            {list.map((provider) => (
              <Row key={provider.id}>
                <Cell className="font-medium">{provider.name}</Cell>
                <Cell>{kinds[provider.kind]}</Cell>
                <Cell className="max-w-64 truncate text-soft">{provider.baseUrl ?? 'default'}</Cell>
                <Cell>{provider.hasSecret ? 'stored, encrypted' : 'none'}</Cell>
                <Cell>{provider.maxConcurrency}</Cell>
                <Cell>{provider.requestsPerMinute ?? 'no limit'}</Cell>
                <Cell>{pricesText(provider)}</Cell>
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
                        aria-label={`Prices of ${provider.name}`}
                        onClick={() => setOpen({ what: 'prices', provider })}
                      >
                        Prices
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
      </Loaded>
      {(open?.what === 'new' || open?.what === 'change') && (
        <ProviderDialog provider={chosen} onClose={close} />
      )}
      {open?.what === 'prices' && <PricesDialog provider={open.provider} onClose={close} />}
      {open?.what === 'test' && <TestDialog provider={open.provider} onClose={close} />}
      {open?.what === 'delete' && (
        <Confirm
          onClose={close}
          title={`Delete ${open.provider.name}?`}
          action="Delete provider"
          send={() => api.deleteProvider(open.provider.id)}
          meta={{ refreshes: [keyOf('listProviders')] }}
        >
          Its key is deleted too. Scores that need the provider fail and say why.
        </Confirm>
      )}
    </Page>
  );
};
