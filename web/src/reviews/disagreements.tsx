import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { listAll } from '../api.ts';
import { paths } from '../paths.ts';
import { valueText } from '../records/score-value.tsx';
import { useNames } from '../session/who.ts';
import type { ReviewDisagreement } from '../types.ts';
import { countOf } from '../ui/bits.tsx';
import { countText } from '../ui/format.ts';
import { Section } from '../ui/page.tsx';
import { Empty, ErrorNote, Skeleton } from '../ui/states.tsx';
import { Cell, Row, Table } from '../ui/table.tsx';

type Pair = { key: string; a: string; b: string; numDiffering: number; numBoth: number };

const scoreValue = (score: { [field: string]: unknown }): unknown =>
  score.binaryScore ?? score.intScore ?? score.floatScore;

/** How often each two of the reviewers differ, on the records on which anybody does; most often first. */
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
        if (scoreValue(first.score) !== scoreValue(second.score)) pair.numDiffering += 1;
        pairs.set(key, pair);
      }
    }
  }
  return [...pairs.values()].sort((x, y) => y.numDiffering - x.numDiffering);
};

type DisagreementsProps = { projectId: string; metricId: string; metricName: string };

/** The records of a metric on which reviewers differ: who with whom, and in which words. */
export const Disagreements = ({ projectId, metricId, metricName }: DisagreementsProps) => {
  const nameOf = useNames();
  const { data, error } = useQuery({
    queryKey: [`/metrics/${metricId}/review-disagreements`],
    queryFn: ({ signal }) => listAll<ReviewDisagreement>(`/metrics/${metricId}/review-disagreements`, signal),
  });
  if (error) return <ErrorNote error={error} />;
  if (!data) return <Skeleton lines={4} />;
  if (data.length === 0)
    return (
      <Empty title={`Nobody disagrees on ${metricName}`}>
        Records stand here on which two people gave different scores. How many people score a record is set on{' '}
        <Link {...paths.metric(projectId, metricId)} className="text-accent underline">
          the metric’s page
        </Link>
        .
      </Empty>
    );
  return (
    <>
      <Section title="Who disagrees with whom">
        <Table label="Who disagrees with whom" head={['Reviewers', 'They differ on', 'Both scored']}>
          {pairsOf(data).map(({ key, a, b, numDiffering, numBoth }) => (
            <Row key={key}>
              <Cell>
                {nameOf(a)} and {nameOf(b)}
              </Cell>
              <Cell>{countOf(numDiffering, 'record')}</Cell>
              <Cell className="text-soft">{numBoth} of these</Cell>
            </Row>
          ))}
        </Table>
      </Section>
      <Section title={`Records on which reviewers differ (n = ${countText(data.length)})`}>
        <ul className="flex flex-col divide-y divide-line">
          {data.map(({ recordId, metricConfigId, spread, reviews }) => (
            <li key={`${recordId} ${metricConfigId}`} className="py-2">
              <p className="flex items-center gap-2">
                <Link {...paths.record(projectId, recordId)} className="font-mono text-accent underline">
                  {recordId}
                </Link>
                <span className="text-sm text-soft">apart by {countText(spread)}</span>
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
            </li>
          ))}
        </ul>
      </Section>
    </>
  );
};
