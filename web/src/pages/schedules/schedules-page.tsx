import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { FastForward, Pause, Pencil, Play, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { api, apiQuery, keyOf } from '../../api.ts';
import { paths } from '../../paths.ts';
import { useMay } from '../../resources/session/me.ts';
import type { Schedule } from '../../types.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, ErrorNote, Loaded } from '../../ui/states.tsx';
import { Cell, Row, Table } from '../../ui/table.tsx';
import { Time, timeText } from '../../ui/time.tsx';
import { ScheduleDialog } from './schedule-dialog.tsx';

const route = getRouteApi('/app/projects/$projectId/schedules');

const taskWords = (task: Schedule['task']): string => {
  if (task.kind === 'drift') return 'Drift check';
  return task.simulation ? 'Simulation' : 'Run of a testset';
};

const LastTime = ({ schedule: { projectId, lastAt, lastRunId, lastError } }: { schedule: Schedule }) => {
  if (lastAt === null) return <span className="text-soft">not yet</span>;
  return (
    <>
      <Time at={lastAt} />
      {lastRunId !== null && (
        <Link className="block text-sm text-accent underline" {...paths.run(projectId, lastRunId)}>
          Run {lastRunId}
        </Link>
      )}
      {lastError !== null && <span className="block text-sm text-bad">{lastError}</span>}
    </>
  );
};

type What = 'change' | 'delete';
type Change = { id: string; paused?: boolean; runNow?: true };

export const SchedulesPage = () => {
  const { projectId } = route.useParams();
  const schedules = useQuery({ ...apiQuery('listSchedules', projectId), refetchInterval: 10_000 });
  const may = useMay();
  const [open, setOpen] = useState<{ what: What; id: string } | { what: 'new' }>();
  const close = () => setOpen(undefined);
  const refreshes = [keyOf('listSchedules', projectId)];
  const change = useMutation({
    mutationFn: ({ id, ...changes }: Change) => api.updateSchedule(id, changes),
    meta: { refreshes },
  });
  const list = schedules.data?.data;
  const chosen = open && open.what !== 'new' ? list?.find(({ id }) => id === open.id) : undefined;
  const newButton = may.write && (
    <Button look="primary" onClick={() => setOpen({ what: 'new' })}>
      <Plus size={14} aria-hidden /> New schedule
    </Button>
  );
  return (
    <Page title="Schedules" actions={list && list.length > 0 && newButton}>
      {change.error && <ErrorNote error={change.error} />}
      <Loaded
        query={{ ...schedules, data: list }}
        lines={4}
        empty={
          <Empty title="No schedules yet" action={newButton}>
            A schedule starts a run or a drift check at set times, for example each night. An alert by e-mail
            reports what it found.
          </Empty>
        }
      >
        {(all) => (
          <Table label="Schedules" head={['Schedule', 'Times', 'Next', 'Last', '']}>
            {all.map((schedule) => {
              const { id, name, cron, timeZone, task, paused, nextAt } = schedule;
              return (
                <Row key={id}>
                  <Cell className="max-w-72 align-top">
                    <span className="flex items-center gap-2">
                      <span className="truncate font-medium" title={name}>
                        {name}
                      </span>
                      {paused && <Badge tone="warn">Paused</Badge>}
                    </span>
                    <span className="block text-sm text-soft">{taskWords(task)}</span>
                  </Cell>
                  <Cell className="align-top whitespace-nowrap">
                    <code>{cron}</code>
                    <span className="block text-sm text-soft">{timeZone}</span>
                  </Cell>
                  <Cell className="align-top whitespace-nowrap">
                    {nextAt === null ? <span className="text-soft">none</span> : timeText(nextAt, 'minute')}
                  </Cell>
                  <Cell className="align-top">
                    <LastTime schedule={schedule} />
                  </Cell>
                  <Cell className="text-right align-top whitespace-nowrap">
                    {may.write && (
                      <span className="inline-flex">
                        <IconButton
                          icon={FastForward}
                          label={`Run ${name} now`}
                          disabled={paused || change.isPending}
                          onClick={() => change.mutate({ id, runNow: true })}
                        />
                        <IconButton
                          icon={paused ? Play : Pause}
                          label={`${paused ? 'Resume' : 'Pause'} ${name}`}
                          disabled={change.isPending}
                          onClick={() => change.mutate({ id, paused: !paused })}
                        />
                        <IconButton
                          icon={Pencil}
                          label={`Change ${name}`}
                          onClick={() => setOpen({ what: 'change', id })}
                        />
                        <IconButton
                          icon={Trash2}
                          label={`Delete ${name}`}
                          onClick={() => setOpen({ what: 'delete', id })}
                        />
                      </span>
                    )}
                  </Cell>
                </Row>
              );
            })}
          </Table>
        )}
      </Loaded>
      {(open?.what === 'new' || (open?.what === 'change' && chosen)) && (
        <ScheduleDialog projectId={projectId} schedule={chosen} onClose={close} />
      )}
      {open?.what === 'delete' && chosen && (
        <Confirm
          onClose={close}
          title={`Delete ${chosen.name}?`}
          action="Delete schedule"
          send={() => api.deleteSchedule(chosen.id)}
          meta={{ refreshes }}
        >
          The runs that it started stay.
        </Confirm>
      )}
    </Page>
  );
};
