import { useMutation, useQuery } from '@tanstack/react-query';
import { etagOf } from '../../../../client/src/etags.ts';
import { api } from '../../api.ts';
import { type FieldOf, useFields } from '../../fields.ts';
import type { RowForm } from '../../managed-table.tsx';
import { MetricChoice } from '../../resources/metrics/metric-choice.tsx';
import { metricsQuery } from '../../resources/metrics/queries.ts';
import { BudgetField } from '../../resources/rescoring/budget-field.tsx';
import { canBeCalled } from '../../resources/systems/prompt-draft.ts';
import { systemsQuery } from '../../resources/systems/queries.ts';
import { ChoosePart, type Part, partOf } from '../../resources/testsets/choose-part.tsx';
import { testsetsQuery } from '../../resources/testsets/queries.ts';
import type { Schedule, System } from '../../types.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { Input, Select } from '../../ui/field.tsx';

type Task = Schedule['task'];
type Kind = Task['kind'] | 'simulation';

const kinds: { value: Kind; label: string }[] = [
  { value: 'run', label: 'A run of a testset' },
  { value: 'simulation', label: 'A simulation' },
  { value: 'drift', label: 'A drift trial of a judge' },
];

/** Times that many choose; any other is written as cron. */
const presets = [
  { value: '0 * * * *', label: 'Each hour' },
  { value: '0 2 * * *', label: 'Each night at 02:00' },
  { value: '0 6 * * 1-5', label: 'On weekdays at 06:00' },
  { value: '0 6 * * 1', label: 'On Mondays at 06:00' },
  { value: '0 6 1 * *', label: 'On the first of the month at 06:00' },
];
const own = { value: '', label: 'Other times, as written below' };

const valuesOf = (schedule: Schedule | undefined) => {
  const { task } = schedule ?? {};
  const run = task?.kind === 'run' ? task : undefined;
  return {
    name: schedule?.name ?? '',
    cron: schedule?.cron ?? '0 2 * * *',
    timeZone: schedule?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    kind: (run?.simulation ? 'simulation' : (task?.kind ?? 'run')) as Kind,
    testsetId: run?.testsetId ?? '',
    split: run?.split ?? '',
    snapshot: run?.snapshot?.toString() ?? '',
    systemId: run?.systemId ?? '',
    metricId: task?.kind === 'drift' ? task.metricId : '',
    // All metrics until some are chosen.
    metricIds: run && (new Set(run.metricIds) as ReadonlySet<string>),
    userId: '',
    judgeBudgetUsd: run?.judgeBudgetUsd?.toString() ?? '',
    run,
  };
};
type Values = ReturnType<typeof valuesOf>;

type Named = { id: string; name: string };
/** `none`: shown for an empty list, once the list is read. */
const choicesOf = (items: readonly Named[] | undefined, none: string) =>
  items?.length
    ? items.map(({ id, name }) => ({ value: id, label: name }))
    : [{ value: '', label: items ? none : 'Loading…' }];
const noSystem = 'No prompt or endpoint that Dokima can call yet';

/** The first is chosen until one is picked. */
const orFirst = (picked: string, items: readonly Named[] | undefined): string =>
  picked || (items?.[0]?.id ?? '');

/** What there is to choose from, and the choices with their defaults. */
const useChoices = (projectId: string, values: Values) => {
  const { data: testsets } = useQuery(testsetsQuery(projectId));
  const { data: allSystems } = useQuery(systemsQuery(projectId));
  // A system whose answers come from code cannot be called by a schedule.
  const systems = allSystems?.filter(
    ({ id, productionVersion }) => id === values.systemId || canBeCalled(productionVersion.config),
  );
  const { data: metrics } = useQuery(metricsQuery(projectId));
  const judges = metrics?.filter(({ evalType }) => evalType === 'ai');
  const all = metrics?.map(({ id }) => id) ?? [];
  return {
    testsets,
    systems,
    judges,
    metrics: metrics ?? [],
    testsetId: orFirst(values.testsetId, testsets),
    systemId: orFirst(values.systemId, systems),
    metricId: orFirst(values.metricId, judges),
    metricIds: all.filter((id) => values.metricIds?.has(id) ?? true),
  };
};
type Choices = ReturnType<typeof useChoices>;

const userVersionOf = (systems: readonly System[] | undefined, { userId, run }: Values) =>
  systems?.find(({ id }) => id === userId)?.productionVersion?.id ?? run?.simulation?.userVersionId;

