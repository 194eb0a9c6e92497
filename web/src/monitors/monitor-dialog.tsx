import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError, api } from '../api.ts';
import { evalTypes, outputTypes } from '../metrics/kinds.ts';
import { metricsQuery } from '../metrics/queries.ts';
import type { Monitor } from '../types.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Input, Select } from '../ui/field.tsx';
import { ErrorNote } from '../ui/states.tsx';

type MonitorDialogProps = {
  projectId: string;
  monitor: Monitor | undefined;
  onClose: () => void;
  onDone: () => Promise<unknown>;
};

const texts = [
  { key: 'service', label: 'Service' },
  { key: 'name', label: 'Span name' },
  { key: 'model', label: 'Model' },
  { key: 'tag', label: 'Tag of the record' },
] as const;
type TextKey = (typeof texts)[number]['key'];

/** Makes or changes a monitor. A change holds for what arrives from then on. */
export const MonitorDialog = ({ projectId, monitor, onClose, onDone }: MonitorDialogProps) => {
  const { data: metrics = [] } = useQuery(metricsQuery(projectId));
  const [name, setName] = useState(monitor?.name ?? '');
  const [percent, setPercent] = useState(
    String(Number(((monitor?.samplingRate ?? 0.1) * 100).toPrecision(12))),
  );
  const [settle, setSettle] = useState(String(monitor?.settleSeconds ?? 60));
  const [metricIds, setMetricIds] = useState<readonly string[]>(monitor?.metricIds ?? []);
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
        metricIds,
        samplingRate: Number((Number(percent) / 100).toPrecision(12)),
        settleSeconds: Number(settle),
        filter: {
          ...given,
          ...(result && { error: result === 'true' }),
          ...(minDuration && { minDurationMs: Number(minDuration) }),
        },
      };
      return monitor
        ? api.patch(`/monitors/${monitor.id}`, body)
        : api.post(`/projects/${projectId}/monitors`, body);
    },
    onSuccess: async () => {
      onClose();
      await onDone();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  const toggle = (id: string) =>
    setMetricIds(metricIds.includes(id) ? metricIds.filter((other) => other !== id) : [...metricIds, id]);
  const issue = (path: string) => (save.error instanceof ApiError ? save.error.issueOf(path) : undefined);
  return (
    <Dialog
      open
      onClose={onClose}
      title={monitor ? `Change ${monitor.name}` : 'New monitor'}
      description="Scores a share of the traces that arrive from now on. What is scored already stays."
    >
      <form onSubmit={submit} className="flex flex-col gap-3">
        <Input
          label="Name"
          required
          error={issue('/name')}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <fieldset>
          <legend className="mb-1 text-sm font-medium">Metrics</legend>
          {metrics.length === 0 && <p className="text-soft">This project has no metrics yet.</p>}
          {metrics.map((metric) => (
            <label key={metric.id} className="flex h-7 items-center gap-2">
              <input
                type="checkbox"
                checked={metricIds.includes(metric.id)}
                onChange={() => toggle(metric.id)}
              />
              <span className="truncate">{metric.name}</span>
              <span className="text-soft">
                {evalTypes[metric.evalType]} · {outputTypes[metric.outputType]}
              </span>
            </label>
          ))}
          {issue('/metricIds') && <p className="text-sm text-fail">{issue('/metricIds')}</p>}
        </fieldset>
        <div className="grid grid-cols-2 gap-3">
          <Input
            label="Share, in %"
            type="number"
            step="any"
            min={0.0001}
            max={100}
            required
            error={issue('/samplingRate')}
            value={percent}
            onChange={(event) => setPercent(event.target.value)}
          />
          <Input
            label="Silence, in seconds"
            hint="A trace is scored once nothing of it has come for so long."
            type="number"
            min={0}
            max={86_400}
            required
            error={issue('/settleSeconds')}
            value={settle}
            onChange={(event) => setSettle(event.target.value)}
          />
        </div>
        <fieldset className="grid grid-cols-2 gap-3">
          <legend className="mb-1 text-sm font-medium">Only traces with, on one and the same span</legend>
          {texts.map(({ key, label }) => (
            <Input
              key={key}
              label={label}
              placeholder="Any"
              error={issue(`/filter/${key}`)}
              value={filter[key] ?? ''}
              onChange={(event) => setFilter({ ...filter, [key]: event.target.value })}
            />
          ))}
          <Select
            label="Result"
            value={result}
            onChange={(event) => setResult(event.target.value)}
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
            onChange={(event) => setMinDuration(event.target.value)}
          />
        </fieldset>
        {save.error && <ErrorNote error={save.error} />}
        <Button
          type="submit"
          look="primary"
          disabled={save.isPending || metricIds.length === 0}
          className="self-end"
        >
          {monitor ? 'Save' : 'Make the monitor'}
        </Button>
      </form>
    </Dialog>
  );
};
