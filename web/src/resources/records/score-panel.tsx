import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, apiQuery, keyOf } from '../../api.ts';
import { TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import type { Metric, RecordDetail, ScoreDetail, ScoreState } from '../../types.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Drawer } from '../../ui/drawer.tsx';
import { errorText } from '../../ui/error-text.ts';
import { FactList, type FactPair } from '../../ui/fact.tsx';
import { countOf } from '../../ui/format.ts';
import { ErrorNote, Skeleton } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { say } from '../../ui/toast.tsx';
import { useMay, useNames } from '../session/me.ts';
import { type Evidence, EvidenceTexts, evidenceFacts } from './evidence.tsx';
import { JudgedFiles } from './judged-files.tsx';
import { makerWords } from './maker-words.ts';
import { Quotes } from './quotes.tsx';
import { Reasoning, ReplacedVerdicts } from './replaced-verdicts.tsx';
import { ScoreValue, valueText } from './score-value.tsx';

/** How often a score that a machine still has to make is read again. */
const watchMs = 1_500;

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-label={title} className="mb-6 flex flex-col gap-2">
    <h3 className="font-semibold">{title}</h3>
    {children}
  </section>
);

type ScorePanelProps = {
  record: RecordDetail;
  state: ScoreState;
  metric: Metric | undefined;
  projectId: string;
  onClose: () => void;
};

/** One score with its evidence, its reviews and its history. Loaded on demand. */
const ScorePanel = ({ record, state, metric, projectId, onClose }: ScorePanelProps) => {
  const query = apiQuery('getScore', record.id, state.metricConfigId);
  const isWatched = metric?.evalType !== 'human' && state.state === 'pending';
  const detail = useQuery({ ...query, ...(isWatched && { refetchInterval: watchMs }) });
  return (
    <Drawer
      open
      onClose={onClose}
      title={
        <span className="flex items-center gap-2">
          <span className="truncate">{state.metricName}</span> <ScoreValue state={state} />
        </span>
      }
      actions={metric?.evalType !== 'human' && <Again record={record} state={state} />}
    >
      {detail.error && <ErrorNote error={detail.error} />}
      {detail.isPending && <Skeleton lines={8} />}
      {detail.data && (
        <Detail {...{ record, projectId, onClose }} detail={detail.data} metricId={state.metricId} />
      )}
      {metric?.evalType === 'human' && <Reviews recordId={record.id} metricConfigId={state.metricConfigId} />}
      {detail.data && <ReplacedVerdicts history={detail.data.history} />}
    </Drawer>
  );
};
export default ScorePanel;

const verbs: { [state: string]: 'retry' | 'cancel' | undefined } = {
  pending: 'cancel',
  failed: 'retry',
  unscored: 'retry',
};

/** Retries or cancels the score by a machine. */
const Again = ({
  record: { id, runId },
  state: { state, metricConfigId },
}: {
  record: RecordDetail;
  state: ScoreState;
}) => {
  const may = useMay();
  const change = useMutation({
    mutationFn: (verb: 'retry' | 'cancel') => {
      const asked = { of: 'scores' as const, recordId: id, metricConfigId };
      return verb === 'retry' ? api.retryRun(runId, asked) : api.cancelRun(runId, asked);
    },
    meta: { refreshes: [keyOf('getRecord', id), keyOf('getScore', id, metricConfigId)] },
    onSuccess: ({ numScores }) => {
      if (numScores === 0) say('Nothing to change: the score exists already or comes from a client.');
    },
  });
  if (!may.write) return null;
  const verb = verbs[state];
  return (
    <>
      {change.error && <span className="text-sm text-fail">{errorText(change.error)}</span>}
      {verb && (
        <Button disabled={change.isPending} onClick={() => change.mutate(verb)}>
          {verb === 'retry' ? 'Retry' : 'Cancel scoring'}
        </Button>
      )}
    </>
  );
};

type DetailProps = Pick<ScorePanelProps, 'record' | 'projectId' | 'onClose'> & {
  detail: ScoreDetail;
  metricId: string;
};

const Detail = ({ record, detail, projectId, metricId, onClose }: DetailProps) => {
  const nameOf = useNames();
  const { score, reason, lastError, scoredByUserId, madeBy, numAttempts } = detail;
  const evidence = (detail.evidence ?? undefined) as Evidence | undefined;
  const facts: FactPair[] = [
    ...(scoredByUserId ? [['Scored by', makerWords(nameOf(scoredByUserId), madeBy)] as FactPair] : []),
    [
      { scored: 'Scored', pending: 'Waiting since' }[detail.state] ?? 'Since',
      <Time key="" at={detail.updatedAt} />,
    ],
    ...(numAttempts > 0 ? [['Attempts', numAttempts] as FactPair] : []),
    ...(evidence ? evidenceFacts(evidence) : []),
    [
      'Metric',
      <TextLink key="" {...paths.metric(projectId, metricId)}>
        Configuration {detail.metricConfigId.slice(-8)}
      </TextLink>,
    ],
  ];
  return (
    <Part title="Verdict">
      <Reasoning score={score} />
      {/* The span opens on the page below, which this panel would hide. */}
      <Quotes {...{ score, projectId }} onOpen={onClose} />
      {reason && <p className="break-words whitespace-pre-wrap text-warn">{reason}</p>}
      {lastError && lastError !== reason && (
        <p className="break-words whitespace-pre-wrap text-warn">Last attempt: {lastError}</p>
      )}
      <FactList facts={facts} />
      {evidence?.media && <JudgedFiles media={evidence.media} record={record} />}
      {evidence && <EvidenceTexts {...evidence} />}
    </Part>
  );
};

const Reviews = ({ recordId, metricConfigId }: { recordId: string; metricConfigId: string }) => {
  const nameOf = useNames();
  const { data, error } = useQuery(apiQuery('listReviews', recordId, metricConfigId));
  if (error) return <ErrorNote error={error} />;
  if (!data || data.numReviews === 0) return null;
  const numHidden = data.numReviews - data.data.length;
  return (
    <Part title={`Reviews (${data.numReviews} of ${data.numReviewers})`}>
      <ul className="flex flex-col gap-2">
        {data.data.map(({ id, userId, score, blind, submittedAt }) => (
          <li key={id}>
            <p className="flex flex-wrap items-center gap-2">
              <span className="font-medium">{nameOf(userId)}</span>
              <Badge>{valueText(score)}</Badge>
              {!blind && <Badge title="The reviewer may have seen another review before">not blind</Badge>}
              <span className="text-sm text-soft">
                <Time at={submittedAt} />
              </span>
            </p>
            <Reasoning score={score} />
          </li>
        ))}
      </ul>
      {numHidden > 0 && (
        <p className="text-soft">{countOf(numHidden, 'review')} by others, shown after you submit yours.</p>
      )}
    </Part>
  );
};
