import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { apiList, keyOf } from '../../api.ts';
import type { Provider } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { sayError } from '../../ui/toast.tsx';
import { useMay } from '../session/me.ts';
import { ChooseModel } from './choose-model.tsx';
import { ProviderDialog } from './provider-dialog.tsx';

/** Says that no model is connected, and lets an admin connect one where they are. If there is a provider, only its model is left to choose. */
export const ConnectModel = () => {
  const may = useMay();
  const queries = useQueryClient();
  const [step, setStep] = useState<'closed' | 'new' | Provider>('closed');
  const close = () => setStep('closed');
  const open = useMutation({
    mutationFn: () => queries.fetchQuery(apiList('listProviders')),
    onSuccess: (providers) => setStep(providers.at(-1) ?? 'new'),
    onError: sayError,
  });
  if (!may.administer)
    return <p className="text-sm text-warn">Needs a model: ask an admin to connect one.</p>;
  return (
    <>
      <Button disabled={open.isPending} onClick={() => open.mutate()}>
        Connect a model
      </Button>
      {step === 'new' && (
        <ProviderDialog
          row={undefined}
          dialog={{ open: true, onClose: close, title: 'Connect a model', action: 'Find its models' }}
          saving={{ meta: { refreshes: [keyOf('listProviders')] }, onSuccess: close }}
        />
      )}
      {typeof step === 'object' && (
        <Dialog open onClose={close} title="Choose a model">
          <ChooseModel provider={step} onDone={close} />
          <Button look="quiet" className="mt-2 self-start max-md:-ml-3" onClick={() => setStep('new')}>
            Connect another provider
          </Button>
        </Dialog>
      )}
    </>
  );
};
