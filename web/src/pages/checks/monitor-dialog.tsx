import { useMutation, useQuery } from '@tanstack/react-query';
import { api } from '../../api.ts';
import { requireAsRead } from '../../as-read.ts';
import { useFields } from '../../fields.ts';
import type { RowForm } from '../../managed-table.tsx';
import { MetricChoice } from '../../resources/metrics/metric-choice.tsx';
import { metricsQuery } from '../../resources/metrics/queries.ts';
import type { Monitor } from '../../types.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { Input, Select } from '../../ui/field.tsx';

const texts = [
  { key: 'service', label: 'Service' },
  { key: 'name', label: 'Span name' },
  { key: 'modelName', label: 'Model' },
  { key: 'tag', label: 'Tag of the record' },
] as const;

const results = [
  { value: '', label: 'Any' },
  { value: 'true', label: 'Failed' },
  { value: 'false', label: 'Not failed' },
];

/** The fields by their place in the request, as the service names them in its errors. */
const valuesOf = (monitor: Monitor | undefined) => {
  const { filter = {}, samplingRate = 0.1, settleSeconds = 60 } = monitor ?? {};
  return {
    name: monitor?.name ?? '',
    metricIds: new Set(monitor?.metricIds) as ReadonlySet<string>,
    // In percent.
    samplingRate: String(Number((samplingRate * 100).toPrecision(12))),
    settleSeconds: String(settleSeconds),
    'filter/service': filter.service ?? '',
    'filter/name': filter.name ?? '',
    'filter/modelName': filter.modelName ?? '',
    'filter/tag': filter.tag ?? '',
    'filter/error': filter.error === undefined ? '' : String(filter.error),
    'filter/minDurationMs': String(filter.minDurationMs ?? ''),
  };
};

const bodyOf = (values: ReturnType<typeof valuesOf>) => ({
  name: values.name,
  metricIds: [...values.metricIds],
  samplingRate: Number((Number(values.samplingRate) / 100).toPrecision(12)),
  settleSeconds: Number(values.settleSeconds),
  filter: {
    ...Object.fromEntries(texts.map(({ key }) => [key, values[`filter/${key}`]]).filter(([, text]) => text)),
    ...(values['filter/error'] && { error: values['filter/error'] === 'true' }),
    ...(values['filter/minDurationMs'] && { minDurationMs: Number(values['filter/minDurationMs']) }),
  },
});

/** What people decide about a monitor. Its results change with each trace. */
const decided = ['name', 'metricIds', 'samplingRate', 'filter', 'settleSeconds'] as const;

/** Creates or changes a monitor. A change applies to traces that arrive after it. */
export const MonitorDialog = ({
  projectId,
  row: monitor,
  dialog,
  saving,
}: RowForm<Monitor> & { projectId: string }) => {
  const { data: metrics = [] } = useQuery(metricsQuery(projectId));
  const { values, fieldsOf, outdated } = useFields(valuesOf(monitor));
  const save = useMutation({
    mutationFn: async () => {
      if (!monitor) return api.createMonitor(projectId, bodyOf(values));
      requireAsRead(await api.getMonitor(monitor.id), monitor, decided);
      return api.updateMonitor(monitor.id, bodyOf(values));
    },
    ...saving,
  });
  const field = fieldsOf(save.error);
  return (
    <FormDialog
      {...dialog}
      description="Scores a share of the traces that arrive from now on. Existing scores stay."
      write={save}
      outdated={outdated}
      disabled={values.metricIds.size === 0}
    >
      <Input label="Name" required {...field('name')} />
      <MetricChoice metrics={metrics} chosen={values.metricIds} {...field('metricIds')} />
      <div className="grid grid-cols-2 gap-3">
        <Input
          label="Share of traces, in %"
          type="number"
          step="any"
          min={0.0001}
          max={100}
          required
          {...field('samplingRate')}
        />
        <Input
          label="Wait after the last span, in seconds"
          hint="A trace is scored after this long without a new span."
          type="number"
          min={0}
          max={86_400}
          required
          {...field('settleSeconds')}
        />
      </div>
      <fieldset className="grid grid-cols-2 gap-3">
        <legend className="mb-1 text-sm font-medium">Only traces with a span where</legend>
        {texts.map(({ key, label }) => (
          <Input key={key} label={label} placeholder="Any" {...field(`filter/${key}`)} />
        ))}
        <Select label="Result" options={results} {...field('filter/error')} />
        <Input
          label="Lasts at least, ms"
          type="number"
          min={0}
          placeholder="Any"
          {...field('filter/minDurationMs')}
        />
      </fieldset>
    </FormDialog>
  );
};
