import { Coins, FlaskConical } from 'lucide-react';
import { api, apiList } from '../../api.ts';
import { ManagedTable, NameCell, type TableColumn } from '../../managed-table.tsx';
import { kinds, ProviderDialog } from '../../resources/providers/provider-dialog.tsx';
import { TestDialog } from '../../resources/providers/test-dialog.tsx';
import { useMay } from '../../resources/session/me.ts';
import type { Provider } from '../../types.ts';
import { countOf } from '../../ui/format.ts';
import { DefaultJudge } from './default-judge.tsx';
import { PriceSources } from './price-sources.tsx';
import { PricesDialog } from './prices-dialog.tsx';

/** Providers without their own prices use the server's table. */
const pricesText = ({ prices }: Provider): string => {
  const count = Object.keys(prices).length;
  return count === 0 ? 'default prices' : countOf(count, 'model');
};

const columns: TableColumn<Provider>[] = [
  { head: 'Name', cell: (provider) => <NameCell of={provider} /> },
  { head: 'API', cell: ({ kind }) => kinds[kind] },
  { head: 'Address', className: 'max-w-64 truncate text-soft', cell: ({ baseUrl }) => baseUrl ?? 'default' },
  { head: 'Key', cell: ({ hasSecret }) => (hasSecret ? 'stored, encrypted' : 'none') },
  { head: 'Concurrent requests', cell: ({ maxConcurrency }) => maxConcurrency },
  { head: 'Requests per minute', cell: ({ requestsPerMinute }) => requestsPerMinute ?? 'no limit' },
  { head: 'Prices', cell: pricesText },
];

export const ProvidersPage = () => {
  const { administer } = useMay();
  return (
    <ManagedTable
      title="Providers"
      noun="provider"
      list={apiList('listProviders')}
      may={administer}
      above={
        <>
          <DefaultJudge />
          <PriceSources />
        </>
      }
      empty={
        <>
          AI metrics ask a model to judge. A provider holds the address of the models and the key. Keys from
          the environment of the server work without a provider.
          {!administer && ' An admin can add a provider.'}
        </>
      }
      columns={columns}
      form={(form) => <ProviderDialog {...form} />}
      actions={(provider) => ({
        test: {
          icon: FlaskConical,
          label: `Test ${provider.name}`,
          dialog: (onClose) => <TestDialog provider={provider} onClose={onClose} />,
        },
        prices: {
          icon: Coins,
          label: `Prices of ${provider.name}`,
          dialog: (onClose) => <PricesDialog provider={provider} onClose={onClose} />,
        },
      })}
      remove={{
        send: api.deleteProvider,
        warning: 'Its key is deleted too. Scores that need the provider fail and say why.',
      }}
    />
  );
};
