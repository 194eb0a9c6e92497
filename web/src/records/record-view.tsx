import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { metricsQuery } from '../metrics/queries.ts';
import { paths } from '../paths.ts';
import { useMay, useNames } from '../session/who.ts';
import { Passages } from '../traces/passages.tsx';
import { pointerPart } from '../traces/target.ts';
import type { Json, RecordDetail } from '../types.ts';
import { Avatar, Badge, Time } from '../ui/bits.tsx';
import { useKeys } from '../ui/keys.ts';
import { Value } from '../ui/value.tsx';
import { Annotations } from './annotations.tsx';
import { Attachments } from './attachments.tsx';
import { AddButton, PersonPicker, TagPicker } from './pickers.tsx';
import { Scores } from './scores.tsx';
import { useRecordWrites } from './use-record-writes.ts';

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-label={title} className="border-t px-4 py-3">
    <h2 className="mb-1 text-sm font-semibold">{title}</h2>
    {children}
  </section>
);

type FieldsProps = { title: string; path: string; fields: Json; against?: Json };

const Fields = ({ title, path, fields, against }: FieldsProps) => (
  <Part title={title}>
    {Object.keys(fields).length === 0 && <p className="text-soft">Empty.</p>}
    {Object.entries(fields).map(([name, value]) => (
      <Value
        key={name}
        name={name}
        value={value}
        against={against?.[name]}
        path={`${path}/${pointerPart(name)}`}
      />
    ))}
  </Part>
);

/** A small thing that can be taken off. */
const Removable = ({
  label,
  onRemove,
  children,
}: {
  label: string;
  onRemove?: () => void;
  children: ReactNode;
}) => (
  <span className="inline-flex items-center">
    {children}
    {onRemove && (
      <button
        type="button"
        aria-label={label}
        title={label}
        onClick={onRemove}
        className="inline-flex size-5 items-center justify-center rounded-sm text-soft hover:bg-hover hover:text-ink"
      >
        <X size={12} aria-hidden />
      </button>
    )}
  </span>
);

const Facts = ({ record, projectId }: { record: RecordDetail; projectId: string }) => (
  <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-soft">
    <Link {...paths.run(projectId, record.runId)} className="text-accent underline">
      Run {record.runId}
    </Link>
    {record.testcaseId && (
      <span>
        Testcase{' '}
        <Link
          {...paths.testset(projectId, record.testcaseId.split('-')[0]!)}
          className="text-accent underline"
        >
          {record.testcaseId}
        </Link>
      </span>
    )}
    {record.sessionId && <span>Session {record.sessionId}</span>}
    <Time at={record.createdAt} />
  </div>
);

/** Everything about a record, in the side panel and on its page. */
export const RecordView = ({ record, projectId }: { record: RecordDetail; projectId: string }) => {
  const nameOf = useNames();
  const may = useMay();
  const writes = useRecordWrites();
  const [picking, setPicking] = useState<'tag' | 'person'>();
  const { id } = record;
  // Nobody knows before how tall the scores are: what stands below them comes with them.
  const { isPending: areScoresPending } = useQuery(metricsQuery(projectId));
  useKeys(
    'A record',
    { t: ['Tag', () => setPicking('tag')], a: ['Assign', () => setPicking('person')] },
    may.write,
  );
  return (
    <article aria-label={`Record ${id}`} className="@container">
      <div className="flex flex-col gap-2 px-4 pb-3">
        <Facts record={record} projectId={projectId} />
        <div className="flex flex-wrap items-center gap-1">
          {record.tags.map((tag) => (
            <Removable
              key={tag}
              label={`Remove the tag ${tag}`}
              {...(may.write && { onRemove: () => writes.removeTag(id, tag) })}
            >
              <Badge>{tag}</Badge>
            </Removable>
          ))}
          {may.write && <AddButton label="Tag" onClick={() => setPicking('tag')} />}
          <span className="mx-1 h-4 border-l" aria-hidden />
          {record.assigneeUserIds.map((userId) => (
            <Removable
              key={userId}
              label={`Unassign ${nameOf(userId)}`}
              {...(may.write && { onRemove: () => writes.unassign(id, userId) })}
            >
              <span className="inline-flex items-center gap-1">
                <Avatar name={nameOf(userId)} /> {nameOf(userId)}
              </span>
            </Removable>
          ))}
          {may.write && <AddButton label="Assign" onClick={() => setPicking('person')} />}
        </div>
      </div>
      <div className="@3xl:grid @3xl:grid-cols-[minmax(0,1fr)_360px]">
        <div>
          <Passages recordId={id}>
            <Fields title="Inputs" path="/inputs" fields={record.inputs} />
            <Fields title="Outputs" path="/outputs" fields={record.outputs} against={record.expected} />
            <Fields title="Expected" path="/expected" fields={record.expected} />
          </Passages>
        </div>
        <div className="@3xl:border-l">
          <Part title={`Scores (${record.scoreStates.length})`}>
            <Scores record={record} projectId={projectId} writes={writes} />
          </Part>
          {!areScoresPending && (
            <Part title="Annotations">
              <Annotations key={id} recordId={id} writes={writes} />
            </Part>
          )}
          {!areScoresPending && record.sessionId && <Attachments sessionId={record.sessionId} />}
        </div>
      </div>
      <TagPicker
        projectId={projectId}
        open={picking === 'tag'}
        onClose={() => setPicking(undefined)}
        onPick={(text) => void writes.addTag(id, text).catch(() => {})}
      />
      <PersonPicker
        open={picking === 'person'}
        onClose={() => setPicking(undefined)}
        chosen={record.assigneeUserIds}
        onPick={(userId) => void writes.assign(id, userId).catch(() => {})}
      />
    </article>
  );
};
