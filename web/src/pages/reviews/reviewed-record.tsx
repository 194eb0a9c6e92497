import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { apiQuery } from '../../api.ts';
import { TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { Attachments } from '../../resources/records/attachments.tsx';
import { Fields } from '../../resources/records/fields.tsx';
import type { ReviewTask } from '../../types.ts';
import { Badge } from '../../ui/badge.tsx';
import { useKeys } from '../../ui/keys.ts';
import { Skeleton } from '../../ui/states.tsx';

const TraceTabView = lazy(() => import('../../resources/traces/trace-tab.tsx'));

const parts = { conversation: 'Conversation', record: 'Record' } as const;
type Part = keyof typeof parts;

/** The parts of a record of an agent: what was said with the calls of tools, and the record itself. `undefined` without spans. */
const usePart = ({ hasSpans }: ReviewTask) => {
  const [chosen, choose] = useState<Part>();
  const part: Part | undefined = hasSpans ? (chosen ?? 'conversation') : undefined;
  useKeys(
    'Review',
    {
      v: ['Conversation or record', () => choose(part === 'conversation' ? 'record' : 'conversation')],
    },
    hasSpans,
  );
  return { part, choose };
};

type PartsProps = { part: Part; onChoose: (part: Part) => void };

const Parts = ({ part, onChoose }: PartsProps) => (
  <fieldset aria-label="Parts of the record" className="flex">
    {(Object.keys(parts) as Part[]).map((each) => (
      <button
        key={each}
        type="button"
        aria-pressed={each === part}
        aria-keyshortcuts="v"
        onClick={() => onChoose(each)}
        className="h-7 rounded-md px-2 text-soft hover:text-ink aria-pressed:bg-sunken aria-pressed:font-medium aria-pressed:text-ink"
      >
        {parts[each]}
      </button>
    ))}
  </fieldset>
);

/** The files of the session of an agent's record. */
const Files = ({ projectId, recordId }: { projectId: string; recordId: string }) => {
  const { data: record } = useQuery(apiQuery('getRecord', recordId));
  return record?.sessionId ? <Attachments sessionId={record.sessionId} projectId={projectId} /> : null;
};

type ReviewedRecordProps = { projectId: string; task: ReviewTask };

/** What is scored: for an agent the conversation with its tools and files, else inputs, outputs and expected outputs. */
export const ReviewedRecord = ({ projectId, task }: ReviewedRecordProps) => {
  const { recordId, record } = task;
  const { part, choose } = usePart(task);
  return (
    <article
      aria-label={`Record ${recordId}`}
      className="relative flex min-w-0 flex-1 flex-col md:overflow-auto"
    >
      <div className="flex flex-wrap items-center gap-2 px-4 py-1.5 text-soft">
        <TextLink {...paths.record(projectId, recordId)} className="font-mono">
          {recordId}
        </TextLink>
        {part && <Parts part={part} onChoose={choose} />}
        {part && (
          <TextLink {...paths.record(projectId, recordId, undefined, { tab: 'timeline' })}>Timeline</TextLink>
        )}
        {task.assigned && <Badge tone="accent">assigned to you</Badge>}
      </div>
      {part === 'conversation' ? (
        <Suspense fallback={<Skeleton lines={10} className="px-4" />}>
          <TraceTabView projectId={projectId} recordId={recordId} q="" tab="conversation" span={undefined} />
        </Suspense>
      ) : (
        <>
          <Fields title="Inputs" fields={record.inputs} />
          <Fields title="Outputs" fields={record.outputs} against={record.expected} />
          <Fields title="Expected" fields={record.expected} />
        </>
      )}
      {part && <Files projectId={projectId} recordId={recordId} />}
    </article>
  );
};
