import { useQuery } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { GroupMenu } from '../../resources/metrics/groups.tsx';
import { evalTypes, outputTypes } from '../../resources/metrics/kinds.ts';
import { metricsQuery } from '../../resources/metrics/queries.ts';
import { type PlanAsked, planQuery } from '../../resources/runs/queries.ts';
import type { Metric } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { Input } from '../../ui/field.tsx';
import { countText } from '../../ui/format.ts';
import { ErrorNote, Skeleton } from '../../ui/states.tsx';
import { Cell, Row, Table } from '../../ui/table.tsx';

const points = (share: number): string => `${(100 * share).toFixed(1)} points`;

type PlanProps = { projectId: string; asked: PlanAsked };

/** The difference that the run can detect by this metric, and the basis of that number. */
const PlanCells = ({ projectId, asked }: PlanProps) => {
  const { data, error } = useQuery(planQuery(projectId, asked));
  if (error)
    return (
      <Cell colSpan={2} className="text-fail">
        {error.message}
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

type ChooseMetricsProps = {
  projectId: string;
  testsetId: string;
  trials: number;
  left: ReadonlySet<string>;
  onToggle: (metricId: string) => void;
  onLeave: (metricIds: readonly string[]) => void;
  difference: number;
  onDifference: (points: number) => void;
};

type MetricChoiceProps = {
  projectId: string;
  metric: Metric;
  isChosen: boolean;
  /** The plan that is asked for; undefined without a testset or a difference. */
  asked: ComponentProps<typeof PlanCells>['asked'] | undefined;
  onToggle: () => void;
};

const MetricChoice = ({ projectId, metric, isChosen, asked, onToggle }: MetricChoiceProps) => {
  const { name, evalType, outputType } = metric;
  return (
    <Row>
      <Cell className="max-w-72">
        <label className="flex items-center gap-2">
          <input type="checkbox" checked={isChosen} onChange={onToggle} />
          <bdi className="truncate" title={name}>
            {name}
          </bdi>
        </label>
      </Cell>
      <Cell className="whitespace-nowrap text-soft">
        {evalTypes[evalType]} · {outputTypes[outputType]}
      </Cell>
      {asked && isChosen && <PlanCells projectId={projectId} asked={asked} />}
      {asked && !isChosen && <Cell colSpan={2} />}
    </Row>
  );
};

/** The metrics of the run, each with the smallest difference to another system that this many testcases can detect. */
export const ChooseMetrics = (props: ChooseMetricsProps) => {
  const { projectId, testsetId, trials, left, onToggle, onLeave, difference, onDifference } = props;
  const { data: metrics, error } = useQuery(metricsQuery(projectId));
  if (error) return <ErrorNote error={error} />;
  if (!metrics) return <Skeleton lines={4} />;
  if (metrics.length === 0)
    return <p className="text-soft">This project has no metrics yet; the records will have no scores.</p>;
  const isPlanned = testsetId !== '' && difference > 0;
  return (
    <div className="flex flex-col gap-3">
      {testsetId !== '' && (
        <div className="max-w-72">
          <Input
            label="Smallest difference to detect, in percentage points"
            type="number"
            min={0.1}
            max={100}
            step="any"
            value={difference}
            onChange={(value) => onDifference(Number(value))}
          />
        </div>
      )}
      <div className="flex items-center gap-2">
        <span role="status" className="text-soft">
          {metrics.filter(({ id }) => !left.has(id)).length} of {metrics.length} chosen
        </span>
        <Button look="quiet" onClick={() => onLeave([])}>
          All
        </Button>
        <Button look="quiet" onClick={() => onLeave(metrics.map(({ id }) => id))}>
          None
        </Button>
        <GroupMenu
          projectId={projectId}
          onChoose={(ids) => onLeave(metrics.map(({ id }) => id).filter((id) => !ids.has(id)))}
        />
      </div>
      <Table
        label="Metrics of the run"
        head={[
          'Metric',
          'Kind',
          ...(isPlanned
            ? ['Smallest detectable difference (80 % power)', `Testcases needed for ${difference} points`]
            : []),
        ]}
      >
        {metrics.map((metric) => (
          <MetricChoice
            key={metric.id}
            projectId={projectId}
            metric={metric}
            isChosen={!left.has(metric.id)}
            asked={
              isPlanned ? { metricId: metric.id, testsetId, difference: difference / 100, trials } : undefined
            }
            onToggle={() => onToggle(metric.id)}
          />
        ))}
      </Table>
    </div>
  );
};
