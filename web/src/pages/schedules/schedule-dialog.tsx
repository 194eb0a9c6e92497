import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, issuesOf, keyOf } from '../../api.ts';
import { MetricChoice } from '../../resources/metrics/metric-choice.tsx';
import { metricsQuery } from '../../resources/metrics/queries.ts';
import { BudgetField } from '../../resources/rescoring/budget-field.tsx';
import { systemsQuery } from '../../resources/systems/queries.ts';
import { testsetsQuery } from '../../resources/testsets/queries.ts';
import type { Schedule } from '../../types.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { Input, Select } from '../../ui/field.tsx';

type ScheduleDialogProps = { projectId: string; schedule: Schedule | undefined; onClose: () => void };

type Kind = Schedule['task']['kind'] | 'simulation';
type Named = { id: string; name: string };
/** `none` is said of an empty list, not of one that has not come yet. */
const choicesOf = (items: readonly Named[] | undefined, none: string) =>
  items?.length
    ? items.map(({ id, name }) => ({ value: id, label: name }))
    : [{ value: '', label: items ? none : 'Loading…' }];

/** The first is chosen until one is picked. */
const useChoice = (items: readonly Named[] | undefined, before: string | undefined) => {
  const [picked, pick] = useState(before ?? '');
  return [picked || (items?.[0]?.id ?? ''), pick] as const;
};

/** Creates or changes a schedule. */
export const ScheduleDialog = ({ projectId, schedule, onClose }: ScheduleDialogProps) => {
  const { data: testsets } = useQuery(testsetsQuery(projectId));
  const { data: systems } = useQuery(systemsQuery(projectId));
  const { data: allMetrics } = useQuery(metricsQuery(projectId));
  const metrics = allMetrics ?? [];
  const before = schedule?.task.kind === 'run' ? schedule.task : undefined;
  const [kind, setKind] = useState<Kind>(before?.simulation ? 'simulation' : (schedule?.task.kind ?? 'run'));
  const [name, setName] = useState(schedule?.name ?? '');
  const [cron, setCron] = useState(schedule?.cron ?? '0 2 * * *');
  const [timeZone, setTimeZone] = useState(
    schedule?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
  );
  const [testsetId, setTestset] = useChoice(testsets, before?.testsetId);
  const [systemId, setSystem] = useChoice(systems, before?.systemId);
  const judges = allMetrics?.filter(({ evalType }) => evalType === 'ai');
  const [judgeId, setJudge] = useChoice(
    judges,
    schedule?.task.kind === 'drift' ? schedule.task.metricId : undefined,
  );
  const [picked, setPicked] = useState<ReadonlySet<string> | undefined>(before && new Set(before.metricIds));
  const [userId, setUser] = useState('');
  const [budget, setBudget] = useState(before?.judgeBudgetUsd?.toString() ?? '');
  const chosen = picked ?? new Set(metrics.map(({ id }) => id));
  const metricIds = metrics.map(({ id }) => id).filter((id) => chosen.has(id));
  const userVersionId =
    systems?.find(({ id }) => id === userId)?.productionVersion?.id ?? before?.simulation?.userVersionId;
  const task: Schedule['task'] =
    kind === 'drift'
      ? { kind, metricId: judgeId }
      : {
          ...{ kind: 'run', testsetId, systemId, metricIds },
          ...(before?.trials && { trials: before.trials }),
          ...(kind === 'simulation' &&
            userVersionId && { simulation: { ...before?.simulation, userVersionId } }),
          ...(budget && { judgeBudgetUsd: Number(budget) }),
        };
  const save = useMutation({
    mutationFn: () => {
      const body = { name, cron, timeZone, task };
      return schedule ? api.updateSchedule(schedule.id, body) : api.createSchedule(projectId, body);
    },
    meta: { refreshes: [keyOf('listSchedules', projectId)] },
    onSuccess: onClose,
  });
  const issue = issuesOf(save.error);
  return (
    <FormDialog
      open
      onClose={onClose}
      title={schedule ? `Change ${schedule.name}` : 'New schedule'}
      description="Dokima starts it by itself at the times that you name."
      write={save}
      action={schedule ? 'Save' : 'Create schedule'}
      disabled={
        kind === 'drift'
          ? !judgeId
          : !testsetId || !systemId || metricIds.length === 0 || (kind === 'simulation' && !userVersionId)
      }
    >
      <Input label="Name" required maxLength={256} error={issue('/name')} value={name} onChange={setName} />
      <Input
        label="Times"
        required
        hint="Cron expression: minute, hour, day of the month, month, day of the week. 0 2 * * * is each night at 02:00."
        error={issue('/cron')}
        value={cron}
        onChange={setCron}
      />
      <Input label="Time zone" required error={issue('/timeZone')} value={timeZone} onChange={setTimeZone} />
      <Select
        label="Starts"
        value={kind}
        onChange={setKind}
        options={[
          { value: 'run', label: 'A run of a testset' },
          { value: 'simulation', label: 'A simulation' },
          { value: 'drift', label: 'A drift check of a judge' },
        ]}
      />
      {kind === 'drift' ? (
        <Select
          label="Judge"
          hint="A metric with pinned records."
          value={judgeId}
          onChange={setJudge}
          options={choicesOf(judges, 'This project has no judge yet')}
        />
      ) : (
        <>
          <Select
            label="System"
            hint="Its production version of that time is called."
            value={systemId}
            onChange={setSystem}
            options={choicesOf(systems, 'This project has no system yet')}
          />
          <Select
            label="Testset"
            value={testsetId}
            onChange={setTestset}
            options={choicesOf(testsets, 'This project has no testset yet')}
          />
          {kind === 'simulation' && (
            <Select
              label="Simulated user"
              hint="A system that is a prompt. Its production version of now plays the user each time, so that the runs compare."
              value={userId}
              onChange={setUser}
              options={[
                { value: '', label: before?.simulation ? 'As before' : 'Choose a system' },
                ...choicesOf(systems, 'This project has no system yet').filter(({ value }) => value !== ''),
              ]}
            />
          )}
          <MetricChoice metrics={metrics} chosen={chosen} onChange={setPicked} />
          <BudgetField
            projectId={projectId}
            testsetId={testsetId}
            metricIds={metricIds}
            value={budget}
            onChange={setBudget}
          />
        </>
      )}
    </FormDialog>
  );
};
