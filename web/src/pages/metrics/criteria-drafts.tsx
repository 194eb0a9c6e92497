import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { type Answer, api, apiQuery } from '../../api.ts';
import type { CriterionForm } from '../../resources/metrics/criteria-form.ts';
import { ModelInput } from '../../resources/providers/model-input.tsx';
import { tokens, usd } from '../../resources/rescoring/amounts.ts';
import { runsQuery } from '../../resources/runs/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Input, Select } from '../../ui/field.tsx';
import { countOf } from '../../ui/format.ts';
import { useRested } from '../../ui/rested.ts';
import { ErrorNote } from '../../ui/states.tsx';

type Drafts = Answer<'draftCriteria'>;
type Draft = Drafts['drafts'][number];

type CriteriaDraftsProps = {
  projectId: string;
  guidelines: string;
  /** The criteria of the form. */
  items: readonly CriterionForm[];
  onAccept: (item: CriterionForm) => void;
  onClose: () => void;
};

/** What the model shall read, what that costs, and the call with its drafts. */
const useDrafting = ({
  projectId,
  guidelines,
  items,
}: Pick<CriteriaDraftsProps, 'projectId' | 'guidelines' | 'items'>) => {
  const { data: pages } = useInfiniteQuery(runsQuery(projectId));
  const runs = pages?.pages.flatMap(({ data }) => data) ?? [];
  const [runId, setRunId] = useState<string>();
  const [count, setCount] = useState('6');
  const [modelName, setModelName] = useState('');
  const [drafts, setDrafts] = useState<readonly Draft[]>([]);
  const chosen = runId ?? runs[0]?.id ?? '';
  const texts = items.map(({ text }) => text).filter((text) => text.trim() !== '');
  const body = {
    ...(guidelines.trim() && { guidelines }),
    ...(chosen && { runId: chosen }),
    ...(texts.length > 0 && { criteria: texts }),
    ...(modelName.trim() && { modelName: modelName.trim() }),
    numCriteria: Number(count),
  };
  const isAskable = (body.guidelines !== undefined || chosen !== '') && body.numCriteria >= 1;
  const estimate = useQuery({
    // Not at each key: the service reads the failures each time.
    ...apiQuery('draftCriteria', projectId, useRested({ ...body, dryRun: true })),
    enabled: isAskable,
    retry: false,
  });
  const calling = useRef<AbortController>(undefined);
  const ask = useMutation({
    mutationFn: async () => {
      calling.current = new AbortController();
      const answer = await api.draftCriteria(projectId, body, { signal: calling.current.signal });
      if (answer.error !== null) throw new Error(answer.error);
      return answer;
    },
    onSuccess: (answer) => setDrafts(answer.drafts),
  });
  const fields = { runs, chosen, setRunId, count, setCount, modelName, setModelName };
  return {
    fields,
    estimate,
    ask,
    mayAsk: isAskable && !estimate.isError,
    cancel: () => calling.current?.abort(),
    isCancelled: () => calling.current?.signal.aborted === true,
    drafts,
    drop: (draft: Draft) => setDrafts(drafts.filter((each) => each !== draft)),
  };
};

type Drafting = ReturnType<typeof useDrafting>;

const Wish = ({ runs, chosen, setRunId, count, setCount, modelName, setModelName }: Drafting['fields']) => (
  <div className="grid gap-2 sm:grid-cols-[minmax(0,1fr)_72px_minmax(0,1fr)]">
    <Select
      label="From the failures of"
      value={chosen}
      options={[
        { value: '', label: 'No run: from the guidelines' },
        ...runs.map(({ id, title }) => ({ value: id, label: title })),
      ]}
      onChange={setRunId}
    />
    <Input label="At most" type="number" min={1} max={20} value={count} onChange={setCount} />
    <ModelInput
      label="Model"
      placeholder="The default model of judges"
      value={modelName}
      onChange={setModelName}
    />
  </div>
);

