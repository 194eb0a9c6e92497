import { useMutation, useQuery } from '@tanstack/react-query';
import { etagOf } from '../../../../client/src/etags.ts';
import { api } from '../../api.ts';
import { type FieldOf, useFields } from '../../fields.ts';
import type { RowForm } from '../../managed-table.tsx';
import { metricsQuery } from '../../resources/metrics/queries.ts';
import type { Alert } from '../../types.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { Input, optionsOf, Select, TextArea } from '../../ui/field.tsx';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { toggled } from '../../ui/toggled.ts';
import { AlarmCharts, limitsOf } from './alarm-charts.tsx';
import { type AlertEvent, eventWords, kindWords } from './event-words.ts';

const urlHints = {
  webhook: 'Events are posted here as JSON, signed (Standard Webhooks).',
  slack: 'An incoming webhook of Slack, or of a chat that accepts the same messages.',
  otlp: 'Where a collector takes logs, such as https://otel.example.com/v1/logs. It receives each new score as an event.',
};

/** A number in the unit of its field. */
const textOf = (value: number | null | undefined, factor: number): string =>
  value == null ? '' : String(Number((factor * value).toPrecision(12)));
const numberOf = (text: string, factor: number): number | null =>
  text.trim() === '' || !(Number(text) > 0) ? null : Number((factor * Number(text)).toPrecision(12));

const valuesOf = (alert: Alert | undefined, first: AlertEvent) => ({
  name: alert?.name ?? '',
  kind: alert?.kind ?? ('webhook' as const),
  url: '',
  headers: '',
  recipients: alert?.kind === 'email' ? alert.target : '',
  events: new Set<AlertEvent>(alert?.events ?? [first]) as ReadonlySet<AlertEvent>,
  // In percent; empty for any.
  minPassRate: textOf(alert ? alert.minPassRate : 0.9, 100),
  labelMetricId: alert?.labelMetricId ?? '',
  label: alert?.label ?? '',
  maxLabelShare: textOf(alert?.maxLabelShare ?? 0.05, 100),
  falseAlarmsPerYear: String(alert?.falseAlarmsPerYear ?? 1),
  trafficWindow: alert?.trafficWindow ?? ('hour' as const),
  // In percent, seconds and US dollars; empty for any.
  maxErrorRate: textOf(alert ? alert.maxErrorRate : 0.05, 100),
  maxLatencyMs: textOf(alert?.maxLatencyMs, 0.001),
  maxCostUsd: textOf(alert?.maxCostUsd, 1),
});
type Values = ReturnType<typeof valuesOf>;

/** What the form says of monitors and of traffic. */
const limitsIn = (values: Values) => ({
  events: [...values.events],
  minPassRate: numberOf(values.minPassRate, 0.01),
  ...(values.labelMetricId && values.label
    ? {
        labelMetricId: values.labelMetricId,
        label: values.label,
        maxLabelShare: numberOf(values.maxLabelShare, 0.01),
      }
    : { labelMetricId: null, label: null, maxLabelShare: null }),
  falseAlarmsPerYear: numberOf(values.falseAlarmsPerYear, 1) ?? 1,
  trafficWindow: values.trafficWindow,
  maxErrorRate: numberOf(values.maxErrorRate, 0.01),
  maxLatencyMs: numberOf(values.maxLatencyMs, 1000),
  maxCostUsd: numberOf(values.maxCostUsd, 1),
});

/** Headers from lines such as `Authorization: Bearer key`. */
const headersOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split('\n')
      .filter((line) => line.trim())
      .map((line) => [line.split(':', 1)[0]!.trim(), line.slice(line.indexOf(':') + 1).trim()]),
  );

/** The body of the request without the kind, which a change cannot name. An empty URL keeps the stored one. */
const bodyOf = (values: Values) => {
  const { name, kind, url, headers, recipients, events } = values;
  const limits = limitsIn(values);
  const { minPassRate, falseAlarmsPerYear, trafficWindow, maxErrorRate, maxLatencyMs, maxCostUsd } = limits;
  const { labelMetricId, label, maxLabelShare } = limits;
  const isMonitors = kind !== 'otlp' && events.has('monitor.worse');
  const isTraffic = kind !== 'otlp' && events.has('traffic.worse');
  return {
    name,
    events: kind === 'otlp' ? ['record.scored' as const] : [...events],
    ...(kind === 'otlp' && headers.trim() && { headers: headersOf(headers) }),
    ...(kind === 'email' && recipients.trim() && { recipients: recipients.split(/[\s,;]+/).filter(Boolean) }),
    ...(kind !== 'email' && url.trim() && { url: url.trim() }),
    ...(isMonitors && { minPassRate, labelMetricId, label, maxLabelShare }),
    ...(isTraffic && { trafficWindow, maxErrorRate, maxLatencyMs, maxCostUsd }),
    ...((isMonitors || isTraffic) && { falseAlarmsPerYear }),
  };
};

type EventsProps = { value: ReadonlySet<AlertEvent>; onChange: (events: ReadonlySet<AlertEvent>) => void };

/** The events that people choose from; scores have their own kind of alert. */
const chosenEvents = (Object.keys(eventWords) as AlertEvent[]).filter((event) => event !== 'record.scored');

const Events = ({ value, onChange }: EventsProps) => (
  <fieldset className="flex flex-col gap-1.5">
    <legend className="mb-1 text-sm font-medium">Events</legend>
    {chosenEvents.map((event) => (
      <label key={event} className="flex items-start gap-2">
        <input
          type="checkbox"
          className="mt-1"
          checked={value.has(event)}
          onChange={() => onChange(toggled(value, event))}
        />
        <span>
          {eventWords[event].label}
          <span className="block text-sm text-soft">{eventWords[event].hint}</span>
        </span>
      </label>
    ))}
  </fieldset>
);

