import { useMutation } from '@tanstack/react-query';
import { Check, X } from 'lucide-react';
import { useState } from 'react';
import { type Answer, api } from '../../api.ts';
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
      {test.data && <TestResult tested={test.data} />}
    </FormDialog>
  );
};

/** Whether a model gave a verdict that can be read, and what to change if it did not. */
export const TestResult = ({ tested }: { tested: Answer<'testProvider'> }) => (
  <div role="status" className="flex flex-col gap-1">
    <span>
      <Badge tone={tested.ok ? 'pass' : 'fail'}>
        {tested.ok ? <Check size={12} aria-hidden /> : <X size={12} aria-hidden />}
        {tested.ok ? 'works' : 'does not work'}
      </Badge>{' '}
      <span className="text-soft">
        {tested.modelAnswered} {tested.latencyMs.toLocaleString('en')} ms
      </span>
    </span>
    <p className="break-words">{tested.message}</p>
  </div>
);
