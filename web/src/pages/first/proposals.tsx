import { useMutation, useQuery } from '@tanstack/react-query';
import { Play } from 'lucide-react';
import type { ReactNode } from 'react';
import { api, apiQuery } from '../../api.ts';
import { evalTypes, outputTypes } from '../../resources/metrics/kinds.ts';
import { type Previewed, previewOf, stateOf } from '../../resources/metrics/previews.ts';
import { type Case, type Proposal, propose } from '../../resources/proposals/propose.ts';
import { ConnectModel } from '../../resources/providers/connect-model.tsx';
import { ScoreValue } from '../../resources/records/score-value.tsx';
import type { PreviewMetricBody } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote, Skeleton } from '../../ui/states.tsx';

/** The metrics that fit the case; undefined while the templates are read. */
export const useProposals = (given: Case | undefined): Proposal[] | undefined => {
  const { data } = useQuery({ ...apiQuery('listMetricTemplates'), staleTime: Number.POSITIVE_INFINITY });
  return data && given && propose(data.data, given);
};

/** Scores the first testcase, and stores nothing. Code runs by itself; a model costs money and is asked by a button. */
const useTrial = (projectId: string, { form }: Proposal, given: Case) => {
  const isAnswered = Object.keys(given.first.outputs).length > 0;
  const isCode = form.evalType === 'heuristic';
  const body = { ...previewOf(form), record: given.first } as PreviewMetricBody;
  const send = () => api.previewMetric(projectId, body);
  const code = useQuery({
    queryKey: ['trial of a proposal', projectId, JSON.stringify(body)],
    queryFn: send,
    enabled: isCode && isAnswered,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const judge = useMutation({ mutationFn: send });
  const { data, error } = isCode ? code : judge;
  return { data, error, isAnswered, judge };
};

const Tried = ({ proposal: { form }, tried }: { proposal: Proposal; tried: Previewed }) => {
  const state = stateOf(form, tried);
  const { score, reason } = tried;
  const why = typeof score?.reasoning === 'string' ? score.reasoning : reason;
  return (
    <p className="min-w-0 break-words">
      <ScoreValue state={state} /> <span className="text-sm text-soft">{why}</span>
    </p>
  );
};

type CardProps = {
  projectId: string;
  proposal: Proposal;
  given: Case;
  isChosen: boolean;
  /** Why it can't score, and what helps; undefined if it can. */
  lacks: ReactNode;
  onToggle: () => void;
};

const Card = ({ projectId, proposal, given, isChosen, lacks, onToggle }: CardProps) => {
  const { form } = proposal;
  const { data, error, isAnswered, judge } = useTrial(projectId, proposal, given);
  return (
    <li
      data-chosen={isChosen || undefined}
      className="flex min-w-0 flex-col gap-2 rounded-md border p-3 data-chosen:border-accent data-chosen:bg-selected"
    >
      <label className="flex items-baseline gap-2 font-medium">
        <input type="checkbox" checked={isChosen} onChange={onToggle} />
        {form.name}
      </label>
      <p className="text-sm text-soft">{form.description}</p>
      <p className="text-sm text-soft">
        {evalTypes[form.evalType]} · {outputTypes[form.outputType]}
      </p>
      <div className="mt-auto flex min-h-7 flex-col items-start gap-1">
        {lacks}
        {error && <ErrorNote error={error} />}
        {data && <Tried proposal={proposal} tried={data} />}
        {form.evalType === 'human' && <p className="text-sm text-soft">You score the answers in a queue.</p>}
        {form.evalType === 'ai' && !lacks && isAnswered && !data && (
          <Button look="quiet" className="-ml-3" disabled={judge.isPending} onClick={() => judge.mutate()}>
            <Play size={14} aria-hidden /> {judge.isPending ? 'Asking the judge…' : 'Try on the first answer'}
          </Button>
        )}
      </div>
    </li>
  );
};

type ProposalsProps = {
  projectId: string;
  given: Case;
  proposals: readonly Proposal[] | undefined;
  chosen: ReadonlySet<string>;
  /** The model that judges where a metric names none. */
  defaultModel: string | undefined;
  onToggle: (id: string) => void;
};

/** Metrics to choose from, each with its verdict on the reader's first answer. */
export const Proposals = ({ projectId, given, proposals, chosen, defaultModel, onToggle }: ProposalsProps) =>
  proposals ? (
    <ul className="grid gap-3 md:grid-cols-3">
      {proposals.map((proposal) => (
        <Card
          key={proposal.id}
          projectId={projectId}
          proposal={proposal}
          given={given}
          isChosen={chosen.has(proposal.id)}
          lacks={proposal.form.evalType === 'ai' && !defaultModel && <ConnectModel />}
          onToggle={() => onToggle(proposal.id)}
        />
      ))}
    </ul>
  ) : (
    <Skeleton lines={4} />
  );
