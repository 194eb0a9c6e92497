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
  const criteria = metrics.find(({ id }) => id === metricId)?.criteria;
  if (!criteria) return null;
  const bad = new Set(criteria.items.filter(({ weight }) => weight < 0).map(({ id }) => `${metricId}/${id}`));
  const texts = new Map(criteria.items.map(({ id, text }) => [`${metricId}/${id}`, text]));
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)} className="mt-1">
      <summary className="cursor-pointer text-accent underline">Criteria</summary>
      {isOpen && <CriteriaTable metricId={metricId} pair={pair} bad={bad} texts={texts} />}
    </details>
  );
};

/** The comparison counts a yes as better; it is worse where the weight is negative. */
const turned = { better: 'worse', worse: 'better', 'cannot tell': 'cannot tell' } as const;

/** `bad`: ids of the criteria that take from the share when they are met. */
type CriteriaTableProps = Pick<ComparedCriteriaProps, 'metricId' | 'pair'> & {
  bad: ReadonlySet<string>;
  /** Texts of the criteria of the metric, by id. */
  texts: ReadonlyMap<string, string>;
};

const CriteriaTable = ({ metricId, pair, bad, texts }: CriteriaTableProps) => {
  const runs = [pair.before, pair.after];
  const { data, error } = useQuery(apiQuery('compareRuns', { runs, criteriaOf: metricId }));
  if (error) return <ErrorNote error={error} />;
  if (!data) return <Skeleton lines={3} />;
  const gainOf = ({ metricId: id, difference }: { metricId: string; difference: number | null }) =>
    difference === null ? 1 : bad.has(id) ? -difference : difference;
  const compared = (data.pairs[0]?.metrics ?? []).toSorted((a, b) => gainOf(a) - gainOf(b));
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
              <bdi>{texts.get(id) ?? metricName.slice(metricName.indexOf(' › ') + 3)}</bdi>
              {bad.has(id) && <span className="block text-sm text-soft">a yes is bad</span>}
            </Cell>
            <Cell>
              <Verdict verdict={bad.has(id) ? turned[conclusion.verdict] : conclusion.verdict} />
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
