import { useQuery } from '@tanstack/react-query';
import { GroupMenu } from '../../resources/metrics/groups.tsx';
import { evalTypes, outputTypes } from '../../resources/metrics/kinds.ts';
import { metricsQuery } from '../../resources/metrics/queries.ts';
import type { Metric } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote, Skeleton } from '../../ui/states.tsx';
import { Cell, Row, Table } from '../../ui/table.tsx';

type MetricChoiceProps = {
  metric: Metric;
  isChosen: boolean;
  onToggle: () => void;
};

const MetricChoice = ({ metric, isChosen, onToggle }: MetricChoiceProps) => {
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
    </Row>
  );
};

type ChooseMetricsProps = {
  projectId: string;
  /** The metrics that are not chosen. */
  left: ReadonlySet<string>;
  onToggle: (metricId: string) => void;
  onLeave: (metricIds: readonly string[]) => void;
};

/** The metrics of the run. */
export const ChooseMetrics = ({ projectId, left, onToggle, onLeave }: ChooseMetricsProps) => {
  const { data: metrics, error } = useQuery(metricsQuery(projectId));
  if (error) return <ErrorNote error={error} />;
  if (!metrics) return <Skeleton lines={4} />;
  if (metrics.length === 0)
    return <p className="text-soft">This project has no metrics yet; the records will have no scores.</p>;
  return (
    <div className="flex flex-col gap-3">
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
      <Table label="Metrics of the run" head={['Metric', 'Kind']}>
        {metrics.map((metric) => (
          <MetricChoice
            key={metric.id}
            metric={metric}
            isChosen={!left.has(metric.id)}
            onToggle={() => onToggle(metric.id)}
          />
        ))}
      </Table>
    </div>
  );
};
