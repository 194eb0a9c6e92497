import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery } from '../../api.ts';
import { metricsQuery } from '../../resources/metrics/queries.ts';
import { ErrorNote, Skeleton } from '../../ui/states.tsx';
import { Cell, Row, Table } from '../../ui/table.tsx';
import { Verdict } from '../../ui/verdict.tsx';
import { wordsFor } from './compared-words.ts';
import { CriteriaLeftOut } from './criteria-of-run.tsx';
import type { Pair } from './pair.ts';

type ComparedCriteriaProps = { projectId: string; metricId: string; pair: Pair };

/** Which criteria of a metric a change touched, folded: their verdicts are adjusted for their number. */
export const ComparedCriteria = ({ projectId, metricId, pair }: ComparedCriteriaProps) => {
  const { data: metrics = [] } = useQuery(metricsQuery(projectId));
  const [isOpen, setOpen] = useState(false);
  if (!metrics.find(({ id }) => id === metricId)?.criteria) return null;
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)} className="mt-1">
      <summary className="cursor-pointer text-accent underline">Criteria</summary>
      {isOpen && <CriteriaTable metricId={metricId} pair={pair} />}
    </details>
  );
};

const CriteriaTable = ({ metricId, pair }: Pick<ComparedCriteriaProps, 'metricId' | 'pair'>) => {
  const runs = [pair.before, pair.after];
  const { data, error } = useQuery(apiQuery('compareRuns', { runs, criteriaOf: metricId }));
  if (error) return <ErrorNote error={error} />;
  if (!data) return <Skeleton lines={3} />;
  const compared = (data.pairs[0]?.metrics ?? []).toSorted(
    (a, b) => (a.difference ?? 1) - (b.difference ?? 1),
  );
  if (compared.length === 0) return <p className="text-soft">No criterion has verdicts in both runs.</p>;
  const words = wordsFor('boolean', 'pass', compared[0]!.n);
  return (
    <>
      <Table
        label="Criteria compared"
        head={['Criterion', 'Verdict', `Run ${pair.before}`, `Run ${pair.after}`, 'Difference, interval']}
      >
        {compared.map(({ metricId: id, metricName, conclusion, before, after, difference, interval }) => (
          <Row key={id}>
            <Cell className="max-w-72 break-words">
              <bdi>{metricName.slice(metricName.indexOf(' › ') + 3)}</bdi>
            </Cell>
            <Cell>
              <Verdict verdict={conclusion.verdict} />
            </Cell>
            <Cell>{words.value(before)}</Cell>
            <Cell>{words.value(after)}</Cell>
            <Cell className="whitespace-nowrap">
              {difference === null ? 'N/A' : `${words.difference(difference)}${words.unit}`}
              {interval && (
                <span className="text-soft">
                  , {words.difference(interval.low)} to {words.difference(interval.high)}
                </span>
              )}
            </Cell>
          </Row>
        ))}
      </Table>
      <CriteriaLeftOut n={data.numCriteriaLeftOut} />
    </>
  );
};