/** Returns the task, or undefined while a part of it is missing. */
const taskOf = (
  values: Values,
  { systems, testsetId, systemId, metricId, metricIds }: Choices,
): Task | undefined => {
  const { kind, run, judgeBudgetUsd } = values;
  if (kind === 'drift') return metricId ? { kind, metricId } : undefined;
  if (!testsetId || !systemId || metricIds.length === 0) return undefined;
  const userVersionId = userVersionOf(systems, values);
  if (kind === 'simulation' && !userVersionId) return undefined;
  return {
    kind: 'run',
    testsetId,
    ...partOf(values),
    systemId,
    metricIds,
    ...(run?.trials && { trials: run.trials }),
    ...(kind === 'simulation' && userVersionId && { simulation: { ...run?.simulation, userVersionId } }),
    ...(judgeBudgetUsd && { judgeBudgetUsd: Number(judgeBudgetUsd) }),
  };
};

type RunFieldsProps = { projectId: string; values: Values; choices: Choices; field: FieldOf<Values> };

const RunFields = ({ projectId, values, choices, field }: RunFieldsProps) => {
  const { testsets, systems, metrics, testsetId, systemId, metricIds } = choices;
  const setPart = ({ split, snapshot }: Part) => {
    if (split !== undefined) field('split').onChange(split);
    if (snapshot !== undefined) field('snapshot').onChange(snapshot);
  };
  return (
    <>
      <Select
        label="System"
        hint="Calls the production version at that time."
        options={choicesOf(systems, noSystem)}
        {...{ ...field('systemId'), value: systemId }}
      />
      <Select
        label="Testset"
        options={choicesOf(testsets, 'This project has no testset yet')}
        {...{ ...field('testsetId'), value: testsetId }}
        onChange={(id) => {
          field('testsetId').onChange(id);
          setPart({ split: '', snapshot: '' });
        }}
      />
      {testsetId !== '' && <ChoosePart testsetId={testsetId} part={values} isCalled set={setPart} />}
      {values.kind === 'simulation' && (
        <Select
          label="Simulated user"
          hint="A system that is a prompt. Its present production version plays the user each time, so that runs can be compared."
          options={[
            { value: '', label: values.run?.simulation ? 'As before' : 'Choose a system' },
            ...choicesOf(systems, noSystem).filter(({ value }) => value !== ''),
          ]}
          {...field('userId')}
        />
      )}
      <MetricChoice metrics={metrics} {...field('metricIds')} chosen={new Set(metricIds)} />
      <BudgetField
        {...{ projectId, testsetId, metricIds, part: partOf(values) }}
        {...field('judgeBudgetUsd')}
      />
    </>
  );
};

/** Creates or changes a schedule. */
export const ScheduleDialog = ({
  projectId,
  row: schedule,
  dialog,
  saving,
}: RowForm<Schedule> & { projectId: string }) => {
  const { values, fieldsOf, outdated } = useFields(valuesOf(schedule));
  const choices = useChoices(projectId, values);
  const task = taskOf(values, choices);
  const save = useMutation({
    mutationFn: async (task: Task) => {
      const { name, cron, timeZone } = values;
      const body = { name, cron, timeZone, task };
      await (schedule
        ? api.updateSchedule(schedule.id, body, { ifMatch: etagOf(schedule) })
        : api.createSchedule(projectId, body));
    },
    ...saving,
  });
  const field = fieldsOf(save.error);
  return (
    <FormDialog
      {...dialog}
      outdated={outdated}
      description="Dokima starts it by itself at the times that you name."
      write={{ ...save, mutate: () => task && save.mutate(task) }}
      disabled={!task}
    >
      <Input label="Name" required maxLength={256} {...field('name')} />
      <Select
        label="When"
        options={presets.some(({ value }) => value === values.cron) ? presets : [...presets, own]}
        value={presets.some(({ value }) => value === values.cron) ? values.cron : ''}
        onChange={(cron) => cron && field('cron').onChange(cron)}
      />
      <Input
        label="Times"
        required
        hint="As cron: minute, hour, day of the month, month, day of the week."
        {...field('cron')}
      />
      <Input label="Time zone" required {...field('timeZone')} />
      <Select label="What to run" options={kinds} {...field('kind')} />
      {values.kind === 'drift' ? (
        <Select
          label="Judge"
          hint="A metric with pinned records."
          options={choicesOf(choices.judges, 'This project has no judge yet')}
          {...{ ...field('metricId'), value: choices.metricId }}
        />
      ) : (
        <RunFields {...{ projectId, values, choices, field }} />
      )}
    </FormDialog>
  );
};
