import { useMutation } from '@tanstack/react-query';
import { Play } from 'lucide-react';
import { useState } from 'react';
import { api, issuesOf, keyOf } from '../../api.ts';
import { requireAsRead } from '../../as-read.ts';
import { usd } from '../../resources/rescoring/amounts.ts';
import { useMay } from '../../resources/session/me.ts';
import type { PreferenceStudy } from '../../types.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { Input, Select } from '../../ui/field.tsx';
import { countOf, countText } from '../../ui/format.ts';
import { ErrorNote } from '../../ui/states.tsx';

type Judge = NonNullable<PreferenceStudy['judge']>;
type Props = { study: PreferenceStudy; judge: Judge };

/** Expected cost of the pairs that wait, from the cost of the others; null if those cost nothing. */
const costOfRest = ({ spentUsd, scored, pending }: Judge): number | null =>
  scored > 0 && spentUsd > 0 ? (spentUsd / scored) * pending : null;

/** Asks for a new budget for a model that has spent its budget. */
const BudgetDialog = ({ study, judge, onClose }: Props & { onClose: () => void }) => {
  const { modelName, spentUsd, budgetUsd, pending } = judge;
  const rest = costOfRest(judge);
  const [limit, setLimit] = useState<'budget' | 'none'>('budget');
  const [budget, setBudget] = useState(() =>
    String(Math.ceil(100 * (spentUsd + 1.2 * (rest ?? budgetUsd ?? 0))) / 100),
  );
  const isSpent = limit === 'budget' && Number(budget) <= spentUsd;
  const goOn = useMutation({
    mutationFn: async () => {
      const { judge: now } = await api.getPreferenceStudy(study.id);
      requireAsRead(now ?? { budgetUsd: null }, { budgetUsd }, ['budgetUsd']);
      return api.updatePreferenceJudge(study.id, {
        modelName,
        ...(limit === 'budget' && { budgetUsd: Number(budget) }),
      });
    },
    meta: { refreshes: [keyOf('getPreferenceStudy', study.id)] },
    onSuccess: onClose,
  });
  return (
    <FormDialog
      open
      onClose={onClose}
      title="Continue comparing"
      description={`${countOf(pending, 'pair')} ${pending === 1 ? 'is' : 'are'} left${rest === null ? '' : `: about ${usd(rest)}, from the cost of the others`}.`}
      write={goOn}
      action="Continue"
      disabled={isSpent}
    >
      <Select
        label="Limit"
        value={limit}
        onChange={setLimit}
        options={[
          { value: 'budget', label: 'A new budget' },
          { value: 'none', label: 'No limit' },
        ]}
      />
      {limit === 'budget' && (
        <Input
          label="Budget, USD"
          type="number"
          min={0}
          step="any"
          required
          hint={`In total, including the ${usd(spentUsd)} spent so far.`}
          error={
            isSpent
              ? `Must be more than the ${usd(spentUsd)} spent so far.`
              : issuesOf(goOn.error)('/budgetUsd')
          }
          value={budget}
          onChange={setBudget}
        />
      )}
    </FormDialog>
  );
};

/** How far the model is, what it cost and why pairs have no verdict. */
export const JudgeProgress = ({ study, judge }: Props) => {
  const may = useMay();
  const [isAsking, setAsking] = useState(false);
  const missing = judge.failed + judge.unscored;
  const again = useMutation({
    mutationFn: () =>
      api.updatePreferenceJudge(study.id, {
        modelName: judge.modelName,
        ...(judge.budgetUsd !== null && { budgetUsd: judge.budgetUsd }),
      }),
    meta: { refreshes: [keyOf('getPreferenceStudy', study.id)] },
  });
  return (
    <div className="mt-1 flex flex-wrap items-center gap-2 text-soft">
      <p>
        <bdi>{judge.modelName}</bdi>: {countText(judge.scored)} of {countOf(study.numPairs, 'pair')}
        {judge.spentUsd > 0 && `, ${usd(judge.spentUsd)}`}
        {judge.budgetUsd !== null && ` of ${usd(judge.budgetUsd)}`}
        {judge.pending > 0 && !judge.stopped && ', working'}
        {missing > 0 && `; ${countOf(missing, 'pair')} without a verdict: ${judge.lastError}`}
      </p>
      {judge.stopped && <Badge tone="warn">stopped at its budget</Badge>}
      {may.write && judge.stopped && (
        <Button onClick={() => setAsking(true)}>
          <Play size={14} aria-hidden /> Continue…
        </Button>
      )}
      {may.write && !judge.stopped && missing > 0 && judge.pending === 0 && (
        <Button disabled={again.isPending} onClick={() => again.mutate()}>
          <Play size={14} aria-hidden /> Ask again
        </Button>
      )}
      {again.error && <ErrorNote error={again.error} />}
      {isAsking && <BudgetDialog study={study} judge={judge} onClose={() => setAsking(false)} />}
    </div>
  );
};
