import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, keyOf } from '../../api.ts';
import { requireAsRead } from '../../as-read.ts';
import { useFields } from '../../fields.ts';
import { TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { usd } from '../../resources/rescoring/amounts.ts';
import { runQuery } from '../../resources/runs/queries.ts';
import { useMay } from '../../resources/session/me.ts';
import type { RunDetail } from '../../types.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { Input } from '../../ui/field.tsx';
import { countOf } from '../../ui/format.ts';

/** The cost and the budget of the judges of a run; nothing when no model was called. */
export const JudgeSpending = ({ run }: { run: RunDetail }) => {
  const may = useMay();
  const [isOpen, setOpen] = useState(false);
  const { budgetUsd, spentUsd, numUnpriced, numWaiting, stopped } = run.judgeBudget;
  if (spentUsd === 0 && numUnpriced === 0 && numWaiting === 0 && budgetUsd === null) return null;
  return (
    <section className="mb-6 flex flex-wrap items-center gap-x-3 gap-y-1" aria-label="Judge budget">
      <span className="w-20 text-soft">Judges</span>
      <span>
        {usd(spentUsd)}
        {budgetUsd !== null && ` of ${usd(budgetUsd)}`}
        {numUnpriced > 0 && `. Cost unknown for ${countOf(numUnpriced, 'score')}`}
        {numUnpriced > 0 && may.administer && (
          <>
            {': '}
            <TextLink {...paths.providers()}>set prices</TextLink>
          </>
        )}
      </span>
      {stopped && (
        <Badge tone="warn">Stopped: the budget is used up; {countOf(numWaiting, 'score')} pending</Badge>
      )}
      {may.write && (
        <Button onClick={() => setOpen(true)}>{stopped ? 'Raise the budget' : 'Change the budget'}</Button>
      )}
      {isOpen && <BudgetDialog run={run} onClose={() => setOpen(false)} />}
    </section>
  );
};

const BudgetDialog = ({ run, onClose }: { run: RunDetail; onClose: () => void }) => {
  const { budgetUsd, spentUsd } = run.judgeBudget;
  const { values, fieldsOf, outdated } = useFields({
    judgeBudgetUsd: budgetUsd === null ? '' : String(budgetUsd),
  });
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: async () => {
      const { judgeBudget } = await api.getRunDetails(run.id);
      requireAsRead(judgeBudget, { budgetUsd }, ['budgetUsd']);
      const asked = values.judgeBudgetUsd;
      return api.updateRunDetails(run.id, { judgeBudgetUsd: asked === '' ? null : Number(asked) });
    },
    meta: { refreshes: [keyOf('getRun', run.id), keyOf('listTrials')] },
    onSuccess: (changed) => {
      queries.setQueryData(runQuery(run.id).queryKey, changed);
      onClose();
    },
  });
  return (
    <FormDialog
      open
      onClose={onClose}
      title="Judge budget of the run"
      write={save}
      outdated={outdated}
      action="Save"
    >
      <Input
        label="Budget, USD"
        type="number"
        min={0}
        step="any"
        placeholder="No limit"
        hint={`The total for the judges of this run, including the ${usd(spentUsd)} spent so far.`}
        {...fieldsOf(save.error)('judgeBudgetUsd')}
      />
    </FormDialog>
  );
};
