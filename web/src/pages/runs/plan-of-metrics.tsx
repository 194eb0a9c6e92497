import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { metricsQuery } from '../../resources/metrics/queries.ts';
import { type PlanAsked, planQuery } from '../../resources/runs/queries.ts';
import { errorText } from '../../ui/error-text.ts';
import { Input } from '../../ui/field.tsx';
import { countText } from '../../ui/format.ts';
import { Cell, Row, Table } from '../../ui/table.tsx';

/** No pass rates are more than 100 points apart. */
const points = (share: number): string => (share >= 1 ? 'none' : `${(100 * share).toFixed(1)} points`);

type PlanProps = { projectId: string; asked: PlanAsked };

/** The difference that the run can detect by this metric, and the basis of that number. */
const PlanCells = ({ projectId, asked }: PlanProps) => {
  const { data, error } = useQuery(planQuery(projectId, asked));
  if (error)
    return (
      <Cell colSpan={2} className="text-fail">
        {errorText(error)}
      </Cell>
    );
  if (!data)
    return (
      <Cell colSpan={2}>
        <div className="skeleton h-4 w-40" />
      </Cell>
    );
  if (data.minimumDetectable === null)
    return (
      <Cell colSpan={2} className="text-sm text-soft">
        N/A: {data.reason ?? 'there are no testcases'}
      </Cell>
    );
  const why = `By run ${data.basis?.runId}; correlation ${data.correlation.value.toFixed(2)}, ${data.correlation.source}. ${data.assumption}`;
  return (
    <>
      <Cell className="whitespace-nowrap" title={why}>
        {points(data.minimumDetectable)}{' '}
        <span className="text-sm text-soft">with n = {countText(data.n)}</span>
      </Cell>
      <Cell className="whitespace-nowrap" title={why}>
        {data.numNeeded === null ? 'N/A' : `n = ${countText(data.numNeeded)}`}
      </Cell>
    </>
  );
};

type PlanOfMetricsProps = {
  projectId: string;
  testsetId: string;
  trials: number;
  /** The metrics that are not chosen. */
  left: ReadonlySet<string>;
  difference: number;
  onDifference: (points: number) => void;
};

/** For each metric the smallest difference to another version that the run can show, folded: a sentence below says the best. */
export const PlanOfMetrics = (props: PlanOfMetricsProps) => {
  const { projectId, testsetId, trials, left, difference, onDifference } = props;
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
            <Table
              label="What the run can show"
              head={['Metric', 'Can detect changes of (80 % power)', `Testcases for ${difference} points`]}
            >
              {chosen.map(({ id, name }) => (
                <Row key={id}>
                  <Cell className="max-w-72 truncate" title={name}>
                    <bdi>{name}</bdi>
                  </Cell>
                  <PlanCells
                    projectId={projectId}
                    asked={{ metricId: id, testsetId, difference: difference / 100, trials }}
                  />
                </Row>
              ))}
            </Table>
          )}
        </div>
      )}
    </details>
  );
};
