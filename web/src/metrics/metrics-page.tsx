import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { paths } from '../paths.ts';
import { useMay } from '../session/who.ts';
import { buttonClass } from '../ui/button.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, ErrorNote, Skeleton } from '../ui/states.tsx';
import { Cell, Row, Table } from '../ui/table.tsx';
import { evalTypes, outputTypes } from './kinds.ts';
import { metricsQuery } from './queries.ts';

const route = getRouteApi('/app/projects/$projectId/metrics');

export const MetricsPage = () => {
  const { projectId } = route.useParams();
  const metrics = useQuery(metricsQuery(projectId));
  const may = useMay();
  const navigate = useNavigate();
  const newLink = may.write && (
    <Link {...paths.newMetric(projectId)} className={buttonClass('primary')}>
      <Plus size={14} aria-hidden /> New metric
    </Link>
  );
  return (
    <Page title="Metrics" actions={metrics.data && metrics.data.length > 0 && newLink}>
      {metrics.error && <ErrorNote error={metrics.error} />}
      {metrics.isPending && <Skeleton lines={5} />}
      {metrics.data?.length === 0 && (
        <Empty title="No metrics yet" action={newLink}>
          A metric says how outputs are scored: by a model that judges, by code, or by people. Every run pins
          the metrics that it is given.
        </Empty>
      )}
      {metrics.data && metrics.data.length > 0 && (
        <Table label="Metrics" head={['Metric', 'Scored by', 'Kind of score', 'Passes', 'Description']}>
          {metrics.data.map((metric) => (
            <Row
              key={metric.id}
              onClick={() => void navigate(paths.metric(projectId, metric.id))}
              className="cursor-pointer border-b hover:bg-hover"
            >
              <Cell className="min-w-40">
                <Link
                  {...paths.metric(projectId, metric.id)}
                  title={metric.name}
                  className="line-clamp-2 max-w-96 font-medium wrap-anywhere hover:underline"
                >
                  {metric.name}
                </Link>
              </Cell>
              <Cell>
                {evalTypes[metric.evalType]}
                {metric.evalModelName && (
                  <span className="wrap-anywhere text-soft"> · {metric.evalModelName}</span>
                )}
              </Cell>
              <Cell>{outputTypes[metric.outputType]}</Cell>
              <Cell className="whitespace-nowrap">
                {metric.passingThreshold === undefined ? 'when true' : `from ${metric.passingThreshold}`}
              </Cell>
              <Cell className="max-w-72 truncate text-soft">{metric.description}</Cell>
            </Row>
          ))}
        </Table>
      )}
    </Page>
  );
};
