import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api } from '../api.ts';
import { runQuery } from '../runs/queries.ts';
import { useMay } from '../session/who.ts';
import type { JudgeBudget } from '../types.ts';
import { Badge, countOf } from '../ui/bits.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Input } from '../ui/field.tsx';
import { ErrorNote } from '../ui/states.tsx';
import { usd } from './amounts.ts';
import { judgeBudgetQuery, rescoringsQuery } from './queries.ts';

/** What the judges of a run have cost and may cost; nothing where no model was ever asked. */
export const JudgeSpending = ({ runId }: { runId: string }) => {
  const { data: budget } = useQuery(judgeBudgetQuery(runId));
  const may = useMay();
  const [isOpen, setOpen] = useState(false);
  if (!budget) return null;
  const { budgetUsd, spentUsd, numUnpriced, numWaiting, isStopped } = budget;
  if (spentUsd === 0 && numUnpriced === 0 && numWaiting === 0 && budgetUsd === null) return null;
  return (
    <section className="mb-6 flex flex-wrap items-center gap-x-3 gap-y-1" aria-label="Judge budget">
      <span className="w-20 text-soft">Judges</span>
      <span>
        {usd(spentUsd)}
        {budgetUsd !== null && ` of ${usd(budgetUsd)}`}
        {numUnpriced > 0 && `, and ${countOf(numUnpriced, 'call')} whose price is not known`}
      </span>
      {isStopped && (
        <Badge tone="warn">Stopped: the budget is used up; waiting: {countOf(numWaiting, 'score')}</Badge>
      )}
      {may.write && (
        <Button onClick={() => setOpen(true)}>{isStopped ? 'Raise the budget' : 'Change the budget'}</Button>
      )}
      <Dialog open={isOpen} onClose={() => setOpen(false)} title="Judge budget of the run">
        <BudgetForm budget={budget} onDone={() => setOpen(false)} />
      </Dialog>
    </section>
  );
};

const BudgetForm = ({ budget, onDone }: { budget: JudgeBudget; onDone: () => void }) => {
  const { runId, budgetUsd, spentUsd } = budget;
  const [value, setValue] = useState(budgetUsd === null ? '' : String(budgetUsd));
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: () =>
      api.put<JudgeBudget>(`/runs/${runId}/judge-budget`, { budgetUsd: value === '' ? null : Number(value) }),
    onSuccess: async (changed) => {
      queries.setQueryData(judgeBudgetQuery(runId).queryKey, changed);
      onDone();
      await Promise.all([
        queries.invalidateQueries(runQuery(runId)),
        queries.invalidateQueries(rescoringsQuery(runId)),
      ]);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <Input
        label="Budget, USD"
        type="number"
        min={0}
        step="any"
        placeholder="No limit"
        hint={`All that the judges of this run may cost, the ${usd(spentUsd)} so far included.`}
        value={value}
        onChange={(event) => setValue(event.target.value)}
      />
      {save.error && <ErrorNote error={save.error} />}
      <Button type="submit" look="primary" disabled={save.isPending} className="self-end">
        Save
      </Button>
    </form>
  );
};
