import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Pause, Pencil, Play, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { api } from '../api.ts';
import { paths } from '../paths.ts';
import { useMay } from '../session/who.ts';
import type { Monitor } from '../types.ts';
import { Badge, Time } from '../ui/bits.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { countText } from '../ui/format.ts';
import { Interval } from '../ui/interval.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, ErrorNote, Skeleton } from '../ui/states.tsx';
import { Cell, Row, Table } from '../ui/table.tsx';
import { filterText, rateText } from './filter-text.ts';
import { MonitorDialog } from './monitor-dialog.tsx';
import { monitorsQuery } from './queries.ts';

const route = getRouteApi('/app/projects/$projectId/monitors');

type Open = { what: 'change' | 'delete'; monitor: Monitor } | { what: 'new' };
type Result = Monitor['results']['metrics'][number];

/** How many scores of a metric there are, and what is with the others. */
const Scored = ({ states: { scored, pending, unscored, failed } }: Result) => {
  const rest = [
    pending > 0 && `${countText(pending)} to come`,
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

const Results = ({ projectId, metrics }: { projectId: string; metrics: readonly Result[] }) => (
  <ul className="flex flex-col">
    {metrics.map((metric) => (
      <li
        key={metric.metricId}
        className="grid grid-cols-[minmax(96px,1fr)_minmax(110px,auto)_270px] items-center gap-3 py-0.5"
      >
        <Link
          {...paths.metric(projectId, metric.metricId)}
          className="truncate hover:underline"
          title={metric.metricName}
        >
          {metric.metricName}
        </Link>
        <Scored {...metric} />
        <Interval
          estimate={metric.passRate.estimate}
          low={metric.passRate.interval?.low ?? null}
          high={metric.passRate.interval?.high ?? null}
          n={metric.passRate.n}
          reason={metric.passRate.reason}
        />
      </li>
    ))}
  </ul>
);

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
          <span className="truncate font-medium" title={name}>
            {name}
          </span>
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
            <IconButton label={`${paused ? 'Resume' : 'Pause'} ${name}`} disabled={busy} onClick={onPause}>
              {paused ? <Play size={14} /> : <Pause size={14} />}
            </IconButton>
            <IconButton label={`Change ${name}`} onClick={() => onOpen('change')}>
              <Pencil size={14} />
            </IconButton>
            <IconButton label={`Delete ${name}`} onClick={() => onOpen('delete')}>
              <Trash2 size={14} />
            </IconButton>
          </span>
        )}
      </Cell>
    </Row>
  );
};

export const MonitorsPage = () => {
  const { projectId } = route.useParams();
  const monitors = useQuery(monitorsQuery(projectId));
  const may = useMay();
  const queries = useQueryClient();
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const refresh = () => queries.invalidateQueries({ queryKey: monitorsQuery(projectId).queryKey });
  const pause = useMutation({
    mutationFn: ({ id, paused }: Monitor) => api.patch(`/monitors/${id}`, { paused: !paused }),
    onSettled: refresh,
  });
  const remove = useMutation({
    mutationFn: (id: string) => api.delete(`/monitors/${id}`),
    onSuccess: () => {
      close();
      return refresh();
    },
  });
  const newButton = may.write && (
    <Button look="primary" onClick={() => setOpen({ what: 'new' })}>
      <Plus size={14} aria-hidden /> New monitor
    </Button>
  );
  const chosen = open && open.what !== 'new' ? open.monitor : undefined;
  return (
    <Page title="Monitors" actions={monitors.data && monitors.data.length > 0 && newButton}>
      {monitors.error && <ErrorNote error={monitors.error} />}
      {pause.error && <ErrorNote error={pause.error} />}
      {monitors.isPending && <Skeleton lines={4} />}
      {monitors.data?.length === 0 && (
        <Empty title="No monitors yet" action={newButton}>
          A monitor has a share of the traces that arrive scored by metrics: all of them or those that fit a
          filter, always the same ones, with the chance that each had.
        </Empty>
      )}
      {monitors.data && monitors.data.length > 0 && (
        <Table label="Monitors" head={['Monitor', 'Share', 'Drawn', 'Scored, and how many pass', '']}>
          {monitors.data.map((monitor) => (
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
      {(open?.what === 'new' || open?.what === 'change') && (
        <MonitorDialog projectId={projectId} monitor={chosen} onClose={close} onDone={refresh} />
      )}
      <Confirm
        open={open?.what === 'delete'}
        onClose={close}
        title={`Delete ${chosen?.name}?`}
        action="Delete the monitor"
        busy={remove.isPending}
        onConfirm={() => chosen && remove.mutate(chosen.id)}
      >
        Scores that it has still to give are taken back. What is scored stays.
        {remove.error && <ErrorNote error={remove.error} />}
      </Confirm>
    </Page>
  );
};
