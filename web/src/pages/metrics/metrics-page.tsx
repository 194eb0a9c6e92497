import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { ManagedTable, NameCell, type TableColumn } from '../../managed-table.tsx';
import { paths } from '../../paths.ts';
import { MetricGroups } from '../../resources/metrics/groups.tsx';
import { evalTypes, outputTypes } from '../../resources/metrics/kinds.ts';
import { ModelEndings } from '../../resources/metrics/model-endings.tsx';
import { metricsQuery } from '../../resources/metrics/queries.ts';
import { type Result, useLatestResults } from '../../resources/runs/latest-results.ts';
import { ResultTrend, UsedBy } from '../../resources/runs/result-trend.tsx';
import { useMay } from '../../resources/session/me.ts';
import { useOwners } from '../../resources/session/owners.ts';
import type { Metric } from '../../types.ts';
import { buttonClass } from '../../ui/button.tsx';
import { LatestRate, Trust } from './latest-rate.tsx';

const route = getRouteApi('/app/projects/$projectId/metrics');

const columnsOf = (projectId: string, results: readonly Result[] | undefined): TableColumn<Metric>[] => [
  {
    head: 'Metric',
    className: 'min-w-40',
    cell: (metric) => (
      <NameCell of={metric} to={paths.metric(projectId, metric.id)}>
        {metric.description}
      </NameCell>
    ),
  },
  {
    head: 'Scored by',
    cell: ({ evalType, evalModelName }) => (
      <>
        {evalTypes[evalType]}
        {evalModelName && <span className="wrap-anywhere text-soft"> · {evalModelName}</span>}
      </>
    ),
  },
  {
    head: 'Latest rate',
    cell: ({ id }) => <LatestRate projectId={projectId} results={results} metricId={id} />,
  },
  {
    head: 'Trend',
    cell: ({ id }) => <ResultTrend results={results?.filter(({ metricId }) => metricId === id)} />,
  },
  {
    head: 'Trust',
    cell: ({ id, evalType }) => <Trust projectId={projectId} results={results} of={{ id, evalType }} />,
  },
  {
    head: 'Used by',
    cell: ({ id }) => <UsedBy results={results?.filter(({ metricId }) => metricId === id)} />,
  },
  {
    head: 'Pass mark',
    className: 'whitespace-nowrap',
    cell: ({ outputType, passingThreshold, labels }) => (
      <span title={labels ? labels.items.join(', ') : outputTypes[outputType]}>
        {labels ? passMarkOf(labels) : passingThreshold === undefined ? 'true' : `≥ ${passingThreshold}`}
      </span>
    ),
  },
];

/** The labels that pass, as far as a cell has room. */
const passMarkOf = ({ passing }: { passing: string[] }): string =>
  passing.length > 2 ? `${passing.length} labels` : passing.join(', ');

/** The groups, read when they are unfolded: few who open the list of metrics look for them. */
const Groups = (props: ComponentProps<typeof MetricGroups>) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="mt-6" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="mb-2 text-soft select-none">Groups of metrics</summary>
      {isOpen && <MetricGroups {...props} />}
    </details>
  );
};

export const MetricsPage = () => {
  const { projectId } = route.useParams();
  const list = metricsQuery(projectId);
  const { data: metrics = [] } = useQuery(list);
  const results = useLatestResults(projectId);
  const hasMetrics = metrics.length > 0;
  return (
    <ManagedTable
      title="Metrics"
      noun="metric"
      list={list}
      may={useMay().write}
      create={
        <>
          <Link {...paths.readyMetrics(projectId)} className={buttonClass()}>
            Ready metrics
          </Link>
          <Link {...paths.newMetric(projectId)} className={buttonClass('primary')}>
            <Plus size={14} aria-hidden /> New metric
          </Link>
        </>
      }
      links={
        <>
          <Link {...paths.plan(projectId)} className={buttonClass()}>
            Plan a comparison
          </Link>
          <Link {...paths.gate(projectId)} className={buttonClass()}>
            Gate rules
          </Link>
        </>
      }
      empty="A metric defines how outputs are scored: by a model, by code or by people. A run keeps the metric configurations that it starts with."
      above={hasMetrics && <ModelEndings projectId={projectId} />}
      page={({ id }) => paths.metric(projectId, id)}
      columns={columnsOf(projectId, results)}
      owners={useOwners(projectId, 'metrics')}
    >
      {hasMetrics && <Groups projectId={projectId} metrics={metrics} />}
    </ManagedTable>
  );
};
