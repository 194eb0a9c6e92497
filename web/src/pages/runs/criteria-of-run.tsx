import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../api.ts';
import { metricsQuery } from '../../resources/metrics/queries.ts';
import type { RunSummary } from '../../types.ts';
import { countOf, countText } from '../../ui/format.ts';
import { Interval } from '../../ui/interval.tsx';
import { ErrorNote, Skeleton } from '../../ui/states.tsx';
import { Cell, Row, Table } from '../../ui/table.tsx';

type Entry = RunSummary['metrics'][number];

/** What to know about a criterion: that it says nothing, or not the same each time. */
const notesOf = ({ passRate, states, criterion }: Entry): string[] => {
  const { estimate } = passRate;
  const missing = states.pending + states.unscored + states.failed;
  return [
    ...(missing > 0 ? [`${missing} without a verdict`] : []),
    ...(estimate === 1 ? ['always met'] : []),
    ...(estimate === 0 ? ['never met'] : []),
    ...(criterion && criterion.numSplit > 0
      ? [`votes differ on ${criterion.numSplit} of ${countOf(criterion.numVoted, 'record')}`]
      : []),
    ...((criterion?.weight ?? 1) < 0 ? ['a yes is bad'] : []),
    ...(criterion?.mustPass ? ['must pass'] : []),
    ...(criterion?.weight != null && criterion.weight !== 1 ? [`weight ${criterion.weight}`] : []),
  ];
};

/** How good the rate of a criterion is: a yes is bad where its weight is negative. Those without a rate come last. */
const goodOf = ({ passRate: { estimate }, criterion }: Entry): number => {
  if (estimate === null) return 2;
  return (criterion?.weight ?? 1) < 0 ? 1 - estimate : estimate;
};

type CriteriaOfRunProps = { projectId: string; runId: string; metricId: string };

/** The criteria of a metric in a run; nothing for a metric without any. */
export const CriteriaOfRun = ({ projectId, ...of }: CriteriaOfRunProps) => {
  const { data: metrics = [] } = useQuery(metricsQuery(projectId));
  if (!metrics.some(({ id, criteria }) => id === of.metricId && criteria)) return null;
  return (
    <div className="min-w-0 lg:col-span-2">
      <CriteriaTable {...of} />
    </div>
  );
};

/** Each criterion with its rate: the lowest first, since these are what to work on. */
const CriteriaTable = ({ runId, metricId }: Omit<CriteriaOfRunProps, 'projectId'>) => {
  const { data, error } = useQuery(apiQuery('summarizeRun', runId, { criteriaOf: metricId }));
  if (error) return <ErrorNote error={error} />;
  if (!data) return <Skeleton lines={3} />;
  const criteria = data.metrics.toSorted((a, b) => goodOf(a) - goodOf(b));
  if (criteria.length === 0) return <p className="text-soft">No criterion has a verdict yet.</p>;
  return (
    <>
      <Table label="Criteria" head={['Criterion', 'Met', 'Notes']}>
        {criteria.map((entry) => (
          <Row key={`${entry.metricConfigId} ${entry.metricId}`}>
            <Cell className="max-w-96 break-words" dir="auto">
              <span title={entry.criterion?.id}>{entry.criterion?.text ?? entry.criterion?.id}</span>
            </Cell>
            <Cell>
              <Interval of={entry.passRate} />
            </Cell>
            <Cell className="text-sm text-soft">{notesOf(entry).join(' · ')}</Cell>
          </Row>
        ))}
      </Table>
      <CriteriaLeftOut n={data.numCriteriaLeftOut} />
    </>
  );
};

/** Says that an answer has not all criteria. */
export const CriteriaLeftOut = ({ n = 0 }: { n?: number | undefined }) =>
  n > 0 && (
    <p className="mt-1 text-sm text-soft">
      Criteria of testcases with fewer verdicts that are not shown: {countText(n)}.
    </p>
  );