/** Lets a model write criteria from failures and guidelines. A person accepts each; nothing is stored before the form is saved. */
export const CriteriaDrafts = ({ onAccept, onClose, ...of }: CriteriaDraftsProps) => {
  const { fields, estimate, ask, mayAsk, cancel, isCancelled, drafts, drop } = useDrafting(of);
  return (
    <section aria-label="Criteria from a model" className="flex flex-col gap-3 rounded-md border p-3">
      <Wish {...fields} />
      <div className="flex flex-wrap items-center gap-2">
        {ask.isPending ? (
          <Button onClick={cancel}>Cancel</Button>
        ) : (
          <Button disabled={!mayAsk} onClick={() => ask.mutate()}>
            Write criteria
          </Button>
        )}
        <Button onClick={onClose}>Close</Button>
        <p role="status" className="text-sm text-soft">
          {ask.isPending ? 'The model writes…' : estimate.data && costText(estimate.data, of.guidelines)}
        </p>
      </div>
      {estimate.error && <ErrorNote error={estimate.error} />}
      {ask.error &&
        (isCancelled() ? <p className="text-sm text-soft">Cancelled.</p> : <ErrorNote error={ask.error} />)}
      {ask.data && (
        <p className="text-sm text-soft">
          {ask.data.modelName} wrote {countOf(ask.data.drafts.length, 'draft')}
          {ask.data.costUsd !== null && ` for ${usd(ask.data.costUsd)}`}. A draft counts once you accept it
          and save the metric.
        </p>
      )}
      {drafts.length > 0 && (
        <ul aria-label="Drafts" className="flex flex-col gap-2">
          {drafts.map((draft) => (
            <DraftRow
              key={draft.text}
              draft={draft}
              onAccept={() => {
                const { text, weight, mustPass } = draft;
                onAccept({ text, weight: String(weight), mustPass });
                drop(draft);
              }}
              onDiscard={() => drop(draft)}
            />
          ))}
        </ul>
      )}
    </section>
  );
};

/** What will be read, and what that costs. */
const costText = ({ numFailures, estimate, modelName }: Drafts, guidelines: string): string => {
  const read = [
    ...(numFailures > 0 ? [countOf(numFailures, 'failure')] : []),
    ...(guidelines.trim() ? ['the guidelines'] : []),
  ].join(' and ');
  const { inputTokens, outputTokens, costUsd } = estimate;
  const all = tokens((inputTokens ?? 0) + (outputTokens ?? 0));
  return `${modelName} reads ${read}: about ${all}, ${costUsd === null ? 'price unknown' : `≈ ${usd(costUsd)}`}.`;
};

type DraftRowProps = { draft: Draft; onAccept: () => void; onDiscard: () => void };

const DraftRow = ({ draft, onAccept, onDiscard }: DraftRowProps) => {
  const { text, weight, mustPass, why, recordIds, similarTo } = draft;
  const notes = [
    ...(weight === 1 ? [] : [`weight ${weight}`]),
    ...(mustPass ? ['must pass'] : []),
    ...(recordIds.length > 0 ? [`would fail ${countOf(recordIds.length, 'record')} of those read`] : []),
    ...(similarTo === null ? [] : [`nearly repeats “${similarTo}”`]),
  ];
  return (
    <li className="flex flex-wrap items-start gap-2 border-t pt-2">
      <div className="min-w-0 flex-1 basis-72 break-words" dir="auto">
        <p>{text}</p>
        {why && <p className="text-sm text-soft">{why}</p>}
        {notes.length > 0 && (
          <p className={`text-sm ${similarTo === null ? 'text-soft' : 'text-warn'}`}>{notes.join(' · ')}</p>
        )}
      </div>
      <Button aria-label={`Accept: ${text}`} onClick={onAccept}>
        Accept
      </Button>
      <Button aria-label={`Discard: ${text}`} onClick={onDiscard}>
        Discard
      </Button>
    </li>
  );
};
