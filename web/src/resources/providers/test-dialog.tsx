import { useMutation, useQuery } from '@tanstack/react-query';
import { Check, X } from 'lucide-react';
import { useId, useState } from 'react';
import { type Answer, api, apiQuery } from '../../api.ts';
import type { Provider } from '../../types.ts';
import { Badge } from '../../ui/badge.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { Input } from '../../ui/field.tsx';
import { countOf } from '../../ui/format.ts';
import { lastingModels } from './model-input.tsx';

/** Tests a model of the provider with a short verdict. */
export const TestDialog = ({ provider, onClose }: { provider: Provider; onClose: () => void }) => {
  const [model, setModel] = useState('');
  const id = useId();
  const { data: lists } = useQuery(apiQuery('listJudgeModels'));
  const own = lists?.providers.filter((list) => list.provider === provider.name);
  const names = lastingModels(own, 'text').map((name) => name.replace(`${provider.name}/`, ''));
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
      <Input
        label="Model"
        required
        hint={
          names.length > 0
            ? `Its list has ${countOf(names.length, 'model')}. Without the provider’s name.`
            : 'Without the provider’s name.'
        }
        list={id}
        value={model}
        onChange={setModel}
      />
      <datalist id={id}>
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
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
