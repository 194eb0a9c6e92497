import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { QuietLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { MetricGroups } from '../../resources/metrics/groups.tsx';
import { evalTypes, outputTypes } from '../../resources/metrics/kinds.ts';
import { ModelEndings } from '../../resources/metrics/model-endings.tsx';
import { metricsQuery } from '../../resources/metrics/queries.ts';
import { useMay } from '../../resources/session/me.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Cell, Row, Table } from '../../ui/table.tsx';

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
    <Page
      title="Metrics"
      actions={
        metrics.data &&
        metrics.data.length > 0 && (
          <>
            <Link {...paths.plan(projectId)} className={buttonClass()}>
              Plan a comparison
            </Link>
            <Link {...paths.gate(projectId)} className={buttonClass()}>
              Preview a gate
            </Link>
            {newLink}
          </>
        )
      }
    >
      <Loaded
        query={metrics}
        lines={5}
        empty={
          <Empty title="No metrics yet" action={newLink}>
            A metric defines how outputs are scored: by a model, by code or by people. A run keeps the metric
            configurations that it starts with.
          </Empty>
        }
      >
        {(list) => (
          <>
            <ModelEndings projectId={projectId} />
            <Table label="Metrics" head={['Metric', 'Scored by', 'Score type', 'Passes', 'Description']}>
              {list.map((metric) => (
                <Row key={metric.id} onOpen={() => void navigate(paths.metric(projectId, metric.id))}>
                  <Cell className="min-w-40">
                    <QuietLink
                      {...paths.metric(projectId, metric.id)}
                      title={metric.name}
                      className="line-clamp-2 max-w-96 font-medium wrap-anywhere"
                    >
                      {metric.name}
                    </QuietLink>
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
            <MetricGroups projectId={projectId} metrics={list} />
          </>
        )}
      </Loaded>
    </Page>
  );
};
