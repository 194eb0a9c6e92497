import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiPages, apiQuery } from '../../api.ts';
import { TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { oneLine } from '../../resources/records/one-line.ts';
import { RecordError } from '../../resources/records/record-error.tsx';
import { useNames } from '../../resources/session/me.ts';
import type { PreferenceComparison } from '../../types.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Section } from '../../ui/page.tsx';
import { ErrorNote, Skeleton } from '../../ui/states.tsx';

/** Shown at first, and each time more are asked for. */
const few = 5;

type Props = { projectId: string; studyId: string; titleOf: (runId: string) => string };
type Side = { runId: string; recordId: string };

const Output = ({
  projectId,
  titleOf,
  side: { runId, recordId },
}: Omit<Props, 'studyId'> & { side: Side }) => {
  const { data, error } = useQuery(apiQuery('getRecord', recordId));
  return (
    <div className="min-w-0">
      <p className="flex items-baseline gap-2 text-sm text-soft">
        <bdi className="truncate font-medium text-ink">{titleOf(runId)}</bdi>
        <TextLink {...paths.record(projectId, recordId)} className="shrink-0 font-mono">
          {recordId}
        </TextLink>
      </p>
      {error && <RecordError error={error} />}
      <p dir="auto" className="mt-1 line-clamp-6 break-words whitespace-pre-wrap">
        {data ? oneLine(data.outputs) : ''}
      </p>
    </div>
  );
};

/** One pair on which they differ: both outputs, and who preferred which and why. */
const Item = ({ projectId, titleOf, pair }: Omit<Props, 'studyId'> & { pair: PreferenceComparison }) => {
  const nameOf = useNames();
  const first = useQuery(apiQuery('getRecord', pair.firstRecordId)).data;
  const second = useQuery(apiQuery('getRecord', pair.secondRecordId)).data;
  // Both have the same inputs; one of them may be deleted.
  const record = first ?? second;
  const common = { projectId, titleOf };
  return (
    <li className="py-3">
      <p dir="auto" className="truncate font-medium">
        {record ? oneLine(record.inputs) : ''}
      </p>
      <div className="mt-2 grid gap-x-6 gap-y-3 md:grid-cols-2">
        <Output {...common} side={{ runId: pair.firstRunId, recordId: pair.firstRecordId }} />
        <Output {...common} side={{ runId: pair.secondRunId, recordId: pair.secondRecordId }} />
      </div>
      <ul className="mt-2 flex flex-col gap-1">
        {pair.votes.map(({ userId, preferredRunId, comment }) => (
          <li key={userId ?? 'model'} className="flex min-w-0 items-baseline gap-2">
            <span className="shrink-0 text-soft">{userId === null ? 'The model' : nameOf(userId)}</span>
            <Badge tone={preferredRunId === null ? 'neutral' : 'accent'}>
              {preferredRunId === null ? 'Tie' : titleOf(preferredRunId)}
            </Badge>
            <span dir="auto" className="line-clamp-3 min-w-0 break-words whitespace-pre-wrap">
              {comment}
            </span>
          </li>
        ))}
      </ul>
    </li>
  );
};

/** The pairs on which two people, or people and the model, differ. `version` changes when there may be more. */
export const PreferenceDisagreements = ({
  studyId,
  version,
  ...props
}: Props & { version: number | undefined }) => {
  const [most, setMost] = useState(few);
  const pages = apiPages('listPreferenceComparisons', studyId, { only: 'disagreements' });
  const list = useInfiniteQuery({
    ...pages,
    queryKey: [...pages.queryKey, version],
    placeholderData: (before) => before,
  });
  const pairs = list.data?.pages.flatMap(({ data }) => data) ?? [];
  const more = () => {
    setMost(most + few);
    if (most + few > pairs.length && list.hasNextPage) void list.fetchNextPage();
  };
  return (
    <Section title="Disagreements to read">
      {list.error && <ErrorNote error={list.error} />}
      {list.isPending && <Skeleton lines={3} />}
      {list.isSuccess && pairs.length === 0 && (
        <p className="text-soft">No two votes on the same pair differ.</p>
      )}
      <ul aria-label="Disagreements" className="divide-y divide-line">
        {pairs.slice(0, most).map((pair) => (
          <Item key={pair.number} {...props} pair={pair} />
        ))}
      </ul>
      {(pairs.length > most || list.hasNextPage) && <Button onClick={more}>Show more</Button>}
    </Section>
  );
};
