import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, apiQuery, issuesOf, keyOf } from '../../api.ts';
import type { Provider } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { Form } from '../../ui/form.tsx';
import { countOf } from '../../ui/format.ts';
import { ErrorNote } from '../../ui/states.tsx';
import { say } from '../../ui/toast.tsx';
import { lastingModels, ModelInput } from './model-input.tsx';
import { TestResult } from './test-dialog.tsx';

type ChooseModelProps = { provider: Provider; onDone: () => void };

/** Chooses the default model from the list of a provider, and tests it. */
export const ChooseModel = ({ provider, onDone }: ChooseModelProps) => {
  const lists = useQuery({
    ...apiQuery('listJudgeModels'),
    queryFn: () => api.refreshJudgeModels(),
    staleTime: 0,
    retry: false,
  });
  const own = lists.data?.providers.filter((list) => list.provider === provider.name);
  const [typed, setTyped] = useState<string>();
  const names = lastingModels(own, 'text');
  const model = typed ?? names[0] ?? '';
  const test = useMutation({
    mutationFn: (name: string) =>
      api.testProvider(provider.id, { modelName: name.replace(`${provider.name}/`, '') }),
  });
  const failed = test.data && !test.data.ok && test.variables === model.trim();
  const save = useMutation({
    mutationFn: async () => {
      // A model that does not answer would fail each score. Who has read why may still want it.
      if (!failed && !(await test.mutateAsync(model.trim())).ok) return false;
      await api.updateMyOrganization({ judgeModelName: model.trim() });
      return true;
    },
    meta: { refreshes: [keyOf('listJudgeModels')] },
    onSuccess: (isSaved) => {
      if (!isSaved) return;
      say(`${model.trim()} ${failed ? '' : 'works and '}is the default.`);
      onDone();
    },
  });
  const action = failed ? 'Use it without a verdict' : 'Test and use as the default';
  return (
    <Form
      write={save}
      action={save.isPending ? 'Testing…' : action}
      disabled={model.trim() === '' || lists.isFetching}
    >
      <p className="text-soft">
        {lists.isFetching
          ? `Reading the models of ${provider.name}…`
          : `${provider.name} is connected. The default model judges where a metric names none, and is proposed for prompts.`}
      </p>
      {own?.[0]?.error && <ErrorNote error={new Error(own[0].error)} />}
      {!lists.isFetching && (
        <>
          <ModelInput
            label="Default model"
            required
            error={issuesOf(save.error)('/judgeModelName')}
            hint={`The provider lists ${countOf(names.length, 'model')} that can write. Clear the field to see them.`}
            placeholder={`${provider.name}/…`}
            value={model}
            onChange={setTyped}
          />
          <Button look="quiet" className="self-start max-md:-ml-3" onClick={onDone}>
            Without a default
          </Button>
          {test.data && test.variables === model.trim() && <TestResult tested={test.data} />}
        </>
      )}
    </Form>
  );
};
