import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { ReviewMetric, ReviewTask } from '../../types.ts';
import { Kbd } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { countOf } from '../../ui/format.ts';
import { useKeys } from '../../ui/keys.ts';
import { ErrorNote } from '../../ui/states.tsx';
import { MetricScore, Sign } from './metric-score.tsx';
import { ReviewedRecord } from './reviewed-record.tsx';
import { type Asked, offeredFor, type Scores, useScores, type Verdict } from './scores.ts';
import { type CurrentMetric, useCurrentMetric, useNumberField, valueKeys } from './use-screen-keys.ts';

export type SentScores = { metricConfigId: string; score: Verdict }[];

type ReviewCardProps = {
  projectId: string;
  task: ReviewTask;
  /** The metrics by which the record waits for the reviewer. */
  metrics: readonly ReviewMetric[];
  busy: boolean;
  error: Error | null;
  /** Stores scores, and skips the record by the other metrics. */
  onSubmit: (scores: SentScores, skip: string[]) => Promise<unknown>;
  onSkip: () => void;
  /** Gives back a record that is assigned to the reviewer. */
  onLeave: () => void;
};

/** One record to score by all its metrics. A key chooses a score, Enter goes on: to the next metric without one, then to the next record. */
export const ReviewCard = (props: ReviewCardProps) => {
  const { projectId, task, metrics, busy, error, onSkip } = props;
  const scores = useScores(task, metrics);
  const { asked, missing, whole } = scores;
  const at = useCurrentMetric(scores);
  const reason = useRef<HTMLTextAreaElement>(null);
  const { aside, type } = useNumberField();
  const [isFolded, setFolded] = useState(false);
  const isReady = missing.length === 0 && !busy;
  const send = (skip: string[]) => {
    if (busy || whole.length === 0) return;
    const sent = scores.sent();
    // After an error everything stays as it was entered; the error is shown above the buttons.
    void props.onSubmit(sent, skip).then(
      () => scores.forget(sent.map(({ metricConfigId }) => metricConfigId)),
      () => {},
    );
  };
  const goOn = () => {
    if (isReady) send([]);
    // A metric without a score is not passed over.
    else if (at.isDone(at.current) && missing.length > 0) at.go(at.missingAfter(at.current));
  };
  const sendPart = () => send(missing.map(({ metricConfigId }) => metricConfigId));
  useScreenKeys({ scores, at, reason, type, goOn, sendPart, onSkip: () => !busy && onSkip() });
  return (
    <div className="relative flex min-h-0 flex-1 border-t max-md:flex-col max-md:overflow-auto">
      <ReviewedRecord projectId={projectId} task={task} onLeave={props.onLeave} />
      <aside
        ref={aside}
        aria-label="Your score"
        className="flex w-96 shrink-0 flex-col border-l max-md:border-l-0 max-md:sticky max-md:bottom-0 max-md:max-h-[60dvh] max-md:w-auto max-md:border-t max-md:bg-surface"
      >
        {asked.length > 1 && (
          <Steps asked={asked} at={at} isFolded={isFolded} onFold={() => setFolded(!isFolded)} />
        )}
        <div
          className={`flex min-h-0 flex-1 flex-col gap-3 overflow-auto p-4 max-md:py-2 ${isFolded ? 'max-md:hidden' : ''}`}
        >
          {asked.map((metric) => (
            <MetricScore
              key={metric.metricConfigId}
              asked={metric}
              score={scores.scoreOf(metric)}
              isCurrent={metric === at.current}
              isOneOfMany={asked.length > 1}
              onFocus={() => metric !== at.current && at.go(metric)}
              onValue={(value) => at.choose(metric, value, offeredFor(metric).length > 0)}
              onReason={(reasoning) => scores.setReason(metric, reasoning)}
              onEnter={goOn}
              reason={metric === at.current ? reason : none}
              onLeaveReason={() => at.isDone(metric) && at.go(at.missingAfter(metric))}
            />
          ))}
        </div>
        <Actions
          {...{ busy, error, onSkip, isReady }}
          numWhole={whole.length}
          numAsked={asked.length}
          onPart={sendPart}
          onSend={() => send([])}
        />
      </aside>
    </div>
  );
};