const windows = optionsOf({ hour: 'Each hour', day: 'Each day (UTC)' });

type LimitFieldsProps = { projectId: string; values: Values; field: FieldOf<Values> };

/** A label whose share is watched, for projects with a category. */
const LabelFields = ({ projectId, values, field }: LimitFieldsProps) => {
  const { data: metrics = [] } = useQuery(metricsQuery(projectId));
  const categories = metrics.filter((metric) => metric.labels);
  if (categories.length === 0) return null;
  const items = categories.find(({ id }) => id === values.labelMetricId)?.labels?.items ?? [];
  const metricOptions = Object.fromEntries(categories.map(({ id, name }) => [id, name ?? id]));
  const labelOptions = Object.fromEntries(items.map((item) => [item, item]));
  return (
    <fieldset className="grid grid-cols-2 gap-3">
      <legend className="mb-1 text-sm font-medium">Alert when a label becomes frequent</legend>
      <Select
        label="Metric"
        options={[{ value: '', label: 'No label' }, ...optionsOf(metricOptions)]}
        {...field('labelMetricId')}
      />
      {items.length > 0 && (
        <>
          <Select
            label="Label"
            options={[{ value: '', label: 'Choose a label' }, ...optionsOf(labelOptions)]}
            {...field('label')}
          />
          <Input
            label="Highest share, %"
            type="number"
            min={0.1}
            max={99.9}
            step="any"
            required={values.label !== ''}
            {...field('maxLabelShare')}
          />
        </>
      )}
    </fieldset>
  );
};

/** The limits beyond which monitors and traffic raise the alert, and where they would have done so. */
const LimitFields = ({ projectId, values, field }: LimitFieldsProps) => {
  const limits = limitsOf(limitsIn(values));
  const isMonitors = values.events.has('monitor.worse');
  const isTraffic = values.events.has('traffic.worse');
  if (!isMonitors && !isTraffic) return null;
  return (
    <>
      {isMonitors && (
        <Input
          label="Alert when the pass rate drops below, %"
          type="number"
          min={0.1}
          max={99.9}
          step="any"
          required={values.label === ''}
          hint="Share of records; share of spans, if a metric scores spans. It may be empty if a label is watched."
          {...field('minPassRate')}
        />
      )}
      {isMonitors && <LabelFields projectId={projectId} values={values} field={field} />}
      {isTraffic && (
        <fieldset className="grid grid-cols-2 gap-3">
          <legend className="mb-1 text-sm font-medium">Alert when traces go above; empty for any</legend>
          <Input
            label="Records with a failed span, %"
            type="number"
            min={0.01}
            max={99.9}
            step="any"
            {...field('maxErrorRate')}
          />
          <Input
            label="Latency, 95th percentile, s"
            type="number"
            min={0.001}
            step="any"
            {...field('maxLatencyMs')}
          />
          <Input label="Cost in all, $" type="number" min={0.000001} step="any" {...field('maxCostUsd')} />
          <Select label="Looks at" options={windows} {...field('trafficWindow')} />
        </fieldset>
      )}
      <Input
        label="False alarms a year"
        type="number"
        min={0.01}
        max={366}
        step="any"
        required
        hint="Highest average number, of monitors and of traffic each. A lower number finds a change later."
        {...field('falseAlarmsPerYear')}
      />
      {limits && <AlarmCharts projectId={projectId} limits={limits} />}
    </>
  );
};

/** `first`: the event of a new alert. */
type AlertDialogProps = RowForm<Alert> & { projectId: string; first: AlertEvent };

/** Creates or changes an alert. */
export const AlertDialog = ({ projectId, first, row: alert, dialog, saving }: AlertDialogProps) => {
  const { values, fieldsOf, outdated } = useFields(valuesOf(alert, first));
  const save = useMutation({
    mutationFn: async () => {
      if (!alert) return api.createAlert(projectId, { ...bodyOf(values), kind: values.kind });
      await api.updateAlert(alert.id, bodyOf(values), { ifMatch: etagOf(alert) });
      return undefined;
    },
    meta: saving.meta,
    onSuccess: (created) => {
      if (!created?.signingSecret) dialog.onClose();
    },
  });
  const field = fieldsOf(save.error);
  if (save.data?.signingSecret)
    return (
      <ShownOnce
        onClose={dialog.onClose}
        title="Alert created"
        description="Each request is signed with this key. Copy it now: it is not shown again."
        texts={{ 'Copy the signing key': save.data.signingSecret }}
      />
    );
  const { kind, events } = values;
  return (
    <FormDialog
      {...dialog}
      description="Get notified about this project from now on."
      write={save}
      outdated={outdated}
      disabled={events.size === 0}
    >
      <Input label="Name" required maxLength={256} {...field('name')} />
      {!alert && <Select label="Send by" options={optionsOf(kindWords)} {...field('kind')} />}
      {kind === 'email' ? (
        <Input
          label="Addresses"
          required
          hint="Separate addresses with commas. The owner of an address that belongs to no member is asked first, by one mail."
          {...field('recipients')}
        />
      ) : (
        <Input
          label="URL"
          type="url"
          required={!alert}
          hint={alert ? `Leave empty to keep the present address at ${alert.target}.` : urlHints[kind]}
          {...field('url')}
        />
      )}
      {kind === 'otlp' ? (
        <TextArea
          label="Headers"
          rows={3}
          hint="One per line, such as Authorization: Bearer key. A new URL needs them again."
          {...field('headers')}
        />
      ) : (
        <Events {...field('events')} />
      )}
      {kind !== 'otlp' && <LimitFields projectId={projectId} values={values} field={field} />}
    </FormDialog>
  );
};
