import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { metricsQuery } from '../../resources/metrics/queries.ts';
import { Annotations } from '../../resources/records/annotations.tsx';
import { Fields } from '../../resources/records/fields.tsx';
import { type RecordWrites, useRecordWrites } from '../../resources/records/use-record-writes.ts';
import { useMay, useNames } from '../../resources/session/me.ts';
import { Passages } from '../../resources/traces/passages.tsx';
import type { RecordDetail } from '../../types.ts';
import { Avatar, Badge } from '../../ui/badge.tsx';
import { countOf, countText, durationText, usdText } from '../../ui/format.ts';
import { useKeys } from '../../ui/keys.ts';
import { Part } from '../../ui/part.tsx';
import { Time } from '../../ui/time.tsx';
import { Attachments } from './attachments.tsx';
import { AddButton, PersonPicker, TagPicker } from './pickers.tsx';
import { Scores } from './scores.tsx';

/** A tag or a person, with a button that removes it. */
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
    <TextLink {...paths.run(projectId, record.runId)}>Run {record.runId}</TextLink>
    {record.testcaseId && (
      <span>
        Testcase{' '}
        <TextLink {...paths.testset(projectId, record.testcaseId.split('-')[0]!)}>
          {record.testcaseId}
        </TextLink>
      </span>
    )}
    {record.sessionId && (
      <TextLink {...paths.session(projectId, record.sessionId)}>Session {record.sessionId}</TextLink>
    )}
    {record.measures?.userId && (
      <TextLink {...paths.sessions(projectId, record.measures.userId)}>
        User {record.measures.userId}
      </TextLink>
    )}
    <Measures measures={record.measures} />
    <Time at={record.createdAt} />
  </div>
);

/** Latency, tokens and cost of the record. */
const Measures = ({ measures }: Pick<RecordDetail, 'measures'>) => {
  if (!measures) return null;
  const { latencyMs, inputTokens, outputTokens, costUsd, numErrors } = measures;
  const tokens =
    inputTokens === null && outputTokens === null ? null : (inputTokens ?? 0) + (outputTokens ?? 0);
  const parts = [
    latencyMs !== null && durationText(latencyMs),
    tokens !== null && `${countText(tokens)} tokens`,
    costUsd !== null && usdText(costUsd),
    numErrors > 0 && `${countOf(numErrors, 'failed span')}`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? null : <span>{parts.join(' · ')}</span>;
};

/** In place of scores that would influence one that the reader has yet to give. */
const Blind = ({ record, projectId }: { record: RecordDetail; projectId: string }) => (
  <div className="flex flex-col gap-2">
    <p>
      You have yet to score this record. Scores of judges and other people, and their comments, are hidden
      until then, so that they do not influence yours.
    </p>
    <p className="text-sm text-soft">{record.scoreStates.map(({ metricName }) => metricName).join(', ')}</p>
    <p>
      <TextLink {...paths.review(projectId)}>Score it in the review queue</TextLink>
    </p>
  </div>
);

/** Everything about a record, in the side panel and on its page. */
export const RecordView = ({ record, projectId }: { record: RecordDetail; projectId: string }) => {
  const may = useMay();
  const writes = useRecordWrites();
  const [picking, setPicking] = useState<'tag' | 'person'>();
  const { id } = record;
  // The height of the scores is unknown until the metrics are read: the parts below appear together with them.
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
        <TagsAndPeople record={record} writes={writes} onPick={setPicking} />
      </div>
      <div className="@3xl:grid @3xl:grid-cols-[minmax(0,1fr)_360px]">
        <div>
          <Contents record={record} />
        </div>
        <div className="@3xl:border-l">
          <Part title={`Scores (${record.scoreStates.length})`}>
            {record.blind ? (
              <Blind record={record} projectId={projectId} />
            ) : (
              <Scores record={record} projectId={projectId} writes={writes} />
            )}
          </Part>
          {!areScoresPending && (
            <Part title="Annotations">
              <Annotations key={id} recordId={id} writes={writes} />
            </Part>
          )}
          {!areScoresPending && record.sessionId && (
            <Attachments sessionId={record.sessionId} projectId={projectId} />
          )}
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

type TagsAndPeopleProps = {
  record: RecordDetail;
  writes: RecordWrites;
  onPick: (what: 'tag' | 'person') => void;
};

/** The tags and the assigned people of a record. */
const TagsAndPeople = ({ record, writes, onPick }: TagsAndPeopleProps) => {
  const nameOf = useNames();
  const may = useMay();
  const { id } = record;
  return (
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
      {may.write && <AddButton label="Tag" onClick={() => onPick('tag')} />}
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
      {may.write && <AddButton label="Assign" onClick={() => onPick('person')} />}
    </div>
  );
};

/** Inputs, outputs and expected outputs. */
const Contents = ({ record }: { record: RecordDetail }) => {
  const hasExpected = Object.keys(record.expected).length > 0;
  return (
    <Passages recordId={record.id}>
      <Fields title="Inputs" fields={record.inputs} />
      {/* Beside each other if there is room: the two are read together. */}
      <div className="@container">
        <div className={hasExpected ? '@xl:grid @xl:grid-cols-2 @xl:[&>*+*]:border-l' : ''}>
          <Fields title="Outputs" fields={record.outputs} against={record.expected} />
          {hasExpected && <Fields title="Expected" fields={record.expected} />}
        </div>
      </div>
    </Passages>
  );
};
