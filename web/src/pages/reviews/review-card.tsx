import { type KeyboardEvent, useRef, useState } from 'react';
import type { ReviewTask } from '../../types.ts';
import { Kbd } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Input, TextArea } from '../../ui/field.tsx';
import { useKeys } from '../../ui/keys.ts';
import { useDraft } from '../../ui/local-storage.ts';
import Markdown from '../../ui/markdown.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { CriteriaTicks, criteriaToTick, type Ticks, ticksIn } from './criteria-ticks.tsx';
import { ReviewedRecord } from './reviewed-record.tsx';

/** A score by a person: one of the value fields, and an optional reason. */
export type Verdict = {
  binaryScore?: boolean;
  intScore?: number;
  floatScore?: number;
  criteria?: Ticks;
  reasoning?: string;
};

type Choice = { label: string; key: string; score: Verdict };
const choices: Record<'boolean' | 'int', Choice[]> = {
  boolean: [
    { label: 'Pass', key: 'p', score: { binaryScore: true } },
    { label: 'Fail', key: 'f', score: { binaryScore: false } },
  ],
  int: [1, 2, 3, 4, 5].map((n) => ({ label: String(n), key: String(n), score: { intScore: n } })),
};

const sameValue = (a: Verdict | undefined, b: Verdict): boolean =>
  a !== undefined && a.binaryScore === b.binaryScore && a.intScore === b.intScore;

const offeredFor = ({ outputType }: ReviewTask) => (outputType === 'float' ? [] : choices[outputType]);

// On a phone the record comes first and the guidelines are folded.
const isWide = window.matchMedia('(min-width: 768px)').matches;

const leaveOnEscape = (event: KeyboardEvent<HTMLTextAreaElement>) => {
  if (event.key !== 'Escape') return;
  event.preventDefault();
  event.currentTarget.blur();
};

/** The reviewer's last score, without what the service computed of its criteria. */
const previousOf = ({ criteria, previousScore }: ReviewTask): Verdict | undefined => {
  const before = (previousScore ?? undefined) as Verdict | undefined;
  if (!before || !criteria) return before;
  const { criteria: said, reasoning } = before;
  return { criteria: ticksIn(said), ...(reasoning !== undefined && { reasoning }) };
};

/** Whether the score can be submitted: each criterion has a verdict. */
const isWhole = (task: ReviewTask, value: Verdict): boolean => {
  const wanted = criteriaToTick(task)?.criteria;
  if (!wanted) return Object.keys(value).length > 0;
  return wanted.length > 0 && (value.criteria ?? []).length === wanted.length;
};

type ReviewCardProps = {
  projectId: string;
  task: ReviewTask;
  busy: boolean;
  error: Error | null;
  onSubmit: (score: Verdict) => Promise<unknown>;
  onSkip: () => void;
};

/** One record to score, with the guidelines beside it. A key chooses a score, Enter submits it. */
export const ReviewCard = ({ projectId, task, busy, error, onSubmit, onSkip }: ReviewCardProps) => {
  const before = previousOf(task);
  const [verdict, setVerdict] = useState(before);
  const [draft, setDraft] = useDraft<string>(`review ${task.recordId} ${task.metricConfigId}`);
  const reasoning = draft ?? before?.reasoning ?? '';
  const field = useRef<HTMLTextAreaElement>(null);
  const { reasoning: _, ...value } = verdict ?? {};
  const isReady = isWhole(task, value) && !busy;
  const submit = () => {
    if (!isReady) return;
    const score = { ...value, ...(reasoning.trim() && { reasoning: reasoning.trim() }) };
    // After an error the reason stays in the field; the error is shown above the buttons.
    void onSubmit(score).then(
      () => setDraft(undefined),
      () => {},
    );
  };
  useKeys('Review', {
    ...Object.fromEntries(
      offeredFor(task).map(({ key, score }) => [key, ['Choose a score', () => setVerdict(score)]]),
    ),
    c: ['Write the reason', () => field.current?.focus()],
    Enter: [
      'Submit & next',
      (event) => {
        if ((event.target as Element).closest('a,button')) return false;
        submit();
        return true;
      },
    ],
    'mod+enter': ['Submit & next, also from the field', submit],
    s: ['Skip', () => !busy && onSkip()],
    ArrowRight: ['Skip', () => !busy && onSkip()],
  });
  return (
    <div className="relative flex min-h-0 flex-1 border-t max-md:flex-col max-md:overflow-auto">
      <ReviewedRecord projectId={projectId} task={task} />
      <aside
        aria-label="Your score"
        className="flex w-96 shrink-0 flex-col gap-3 border-l p-4 max-md:gap-2 max-md:border-l-0 max-md:py-2 max-md:sticky max-md:bottom-0 max-md:w-auto max-md:border-t max-md:bg-surface md:overflow-auto"
      >
        <h2 className="text-lg font-semibold">{task.metricName}</h2>
        {task.guidelines && <Guidelines text={task.guidelines} />}
        <ScoreChoice task={task} verdict={verdict} onChange={setVerdict} />
        <TextArea
          ref={field}
          label="Reason (optional)"
          rows={isWide ? 3 : 1}
          placeholder={isWide ? 'c to write, Esc to leave' : ''}
          value={reasoning}
          onChange={setDraft}
          onKeyDown={leaveOnEscape}
        />
        {error && <ErrorNote error={error} />}
        <div className="flex gap-2">
          <Button disabled={busy} onClick={onSkip}>
            Skip <Kbd>s</Kbd>
          </Button>
          <Button look="primary" className="flex-1" disabled={!isReady} onClick={submit}>
            Submit & next <Kbd>Enter</Kbd>
          </Button>
        </div>
      </aside>
    </div>
  );
};

type ScoreChoiceProps = {
  task: ReviewTask;
  verdict: Verdict | undefined;
  onChange: (verdict: Verdict | undefined) => void;
};

/** The scores that can be given, as buttons, or a field for a number. */
const ScoreChoice = ({ task, verdict, onChange }: ScoreChoiceProps) => {
  if (task.criteria)
    return (
      <CriteriaTicks
        task={task}
        ticks={verdict?.criteria ?? []}
        onChange={(criteria) => onChange({ criteria })}
      />
    );
  return task.outputType === 'float' ? (
    <Input
      label="Score from 0 to 1"
      type="number"
      min={0}
      max={1}
      step={0.05}
      value={verdict?.floatScore ?? ''}
      onChange={(value) => onChange(value ? { floatScore: Number(value) } : undefined)}
    />
  ) : (
    <fieldset aria-label={`Score of ${task.metricName}`} className="flex gap-2">
      {offeredFor(task).map(({ label, key, score }) => (
        <button
          key={label}
          type="button"
          aria-pressed={sameValue(verdict, score)}
          aria-keyshortcuts={key}
          onClick={() => onChange(score)}
          className="h-11 flex-1 rounded-md border bg-surface text-lg hover:bg-hover aria-pressed:border-transparent aria-pressed:bg-solid aria-pressed:text-white"
        >
          {label} {label !== key && <Kbd>{key}</Kbd>}
        </button>
      ))}
    </fieldset>
  );
};

const Guidelines = ({ text }: { text: string }) => (
  <details open={isWide} className="text-soft">
    <summary className="text-sm font-medium">Guidelines</summary>
    <Markdown text={text} />
  </details>
);
