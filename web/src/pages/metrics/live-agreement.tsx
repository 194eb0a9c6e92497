import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, apiPages, apiQuery, keyOf } from '../../api.ts';
import { TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { formOf, type MetricForm } from '../../resources/metrics/kinds.ts';
import { BudgetInput } from '../../resources/trials/budget-input.tsx';
import { trialsQuery } from '../../resources/trials/queries.ts';
import type { Metric } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { countOf, sentenceOf } from '../../ui/format.ts';
import { Interval } from '../../ui/interval.tsx';
import { Section } from '../../ui/page.tsx';
import { ErrorNote, Skeleton } from '../../ui/states.tsx';
import { Cell, Row, Table } from '../../ui/table.tsx';
import { sayError } from '../../ui/toast.tsx';
import { Disagreement } from './disagreement.tsx';
import { type Edited, editedOf, type Measured, measuredOn } from './edited-prompt.ts';

type Side = 'dev' | 'test';
const sideNames = { dev: 'For tuning', test: 'Kept for the check' } as const;

type Agreed = { estimate: number | null; interval: { low: number; high: number } | null; n: number };

const points = (share: number): string =>
  `${share > 0 ? '+' : ''}${(100 * share).toFixed(1)}`.replace('-', '−');

const requestOf = (fields: Edited, split: Side) => ({
  kind: 'alignment' as const,
  candidates: [fields],
  split,
});

/** What measuring the edited prompt asks for and costs, and its budget. */
const Measure = ({
  metricId,
  fields,
  side,
  onClose,
}: {
  metricId: string;
  fields: Edited;
  side: Side;
  onClose: () => void;
}) => {
  const [budget, setBudget] = useState('');
  const estimate = useQuery(apiQuery('estimateTrial', metricId, requestOf(fields, side)));
  const start = useMutation({
    mutationFn: () =>
      api.createTrial(metricId, {
        ...requestOf(fields, side),
        ...(budget !== '' && { budgetUsd: Number(budget) }),
      }),
    meta: { refreshes: [keyOf('listTrials'), keyOf('estimateTrial', metricId)] },
    onSuccess: onClose,
  });
  const { data, error } = estimate;
  const checks = data?.numChecks ?? 0;
  return (
    <FormDialog
      open
      onClose={onClose}
      title={side === 'dev' ? 'Measure on labels for tuning' : 'Check on labels that are kept'}
      description={
        side === 'dev'
          ? 'The edited prompt judges the labelled records for tuning, whose disagreements you can read. Nothing is saved.'
          : 'The edited prompt judges the labelled records that are kept for the check. Their disagreements stay hidden, so the result is about records that the prompt was not fitted to.'
      }
      write={start}
      action="Ask the judge"
      disabled={!data || data.numRecords === 0}
    >
      {error && <ErrorNote error={error} />}
      <p>{data ? sentenceOf(data.sentence) : !error && 'Estimating the cost…'}</p>
      {side === 'test' && checks > 0 && (
        <p className="text-sm text-soft">
          {countOf(checks, 'check')} so far. The best of several looks better than it is.
        </p>
      )}
      <BudgetInput value={budget} onChange={setBudget} />
    </FormDialog>
  );
};

/** The result of a trial, its progress, or why it stands still. */
const EditedCell = ({ metricId, measured }: { metricId: string; measured: Measured | undefined }) => {
  const cancel = useMutation({
    mutationFn: (number: number) => api.decideTrial(metricId, String(number), { decision: 'discarded' }),
    meta: { refreshes: [keyOf('listTrials')] },
    onError: sayError,
  });
  if (!measured) return <span className="text-soft">not measured</span>;
  const { trial, candidate } = measured;
  if (trial.state === 'running') {
    const pending = trial.candidates.reduce((sum, { numPending }) => sum + numPending, 0);
    return (
      <span className="flex flex-wrap items-center gap-2" role="status">
        {trial.stopped ? 'The budget is used up.' : `${countOf(pending, 'verdict')} to come`}
        <Button disabled={cancel.isPending} onClick={() => cancel.mutate(trial.number)}>
          Cancel
        </Button>
      </span>
    );
  }
  const { agreement } = candidate;
  if (!agreement) return <span className="text-soft">no verdicts</span>;
  return (
    <span className={`flex flex-col ${measured.isSame ? '' : 'opacity-60'}`}>
      <Interval short of={{ estimate: agreement.now, interval: agreement.nowInterval, n: agreement.n }} />
      {agreement.difference !== null && (
        <span className="text-sm">
          {points(agreement.difference)} points
          {agreement.interval && ` (${points(agreement.interval.low)} to ${points(agreement.interval.high)})`}
          : {agreement.verdict}
        </span>
      )}
    </span>
  );
};

/** The saved prompt beside the edited one on the same records; without a trial, on all pinned labels of the side. */
const savedOf = (measured: Measured | undefined, estimated: Agreed): Agreed => {
  const agreement = measured?.isSame ? measured.candidate.agreement : undefined;
  return agreement
    ? { estimate: agreement.before, interval: agreement.beforeInterval, n: agreement.n }
    : estimated;
};

/** The labels for tuning on which people disagree with the saved or the edited prompt. */
const Disagreements = ({
  projectId,
  metricId,
  number,
}: {
  projectId: string;
  metricId: string;
  number: number;
}) => {
  const list = useInfiniteQuery(
    apiPages('listTrialChanges', metricId, String(number), { disagreements: true, limit: 20 }),
  );
  const items = list.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <div className="mt-3">
      <h3 className="font-medium">Disagreements on labels for tuning</h3>
      {list.error && <ErrorNote error={list.error} />}
      {list.isPending && <Skeleton lines={3} />}
      {list.isSuccess && items.length === 0 && (
        <p className="text-soft">People agree with both prompts on every record.</p>
      )}
      <ul aria-label="Disagreements" className="divide-y divide-line">
        {items.map((item) => (
          <Disagreement key={item.recordId} projectId={projectId} item={item} />
        ))}
      </ul>
      {list.hasNextPage && <Button onClick={() => void list.fetchNextPage()}>Show more</Button>}
    </div>
  );
};

