import { useState } from 'react';
import { keyOf } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { useMay } from '../session/me.ts';
import { ProviderDialog } from './provider-dialog.tsx';

/** Says that no model is connected, and lets an admin connect one where they are. */
export const ConnectModel = () => {
  const may = useMay();
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  if (!may.administer)
    return <p className="text-sm text-warn">Needs a model: ask an admin to connect one.</p>;
  return (
    <>
      <Button onClick={() => setOpen(true)}>Connect a model</Button>
      {isOpen && (
        <ProviderDialog
          row={undefined}
          dialog={{ open: true, onClose: close, title: 'Connect a model', action: 'Find its models' }}
          saving={{ meta: { refreshes: [keyOf('listProviders')] }, onSuccess: close }}
        />
      )}
    </>
  );
};
