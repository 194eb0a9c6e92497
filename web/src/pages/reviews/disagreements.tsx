import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { valueOfScore } from '../../../../client/src/score-value.ts';
import { apiList } from '../../api.ts';
import { TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { metricQuery } from '../../resources/metrics/queries.ts';
import { valueText } from '../../resources/records/score-value.tsx';
import { useMay, useNames } from '../../resources/session/me.ts';
import type { ReviewDisagreement } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { countOf, countText } from '../../ui/format.ts';
import { Section } from '../../ui/page.tsx';
import { Empty, ErrorNote, Skeleton } from '../../ui/states.tsx';
import { Cell, Row, Table } from '../../ui/table.tsx';
import { Adjudicate } from './adjudicate.tsx';

type Pair = { key: string; a: string; b: string; numDiffering: number; numBoth: number };

/** How often each pair of reviewers differs, over the records with any difference; the most frequent pair first. */
const pairsOf = (disagreements: readonly ReviewDisagreement[]): Pair[] => {
  const pairs = new Map<string, Pair>();
  for (const { reviews } of disagreements) {
    const sorted = reviews.toSorted((x, y) => x.userId.localeCompare(y.userId));
    for (const [i, first] of sorted.entries()) {
      for (const second of sorted.slice(i + 1)) {
        const key = `${first.userId} ${second.userId}`;
        const pair = pairs.get(key) ?? {
          key,
          a: first.userId,
          b: second.userId,
          numDiffering: 0,
          numBoth: 0,
        };
        pair.numBoth += 1;
        if (valueOfScore(first.score) !== valueOfScore(second.score)) pair.numDiffering += 1;
        pairs.set(key, pair);
      }
    }
  }
  return [...pairs.values()].sort((x, y) => y.numDiffering - x.numDiffering);
};

type DisagreementsProps = { projectId: string; metricId: string; metricName: string; isOneOfMany: boolean };

/** How often each two reviewers differ. */
const PairsTable = ({ disagreements }: { disagreements: Parameters<typeof pairsOf>[0] }) => {
  const nameOf = useNames();
  return (
    <Table label="Disagreements by pair" head={['Reviewers', 'Different scores', 'Scored by both']}>
      {pairsOf(disagreements).map(({ key, a, b, numDiffering, numBoth }) => (
        <Row key={key}>
          <Cell>
            {nameOf(a)} and {nameOf(b)}
          </Cell>
          <Cell>{countOf(numDiffering, 'record')}</Cell>
          <Cell className="text-soft">{countOf(numBoth, 'record')}</Cell>
        </Row>
      ))}
    </Table>
  );
};

const NoDisagreements = ({ projectId, metricId, metricName, isOneOfMany }: DisagreementsProps) =>
  isOneOfMany ? (
    <p className="mb-4 text-soft">
      None: <TextLink {...paths.metric(projectId, metricId)}>set the number of reviewers</TextLink>
    </p>
  ) : (
    <Empty title={`No disagreements on ${metricName}`}>
      This list shows records that two people scored differently. Set the number of reviewers on{' '}
      <TextLink {...paths.metric(projectId, metricId)}>the metric’s page</TextLink>.
    </Empty>
  );

/** The records of a metric on which reviewers differ, with their scores and reasons. */
export const Disagreements = ({ projectId, metricId, metricName, isOneOfMany }: DisagreementsProps) => {
  const nameOf = useNames();
  const { data, error } = useQuery(apiList('listReviewDisagreements', metricId));
  const { data: metric } = useQuery(metricQuery(metricId));
  const may = useMay();
  const [open, setOpen] = useState<string>();
  if (error) return <ErrorNote error={error} />;
  if (!data) return <Skeleton lines={4} />;
  if (data.length === 0) return <NoDisagreements {...{ projectId, metricId, metricName, isOneOfMany }} />;
  return (
    <>
      <Section title="Disagreements by pair">
        <PairsTable disagreements={data} />
      </Section>
      <Section title={`Records on which reviewers differ (n = ${countText(data.length)})`}>
        <ul className="flex flex-col divide-y divide-line">
          {data.map(({ recordId, metricConfigId, spread, reviews }) => (
            <li key={`${recordId} ${metricConfigId}`} className="py-2">
              <p className="flex items-center gap-2">
                <TextLink {...paths.record(projectId, recordId)} className="font-mono">
                  {recordId}
                </TextLink>
                <span className="text-sm text-soft">differ by {countText(spread)}</span>
              </p>
              <ul className="mt-1 flex flex-col gap-1">
                {reviews.map(({ id, userId, score }) => (
                  <li key={id} className="flex gap-2">
                    <span className="w-40 shrink-0 truncate">{nameOf(userId)}</span>
                    <span className="w-12 shrink-0 font-medium">{valueText(score)}</span>
                    <span className="min-w-0 break-words whitespace-pre-wrap text-soft" dir="auto">
                      {typeof score.reasoning === 'string' ? score.reasoning : ''}
                    </span>
                  </li>
                ))}
              </ul>
              {may.write && metric && (
                <Button
                  look="quiet"
                  aria-expanded={open === recordId}
                  onClick={() => setOpen(open === recordId ? undefined : recordId)}
                >
                  Decide
                </Button>
              )}
              {open === recordId && metric && (
                <Adjudicate
                  metric={metric}
                  recordId={recordId}
                  metricConfigId={metricConfigId}
                  given={reviews.map(({ score }) => score)}
                />
              )}
            </li>
          ))}
        </ul>
      </Section>
    </>
  );
};
