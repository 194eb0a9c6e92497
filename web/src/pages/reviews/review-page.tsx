import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Undo2, X } from 'lucide-react';
import { useRef } from 'react';
import { DokimaError } from '../../../../client/src/errors.ts';
import { api, apiQuery, keyOf } from '../../api.ts';
import { TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { nextReviewQuery, type ReviewProgress } from '../../resources/reviews/queries.ts';
import { useMay, useMe } from '../../resources/session/me.ts';
import type { ReviewMetric, ReviewTask } from '../../types.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { countOf, countText } from '../../ui/format.ts';
import { useKeys } from '../../ui/keys.ts';
import { freshKey } from '../../ui/local-storage.ts';
import { Page } from '../../ui/page.tsx';
import { Empty, ErrorNote, Skeleton } from '../../ui/states.tsx';
import { sayError } from '../../ui/toast.tsx';
import { AssignButton } from './assign-dialog.tsx';
import { ChooseQueue } from './choose-queue.tsx';
import { ReviewCard, type SentScores } from './review-card.tsx';

const route = getRouteApi('/app/projects/$projectId/review');

/** A bar for the member's progress. The numbers are beside it. */
const Done = ({ done, left }: { done: number; left: number }) => (
  <span aria-hidden className="h-1.5 w-24 overflow-hidden rounded-sm bg-hover max-md:hidden">
    <span className="block h-full bg-solid" style={{ width: `${(100 * done) / (done + left)}%` }} />
  </span>
);

type ProgressProps = {
  /** Undefined while it is read. */
  progress: ReviewProgress | undefined;
  /** Only records that wait for this metric are counted. */
  metric: string | undefined;
};

/** What the member has reviewed, and how many records wait. */
const Progress = ({ progress, metric }: ProgressProps) => {
  const meId = useMe().user.id;
  const own = progress?.members.find(({ userId }) => userId === meId);
  const waiting = !metric
    ? (progress?.forYou.numRecords ?? 0)
    : (progress?.queues ?? [])
        .filter(({ metricId }) => metricId === metric)
        .reduce((sum, { numForYou }) => sum + numForYou, 0);
  const assigned = metric ? 0 : (progress?.forYou.numAssigned ?? 0);
  return (
    <>
      {/* The width is fixed so that nothing moves when the numbers arrive. */}
      <span role="status" className="text-right text-soft md:min-w-64">
        {own ? `${own.numReviewed} reviewed by you, ` : ''}
        {progress && `${countOf(waiting, 'record')} waiting`}
        {assigned > 0 && `, ${countText(assigned)} assigned to you`}
      </span>
      {!progress && <span className="w-24 max-md:hidden" />}
      {own && own.numReviewed + waiting > 0 && <Done done={own.numReviewed} left={waiting} />}
    </>
  );
};

/** An empty queue. It leads to the judge for which the member labels, or to the metrics. */
const NothingToReview = ({ projectId, judge }: { projectId: string; judge: string | undefined }) => {
  const may = useMay();
  if (judge && may.read)
    return (
      <Empty
        title="No records to review"
        action={
          <Link {...paths.judge(projectId, judge)} className={buttonClass('primary')}>
            Can the judge be trusted?
          </Link>
        }
      >
        You have labelled everything that waits for you here. The page of the judge says what the labels show.
      </Empty>
    );
  return (
    <Empty
      title="No records to review"
      action={may.read && <TextLink {...paths.metrics(projectId)}>Metrics</TextLink>}
    >
      Records appear here when a run has a metric that people score.
    </Empty>
  );
};

type OfRunProps = { projectId: string; run: string; metric: string | undefined; judge: string | undefined };

/** The run whose records alone are shown, with the way back to all. */
const OfRun = ({ projectId, run, metric, judge }: OfRunProps) => (
  <span className="flex items-center gap-1 whitespace-nowrap rounded-md border px-2 text-soft">
    <TextLink {...paths.run(projectId, run)}>Run {run}</TextLink> only
    <Link
      {...paths.review(projectId, metric, judge)}
      className="ml-1 rounded p-1 hover:bg-hover"
      aria-label="Show the records of every run"
    >
      <X size={14} aria-hidden />
    </Link>
  </span>
);

type Sending = { task: ReviewTask; scores: SentScores; skip: string[] };

/** Names a request. One that is sent again, after its answer was lost, has the same name and is stored once. */
const useAttempt = () => {
  const last = useRef({ of: '', key: '' });
  return {
    keyOf: (body: object): string => {
      const of = JSON.stringify(body);
      if (last.current.of !== of) last.current = { of, key: freshKey() };
      return last.current.key;
    },
    // The same scores may be given again after an undo.
    end: () => {
      last.current = { of: '', key: '' };
    },
  };
};

/** The next record to score, and what a member does with it. Every action brings the next record. */
const useReviewQueue = (
  projectId: string,
  { metric, run }: { metric?: string | undefined; run?: string | undefined },
  enabled: boolean,
) => {
  const queries = useQueryClient();
  const nextQuery = nextReviewQuery(projectId, metric, run);
  const next = useQuery({ ...nextQuery, enabled });
  const review = next.data?.review;
  const attempt = useAttempt();
  const goOn = async () => {
    await queries.fetchQuery({ ...nextQuery, staleTime: 0 });
    void queries.invalidateQueries({ queryKey: keyOf('getReviewProgress', projectId) });
    // A label says something about judges too.
    void queries.invalidateQueries({ queryKey: keyOf('calibrateMetric') });
    // Scores and comments of others are shown once the reader has given a score, and hidden again after an undo.
    for (const read of ['getRecord', 'listAnnotations', 'listThreads'] as const)
      void queries.invalidateQueries({ queryKey: keyOf(read) });
  };
  const submit = useMutation({
    mutationFn: ({ task: { recordId }, scores, skip }: Sending) => {
      const body = { reviews: scores, skip, replace: false };
      return api.submitReviews(recordId, body, { idempotencyKey: attempt.keyOf({ recordId, body }) });
    },
    onSuccess: () => {
      attempt.end();
      return goOn();
    },
    onError: (error) => {
      // The session has ended: signing in leads back here, to what was entered.
      if (error instanceof DokimaError && error.status === 401)
        void queries.invalidateQueries({ queryKey: keyOf('getMe') });
      // The record or a metric was deleted, or scored in another window: what waits now is shown, with what was entered for it.
      if (!(error instanceof DokimaError) || ![404, 409].includes(error.status ?? 0)) return;
      sayError(error);
      void goOn();
    },
  });
  const skip = useMutation({
    mutationFn: ({ task, metrics }: { task: ReviewTask; metrics: readonly ReviewMetric[] }) =>
      api.submitReviews(task.recordId, {
        reviews: [],
        skip: metrics.map(({ metricConfigId }) => metricConfigId),
      }),
    onSuccess: goOn,
    onError: (error) => {
      sayError(error);
      if (error instanceof DokimaError && error.status === 404) void goOn();
    },
  });
  const undo = useMutation({
    mutationFn: () => api.undoReview(projectId),
    onSuccess: goOn,
    onError: sayError,
  });
  const leave = useMutation({
    mutationFn: ({ recordId }: ReviewTask) => api.leaveReviews(projectId, { recordId }),
    onSuccess: goOn,
    onError: sayError,
  });
  // Only while this record is being sent: the next record is shown before the last mutation has settled.
  const busy =
    (submit.isPending && submit.variables.task === review) ||
    (skip.isPending && skip.variables.task === review) ||
    undo.isPending;
  return { next, review, metrics: next.data?.metrics ?? [], submit, skip, undo, leave, busy };
};

/** The records that wait for people, one at a time, with a key for every action. */
export const ReviewPage = () => {
  const { projectId } = route.useParams();
  const { metric, judge, run } = route.useSearch();
  const may = useMay();
  const progress = useQuery(apiQuery('getReviewProgress', projectId, ...(run ? [{ runId: run }] : [])));
  const { next, review, metrics, submit, skip, undo, leave, busy } = useReviewQueue(
    projectId,
    { metric, run },
    may.review,
  );
  const takeBack = () => !busy && undo.mutate();
  useKeys(
    'Review',
    {
      u: ['Undo the last submission', takeBack],
      ArrowLeft: ['Undo the last submission', takeBack],
    },
    may.review,
  );
  return (
    <Page
      title="Review"
      actions={
        <>
          <Progress progress={progress.data} metric={metric} />
          <ChooseQueue
            queues={progress.data?.queues ?? []}
            metric={metric}
            linkOf={(chosen) => paths.review(projectId, chosen, judge, run)}
          />
          {run && <OfRun projectId={projectId} run={run} metric={metric} judge={judge} />}
          {may.write && <AssignButton projectId={projectId} progress={progress.data} metric={metric} />}
          {may.review && (
            <Button disabled={busy} onClick={() => undo.mutate()} title="Undo your last submission (u)">
              <Undo2 size={14} aria-hidden /> Undo
            </Button>
          )}
        </>
      }
      fill
    >
      {progress.error && <ErrorNote error={progress.error} />}
      {next.error && <ErrorNote error={next.error} />}
      {may.review && next.isPending && <Skeleton lines={10} className="border-t px-4 pt-3" />}
      {!may.review && (
        <Empty title="Read only">To score records you need the role annotator or member. Ask an admin.</Empty>
      )}
      {next.isSuccess && !review && <NothingToReview projectId={projectId} judge={judge} />}
      {review && (
        <ReviewCard
          key={review.recordId}
          projectId={projectId}
          task={review}
          metrics={metrics}
          busy={busy}
          error={submit.variables?.task === review ? submit.error : null}
          onSubmit={(scores, rest) => submit.mutateAsync({ task: review, scores, skip: rest })}
          onSkip={() => skip.mutate({ task: review, metrics })}
          onLeave={() => leave.mutate(review)}
        />
      )}
    </Page>
  );
};
