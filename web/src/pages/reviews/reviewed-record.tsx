import { lazy, type ReactNode, Suspense, useState } from 'react';
import { TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { Fields } from '../../resources/records/fields.tsx';
import type { ReviewTask } from '../../types.ts';
import { Badge, Kbd } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { useKeys } from '../../ui/keys.ts';
import { Skeleton } from '../../ui/states.tsx';
import { ReviewedFiles, useFiles } from './reviewed-files.tsx';

const TraceTabView = lazy(() => import('../../resources/traces/trace-tab.tsx'));
const TraceView = lazy(async () => {
  const { TraceView: view } = await import('../../resources/traces/trace-view.tsx');
  return { default: view };
});

const parts = {
  conversation: { label: 'Conversation', key: 'v' },
  record: { label: 'Record', key: 'v' },
  timeline: { label: 'Timeline', key: 't' },
  files: { label: 'Files', key: 'a' },
} as const;
type Part = keyof typeof parts;

/** The parts of a record of an agent: what was said with the calls of tools, the record itself, its spans and files. `undefined` without spans. */
const usePart = ({ hasSpans }: ReviewTask, hasFiles: boolean) => {
  const [chosen, choose] = useState<Part>();
  const part: Part | undefined = hasSpans ? (chosen ?? 'conversation') : undefined;
  useKeys(
    'Review',
    {
      v: ['Conversation or record', () => choose(part === 'conversation' ? 'record' : 'conversation')],
      t: ['Timeline', () => choose('timeline')],
    },
    hasSpans,
  );
  useKeys('Review', { a: ['Files', () => choose('files')] }, hasSpans && hasFiles);
  return { part, choose };
};

type PartsProps = { part: Part; numFiles: number; onChoose: (part: Part) => void };

const Parts = ({ part, numFiles, onChoose }: PartsProps) => (
  <fieldset aria-label="Parts of the record" className="flex max-md:w-full max-md:overflow-x-auto">
    {(Object.keys(parts) as Part[])
      .filter((each) => each !== 'files' || numFiles > 0)
      .map((each) => (
        <button
          key={each}
          type="button"
          aria-pressed={each === part}
          aria-keyshortcuts={parts[each].key}
          onClick={() => onChoose(each)}
          className="flex h-7 shrink-0 items-center gap-1 rounded-md px-2 text-soft hover:text-ink max-md:h-9 aria-pressed:bg-sunken aria-pressed:font-medium aria-pressed:text-ink"
        >
          {parts[each].label}
          {each === 'files' && ` (${numFiles})`}
          {parts[each].key !== 'v' && <Kbd>{parts[each].key}</Kbd>}
        </button>
      ))}
  </fieldset>
);

/** Inputs, outputs and expected outputs. */
const Contents = ({ record }: Pick<ReviewTask, 'record'>) => (
  <>
    <Fields title="Inputs" fields={record.inputs} />
    <Fields title="Outputs" fields={record.outputs} against={record.expected} />
    <Fields title="Expected" fields={record.expected} />
  </>
);

type ReviewedRecordProps = { projectId: string; task: ReviewTask; onLeave: () => void };

/** What is scored: for an agent the conversation with its tools, its timeline and files, else inputs, outputs and expected outputs. */
export const ReviewedRecord = ({ projectId, task, onLeave }: ReviewedRecordProps) => {
  const { recordId, record, hasSpans } = task;
  const { sessionId, files } = useFiles(projectId, recordId, hasSpans);
  const { part, choose } = usePart(task, files.length > 0);
  const views: Record<Part, () => ReactNode> = {
    conversation: () => (
      <TraceTabView projectId={projectId} recordId={recordId} q="" tab="conversation" span={undefined} />
    ),
    // Spans are not opened here: what a span holds may be a verdict.
    timeline: () => <TraceView source={{ projectId, recordId }} view="timeline" span={undefined} />,
    record: () => <Contents record={record} />,
    files: () => <ReviewedFiles projectId={projectId} sessionId={sessionId} files={files} />,
  };
  return (
    <article
      aria-label={`Record ${recordId}`}
      className="relative flex min-w-0 flex-1 flex-col max-md:min-h-[40dvh] md:overflow-auto"
    >
      <div className="flex flex-wrap items-center gap-2 px-4 py-1.5 text-soft">
        <TextLink {...paths.record(projectId, recordId)} className="font-mono">
          {recordId}
        </TextLink>
        {part && <Parts part={part} numFiles={files.length} onChoose={choose} />}
        {task.assigned && (
          <>
            <Badge tone="accent">assigned to you</Badge>
            <Button onClick={onLeave} title="The record is then for anyone">
              Give back
            </Button>
          </>
        )}
      </div>
      {part && part !== 'record' && <h2 className="sr-only">{parts[part].label}</h2>}
      <Suspense fallback={<Skeleton lines={10} className="px-4" />}>{views[part ?? 'record']()}</Suspense>
    </article>
  );
};
