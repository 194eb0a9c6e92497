import { useQuery } from '@tanstack/react-query';
import { api, apiList } from '../../api.ts';
import { QuietLink } from '../../links.tsx';
import { ManagedTable, NameCell, type TableColumn } from '../../managed-table.tsx';
import { paths } from '../../paths.ts';
import { CorrectedShare } from '../../resources/judges/corrected-rate.tsx';
import { metricsQuery } from '../../resources/metrics/queries.ts';
import { useMay } from '../../resources/session/me.ts';
import type { Alert, Monitor } from '../../types.ts';
import { countOf, countText } from '../../ui/format.ts';
import { Interval } from '../../ui/interval.tsx';
import { Time } from '../../ui/time.tsx';
import { alertsQuery } from './alerts.tsx';
import { filterText, rateText } from './filter-text.ts';
import { MonitorDialog } from './monitor-dialog.tsx';
import { checkWidths, Todos } from './todos.tsx';
import { todosOfMonitor } from './what-to-do.ts';

type Result = Monitor['results']['metrics'][number];

/** How many scores a metric has and how many are pending, unscored or failed; nothing if it has all. */
const Scored = ({ states: { scored, pending, unscored, failed } }: Result) => {
  const rest = [
    pending > 0 && `${countText(pending)} pending`,
    unscored > 0 && `${countText(unscored)} unscored`,
    failed > 0 && `${countText(failed)} failed`,
  ].filter(Boolean);
  return (
    rest.length > 0 && (
      <span className="whitespace-nowrap">
        {countText(scored)}
        <span className="text-sm text-soft"> · {rest.join(', ')}</span>
      </span>
    )
  );
};

const Results = ({ projectId, metrics }: { projectId: string; metrics: readonly Result[] }) => {
  const { data: known = [] } = useQuery(metricsQuery(projectId));
  const judges = new Set(known.filter(({ evalType }) => evalType === 'ai').map(({ id }) => id));
  return (
    <ul className="flex flex-col">
      {metrics.map((metric) => (
        <li key={metric.metricId} className="flex flex-wrap items-center gap-x-3 py-0.5">
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
            {metric.numSpans !== undefined && (
              <span className="ml-2 text-sm text-soft">{countOf(metric.numSpans, 'span')}</span>
            )}
            {judges.has(metric.metricId) && (
              <span className="block h-4 text-sm">
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

const columnsOf = (alerts: readonly Alert[]): TableColumn<Monitor>[] => [
  {
    head: 'Watched',
    cell: (monitor) => {
      const { results, samplingRate, settleSeconds } = monitor;
      const { numDrawn, numRecords, since } = results;
      return (
        <NameCell of={monitor} to={paths.monitor(monitor.projectId, monitor.id)}>
          <span title={`${settleSeconds} s after its last span`}>{rateText(samplingRate)}</span> of{' '}
          <span>{filterText(monitor.filter)}</span>:{' '}
          <span>
            {countText(numDrawn)} of {countText(numRecords)}
          </span>{' '}
          since <Time at={since} />
        </NameCell>
      );
    },
  },
  {
    head: 'Last result',
    cell: ({ projectId, results }) => <Results projectId={projectId} metrics={results.metrics} />,
  },
  {
    head: 'Next',
    className: 'whitespace-nowrap',
    cell: ({ paused }) => (
      <span className={paused ? 'text-soft' : undefined}>{paused ? 'none' : 'Each new trace'}</span>
    ),
  },
  { head: 'What to do', cell: (monitor) => <Todos todos={todosOfMonitor(monitor, alerts)} /> },
];

/** Traces arrive while the page is open. */
export const monitorsQuery = (projectId: string) => ({
  ...apiList('listMonitors', projectId),
  refetchInterval: 15_000,
});

/** What is watched on each trace that arrives. */
export const Monitors = ({ projectId }: { projectId: string }) => {
  const { data: alerts = [] } = useQuery(alertsQuery(projectId));
  return (
    <ManagedTable
      as="section"
      id="monitors"
      title="Monitors: live traffic"
      noun="monitor"
      list={monitorsQuery(projectId)}
      may={useMay().write}
      empty="No monitors yet. A monitor samples the traces that arrive, all of them or those that match a filter, and scores them by metrics."
      columns={columnsOf(alerts)}
      widths={checkWidths}
      form={(form) => <MonitorDialog projectId={projectId} {...form} />}
      pause={api.updateMonitor}
      remove={{
        send: api.deleteMonitor,
        warning: 'Pending scores of this monitor are cancelled. Existing scores stay.',
      }}
    />
  );
};
