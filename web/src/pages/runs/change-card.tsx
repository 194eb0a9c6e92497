import { ChevronDown, ChevronRight } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { valueOfScore } from '../../../../client/src/score-value.ts';
import { TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import type { ChangedTestcase, RecordDetail } from '../../types.ts';
import { Badge } from '../../ui/badge.tsx';
import { cellText } from '../../ui/csv.ts';
import { plainText } from '../../ui/looks.ts';

const SidedDiff = lazy(() => import('../../ui/sided-diff.tsx'));

const badges = {
  better: { tone: 'pass', text: '▲ better' },
  worse: { tone: 'fail', text: '▼ worse' },
  same: { tone: 'neutral', text: 'same' },
} as const;

/** Outputs that differ; all of them, when the card is open or none differs. */
const shownFields = (before: RecordDetail | undefined, after: RecordDetail | undefined, isOpen: boolean) => {
  const names = [...new Set([...Object.keys(before?.outputs ?? {}), ...Object.keys(after?.outputs ?? {})])];
  const differing = names.filter(
    (name) => plainText(before?.outputs[name]) !== plainText(after?.outputs[name]),
  );
  return isOpen || differing.length === 0 ? names : differing;
};

// The answer is often in the last line: as many lines as a page of cards can spare.
const clip = (isOpen: boolean, lines = 'line-clamp-8') => (isOpen ? '' : lines);

const Fields = ({ fields, isOpen }: { fields: Record<string, unknown>; isOpen: boolean }) => (
  <dl className="flex flex-col gap-1">
    {Object.entries(fields).map(([name, value]) => (
      <div key={name}>
        <dt className="font-mono text-sm text-soft">{name}</dt>
        <dd dir="auto" className={`break-words whitespace-pre-wrap ${clip(isOpen)}`}>
          {plainText(value)}
        </dd>
      </div>
    ))}
  </dl>
);

export type CardSide = ChangedTestcase['before'];

type SideProps = {
  projectId: string;
  runId: string;
  side: CardSide;
  value: string;
  record: RecordDetail | undefined;
  against: RecordDetail | undefined;
  which: 'before' | 'after';
  configId: string;
  isOpen: boolean;
};

/** The score of one run with its reasoning, and its outputs with the words marked that the other run lacks. */
const Side = ({ projectId, runId, side, value, record, against, which, configId, isOpen }: SideProps) => {
  const score = record?.scores.find(({ metricConfigId }) => metricConfigId === configId)?.score;
  const reasoning = score?.reasoning;
  const given = valueOfScore(score);
  // Of several trials the value is their rate, and the label that of the shown record.
  const label = typeof given === 'string' ? given : undefined;
  const isRate = side !== null && side.trials > 1;
  const [before, after] = which === 'before' ? [record, against] : [against, record];
  return (
    <div className="min-w-0">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className="text-soft">Run {runId}</span>
        <bdi className="font-medium">{isRate ? value : (label ?? value)}</bdi>
        {side && side.trials > 1 && <span className="text-sm text-soft">n = {side.trials} trials</span>}
        {record && (
          <TextLink {...paths.record(projectId, record.id)} className="font-mono text-sm">
            {record.id}
          </TextLink>
        )}
        {isRate && label !== undefined && <bdi>{label}</bdi>}
      </p>
      {typeof reasoning === 'string' && reasoning && (
        <p dir="auto" className={`text-sm break-words text-soft ${clip(isOpen, 'line-clamp-2')}`}>
          {reasoning}
        </p>
      )}
      {record && (
        <dl className="mt-1 flex flex-col gap-1">
          {shownFields(before, after, isOpen).map((name) => {
            const [from, to] = [
              plainText(before?.outputs[name] ?? ''),
              plainText(after?.outputs[name] ?? ''),
            ];
            const own = which === 'before' ? from : to;
            return (
              <div key={name}>
                <dt className="font-mono text-sm text-soft">
                  {name}
                  {from === to && before && after && ' (the same)'}
                </dt>
                <dd dir="auto" className={`break-words whitespace-pre-wrap ${clip(isOpen)}`}>
                  {before && after && from !== to ? (
                    <Suspense fallback={own}>
                      <SidedDiff before={from} after={to} side={which} />
                    </Suspense>
                  ) : (
                    own
                  )}
                </dd>
              </div>
            );
          })}
        </dl>
      )}
    </div>
  );
};

type CardProps = {
  projectId: string;
  change: ChangedTestcase;
  before: string;
  after: string;
  configIds: { before: string; after: string };
  value: (side: CardSide) => string;
  isOpen: boolean;
  isFocused: boolean;
  onToggle: () => void;
};

/** A testcase in two runs: what was asked and expected, both outputs and both scores. */
export const ChangeCard = ({ projectId, change, before, after, configIds, value, ...state }: CardProps) => {
  const { isOpen, isFocused, onToggle } = state;
  const recordBefore = change.records?.before ?? undefined;
  const recordAfter = change.records?.after ?? undefined;
  const asked = recordAfter ?? recordBefore;
  const badge = badges[change.change as keyof typeof badges] ?? badges.same;
  const Icon = isOpen ? ChevronDown : ChevronRight;
  const side = { projectId, isOpen };
  return (
    <li
      ref={(element) => {
        if (isFocused) element?.scrollIntoView({ block: 'nearest' });
      }}
      className={`rounded-md border p-3 ${isFocused ? 'border-accent' : ''}`}
    >
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={onToggle}
        className="mb-2 flex w-full min-w-0 items-baseline gap-2 text-left"
      >
        <Icon size={14} aria-hidden className="self-center text-soft" />
        <Badge tone={badge.tone}>{badge.text}</Badge>
        <span className="font-mono text-sm text-soft">{change.id}</span>
        {asked && (
          <bdi className="min-w-0 flex-1 truncate">
            {Object.values(asked.inputs).map(cellText).join(' · ').slice(0, 400)}
          </bdi>
        )}
      </button>
      {asked && isOpen && (
        <div className="mb-3">
          <h3 className="text-sm font-medium text-soft">Inputs</h3>
          <Fields fields={asked.inputs} isOpen />
        </div>
      )}
      <div className="grid gap-4 md:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_minmax(0,0.8fr)]">
        <Side
          {...side}
          which="before"
          runId={before}
          side={change.before}
          value={value(change.before)}
          record={recordBefore}
          against={recordAfter}
          configId={configIds.before}
        />
        <Side
          {...side}
          which="after"
          runId={after}
          side={change.after}
          value={value(change.after)}
          record={recordAfter}
          against={recordBefore}
          configId={configIds.after}
        />
        <div className="min-w-0">
          <h3 className="text-soft">Expected</h3>
          {asked && Object.keys(asked.expected).length > 0 ? (
            <Fields fields={asked.expected} isOpen={isOpen} />
          ) : (
            <span className="text-sm text-soft">None</span>
          )}
        </div>
      </div>
    </li>
  );
};
