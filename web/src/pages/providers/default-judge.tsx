import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, apiQuery, keyOf } from '../../api.ts';
import { requireAsRead } from '../../as-read.ts';
import { useFields } from '../../fields.ts';
import { ModelInput } from '../../resources/providers/model-input.tsx';
import { useMay } from '../../resources/session/me.ts';
import { Button } from '../../ui/button.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { Loaded } from '../../ui/states.tsx';

const refreshes = [keyOf('listJudgeModels')];

const Choose = ({ now, onClose }: { now: string | null; onClose: () => void }) => {
  const { values, fieldsOf, outdated } = useFields({ judgeModelName: now ?? '' });
  const write = useMutation({
    mutationFn: async () => {
      requireAsRead(await api.listJudgeModels(), { defaultModelName: now }, ['defaultModelName']);
      return api.updateMyOrganization({ judgeModelName: values.judgeModelName.trim() || null });
    },
    meta: { refreshes },
    onSuccess: onClose,
  });
  return (
    <FormDialog
      open
      onClose={onClose}
      title="Default judge model"
      description="The judge of new AI metrics that name no model, and of metrics that wait for one. Other metrics keep their model."
      write={write}
      outdated={outdated}
      action="Save the model"
    >
      <ModelInput
        label="Model"
        hint="Leave it empty to use the server's setting."
        {...fieldsOf(write.error)('judgeModelName')}
      />
    </FormDialog>
  );
};

/** The model that judges where a metric names none. An admin chooses it from the lists of the providers. */
export const DefaultJudge = () => {
  const models = useQuery(apiQuery('listJudgeModels'));
  const may = useMay();
  const [isChoosing, setChoosing] = useState(false);
  return (
    <Loaded query={models} lines={1}>
      {({ defaultModelName }) => (
        <section
          aria-label="Default judge model"
          className="mb-4 flex max-w-2xl flex-wrap items-center gap-x-4 gap-y-2 rounded-md border p-4"
        >
          <div className="min-w-56 flex-1">
            <p className="text-sm text-soft">Default judge model</p>
            <p className="text-lg font-semibold break-words">{defaultModelName ?? 'Not set'}</p>
            <p className="text-sm text-soft">
              {defaultModelName
                ? 'It judges where a metric names no model, and is proposed for prompts.'
                : 'AI metrics without a model won’t run.'}
            </p>
          </div>
          {may.administer && (
            <Button look={defaultModelName ? 'plain' : 'primary'} onClick={() => setChoosing(true)}>
              Choose the default judge model
            </Button>
          )}
          {isChoosing && <Choose now={defaultModelName} onClose={() => setChoosing(false)} />}
        </section>
      )}
    </Loaded>
  );
};
