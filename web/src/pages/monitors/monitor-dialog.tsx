import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, issuesOf, keyOf } from '../../api.ts';
import { MetricChoice } from '../../resources/metrics/metric-choice.tsx';
import { metricsQuery } from '../../resources/metrics/queries.ts';
import type { Monitor } from '../../types.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { Input, Select } from '../../ui/field.tsx';

type MonitorDialogProps = {
  projectId: string;
  monitor: Monitor | undefined;
  onClose: () => void;
};

const texts = [
  { key: 'service', label: 'Service' },
  { key: 'name', label: 'Span name' },
  { key: 'model', label: 'Model' },
  { key: 'tag', label: 'Tag of the record' },
] as const;
type TextKey = (typeof texts)[number]['key'];

/** Creates or changes a monitor. A change applies to traces that arrive after it. */
export const MonitorDialog = ({ projectId, monitor, onClose }: MonitorDialogProps) => {
  const { data: metrics = [] } = useQuery(metricsQuery(projectId));
  const [name, setName] = useState(monitor?.name ?? '');
  const [percent, setPercent] = useState(
    String(Number(((monitor?.samplingRate ?? 0.1) * 100).toPrecision(12))),
  );
  const [settle, setSettle] = useState(String(monitor?.settleSeconds ?? 60));
  const [metricIds, setMetricIds] = useState<ReadonlySet<string>>(new Set(monitor?.metricIds));
  const [filter, setFilter] = useState<{ [key in TextKey]?: string | undefined }>(monitor?.filter ?? {});
  const [result, setResult] = useState(
    monitor?.filter.error === undefined ? '' : String(monitor.filter.error),
  );
  const [minDuration, setMinDuration] = useState(String(monitor?.filter.minDurationMs ?? ''));
  const save = useMutation({
    mutationFn: () => {
      const given = Object.fromEntries(texts.flatMap(({ key }) => (filter[key] ? [[key, filter[key]]] : [])));
      const body = {
        name,
        metricIds: [...metricIds],
        samplingRate: Number((Number(percent) / 100).toPrecision(12)),
        settleSeconds: Number(settle),
        filter: {
          ...given,
          ...(result && { error: result === 'true' }),
          ...(minDuration && { minDurationMs: Number(minDuration) }),
        },
      };
      return monitor ? api.updateMonitor(monitor.id, body) : api.createMonitor(projectId, body);
    },
    meta: { refreshes: [keyOf('listMonitors', projectId)] },
    onSuccess: onClose,
  });
  const issue = issuesOf(save.error);
  return (
    <FormDialog
      open
      onClose={onClose}
      title={monitor ? `Change ${monitor.name}` : 'New monitor'}
      description="Scores a share of the traces that arrive from now on. Existing scores stay."
      write={save}
      action={monitor ? 'Save' : 'Create monitor'}
      disabled={metricIds.size === 0}
    >
      <Input label="Name" required error={issue('/name')} value={name} onChange={setName} />
      <MetricChoice
        metrics={metrics}
        chosen={metricIds}
        onChange={setMetricIds}
        error={issue('/metricIds')}
      />
      <div className="grid grid-cols-2 gap-3">
        <Input
          label="Share of traces, in %"
          type="number"
          step="any"
          min={0.0001}
          max={100}
          required
          error={issue('/samplingRate')}
          value={percent}
          onChange={setPercent}
        />
        <Input
          label="Wait after the last span, in seconds"
          hint="A trace is scored after this long without a new span."
          type="number"
          min={0}
          max={86_400}
          required
          error={issue('/settleSeconds')}
          value={settle}
          onChange={setSettle}
        />
      </div>
      <fieldset className="grid grid-cols-2 gap-3">
        <legend className="mb-1 text-sm font-medium">Only traces with a span where</legend>
        {texts.map(({ key, label }) => (
          <Input
            key={key}
            label={label}
            placeholder="Any"
            error={issue(`/filter/${key}`)}
            value={filter[key] ?? ''}
            onChange={(value) => setFilter({ ...filter, [key]: value })}
          />
        ))}
        <Select
          label="Result"
          value={result}
          onChange={setResult}
          options={[
            { value: '', label: 'Any' },
            { value: 'true', label: 'Failed' },
            { value: 'false', label: 'Not failed' },
          ]}
        />
        <Input
          label="At least, in ms"
          type="number"
          min={0}
          placeholder="Any"
          error={issue('/filter/minDurationMs')}
          value={minDuration}
          onChange={setMinDuration}
        />
      </fieldset>
    </FormDialog>
  );
};
