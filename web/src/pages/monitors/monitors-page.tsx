import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { api, apiList } from '../../api.ts';
import { QuietLink } from '../../links.tsx';
import { ManagedTable, NameCell, type TableColumn } from '../../managed-table.tsx';
import { paths } from '../../paths.ts';
import { CorrectedShare } from '../../resources/judges/corrected-rate.tsx';
import { metricsQuery } from '../../resources/metrics/queries.ts';
import { useMay } from '../../resources/session/me.ts';
import type { Monitor } from '../../types.ts';
import { countText } from '../../ui/format.ts';
import { Interval } from '../../ui/interval.tsx';
import { Time } from '../../ui/time.tsx';
import { filterText, rateText } from './filter-text.ts';
import { MonitorDialog } from './monitor-dialog.tsx';

const route = getRouteApi('/app/projects/$projectId/monitors');

type Result = Monitor['results']['metrics'][number];

/** How many scores a metric has, and how many are pending, unscored or failed. */
const Scored = ({ states: { scored, pending, unscored, failed } }: Result) => {
  const rest = [
    pending > 0 && `${countText(pending)} pending`,
    unscored > 0 && `${countText(unscored)} unscored`,
    failed > 0 && `${countText(failed)} failed`,
  ].filter(Boolean);
  return (
    <span className="whitespace-nowrap">
      {countText(scored)}
      {rest.length > 0 && <span className="text-sm text-soft"> · {rest.join(', ')}</span>}
    </span>
  );
};

const Results = ({ projectId, metrics }: { projectId: string; metrics: readonly Result[] }) => {
  const { data: known = [] } = useQuery(metricsQuery(projectId));
  const judges = new Set(known.filter(({ evalType }) => evalType === 'ai').map(({ id }) => id));
  return (
    <ul className="flex flex-col">
      {metrics.map((metric) => (
        <li
          key={metric.metricId}
          className="grid grid-cols-[minmax(96px,1fr)_minmax(110px,auto)_270px] items-center gap-3 py-0.5"
        >
          <QuietLink
            {...paths.metric(projectId, metric.metricId)}
            className="truncate"
            title={metric.metricName}
          >
            {metric.metricName}
          </QuietLink>
          <Scored {...metric} />
          <span>
            <Interval of={metric.passRate} />
            {judges.has(metric.metricId) && (
              <span className="block h-4 text-xs">
                <CorrectedShare
                  projectId={projectId}
                  metricId={metric.metricId}
                  configId={metric.metricConfigId}
                  of={metric.passRate}
                />
              </span>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
};

const columns: TableColumn<Monitor>[] = [
  {
    head: 'Monitor',
    cell: (monitor) => (
      <NameCell of={monitor} to={paths.monitor(monitor.projectId, monitor.id)}>
        {filterText(monitor.filter)}
      </NameCell>
    ),
  },
  {
    head: 'Share',
    className: 'whitespace-nowrap',
    cell: ({ samplingRate, settleSeconds }) => (
      <span title={`${settleSeconds} s after its last span`}>{rateText(samplingRate)}</span>
    ),
  },
  {
    head: 'Sampled',
    className: 'whitespace-nowrap',
    cell: ({ results: { numDrawn, numRecords, since } }) => (
      <>
        {countText(numDrawn)} <span className="text-soft">of {countText(numRecords)}</span>
        <span className="block text-sm text-soft">
          since <Time at={since} />
        </span>
      </>
    ),
  },
  {
    head: 'Scores and pass rates',
    cell: ({ projectId, results }) => <Results projectId={projectId} metrics={results.metrics} />,
  },
];

export const MonitorsPage = () => {
  const { projectId } = route.useParams();
  return (
    <ManagedTable
      title="Monitors"
      noun="monitor"
      // Traces arrive while the page is open.
      list={{ ...apiList('listMonitors', projectId), refetchInterval: 15_000 }}
      may={useMay().write}
      empty="A monitor samples the traces that arrive, all of them or those that match a filter, and scores them by metrics."
      columns={columns}
      form={(form) => <MonitorDialog projectId={projectId} {...form} />}
      pause={api.updateMonitor}
      remove={{
        send: api.deleteMonitor,
        warning: 'Pending scores of this monitor are cancelled. Existing scores stay.',
      }}
    />
  );
};