const none = { current: null };

type ActionsProps = Pick<ReviewCardProps, 'busy' | 'error' | 'onSkip'> & {
  isReady: boolean;
  numWhole: number;
  numAsked: number;
  onPart: () => void;
  onSend: () => void;
};

/** What can be done with the record. Some of its scores can be sent when the others are missing. */
const Actions = ({ busy, error, onSkip, isReady, numWhole, numAsked, onPart, onSend }: ActionsProps) => (
  <div className="flex flex-col gap-2 px-4 pt-2 pb-4 max-md:pb-2">
    {error && <ErrorNote error={error} />}
    {numWhole > 0 && numWhole < numAsked && (
      <Button disabled={busy} onClick={onPart}>
        Submit {numWhole} of {numAsked}, skip the rest <Kbd>l</Kbd>
      </Button>
    )}
    <div className="flex gap-2">
      <Button disabled={busy} onClick={onSkip}>
        Skip <Kbd>s</Kbd>
      </Button>
      <Button look="primary" className="flex-1" disabled={!isReady} onClick={onSend}>
        Submit & next <Kbd>Enter</Kbd>
      </Button>
    </div>
  </div>
);

type ScreenKeys = {
  scores: Scores;
  at: CurrentMetric;
  reason: { current: HTMLTextAreaElement | null };
  type: () => false;
  goOn: () => void;
  sendPart: () => void;
  onSkip: () => void;
};

const useScreenKeys = ({ scores, at, reason, type, goOn, sendPart, onSkip }: ScreenKeys) => {
  const isMany = scores.asked.length > 1;
  const write = () => {
    // The field of that metric must be there before the next key is pressed.
    flushSync(() => at.goToScored());
    reason.current?.focus();
  };
  useKeys('Review', {
    ...valueKeys(at.current, (value) => at.choose(at.current, value, true), type),
    c: ['Write the reason', write],
    Enter: [
      isMany ? 'The next metric, or submit & next' : 'Submit & next',
      (event) => {
        if ((event.target as Element).closest('a,button,summary')) return false;
        goOn();
        return true;
      },
    ],
    'mod+enter': ['Submit & next, also from the field', goOn],
    s: ['Skip', onSkip],
    ArrowRight: ['Skip', onSkip],
  });
  useKeys(
    'Review',
    {
      j: ['Next metric', () => at.step(1)],
      k: ['Previous metric', () => at.step(-1)],
      l: ['Submit what is scored, skip the rest', sendPart],
    },
    isMany,
  );
};

type StepsProps = { asked: readonly Asked[]; at: CurrentMetric; isFolded: boolean; onFold: () => void };

/**
 * The metrics of the record in one line, with which are scored. On a phone it chooses the one that is open; the open one folds, to leave the
 * screen to the record.
 */
const Steps = ({ asked, at, isFolded, onFold }: StepsProps) => (
  <nav aria-label="Metrics" className="flex shrink-0 gap-1 overflow-x-auto px-4 pt-2">
    <p role="status" className="my-auto shrink-0 text-soft max-md:sr-only">
      {asked.filter(at.isDone).length} of {countOf(asked.length, 'metric')} scored
    </p>
    {asked.map((metric) => {
      const isCurrent = metric === at.current;
      return (
        <button
          key={metric.metricConfigId}
          type="button"
          aria-current={isCurrent}
          {...(isCurrent && { 'aria-expanded': !isFolded })}
          onClick={() => {
            at.go(metric);
            if (isCurrent || isFolded) onFold();
          }}
          className="flex min-h-9 max-w-40 shrink-0 items-center gap-1 rounded-md px-2 text-soft aria-[current=true]:bg-sunken aria-[current=true]:font-medium aria-[current=true]:text-ink md:hidden"
        >
          <Sign isDone={at.isDone(metric)} />
          <bdi className="truncate">{metric.metricName}</bdi>
        </button>
      );
    })}
  </nav>
);
