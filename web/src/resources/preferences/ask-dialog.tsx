import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, apiQuery, issuesOf, keyOf } from '../../api.ts';
import { paths } from '../../paths.ts';
import type { PreferenceEstimate } from '../../types.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { Input, Select, TextArea } from '../../ui/field.tsx';
import { countOf } from '../../ui/format.ts';
import { ModelInput } from '../providers/model-input.tsx';
import { usd } from '../rescoring/amounts.ts';

type Props = { projectId: string; runIds: readonly string[]; onClose: () => void };

type JudgeFieldsProps = {
  modelName: string;
  /** Empty for no limit. */
  budget: string;
  issue: ReturnType<typeof issuesOf>;
  onModel: (modelName: string) => void;
  onBudget: (usd: string) => void;
};

/** Chooses the model that compares the pairs too, and what it may spend. */
const JudgeFields = ({ modelName, budget, issue, onModel, onBudget }: JudgeFieldsProps) => (
  <>
    <ModelInput
      label="Model"
      required
      hint="It sees each pair in both orders. A verdict that follows the order counts as a tie."
      error={issue('/judge/modelName')}
      value={modelName}
      onChange={onModel}
    />
    <Input
      label="Budget, USD"
      type="number"
      min={0}
      step="any"
      placeholder="No limit"
      error={issue('/judge/budgetUsd')}
      value={budget}
      onChange={onBudget}
    />
  </>
);

type EstimateProps = { estimate: PreferenceEstimate; isJudged: boolean };

/** Says how many pairs the study has, and what the model costs. */
const Estimate = ({ estimate, isJudged }: EstimateProps) => {
  const { numPairs, numTestcases, numShared, numRequests, costUsd } = estimate;
  const cost = costUsd === null ? 'its price is unknown' : `about ${usd(costUsd)}`;
  return (
    <p className="text-sm text-soft" role="status">
      {numPairs === 0
        ? 'These runs share no testcase in the same revision.'
        : `${countOf(numPairs, 'pair')} on ${numTestcases} of ${countOf(numShared, 'shared testcase')}.`}
      {isJudged && ` The model answers ${countOf(numRequests, 'question')}: ${cost}.`}
    </p>
  );
};

type Who = 'people' | 'both';

const WhoCompares = ({ who, onChange }: { who: Who; onChange: (who: Who) => void }) => (
  <Select
    label="Who compares"
    value={who}
    onChange={onChange}
    options={[
      { value: 'people', label: 'People' },
      { value: 'both', label: 'People and a model' },
    ]}
  />
);

type NumTestcasesProps = { value: string; error: string | undefined; onChange: (value: string) => void };

const NumTestcases = ({ value, error, onChange }: NumTestcasesProps) => (
  <Input
    label="Testcases"
    type="number"
    min={1}
    max={5000}
    hint="Drawn at random from those that all runs answered."
    error={error}
    value={value}
    onChange={onChange}
  />
);

/** Starts a study over runs: what is better, on how many testcases, and whether a model compares too. */
export const AskDialog = ({ projectId, runIds, onClose }: Props) => {
  const navigate = useNavigate();
  const models = useQuery(apiQuery('listJudgeModels'));
  const [criterion, setCriterion] = useState(
    'The answer that helps the user more: right, complete and clear.',
  );
  const [number, setNumber] = useState('50');
  const [who, setWho] = useState<Who>('people');
  const [typed, setModel] = useState<string>();
  const [budget, setBudget] = useState('');
  const modelName = typed ?? models.data?.defaultModelName ?? '';
  const isJudged = who === 'both' && modelName !== '';
  const body = {
    criterion,
    runIds: [...runIds],
    numTestcases: Number(number) || 1,
    ...(isJudged && { judge: { modelName, ...(budget !== '' && { budgetUsd: Number(budget) }) } }),
  };
  const estimate = useQuery({
    ...apiQuery('estimatePreferenceStudy', projectId, body),
    enabled: criterion !== '',
    placeholderData: (before) => before,
  });
  const start = useMutation({
    mutationFn: () => api.createPreferenceStudy(projectId, body),
    meta: { refreshes: [keyOf('listPreferenceStudies', projectId)] },
    onSuccess: ({ id }) => void navigate(paths.preference(projectId, id)),
  });
  const issue = issuesOf(start.error);
  return (
    <FormDialog
      open
      onClose={onClose}
      title="Start a side-by-side study"
      description={`People see two outputs of ${countOf(runIds.length, 'run')} side by side, without names, and choose the better one.`}
      write={start}
      action="Start"
      disabled={criterion.trim() === '' || estimate.data?.numPairs === 0 || (who === 'both' && !isJudged)}
    >
      <TextArea
        label="What makes an output better"
        required
        rows={3}
        maxLength={10_000}
        error={issue('/criterion')}
        value={criterion}
        onChange={setCriterion}
      />
      <NumTestcases value={number} error={issue('/numTestcases')} onChange={setNumber} />
      <WhoCompares who={who} onChange={setWho} />
      {who === 'both' && (
        <JudgeFields
          modelName={modelName}
          budget={budget}
          issue={issue}
          onModel={setModel}
          onBudget={setBudget}
        />
      )}
      {estimate.data && <Estimate estimate={estimate.data} isJudged={isJudged} />}
    </FormDialog>
  );
};
