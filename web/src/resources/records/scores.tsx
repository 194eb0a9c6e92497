import { useQuery } from '@tanstack/react-query';
import { PanelRightOpen } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { apiQuery } from '../../api.ts';
import { QuietLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import type { Metric, RecordDetail, ScoreState } from '../../types.ts';
import { IconButton } from '../../ui/button.tsx';
import { useKeys } from '../../ui/keys.ts';
import { Skeleton } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import type { ScoreFields } from '../metrics/pass-rule.ts';
import { metricsQuery } from '../metrics/queries.ts';
import { useMay, useNames } from '../session/me.ts';
import { CriteriaVerdicts } from './criteria-verdicts.tsx';
import { makerWords } from './maker-words.ts';
import { Quotes } from './quotes.tsx';
import { ScoreButtons } from './score-buttons.tsx';
import { choicesFor } from './score-choices.ts';
import { reasonText, ScoreValue } from './score-value.tsx';
import type { RecordWrites } from './use-record-writes.ts';

const ScorePanel = lazy(() => import('./score-panel.tsx'));

/** With at most this many scores, each stays at its place on every record. */
const mostInPlace = 10;

const rankOf = ({ state, passed }: ScoreState): number => {
  if (state === 'failed') return 1;
  if (state !== 'scored') return 2;
  return passed === false ? 0 : 3;
};

/** Many scores with the failures first. The order is that of the first look: a score that someone sets stays where it is. */
const useFailuresFirst = ({ id, scoreStates }: RecordDetail): readonly ScoreState[] => {
  const of = `${id} ${scoreStates.map(({ metricConfigId }) => metricConfigId).join()}`;
  const [order, setOrder] = useState<{ of: string; ids: string[] }>();
  if (scoreStates.length <= mostInPlace) return scoreStates;
  if (order?.of === of) {
    const byId = new Map(scoreStates.map((state) => [state.metricConfigId, state]));
    return order.ids.map((each) => byId.get(each)!);
  }
  const sorted = scoreStates.toSorted((a, b) => rankOf(a) - rankOf(b));
  setOrder({ of, ids: sorted.map(({ metricConfigId }) => metricConfigId) });
  return sorted;
};

type ScoreKeys = {
  isActive: boolean;
  onStep: (by: number) => void;
  onOpen: () => void;
  /** Sets the score with the label, and returns whether there is one. */
  onPress: (label: string) => boolean;
};

/** Keys that choose a score and set it. */
const useScoreKeys = ({ isActive, onStep, onOpen, onPress }: ScoreKeys) => {
  // In the table beside it the arrows go from record to record.
  const isInGrid = (event: KeyboardEvent) => event.target instanceof Element && event.target.role === 'grid';
  const step = (by: number) => (event: KeyboardEvent) => {
    if (isInGrid(event)) return false;
    onStep(by);
    return true;
  };
  useKeys(
    'A record',
    {
      ArrowUp: ['Choose a score', step(-1)],
      ArrowDown: ['Choose a score', step(1)],
      i: ['Details of the score: prompt, reply, cost, history', onOpen],
      ...Object.fromEntries(
        ['1', '2', '3', '4', '5', '6', '7', '8', '9'].map((digit) => [
          digit,
          ['Set the score of a human metric', () => onPress(digit)],
        ]),
      ),
      p: ['Set it to pass', () => onPress('Pass')],
      f: ['Set it to fail', () => onPress('Fail')],
    },
    isActive,
  );
};

/** Whether people give a record one value by the metric: criteria are ticked in the review queue, spans are scored in the trace. */
const hasOneValue = (metric: Metric | undefined): boolean =>
  metric?.evalType === 'human' && !metric.spans && !metric.criteria;

type ScoresProps = {
  record: RecordDetail;
  projectId: string;
  writes: RecordWrites;
  /** Scores beside each other, without their reasons. */
  compact?: boolean;
};

/** Every metric on the record: value, reasoning, who or what said so. A human's score is set here. */
export const Scores = ({ record, projectId, writes, compact = false }: ScoresProps) => {
  const may = useMay();
  const { data: metrics = [], isLoading } = useQuery({ ...metricsQuery(projectId), enabled: may.read });
  const byId = new Map(metrics.map((metric) => [metric.id, metric]));
  const states = useFailuresFirst(record);
  // The score of a record follows from its spans where people score these.
  const isHuman = ({ metricId }: ScoreState) => may.write && hasOneValue(byId.get(metricId));
  const firstHuman = states.findIndex(isHuman);
  const [active, setActive] = useState<number>();
  const [opened, setOpened] = useState<string>();
  const index = Math.min(active ?? Math.max(0, firstHuman), states.length - 1);
  const chosen = states[index];
  // Until the user chooses a row, a row is marked only where keys set a score.
  const isMarked = active !== undefined || firstHuman >= 0;

  const setScore = (state: ScoreState, score: ScoreFields) =>
    writes.setScore(record.id, state, score, byId.get(state.metricId) ?? {});
  const press = (label: string) => {
    const metric = chosen && isHuman(chosen) ? byId.get(chosen.metricId) : undefined;
    const offered = metric ? choicesFor(metric) : [];
    const isCategory = metric?.outputType === 'category';
    const choice = isCategory ? offered[Number(label) - 1] : offered.find((each) => each.label === label);
    if (!chosen || !choice) return false;
    setScore(chosen, choice.score);
    return true;
  };
  useScoreKeys({
    isActive: states.length > 0,
    onStep: (by) => {
      const next = (index + by + states.length) % states.length;
      setActive(next);
      scrollTo(states[next]!);
    },
    onOpen: () => chosen && setOpened(chosen.metricConfigId),
    onPress: press,
  });
  if (states.length === 0) return <NoScores recordId={record.id} />;
  // The metrics say which scores people set; those are taller.
  if (isLoading) return <Skeleton lines={states.length} />;
  const openedState = states.find(({ metricConfigId }) => metricConfigId === opened);
  return (
    <>
      <ul aria-label="Scores" className={compact ? listClass.compact : listClass.whole}>
        {states.map((state) => (
          <ScoreRow
            key={state.metricConfigId}
            state={state}
            projectId={projectId}
            metric={isHuman(state) ? byId.get(state.metricId) : undefined}
            known={byId.get(state.metricId)}
            isActive={isMarked && state === chosen}
            compact={compact}
            onScore={(score) => setScore(state, score)}
            onOpen={() => setOpened(state.metricConfigId)}
          />
        ))}
      </ul>
      {openedState && (
        <Suspense>
          <ScorePanel
            record={record}
            state={openedState}
            metric={byId.get(openedState.metricId)}
            projectId={projectId}
            onClose={() => setOpened(undefined)}
          />
        </Suspense>
      )}
    </>
  );
};

/** A metric that scores spans gives the record a score only once a span has one. */
const NoScores = ({ recordId }: { recordId: string }) => {
  const { read } = useMay();
  const { data, isLoading } = useQuery({ ...apiQuery('listSpanScores', recordId), enabled: read });
  if (isLoading) return <Skeleton lines={1} />;
  const names = [...new Set(data?.toScore.map(({ metricName }) => metricName))];
  return (
    <p className="text-soft">
      {names.length > 0
        ? `No score yet. People score its spans by ${names.join(', ')}: choose a span in the trace.`
        : 'No metric scores this record.'}
    </p>
  );
};

const rowIdOf = ({ metricConfigId }: ScoreState) => `score-${metricConfigId}`;
const scrollTo = (state: ScoreState): void =>
  document.getElementById(rowIdOf(state))?.scrollIntoView({ block: 'nearest' });

const listClass = {
  compact: 'flex flex-wrap items-center gap-x-4 gap-y-1',
  whole: 'flex flex-col divide-y divide-line',
};

type ScoreRowProps = {
  state: ScoreState;
  projectId: string;
  /** The metric, if the person may set the score. */
  metric: Metric | undefined;
  /** The metric, also if the person may not score by it. */
  known: Metric | undefined;
  isActive: boolean;
  compact: boolean;
  onScore: (score: ScoreFields) => void;
  onOpen: () => void;
};

const ScoreRow = ({ state, projectId, metric, known, isActive, compact, onScore, onOpen }: ScoreRowProps) => {
  const nameOf = useNames();
  const { score, reason, validationErrors } = state;
  const reasoning = typeof score?.reasoning === 'string' ? score.reasoning : reason && reasonText(reason);
  return (
    <li
      id={rowIdOf(state)}
      data-active={isActive || undefined}
      className={`flex gap-1 data-active:-mx-2 data-active:rounded-md data-active:bg-selected data-active:px-2 ${compact ? 'flex-wrap items-center' : 'flex-col py-2'}`}
      {...(compact && reasoning && { title: reasoning })}
    >
      <div className="flex items-start gap-2">
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2 gap-y-1">
          <QuietLink {...paths.metric(projectId, state.metricId)} className="min-w-0 font-medium break-words">
            {state.metricName}
          </QuietLink>
          <ScoreValue state={state} />
          {!compact && (
            <span className="text-sm text-soft">
              {state.scoredByUserId && `${makerWords(nameOf(state.scoredByUserId), state.madeBy)} · `}
              <Time at={state.updatedAt} />
            </span>
          )}
        </div>
        <IconButton
          icon={PanelRightOpen}
          label={`How ${state.metricName} was scored`}
          title="Prompt, reply, cost, history (i)"
          className="-my-1"
          onClick={onOpen}
        />
      </div>
      {state.state === 'pending' && known?.evalType === 'human' && known.spans && (
        <p className="text-soft">People score its spans: choose a span in the trace.</p>
      )}
      {metric && (
        <ScoreButtons name={state.metricName} choices={choicesFor(metric)} score={score} onScore={onScore} />
      )}
      {!compact && reasoning && (
        <p className="line-clamp-6 break-words whitespace-pre-wrap text-soft" dir="auto">
          {reasoning}
        </p>
      )}
      {!compact && <CriteriaVerdicts of={score} metric={known} />}
      {!compact && <Quotes score={score} projectId={projectId} />}
      {validationErrors?.map(({ path, message }) => (
        <p key={path} className="text-warn">
          {path} {message}
        </p>
      ))}
    </li>
  );
};
