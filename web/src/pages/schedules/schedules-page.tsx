import { getRouteApi } from '@tanstack/react-router';
import { FastForward } from 'lucide-react';
import { api, apiData } from '../../api.ts';
import { TextLink } from '../../links.tsx';
import { ManagedTable, NameCell } from '../../managed-table.tsx';
import { paths } from '../../paths.ts';
import { useMay } from '../../resources/session/me.ts';
import type { Schedule } from '../../types.ts';
import { Time, timeText } from '../../ui/time.tsx';
import { say } from '../../ui/toast.tsx';
import { ScheduleDialog } from './schedule-dialog.tsx';

const route = getRouteApi('/app/projects/$projectId/schedules');

const runNow = async (id: string, name: string) => {
  const { merged } = await api.updateSchedule(id, { runNow: true });
  say(merged ? `${name} was due already. Both start one run.` : `${name} starts within seconds.`);
};

const taskWords = (task: Schedule['task']): string => {
  if (task.kind === 'drift') return 'Drift trial';
  return task.simulation ? 'Simulation' : 'Run of a testset';
};

const LastTime = ({ projectId, lastAt, lastRunId, lastError }: Schedule) => {
  if (lastAt === null) return <span className="text-soft">not yet</span>;
  return (
    <>
      <Time at={lastAt} />
      {lastRunId !== null && (
        <TextLink className="block text-sm" {...paths.run(projectId, lastRunId)}>
          Run {lastRunId}
        </TextLink>
      )}
      {lastError !== null && <span className="block text-sm text-fail">{lastError}</span>}
    </>
  );
};

export const SchedulesPage = () => {
  const { projectId } = route.useParams();
  return (
    <ManagedTable
      title="Schedules"
      noun="schedule"
      list={{ ...apiData('listSchedules', projectId), refetchInterval: 10_000 }}
      may={useMay().write}
      empty="A schedule starts a run or a drift trial at set times, for example each night. Add an e-mail alert to get its results."
      columns={[
        {
          head: 'Schedule',
          cell: (schedule) => <NameCell of={schedule}>{taskWords(schedule.task)}</NameCell>,
        },
        {
          head: 'Times',
          className: 'whitespace-nowrap',
          cell: ({ cron, timeZone }) => (
            <>
              <code>{cron}</code>
              <span className="block text-sm text-soft">{timeZone}</span>
            </>
          ),
        },
        {
          head: 'Next',
          className: 'whitespace-nowrap',
          cell: ({ nextAt }) =>
            nextAt === null ? <span className="text-soft">none</span> : timeText(nextAt, 'minute'),
        },
        { head: 'Last', cell: (schedule) => <LastTime {...schedule} /> },
      ]}
      form={(form) => <ScheduleDialog projectId={projectId} {...form} />}
      actions={({ id, name, paused }) => ({
        runNow: {
          icon: FastForward,
          label: `Run ${name} now`,
          disabled: paused,
          send: () => runNow(id, name),
        },
      })}
      pause={api.updateSchedule}
      remove={{ send: api.deleteSchedule, warning: 'The runs that it started stay.' }}
    />
  );
};
