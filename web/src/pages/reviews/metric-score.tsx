import { Check, Circle } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useEffect, useRef } from 'react';
import { mostButtons } from '../../resources/records/score-choices.ts';
import { Kbd } from '../../ui/badge.tsx';
import { Input, Select, TextArea } from '../../ui/field.tsx';
import Markdown from '../../ui/markdown.tsx';
import { CriteriaTicks } from './criteria-ticks.tsx';
import { type Asked, isWhole, offeredFor, sameValue, type Verdict } from './scores.ts';

// On a phone the record comes first and the guidelines are folded.
export const isWide = window.matchMedia('(min-width: 768px)').matches;

type MetricScoreProps = {
  asked: Asked;
  score: Verdict;
  /** Whether keys are for this metric. */
  isCurrent: boolean;
  isOneOfMany: boolean;
  onFocus: () => void;
  onValue: (value: Verdict | undefined) => void;
  onReason: (reasoning: string) => void;
  /** Enter in a field of a number. */
  onEnter: () => void;
  reason: RefObject<HTMLTextAreaElement | null>;
  onLeaveReason: () => void;
};

/** The score by one metric: its guidelines, what can be chosen, and the reason. Only the current one is open on a phone. */
export const MetricScore = (props: MetricScoreProps) => {
  const { asked, score, isCurrent, isOneOfMany, onFocus, onValue, onReason, reason, onLeaveReason } = props;
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isCurrent && isOneOfMany) section.current?.scrollIntoView?.({ block: 'nearest' });
  }, [isCurrent, isOneOfMany]);
  const leaveOnEscape = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.currentTarget.blur();
    onLeaveReason();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys choose the metric for the whole page
    <section
      ref={section}
      aria-label={asked.metricName}
      {...(isOneOfMany && { 'aria-current': isCurrent })}
      onClick={onFocus}
      onFocus={onFocus}
      className={`flex flex-col gap-3 max-md:gap-2 ${
        isOneOfMany
          ? `-mx-4 border-l-2 px-4 py-2 ${isCurrent ? 'border-accent bg-sunken' : 'border-transparent max-md:hidden'}`
          : ''
      }`}
    >
      {/* On a phone the name is above it, among the metrics. */}
      <h2 className={`flex items-center gap-2 text-lg font-semibold ${isOneOfMany ? 'max-md:sr-only' : ''}`}>
        <bdi className="min-w-0 flex-1 break-words">{asked.metricName}</bdi>
        {isOneOfMany && <Sign isDone={isWhole(asked, score)} />}
      </h2>
      {asked.guidelines && (isCurrent || !isOneOfMany) && <Guidelines text={asked.guidelines} />}
      <ScoreChoice {...props} onChange={onValue} />
      {(isCurrent || !isOneOfMany) && (
        <TextArea
          ref={reason}
          label="Reason (optional)"
          rows={isWide ? (isOneOfMany ? 2 : 3) : 1}
          placeholder={isWide ? 'c to write, Esc to leave' : ''}
          value={score.reasoning ?? ''}
          onChange={onReason}
          onKeyDown={leaveOnEscape}
        />
      )}
      {!isCurrent && isOneOfMany && score.reasoning && (
        <p className="truncate text-soft" dir="auto">
          {score.reasoning}
        </p>
      )}
    </section>
  );
};

/** Whether the metric has a score, with words for screen readers. */
export const Sign = ({ isDone }: { isDone: boolean }) =>
  isDone ? (
    <>
      <Check size={14} aria-hidden className="shrink-0 text-pass" />
      <span className="sr-only">scored</span>
    </>
  ) : (
    <>
      <Circle size={10} aria-hidden className="shrink-0 text-soft" />
      <span className="sr-only">not scored yet</span>
    </>
  );

type ScoreChoiceProps = Pick<MetricScoreProps, 'asked' | 'score' | 'isCurrent' | 'onEnter'> & {
  onChange: (value: Verdict | undefined) => void;
};

/** The scores that can be given, as buttons, or a field for a number. */
const ScoreChoice = ({ asked, score, isCurrent, onChange, onEnter }: ScoreChoiceProps) => {
  if (asked.criteria)
    return (
      <CriteriaTicks
        task={asked}
        ticks={score.criteria ?? []}
        isCurrent={isCurrent}
        onChange={(criteria) => onChange({ criteria })}
      />
    );
  const choices = offeredFor(asked);
  if (choices.length > mostButtons)
    return (
      <Select
        label={`Score of ${asked.metricName}`}
        value={score.categoryScore ?? ''}
        options={[
          { value: '', label: 'Choose a label' },
          ...choices.map(({ label }) => ({ value: label, label })),
        ]}
        onChange={(label) => onChange(label ? { categoryScore: label } : undefined)}
      />
    );
  const isCategory = asked.outputType === 'category';
  return asked.outputType === 'float' ? (
    <Input
      label="Score from 0 to 1"
      type="number"
      min={0}
      max={1}
      step={0.05}
      value={score.floatScore ?? ''}
      onChange={(value) => onChange(value ? { floatScore: Number(value) } : undefined)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return;
        event.preventDefault();
        event.currentTarget.blur();
        onEnter();
      }}
    />
  ) : (
    <fieldset
      aria-label={`Score of ${asked.metricName}`}
      className={`flex gap-2 ${isCategory ? 'flex-col' : ''}`}
    >
      {choices.map(({ label, key, score: offered }) => (
        <button
          key={label}
          type="button"
          aria-pressed={sameValue(score, offered)}
          {...(isCurrent && { 'aria-keyshortcuts': key })}
          onClick={() => onChange(offered)}
          className="min-h-11 flex-1 rounded-md border bg-surface text-lg hover:bg-hover aria-pressed:border-transparent aria-pressed:bg-solid aria-pressed:text-white"
        >
          <bdi>{label}</bdi> {label !== key && isCurrent && <Kbd>{key}</Kbd>}
        </button>
      ))}
    </fieldset>
  );
};

const Guidelines = ({ text }: { text: string }) => (
  <details open={isWide} className="text-soft" data-guidelines>
    <summary className="text-sm font-medium">Guidelines</summary>
    <div className="max-h-[40vh] overflow-auto">
      <Markdown text={text} />
    </div>
  </details>
);