type PinProps = { projectId: string; metricId: string };

/** Nothing is pinned: the step that takes the labels which exist. */
const Pin = ({ projectId, metricId }: PinProps) => {
  const pin = useMutation({
    mutationFn: () => api.upsertPinnedSet(metricId, {}),
    meta: { refreshes: [keyOf('estimateTrial', metricId), keyOf('listTrials')] },
  });
  return (
    <>
      <p className="text-soft">
        No labelled record is pinned, so there is nothing to measure on. Pin the labels that people gave, or
        label records on the <TextLink {...paths.judge(projectId, metricId)}>page of the judge</TextLink>.
      </p>
      {pin.error && <ErrorNote error={pin.error} />}
      <Button className="mt-2" disabled={pin.isPending} onClick={() => pin.mutate()}>
        Pin the labels
      </Button>
    </>
  );
};

type Props = { projectId: string; metric: Metric; form: MetricForm };

/**
 * How often people agree with the prompt as it is saved and, on request, as it is edited: on labels for tuning, whose disagreements can be read,
 * and on labels that are kept for the check. Typing asks nothing.
 */
export const LiveAgreement = ({ projectId, metric, form }: Props) => {
  const [asking, setAsking] = useState<Side>();
  const saved = formOf(metric);
  const { fields, other } = editedOf(form, saved);
  const isEdited = Object.keys(fields).length > 0;
  // Asks about the saved prompt, so that the key does not change while the user types.
  const estimate = useQuery(
    apiQuery('estimateTrial', metric.id, requestOf({ guidelines: metric.guidelines }, 'dev')),
  );
  const { data: trials } = useQuery({ ...trialsQuery(metric.id), enabled: isEdited });
  const agreed = estimate.data?.saved;
  const on = (side: Side) => (isEdited ? measuredOn(trials?.data ?? [], side, form, metric) : undefined);
  const tuned = on('dev');
  const isStale = [tuned, on('test')].some((measured) => measured && !measured.isSame);
  return (
    <Section title="Agreement with people">
      {estimate.error && <ErrorNote error={estimate.error} />}
      {estimate.isPending && <Skeleton lines={2} />}
      {agreed && estimate.data?.numRecords === 0 && <Pin projectId={projectId} metricId={metric.id} />}
      {agreed && estimate.data && estimate.data.numRecords > 0 && (
        <>
          <Table
            label="Agreement with people"
            head={['Labels', 'As saved', ...(isEdited ? ['As edited'] : [])]}
          >
            {(['dev', 'test'] as const).map((side) => (
              <Row key={side}>
                <Cell className="font-medium">{sideNames[side]}</Cell>
                <Cell>
                  <Interval short of={savedOf(on(side), agreed[side])} />
                </Cell>
                {isEdited && (
                  <Cell>
                    <EditedCell metricId={metric.id} measured={on(side)} />
                  </Cell>
                )}
              </Row>
            ))}
          </Table>
          {isStale && (
            <p role="status" className="mt-1 text-sm text-soft">
              A paler result is that of an earlier edit: the prompt has changed since.
            </p>
          )}
          {other && (
            <p className="mt-1 text-sm text-soft">
              Criteria, labels, kind of score and pass mark count only after you save them.
            </p>
          )}
          {isEdited ? (
            <div className="mt-2 flex flex-wrap gap-2">
              <Button onClick={() => setAsking('dev')}>Measure the edited prompt…</Button>
              <Button onClick={() => setAsking('test')}>Check it on kept labels…</Button>
            </div>
          ) : (
            <p className="mt-1 text-sm text-soft">
              Change the prompt, the guidelines or the model to measure the change here before you save it.
            </p>
          )}
          {tuned && tuned.trial.state !== 'running' && tuned.candidate.runId !== null && (
            <Disagreements projectId={projectId} metricId={metric.id} number={tuned.trial.number} />
          )}
        </>
      )}
      {asking && (
        <Measure metricId={metric.id} fields={fields} side={asking} onClose={() => setAsking(undefined)} />
      )}
    </Section>
  );
};
