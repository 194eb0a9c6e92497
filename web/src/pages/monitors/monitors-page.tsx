import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Pause, Pencil, Play, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { api, apiList, keyOf } from '../../api.ts';
import { QuietLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { CorrectedShare } from '../../resources/judges/corrected-rate.tsx';
import { metricsQuery } from '../../resources/metrics/queries.ts';
import { useMay } from '../../resources/session/me.ts';
import type { Monitor } from '../../types.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { countText } from '../../ui/format.ts';
import { Interval } from '../../ui/interval.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, ErrorNote, Loaded } from '../../ui/states.tsx';
import { Cell, Row, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { filterText, rateText } from './filter-text.ts';
import { MonitorDialog } from './monitor-dialog.tsx';

const route = getRouteApi('/app/projects/$projectId/monitors');

type Open = { what: 'change' | 'delete'; monitor: Monitor } | { what: 'new' };
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

type RowProps = {
  monitor: Monitor;
  mayWrite: boolean;
  busy: boolean;
  onOpen: (what: 'change' | 'delete') => void;
  onPause: () => void;
};

const MonitorRow = ({ monitor, mayWrite, busy, onOpen, onPause }: RowProps) => {
  const { name, projectId, samplingRate, filter, settleSeconds, paused, results } = monitor;
  return (
    <Row>
      <Cell className="max-w-72 align-top">
        <span className="flex items-center gap-2">
          <QuietLink
            {...paths.monitor(projectId, monitor.id)}
            className="truncate font-medium"
            title={`Charts of ${name}`}
          >
            {name}
          </QuietLink>
          {paused && <Badge tone="warn">Paused</Badge>}
        </span>
        <span className="block text-sm break-words text-soft">{filterText(filter)}</span>
      </Cell>
      <Cell className="align-top whitespace-nowrap" title={`${settleSeconds} s after its last span`}>
        {rateText(samplingRate)}
      </Cell>
      <Cell className="align-top whitespace-nowrap">
        {countText(results.numDrawn)} <span className="text-soft">of {countText(results.numRecords)}</span>
        <span className="block text-sm text-soft">
          since <Time at={results.since} />
        </span>
      </Cell>
      <Cell className="align-top">
        <Results projectId={projectId} metrics={results.metrics} />
      </Cell>
      <Cell className="text-right align-top whitespace-nowrap">
        {mayWrite && (
          <span className="inline-flex">
            <IconButton
              icon={paused ? Play : Pause}
              label={`${paused ? 'Resume' : 'Pause'} ${name}`}
              disabled={busy}
              onClick={onPause}
            />
            <IconButton icon={Pencil} label={`Change ${name}`} onClick={() => onOpen('change')} />
            <IconButton icon={Trash2} label={`Delete ${name}`} onClick={() => onOpen('delete')} />
          </span>
        )}
      </Cell>
    </Row>
  );
};

export const MonitorsPage = () => {
  const { projectId } = route.useParams();
  // Traces arrive while the page is open.
  const monitors = useQuery({ ...apiList('listMonitors', projectId), refetchInterval: 15_000 });
  const may = useMay();
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const refreshes = [keyOf('listMonitors', projectId)];
  const pause = useMutation({
    mutationFn: ({ id, paused }: Monitor) => api.updateMonitor(id, { paused: !paused }),
    meta: { refreshes },
  });
  const newButton = may.write && (
    <Button look="primary" onClick={() => setOpen({ what: 'new' })}>
      <Plus size={14} aria-hidden /> New monitor
    </Button>
  );
  const chosen = open && open.what !== 'new' ? open.monitor : undefined;
  return (
    <Page title="Monitors" actions={monitors.data && monitors.data.length > 0 && newButton}>
      {pause.error && <ErrorNote error={pause.error} />}
      <Loaded
        query={monitors}
        lines={4}
        empty={
          <Empty title="No monitors yet" action={newButton}>
            A monitor samples the traces that arrive, all of them or those that match a filter, and scores
            them by metrics.
          </Empty>
        }
      >
        {(list) => (
          <Table label="Monitors" head={['Monitor', 'Share', 'Sampled', 'Scores and pass rates', '']}>
            {list.map((monitor) => (
              <MonitorRow
                key={monitor.id}
                monitor={monitor}
                mayWrite={may.write}
                busy={pause.isPending}
                onOpen={(what) => setOpen({ what, monitor })}
                onPause={() => pause.mutate(monitor)}
              />
            ))}
          </Table>
        )}
      </Loaded>
      {(open?.what === 'new' || open?.what === 'change') && (
        <MonitorDialog projectId={projectId} monitor={chosen} onClose={close} />
      )}
      {open?.what === 'delete' && (
        <Confirm
          onClose={close}
          title={`Delete ${open.monitor.name}?`}
          action="Delete monitor"
          send={() => api.deleteMonitor(open.monitor.id)}
          meta={{ refreshes }}
        >
          Pending scores of this monitor are cancelled. Existing scores stay.
        </Confirm>
      )}
    </Page>
  );
};
