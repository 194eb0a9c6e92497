import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, issuesOf, keyOf } from '../../api.ts';
import type { Alert } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/copy.tsx';
import { Dialog, FormDialog } from '../../ui/dialog.tsx';
import { Input, optionsOf, Select } from '../../ui/field.tsx';
import { type AlertEvent, eventWords, kindWords } from './event-words.ts';

type AlertDialogProps = { projectId: string; alert: Alert | undefined; onClose: () => void };

const urlHints = {
  webhook: 'Events are posted here as JSON, signed as Standard Webhooks says.',
  slack: 'An incoming webhook of Slack, or of a chat that takes the same messages.',
};

/** The new destination; an empty field keeps the stored one. */
const destinationOf = (kind: Alert['kind'], text: string) => {
  if (text.trim() === '') return {};
  return kind === 'email' ? { recipients: text.split(/[\s,;]+/).filter(Boolean) } : { url: text.trim() };
};

/** Creates or changes an alert. */
export const AlertDialog = ({ projectId, alert, onClose }: AlertDialogProps) => {
  const [name, setName] = useState(alert?.name ?? '');
  const [kind, setKind] = useState<Alert['kind']>(alert?.kind ?? 'webhook');
  const [target, setTarget] = useState(alert?.kind === 'email' ? alert.target : '');
  const [events, setEvents] = useState<ReadonlySet<AlertEvent>>(new Set(alert?.events ?? ['run.completed']));
  const [rate, setRate] = useState(String(Number((100 * (alert?.minPassRate ?? 0.9)).toFixed(6))));
  const [falseAlarms, setFalseAlarms] = useState(String(alert?.falseAlarmsPerYear ?? 1));
  const watches = events.has('monitor.worse');
  const save = useMutation({
    mutationFn: async () => {
      const watched = { minPassRate: Number(rate) / 100, falseAlarmsPerYear: Number(falseAlarms) };
      const body = {
        ...{ name, events: [...events], ...destinationOf(kind, target) },
        ...(watches && watched),
      };
      if (!alert) return api.createAlert(projectId, { ...body, kind });
      await api.updateAlert(alert.id, body);
      return undefined;
    },
    meta: { refreshes: [keyOf('listAlerts', projectId)] },
    onSuccess: (made) => {
      if (!made?.signingSecret) onClose();
    },
  });
  const issue = issuesOf(save.error);
  if (save.data?.signingSecret)
    return (
      <Dialog
        open
        onClose={onClose}
        title="Alert created"
        description="Each request is signed with this key. Copy it now: it is not shown again."
      >
        <CodeBlock text={save.data.signingSecret} label="Copy the signing key" />
        <div className="mt-3 flex justify-end">
          <Button look="primary" onClick={onClose}>
            Done
          </Button>
        </div>
      </Dialog>
    );
  const toggle = (event: AlertEvent) => {
    const next = new Set(events);
    if (!next.delete(event)) next.add(event);
    setEvents(next);
  };
  return (
    <FormDialog
      open
      onClose={onClose}
      title={alert ? `Change ${alert.name}` : 'New alert'}
      description="Sends what happens in this project from now on."
      write={save}
      action={alert ? 'Save' : 'Create alert'}
      disabled={events.size === 0}
    >
      <Input label="Name" required maxLength={256} error={issue('/name')} value={name} onChange={setName} />
      {!alert && (
        <Select
          label="Send by"
          options={optionsOf(kindWords)}
          error={issue('/kind')}
          value={kind}
          onChange={setKind}
        />
      )}
      {kind === 'email' ? (
        <Input
          label="Addresses"
          required
          hint="With commas between them."
          error={issue('/recipients') ?? issue('/recipients/0')}
          value={target}
          onChange={setTarget}
        />
      ) : (
        <Input
          label="URL"
          type="url"
          required={!alert}
          hint={alert ? `Empty keeps the present one at ${alert.target}.` : urlHints[kind]}
          error={issue('/url')}
          value={target}
          onChange={setTarget}
        />
      )}
      <fieldset className="flex flex-col gap-1.5">
        <legend className="mb-1 text-sm font-medium">Events</legend>
        {(Object.keys(eventWords) as AlertEvent[]).map((event) => (
          <label key={event} className="flex items-start gap-2">
            <input
              type="checkbox"
              className="mt-1"
              checked={events.has(event)}
              onChange={() => toggle(event)}
            />
            <span>
              {eventWords[event].label}
              <span className="block text-sm text-soft">{eventWords[event].hint}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {watches && (
        <>
          <Input
            label="Lowest pass rate that is good enough, in percent"
            type="number"
            min={0.1}
            max={99.9}
            step="any"
            required
            error={issue('/minPassRate')}
            value={rate}
            onChange={setRate}
          />
          <Input
            label="False alarms a year"
            type="number"
            min={0.01}
            max={366}
            step="any"
            required
            hint="At most, on average, over all monitors of this project. Fewer take longer to find a change."
            error={issue('/falseAlarmsPerYear')}
            value={falseAlarms}
            onChange={setFalseAlarms}
          />
        </>
      )}
    </FormDialog>
  );
};
