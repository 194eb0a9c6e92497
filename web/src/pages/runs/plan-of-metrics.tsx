import { useQueries, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { metricsQuery } from '../../resources/metrics/queries.ts';
import { type PlanAsked, planQuery } from '../../resources/runs/queries.ts';
import type { Metric } from '../../types.ts';
import { errorText } from '../../ui/error-text.ts';
import { Input } from '../../ui/field.tsx';
import { capital, countOf, countText } from '../../ui/format.ts';
import { Skeleton } from '../../ui/states.tsx';
import { Cell, Row, Table } from '../../ui/table.tsx';

/** No pass rates are more than 100 points apart. */
const points = (share: number): string => (share >= 1 ? 'none' : `${(100 * share).toFixed(1)} points`);

type PlansProps = { projectId: string; metrics: readonly Metric[]; asked: Omit<PlanAsked, 'metricId'> };

/** What the run can detect by each metric, and the basis of that number. A reason that holds for several is said once. */
const Plans = ({ projectId, metrics, asked }: PlansProps) => {
  const plans = useQueries({
    queries: metrics.map(({ id: metricId }) => planQuery(projectId, { ...asked, metricId })),
  });
  if (plans.some(({ isPending }) => isPending)) return <Skeleton lines={3} />;
  const rows = metrics.map((metric, i) => ({ metric, data: plans[i]!.data, error: plans[i]!.error }));
  const known = rows.filter(({ data }) => data && data.minimumDetectable !== null);
  const reasons = Map.groupBy(
    rows.filter((row) => !known.includes(row)),
    ({ data, error }) => (error ? errorText(error) : (data?.reason ?? 'there are no testcases')),
  );
  return (
    <>
      {known.length > 0 && (
        <Table
          label="What the run can show"
          head={[
            'Metric',
            'Can detect changes of (80 % power)',
            `Testcases for ${Math.round(1000 * asked.difference) / 10} points`,
          ]}
        >
          {known.map(({ metric: { id, name }, data }) => (
            <Row
              key={id}
              title={`By run ${data!.basis?.runId}; correlation ${data!.correlation.value.toFixed(2)}, ${data!.correlation.source}. ${data!.assumption}`}
            >
              <Cell className="max-w-72 truncate">
                <bdi>{name}</bdi>
              </Cell>
              <Cell className="whitespace-nowrap">
                {points(data!.minimumDetectable!)}{' '}
                <span className="text-sm text-soft">with n = {countText(data!.n)}</span>
              </Cell>
              <Cell className="whitespace-nowrap">
                {data!.numNeeded === null ? 'N/A' : `n = ${countText(data!.numNeeded)}`}
              </Cell>
            </Row>
          ))}
        </Table>
      )}
      {[...reasons].map(([reason, without]) => (
        <p key={reason} className="text-sm text-soft">
          {capital(reason)}:{' '}
          {without.length > 3
            ? countOf(without.length, 'metric')
            : without.map(({ metric }) => metric.name).join(', ')}
          .
        </p>
      ))}
    </>
  );
};

type PlanOfMetricsProps = {
  projectId: string;
  testsetId: string;
  split: string | undefined;
  trials: number;
  /** The metrics that are not chosen. */
  left: ReadonlySet<string>;
  difference: number;
  onDifference: (points: number) => void;
};

/** For each metric the smallest difference to another version that the run can show, folded: a sentence below says the best. */
export const PlanOfMetrics = (props: PlanOfMetricsProps) => {
  const { projectId, testsetId, split, trials, left, difference, onDifference } = props;
  const { data: metrics = [] } = useQuery(metricsQuery(projectId));
  const [isOpen, setOpen] = useState(false);
  const chosen = metrics.filter(({ id }) => !left.has(id));
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="text-sm font-medium select-none">What it can show, by metric</summary>
      {isOpen && (
        <div className="mt-2 flex flex-col gap-3">
          <div className="max-w-72">
            <Input
              label="Smallest change that you care about, points"
              type="number"
              min={0.1}
              max={100}
              step="any"
              value={difference}
              onChange={(value) => onDifference(Number(value))}
            />
          </div>
          {difference > 0 && (
            <Plans
              projectId={projectId}
              metrics={chosen}
              asked={{ testsetId, split, difference: difference / 100, trials }}
            />
          )}
        </div>
      )}
    </details>
  );
};
