import { useQuery } from '@tanstack/react-query';
import { FastForward } from 'lucide-react';
import { api, apiData } from '../../api.ts';
import { TextLink } from '../../links.tsx';
import { ManagedTable, NameCell, type TableColumn } from '../../managed-table.tsx';
import { paths } from '../../paths.ts';
import { LastResult } from '../../resources/runs/last-result.tsx';
import { type Result, useLatestResults } from '../../resources/runs/latest-results.ts';
import { useMay } from '../../resources/session/me.ts';
import type { Schedule } from '../../types.ts';
import { Time, timeText } from '../../ui/time.tsx';
import { say } from '../../ui/toast.tsx';
import { ScheduleDialog } from './schedule-dialog.tsx';
import { checkWidths, Todos } from './todos.tsx';
import { todosOfSchedule } from './what-to-do.ts';

const runNow = async (id: string, name: string) => {
  const { merged } = await api.updateSchedule(id, { runNow: true });
  say(merged ? `${name} was due already. Both start one run.` : `${name} starts within seconds.`);
};

const taskWords = (task: Schedule['task']): string => {
  if (task.kind === 'drift') return 'Drift trial';
  return task.simulation ? 'Simulation' : 'Run of a testset';
};

/** When it last started something, with the result. */
const LastTime = ({ of, results }: { of: Schedule; results: readonly Result[] | undefined }) => {
  const { projectId, lastAt, lastRunId, lastError } = of;
  if (lastAt === null) return <span className="text-soft">not yet</span>;
  const rates = results?.filter(({ runId }) => runId === lastRunId);
  if (lastRunId !== null && rates && rates.length > 0)
    return <LastResult projectId={projectId} results={rates} />;
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

const columnsOf = (results: readonly Result[] | undefined): TableColumn<Schedule>[] => [
  {
    head: 'Watched',
    cell: (schedule) => (
      <NameCell of={schedule}>
        {taskWords(schedule.task)}, <code>{schedule.cron}</code> <span>{schedule.timeZone}</span>
      </NameCell>
    ),
  },
  { head: 'Last result', cell: (schedule) => <LastTime of={schedule} results={results} /> },
  {
    head: 'Next',
    className: 'whitespace-nowrap',
    cell: ({ nextAt }) =>
      nextAt === null ? <span className="text-soft">none</span> : timeText(nextAt, 'minute'),
  },
  { head: 'What to do', cell: (schedule) => <Todos todos={todosOfSchedule(schedule)} /> },
];

export const schedulesQuery = (projectId: string) => ({
  ...apiData('listSchedules', projectId),
  refetchInterval: 10_000,
});

/** What is checked at set times. */
export const Schedules = ({ projectId }: { projectId: string }) => {
  const { data: schedules = [] } = useQuery(schedulesQuery(projectId));
  const results = useLatestResults(projectId, schedules.length > 0);
  return (
    <ManagedTable
      as="section"
      id="schedules"
      title="Schedules: at set times"
      noun="schedule"
      list={schedulesQuery(projectId)}
      may={useMay().write}
      empty="No schedules yet. A schedule starts a run, a simulation or a drift trial of a judge at set times, for example each night."
      columns={columnsOf(results)}
      widths={checkWidths}
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
