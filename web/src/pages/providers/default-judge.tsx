import { useMutation, useQuery } from '@tanstack/react-query';
import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { api, apiQuery, issuesOf, keyOf } from '../../api.ts';
import { ModelInput } from '../../resources/providers/model-input.tsx';
import { useMay } from '../../resources/session/me.ts';
import { IconButton } from '../../ui/button.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { Loaded } from '../../ui/states.tsx';

const refreshes = [keyOf('listJudgeModels')];

const Choose = ({ now, onClose }: { now: string; onClose: () => void }) => {
  const [model, setModel] = useState(now);
  const write = useMutation({
    mutationFn: () => api.updateMyOrganization({ judgeModelName: model.trim() || null }),
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
      action="Save the model"
    >
      <ModelInput
        label="Model"
        hint="Leave it empty to use the server's setting."
        error={issuesOf(write.error)('/judgeModelName')}
        value={model}
        onChange={setModel}
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
        <p className="mb-3 flex items-center gap-1.5">
          <span className="text-soft">Default judge model</span>
          <span className="font-medium">
            {defaultModelName ?? 'Not set: AI metrics without a model get no scores'}
          </span>
          {may.administer && (
            <IconButton
              icon={Pencil}
              label="Choose the default judge model"
              onClick={() => setChoosing(true)}
            />
          )}
          {isChoosing && <Choose now={defaultModelName ?? ''} onClose={() => setChoosing(false)} />}
        </p>
      )}
    </Loaded>
  );
};
