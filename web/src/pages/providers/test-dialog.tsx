import { useMutation } from '@tanstack/react-query';
import { Check, X } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../api.ts';
import type { Provider } from '../../types.ts';
import { Badge } from '../../ui/badge.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { Input } from '../../ui/field.tsx';

/** Tests a model of the provider with a short verdict. */
export const TestDialog = ({ provider, onClose }: { provider: Provider; onClose: () => void }) => {
  const [model, setModel] = useState('');
  const test = useMutation({
    mutationFn: () => api.testProvider(provider.id, { modelName: model }),
  });
  return (
    <FormDialog
      open
      onClose={onClose}
      title={`Test ${provider.name}`}
      description="Asks a model for a short verdict."
      write={test}
      action={test.isPending ? 'Testing…' : 'Test model'}
    >
      <Input label="Model" required hint="Without the provider’s name." value={model} onChange={setModel} />
      {test.data && (
        <div role="status" className="flex flex-col gap-1">
          <span>
            <Badge tone={test.data.ok ? 'pass' : 'fail'}>
              {test.data.ok ? <Check size={12} aria-hidden /> : <X size={12} aria-hidden />}
              {test.data.ok ? 'works' : 'does not work'}
            </Badge>{' '}
            <span className="text-soft">
              {test.data.modelAnswered} {test.data.latencyMs.toLocaleString('en')} ms
            </span>
          </span>
          <p className="break-words">{test.data.message}</p>
        </div>
      )}
    </FormDialog>
  );
};
