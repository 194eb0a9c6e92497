import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiPages } from '../../api.ts';
import { TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { type Labels, labelsOf } from '../../resources/judges/queries.ts';
import { oneLine } from '../../resources/records/one-line.ts';
import { reasonOf } from '../../resources/records/score-value.tsx';
import type { CalibrationDisagreement, Metric, ScoreState } from '../../types.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { countText } from '../../ui/format.ts';
import { Section } from '../../ui/page.tsx';
import { ErrorNote, Skeleton } from '../../ui/states.tsx';

/** Shown at first, and each time more are asked for. */
const few = 5;

type SideProps = {
  who: string;
  verdict: CalibrationDisagreement['judge'];
  isBoolean: boolean;
  reason: string | undefined;
};

const Side = ({ who, verdict: { value, passed }, isBoolean, reason }: SideProps) => (
  <div className="min-w-0">
    <p className="flex items-center gap-2 text-sm text-soft">
      {who}
      <Badge tone={passed ? 'pass' : 'fail'}>
        {typeof value === 'string' ? (
          <>
            <span role="img" aria-label={passed ? 'passes' : 'fails'}>
              {passed ? '✓' : '✗'}
            </span>
            <bdi>{value}</bdi>
          </>
        ) : (
          <>
            {passed ? '✓ Pass' : '✗ Fail'}
            {!isBoolean && ` (${countText(value)})`}
          </>
        )}
      </Badge>
    </p>
    <p dir="auto" className="mt-1 line-clamp-6 break-words whitespace-pre-wrap">
      {reason || <span className="text-soft">No reason given.</span>}
    </p>
  </div>
);

type Props = {
  projectId: string;
  metric: Metric;
  configId: string;
  labels: Labels;
  /** Metric by which people scored; null if their scores took the judge's place. */
  peopleMetricId: string | null;
};

/** One record on which they differ: both verdicts with their reasons, side by side. */
const Item = ({
  projectId,
  metric,
  configId,
  peopleMetricId,
  item,
}: Props & { item: CalibrationDisagreement }) => {
  const { record } = item;
  const states: readonly ScoreState[] = record?.scoreStates ?? [];
  const own = states.find(({ metricConfigId }) => metricConfigId === configId);
  const people = peopleMetricId === null ? own : states.find(({ metricId }) => metricId === peopleMetricId);
  const isBoolean = metric.outputType === 'boolean';
  return (
    <li className="py-3">
      <p className="flex min-w-0 items-baseline gap-2">
        <TextLink {...paths.record(projectId, item.recordId)} className="shrink-0 font-mono">
          {item.recordId}
        </TextLink>
        <span dir="auto" className="min-w-0 truncate text-soft">
          {record ? oneLine(record.outputs) : ''}
        </span>
      </p>
      {record === null && <p className="text-soft">This record was deleted.</p>}
      <div className="mt-2 grid gap-x-6 gap-y-3 md:grid-cols-2">
        <Side
          who="Judge"
          verdict={item.judge}
          isBoolean={isBoolean}
          reason={peopleMetricId === null ? 'A person has replaced this score.' : own && reasonOf(own)}
        />
        <Side who="People" verdict={item.human} isBoolean={isBoolean} reason={people && reasonOf(people)} />
      </div>
    </li>
  );
};

/** The records on which the judge and people differ. */
export const JudgeDisagreements = (props: Props) => {
  const { metric, configId, labels } = props;
  const [most, setMost] = useState(few);
  const list = useInfiniteQuery(
    apiPages('listJudgeDisagreements', metric.id, {
      metricConfigId: configId,
      ...labelsOf(labels),
      records: true,
    }),
  );
  const items = list.data?.pages.flatMap(({ data }) => data) ?? [];
  const more = () => {
    setMost(most + few);
    if (most + few > items.length && list.hasNextPage) void list.fetchNextPage();
  };
  return (
    <Section title="Disagreements to read">
      {list.error && <ErrorNote error={list.error} />}
      {list.isPending && <Skeleton lines={3} />}
      {list.isSuccess && items.length === 0 && (
        <p className="text-soft">The judge and people differ on no record.</p>
      )}
      <ul aria-label="Disagreements" className="divide-y divide-line">
        {items.slice(0, most).map((item) => (
          <Item key={item.id} {...props} item={item} />
        ))}
      </ul>
      {(items.length > most || list.hasNextPage) && <Button onClick={more}>Show more</Button>}
    </Section>
  );
};
